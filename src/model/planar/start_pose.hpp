#pragma once

#include <Eigen/Core>

#include "alembert/core/random.hpp"
#include "model/planar/layout/layout.hpp"

namespace alembert::model::planar {

/// Rough poses q to assemble from. Attempt 0: those of the description; other bodies are laid along
/// the joints from the ground, their angles from the coordinates z where these say it, else 0.
/// Later attempts: random angles for bodies whose angle no coordinate gives.
void start_pose(const Layout& layout, const MechanismDescription& description,
                const Eigen::VectorXd& z, int attempt, RandomStream& random, Eigen::VectorXd& q);

}  // namespace alembert::model::planar
