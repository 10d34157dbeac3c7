#pragma once

#include <Eigen/Core>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "alembert/estimate/noise.hpp"

/// What an Observer knows of the thing it observes: a mechanism, a pendulum, a structure.
namespace alembert::estimate {

/// What a model reads in a step.
struct ObservedInput {
  double step = 0.0;                    ///< s, from the sample before to this one
  std::span<const double> before = {};  ///< inputs one sample ago; NaN: missing
  std::span<const double> now = {};     ///< and of this sample
  bool random_walk = false;             ///< the inputs are not to be used: walk at random
};

/// States, sensors and outputs of an observed model. The first states are coordinates and, block by
/// block, their derivatives in time; constants such as biases follow:
///
///   x = (z, z', ..., c),   z of spans.size() coordinates in `blocks` blocks.
struct ObservedLayout {
  std::vector<std::string> states;  ///< names
  /// Of each coordinate: an estimate less certain than this knows nothing of it. Empty: there are
  /// no coordinates, and an estimate that is lost is not looked for.
  Eigen::VectorXd spans = {};
  int blocks = 1;                       ///< of coordinates and derivatives, >= 1
  int sensors = 0;                      ///< readings of a step
  std::vector<int> inputs = {};         ///< sensors that drive the model, in the order of u
  std::vector<int> outputs = {};        ///< sensors that correct it, in the order of y
  std::vector<int> orders = {};         ///< derivative that each output reads: 0 positions, ...
  std::vector<bool> angles = {};        ///< outputs on the circle: innovations in [-π, π]
  Noise<double, Eigen::Dynamic> noise;  ///< R of the outputs
  /// States in which the scale of process_noise() shows best; empty: it has no scale to adapt.
  std::vector<int> scaled = {};

  [[nodiscard]] int coordinates() const { return static_cast<int>(spans.size()); }
  /// Coordinates and their derivatives: the first so many states.
  [[nodiscard]] int moving() const { return blocks * coordinates(); }
};

/// A model for the machinery of the observers: gates, late readings, recovery, adaptation, records
/// and smoothing. Sigma-point filters use process() and output(), extended ones the Jacobians.
///
/// The model may have memory of its own: one observer, one model. Its functions are called in every
/// step; they must not throw and should not allocate. Where there is no value they write NaN.
class ObservedModel {
 public:
  virtual ~ObservedModel() = default;

  [[nodiscard]] virtual const ObservedLayout& layout() const noexcept = 0;

  /// x⁺ = f(u, x), with F = ∂f/∂x.
  virtual void process(const ObservedInput& u, std::span<const double> x,
                       std::span<double> next) const = 0;
  virtual void process_jacobian(const ObservedInput& u, std::span<const double> x,
                                std::span<double> next, Eigen::MatrixXd& F) const = 0;
  /// y = h(x), with H = ∂h/∂x. An output that is NaN counts as not measured.
  virtual void output(const ObservedInput& u, std::span<const double> x,
                      std::span<double> y) const = 0;
  virtual void output_jacobian(const ObservedInput& u, std::span<const double> x,
                               std::span<double> y, Eigen::MatrixXd& H) const = 0;
  /// Q of a step from the mean before it. @param scale of its densities: 1, or what was adapted.
  /// The reference holds until the next call.
  [[nodiscard]] virtual const Noise<double, Eigen::Dynamic>& process_noise(
      const ObservedInput& u, const Eigen::VectorXd& mean, double scale) noexcept = 0;

  /// What a reading of a sensor means in the unit of the model.
  [[nodiscard]] virtual double physical_value(int /*sensor*/, double reading) const noexcept {
    return reading;
  }
  /// How well the inputs determine the motion at x: the measure of the SwitchRule.
  [[nodiscard]] virtual double determinacy(const ObservedInput& /*u*/,
                                           std::span<const double> /*x*/) const noexcept {
    return std::numeric_limits<double>::infinity();
  }
  /// Whether the model can be at a state.
  [[nodiscard]] virtual bool reaches(std::span<const double> /*x*/) const noexcept { return true; }
  /// How often outputs were asked for where it cannot be.
  [[nodiscard]] virtual long unreached() const noexcept { return 0; }
  /// Why the coordinates z cannot be reached from a state before; "" where nothing can be said.
  [[nodiscard]] virtual std::string explain(const Eigen::VectorXd& /*before*/,
                                            const Eigen::VectorXd& /*z*/) const {
    return "";
  }
};

/// When a model that is driven by inputs takes its random walk: where they determine its motion
/// badly, with hysteresis in the measure and in its rate.
struct SwitchOptions {
  double threshold = 0.0;  ///< of the measure (det SᵀS for mechanisms), in its own unit; 0: never
  double release_ratio = 1.0;  ///< >= 1; the inputs return above ratio × threshold
  /// s; the rate of the measure decides too: it switches this long before the threshold is reached,
  /// and not back while the measure falls.
  double look_ahead = 0.0;
};

/// The switching rule with its memory.
class SwitchRule {
 public:
  /// @throws InvalidInput unless threshold >= 0, release_ratio >= 1 and look_ahead >= 0.
  explicit SwitchRule(const SwitchOptions& options = {});

  /// Whether the next step is a random walk; measures of this and of the last call make the rate.
  /// A NaN counts as zero.
  bool update(double measure, double step) noexcept;
  [[nodiscard]] bool active() const noexcept { return active_; }

 private:
  SwitchOptions options_;
  bool active_ = false;
  double last_ = 0.0;
  bool has_last_ = false;
};

}  // namespace alembert::estimate
