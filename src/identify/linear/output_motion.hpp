#pragma once

#include <optional>
#include <vector>

#include "alembert/model/second_order.hpp"

namespace alembert::identify {

inline constexpr model::Motion kMotions[] = {model::Motion::Displacement, model::Motion::Velocity,
                                             model::Motion::Acceleration};

/// The kind of motion that an output sees; empty if it mixes several or sees none.
[[nodiscard]] std::optional<model::Motion> motion_of_output(const model::OutputMap& map,
                                                            Eigen::Index output);

/// What some outputs see, in the given order.
[[nodiscard]] model::OutputMap selected_map(const model::OutputMap& map,
                                            const std::vector<Eigen::Index>& outputs);

}  // namespace alembert::identify
