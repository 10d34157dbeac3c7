#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "alembert/estimate/kinematic_observer.hpp"

/// Unknown forces of a mechanism from its accelerometers, without a model of how they move.
namespace alembert::estimate {

/// What the filter knows beforehand.
struct UnknownInputOptions {
  ObserverStart start = {};                   ///< z, zd and their standard deviations
  std::vector<double> noise = {1e-12, 1e-6};  ///< variances that a step adds to z and z'
};

/// Runs an UnknownInputFilter on a mechanism: x = (z, z'), d the unknown forces; measured forces
/// drive it, all other sensors are outputs.
///
///   z'' = M⁻¹(B1 u + B2 d − bias)    z⁺ = z + Δt z' + Δt²/2 z''    z'⁺ = z' + Δt z''
///
/// Accelerometers feel the forces at once: D = (∂h/∂z'') M⁻¹ B2. A sample without readings that
/// tell all forces counts as failed: the motion goes on with the forces before it. The estimate
/// begins with the first sample that tells them, NaN before; the start is of its instant. The names
/// are "angle(crank)", "angle(crank)'", ..., "force(load)", in this order.
/// @param time of the samples in s, rising. @param readings samples x sensors, NaN: missing.
/// @throws InvalidInput for wrong sizes, as check_unknown_forces(), without an unknown force, if
/// the
///   mechanism cannot be assembled at the start, or if at no place that the encoders read the
///   accelerometers tell all unknown forces: with the forces that none feels, and what to do.
[[nodiscard]] ObserverEstimate observe_unknown_inputs(
    const std::shared_ptr<const model::planar::Mechanism>& mechanism,
    const Eigen::Ref<const Eigen::VectorXd>& time,
    const Eigen::Ref<const Eigen::MatrixXd>& readings, const UnknownInputOptions& options);

}  // namespace alembert::estimate
