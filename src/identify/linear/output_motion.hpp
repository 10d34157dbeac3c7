#pragma once

#include <optional>

#include "alembert/model/second_order.hpp"

namespace alembert::identify {

inline constexpr model::Motion kMotions[] = {model::Motion::Displacement, model::Motion::Velocity,
                                             model::Motion::Acceleration};

/// The kind of motion that an output sees; empty if it mixes several or sees none.
[[nodiscard]] std::optional<model::Motion> motion_of_output(const model::OutputMap& map,
                                                            Eigen::Index output);

}  // namespace alembert::identify
