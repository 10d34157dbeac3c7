#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace alembert {

/// The middle of the sorted values, of two the smaller. There must be one.
[[nodiscard]] inline double lower_median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace alembert
