#pragma once

// The second stage of the two-stage observer as an observed model.

#include <memory>
#include <span>
#include <vector>

#include "alembert/estimate/kinematic_observer.hpp"

namespace alembert::estimate {

/// x = (F1, F2[, rates of those that walk]), y = F1. Its sensors are (z, z', z''), their covariance
/// column by column, and the cells of the known forces. Of F1 and F2 one walks (w) and the other
/// follows (f) from the balance of the masses:
///
///   F_f = B_f⁻¹(M z'' + bias) − B_f⁻¹ B_w F_w = c + S F_w
class ForceStage final : public ObservedModel {
 public:
  /// @param start an assembled state. @param direction not Automatic.
  /// @throws InvalidInput for a wrong number of densities.
  ForceStage(std::shared_ptr<const model::planar::Mechanism> mechanism,
             model::planar::MechanismState start, const KinematicObserverOptions& options,
             ForceDirection direction);

  [[nodiscard]] const ObservedLayout& layout() const noexcept override { return layout_; }
  void process(const ObservedInput& u, std::span<const double> x,
               std::span<double> next) const override;
  void process_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> next,
                        Eigen::MatrixXd& F) const override;
  void output(const ObservedInput& u, std::span<const double> x,
              std::span<double> y) const override;
  void output_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> y,
                       Eigen::MatrixXd& H) const override;
  [[nodiscard]] const Noise<double, Eigen::Dynamic>& process_noise(const ObservedInput& u,
                                                                   const Eigen::VectorXd& mean,
                                                                   double scale) noexcept override;

 private:
  /// c_ and S_ at the motion of an input; false where B_f is singular or there is no motion.
  [[nodiscard]] bool relate(const ObservedInput& u) const noexcept;
  /// ∂F_f/∂(z, z', z'') with all forces at their values; needs relate().
  void differentiate(std::span<const double> x) const noexcept;
  void walk(double step, std::span<const double> x, std::span<double> next) const noexcept;
  void set_walk_noise(double step) noexcept;
  void spread_to_followers(const ObservedInput& u, std::span<const double> x) noexcept;
  [[nodiscard]] bool has_rates() const {
    return output_.force_model == ForceModel::IntegratedRandomWalk;
  }
  /// F⁺ / F of a walking force.
  [[nodiscard]] double decay(double step) const noexcept;

  std::shared_ptr<const model::planar::Mechanism> mechanism_;  // constant, shared with the caller
  OutputFormOptions output_;
  TwoStageOptions options_;
  std::vector<double> density_;  // of the walking forces
  int n_;                        // coordinates, which are as many as known forces
  int states_ = 0, rates_ = 0;   // all; place of the first rate
  int walks_ = 0, walking_ = 0;  // first place and number of the forces that walk
  int follows_ = 0, following_ = 0;
  ObservedLayout layout_;
  mutable model::planar::MechanismState state_;
  mutable model::planar::ReducedDynamics dynamics_;
  mutable model::planar::SmallLu lu_;   // of B_f
  mutable std::vector<double> acting_;  // all forces, in the order of the description
  mutable Eigen::VectorXd c_;
  mutable Eigen::MatrixXd S_, J_;
  Eigen::MatrixXd covariance_, product_;
  Noise<double, Eigen::Dynamic> noise_;
};

/// The observer of the second stage. @param start where the mechanism is assembled.
/// @throws InvalidInput as ForceStage and Observer.
[[nodiscard]] Observer force_stage_observer(
    std::shared_ptr<const model::planar::Mechanism> mechanism,
    const KinematicObserverOptions& options, ForceDirection direction);

/// Readings of the second stage: motion, its covariance, cells. @param motion with covariances.
[[nodiscard]] Eigen::MatrixXd force_stage_readings(
    const model::planar::Mechanism& mechanism, const KinematicEstimate& motion,
    const Eigen::Ref<const Eigen::MatrixXd>& readings);

/// The direction that was asked for or, if that is left open, the one whose matrix is better
/// conditioned along a path, f12 where both are alike.
/// @throws InvalidInput for f21 with another number of unknown forces than coordinates.
[[nodiscard]] ForceDirection force_direction(const model::planar::Mechanism& mechanism,
                                             const Eigen::MatrixXd& path,
                                             const KinematicObserverOptions& options);

}  // namespace alembert::estimate
