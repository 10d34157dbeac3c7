#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/model/flexible/mechanism.hpp"

namespace alembert::reduce {

/// Vectors of these displacements turned from the frames of their bodies into the world, or back.
/// x and y of a point turn together; a displacement whose partner is not among the rows stays.
[[nodiscard]] Eigen::MatrixXd turned_with_bodies(
    const model::flexible::FlexibleMechanism& mechanism,
    const model::flexible::FlexibleState& state, const std::vector<Eigen::Index>& rows,
    const Eigen::MatrixXd& vectors, bool into_world);

}  // namespace alembert::reduce
