#pragma once

#include <Eigen/Core>

#include "model/flexible/layout.hpp"

namespace alembert::model::flexible {

/// Chooses as many displacements to be zero as S has columns, and puts them last.
///
/// The rotation at the first point of each body whose angle is a coordinate, as
/// [MultibodyThesis, section 4.2], where their rows of S are well conditioned; else rows of S by
/// Householder QR with column pivoting of Sᵀ, lengths over the size of the mechanism.
/// @return the condition number of their rows.
/// @throws InvalidInput if no choice fixes the displacements.
double choose_zeroed(const FlexibleDescription& description, double size, const Eigen::MatrixXd& S,
                     FlexibleLayout& layout);

/// The stiffness of the displacements that are not zeroed must be positive definite.
/// @throws InvalidInput that names a displacement that nothing holds.
void check_elastic(const FlexibleLayout& layout, const Eigen::MatrixXd& K);

}  // namespace alembert::model::flexible
