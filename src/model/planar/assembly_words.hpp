#pragma once

// How ways to close the joints of a mechanism differ, in words.

#include <vector>

#include "model/planar/motion.hpp"

namespace alembert::model::planar {

/// Puts all poses but the first, which is taken, into the result with words for each.
void describe_assemblies(const Mechanism& mechanism, const Layout& layout,
                         const MechanismState& state, const std::vector<Eigen::VectorXd>& poses,
                         Assemblies& found);

}  // namespace alembert::model::planar
