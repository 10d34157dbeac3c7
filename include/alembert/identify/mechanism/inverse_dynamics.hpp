#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/identify/mechanism/mechanism_parameters.hpp"
#include "alembert/model/planar/move_mechanism.hpp"
#include "alembert/signal/between_samples.hpp"

/// Parameters of a mechanism by regression of the measured forces on the measured motion, as
/// robotics does it: no simulation is needed, but all coordinates must be measured.
namespace alembert::identify {

/// How the regression of the inverse dynamics is solved.
enum class InverseRule {
  LeastSquares,  ///< derivatives by smoothing splines; their noise biases the estimate
  Instruments    ///< the slopes along a simulated motion as instruments, which have no noise
};
constexpr auto enum_names(InverseRule) {
  return std::to_array<EnumName<InverseRule>>(
      {{InverseRule::LeastSquares, "least-squares"}, {InverseRule::Instruments, "instruments"}});
}

/// An estimate by inverse dynamics. Its deviations take the residuals for white noise.
struct InverseDynamicsFit : Outcome {
  InverseRule rule = InverseRule::LeastSquares;
  Eigen::VectorXd parameters;
  Eigen::VectorXd deviations;
  double residual = 0.0;  ///< rms of M z'' + bias − B F, N or N m
  int iterations = 0;
};

/// How the columns of a record become forces and motion.
struct InverseOptions {
  signal::BetweenSamples between = signal::BetweenSamples::Held;
  Eigen::Index substeps = 4;  ///< of the simulated motion
};

/// Motion from the readings of the sensors that read coordinates themselves: quintic smoothing
/// splines, with the degree of smoothing by cross-validation.
struct MeasuredPath : Outcome {
  std::vector<model::planar::CoordinatePath> paths;  ///< one for each experiment
};

/// Status NotIdentifiable: a coordinate is read by no sensor, or by too few samples.
/// @param data output: readings of the motion sensors in their order, in SI without turns.
[[nodiscard]] MeasuredPath measured_path(const model::planar::MechanismDescription& description,
                                         const Experiments& data);

/// θ with Zᵀ (τ(z, z', z''; θ) − B G u) = 0 along the measured motion; Z = ∂τ/∂θ along it, or
/// along the motion that is simulated with θ. The ends of the splines are left out.
/// @param theta start. @throws InvalidInput if names, sizes or the assembly do not fit.
[[nodiscard]] InverseDynamicsFit fit_inverse_dynamics(
    const MechanismValues& given, const std::vector<std::string>& names,
    const Eigen::VectorXd& theta, const Experiments& data, const MeasuredPath& measured,
    InverseRule rule, const InverseOptions& options = {});

}  // namespace alembert::identify
