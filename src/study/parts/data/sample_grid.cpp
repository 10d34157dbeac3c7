#include "study/parts/data/sample_grid.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/text.hpp"

namespace alembert::study {

Eigen::Index steps_in(const TableReader& table, const std::string& key, double step) {
  const double ratio = table.number(key) / step;
  const double whole = std::round(ratio);
  if (whole < 1.0 || std::abs(ratio - whole) > 1e-6 || whole > 1e9) {
    table.fail(key, fmt::format("must be a multiple of the step, {} s, got {}", shortest(step),
                                shortest(table.number(key))));
  }
  return static_cast<Eigen::Index>(whole);
}

}  // namespace alembert::study
