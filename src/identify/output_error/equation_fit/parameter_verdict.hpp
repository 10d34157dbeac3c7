#pragma once

#include <string>

#include "alembert/identify/equation_fit.hpp"

namespace alembert::identify {

/// The standard deviation of a parameter by its name; NaN if it is not known.
[[nodiscard]] double known_deviation(const optimize::EstimateStatistics& statistics,
                                     const std::string& name);

/// The same over the size of the parameter; infinite if it is not known.
[[nodiscard]] double known_relative_deviation(const optimize::EstimateStatistics& statistics,
                                              const std::string& name);

}  // namespace alembert::identify
