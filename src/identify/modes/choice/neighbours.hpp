#pragma once

#include <vector>

#include "alembert/identify/modes/plscf.hpp"

namespace alembert::identify::modes {

/// Whether another term is near enough to stand in for term r: within five half-power widths of
/// the two, or 3 % of the frequency. Only then is a fit without the term worth its cost.
[[nodiscard]] bool has_neighbour(std::size_t r, const std::vector<FrfPole>& terms);

}  // namespace alembert::identify::modes
