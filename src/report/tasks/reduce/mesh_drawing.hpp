#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "alembert/model/structure/structure.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// A shape as it swings, on the mesh of the structure; none without a mesh, or with one too large
/// to draw.
[[nodiscard]] std::optional<Animation> shape_animation(const model::Structure& structure,
                                                       const Eigen::VectorXd& shape,
                                                       const std::string& id,
                                                       const std::string& title);

}  // namespace alembert::report
