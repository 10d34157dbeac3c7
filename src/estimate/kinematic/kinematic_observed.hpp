#pragma once

// The kinematic models as observed models.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alembert/estimate/kinematic_observer.hpp"

namespace alembert::estimate {

/// What both forms share: names, spans, sensors, and what a mechanism can say of a place out of
/// reach.
template <typename Model>
class KinematicObserved : public ObservedModel {
 public:
  [[nodiscard]] const ObservedLayout& layout() const noexcept override { return layout_; }
  void process(const ObservedInput& u, std::span<const double> x,
               std::span<double> next) const override {
    model_.process(u, x, next);
  }
  void process_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> next,
                        Eigen::MatrixXd& F) const override {
    model_.process_jacobian(u, x, next, F);
  }
  void output(const ObservedInput& u, std::span<const double> x,
              std::span<double> y) const override {
    model_.output(u, x, y);
  }
  void output_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> y,
                       Eigen::MatrixXd& H) const override {
    model_.output_jacobian(u, x, y, H);
  }
  [[nodiscard]] double physical_value(int sensor, double reading) const noexcept override {
    return model::planar::physical_value(
        model_.mechanism().description().sensors[static_cast<std::size_t>(sensor)], reading);
  }
  [[nodiscard]] bool reaches(std::span<const double> x) const noexcept override {
    return model_.reaches(x);
  }
  [[nodiscard]] long unreached() const noexcept override { return model_.unreached(); }
  [[nodiscard]] std::string explain(const Eigen::VectorXd& before,
                                    const Eigen::VectorXd& z) const override;

 protected:
  explicit KinematicObserved(Model model);

  Model model_;
  ObservedLayout layout_;
};

/// All sensors are outputs of a white-noise motion.
class OutputFormObserved final : public KinematicObserved<KinematicOutputModel> {
 public:
  /// @throws InvalidInput as MotionNoise and sensor_noise().
  OutputFormObserved(KinematicOutputModel model, const OutputFormNoise& noise);

  [[nodiscard]] const Noise<double, Eigen::Dynamic>& process_noise(const ObservedInput& u,
                                                                   const Eigen::VectorXd& mean,
                                                                   double scale) noexcept override;

 private:
  MotionNoise motion_;
};

/// What the noise of the inputs adds to Q in a step of the input form.
class InputNoise {
 public:
  /// @param q of the steps without it.
  InputNoise(KinematicInputModel model, const Noise<double, Eigen::Dynamic>& q);

  void update(const KinematicInput& u, const Eigen::VectorXd& mean) noexcept;
  /// Q + D Dᵀ with D from input_spread() at the last update; Q alone where that is no covariance.
  [[nodiscard]] const Noise<double, Eigen::Dynamic>& noise() const noexcept {
    return usable_ ? sum_ : q_;
  }

 private:
  KinematicInputModel model_;
  Eigen::MatrixXd spread_, covariance_;
  Noise<double, Eigen::Dynamic> q_, sum_;
  bool usable_ = false;
};

/// Measured forces drive the masses.
class DynamicFormObserved final : public KinematicObserved<DynamicModel> {
 public:
  /// @throws InvalidInput if there are fewer variances than blocks or force densities than forces.
  DynamicFormObserved(DynamicModel model, const InputFormNoise& noise, const OutputFormNoise& rest);

  [[nodiscard]] const Noise<double, Eigen::Dynamic>& process_noise(const ObservedInput& u,
                                                                   const Eigen::VectorXd& mean,
                                                                   double scale) noexcept override;

 private:
  void set_rest(double step) noexcept;

  OutputFormNoise rest_;
  bool from_inputs_;
  Eigen::VectorXd variances_;  // of z, z', z''
  Eigen::MatrixXd spread_, covariance_;
  Noise<double, Eigen::Dynamic> noise_;
};

/// Rates or accelerations drive the model.
class InputFormObserved final : public KinematicObserved<KinematicInputModel> {
 public:
  /// @throws InvalidInput if there are fewer variances than blocks.
  InputFormObserved(KinematicInputModel model, const InputFormNoise& noise);

  [[nodiscard]] const Noise<double, Eigen::Dynamic>& process_noise(const ObservedInput& u,
                                                                   const Eigen::VectorXd& mean,
                                                                   double scale) noexcept override;
  [[nodiscard]] double determinacy(const ObservedInput& u,
                                   std::span<const double> x) const noexcept override;

 private:
  Noise<double, Eigen::Dynamic> kinematic_, random_walk_;
  std::optional<InputNoise> from_inputs_;  // in place of the first, if asked for
};

}  // namespace alembert::estimate
