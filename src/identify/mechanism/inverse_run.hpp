#pragma once

// Inverse dynamics along a path, with derivatives by named parameters.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/identify/mechanism/mechanism_parameters.hpp"
#include "alembert/model/planar/move_mechanism.hpp"

namespace alembert::identify {

/// τ = M z'' + bias − B G u at every row of a path, row after row in one vector.
/// @param columns u, rows x forces; empty: no forces.
/// @throws InvalidInput if the mechanism cannot be assembled or cannot follow the path.
[[nodiscard]] Eigen::VectorXd inverse_run(const MechanismValues& values,
                                          const model::planar::CoordinatePath& path,
                                          const Eigen::MatrixXd& columns);

/// Whether a parameter has a part in τ: offsets of sensors have none.
[[nodiscard]] bool acts_on_motion(const model::planar::MechanismDescription& description,
                                  const std::string& name);

/// ∂τ/∂θ by differences, one column for each parameter; exact but for rounding where τ is linear
/// in it.
[[nodiscard]] Eigen::MatrixXd inverse_slopes(const MechanismValues& given,
                                             const std::vector<std::string>& names,
                                             const Eigen::VectorXd& theta,
                                             const model::planar::CoordinatePath& path,
                                             const Eigen::MatrixXd& columns);

}  // namespace alembert::identify
