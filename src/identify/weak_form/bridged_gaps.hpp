#pragma once

#include <optional>

#include "alembert/identify/experiment.hpp"

namespace alembert::identify {

/// The experiments with their short gaps filled by cubic splines through the samples on both sides.
/// Nothing where most windows of `samples` samples are whole without that: a window with a bridge
/// in it is a little wrong, one that is left out is not.
[[nodiscard]] std::optional<Experiments> with_bridged_gaps(const Experiments& data,
                                                           Eigen::Index samples);

}  // namespace alembert::identify
