#include "identify/diagnosis/clipping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// The least distance of different values: the resolution of the converter, or less.
double resolution(const Eigen::Ref<const VectorXd>& values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  // Values of one step that a file has rounded apart differ by some last digits.
  const double equal = 1e-9 * std::max(std::abs(sorted.front()), std::abs(sorted.back()));
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    const double gap = sorted[k] - sorted[k - 1];
    if (gap > equal) least = std::min(least, gap);
  }
  return std::isfinite(least) ? least : 0.0;
}

// Samples of `values` in clipped runs at its largest one.
Index clipped_at_top(const VectorXd& values, double allowed_fall) {
  const double top = values.maxCoeff();
  const Index n = values.size();
  Index total = 0;
  for (Index k = 0; k < n; ++k) {
    if (values(k) != top) continue;
    const Index first = k;
    while (k + 1 < n && values(k + 1) == top) ++k;
    const Index run = k - first + 1;
    if (run < 3) continue;
    const Index beyond = (run + 1) / 2;
    // At an end of the record the other side decides.
    const double before = first - beyond >= 0 ? top - values(first - beyond)
                                              : std::numeric_limits<double>::infinity();
    const double after =
        k + beyond < n ? top - values(k + beyond) : std::numeric_limits<double>::infinity();
    const double fall = std::min(before, after);
    if (std::isfinite(fall) && fall > allowed_fall) total += run;
  }
  return total;
}

}  // namespace

Clipping find_clipping(const Eigen::Ref<const VectorXd>& values, double noise) {
  Clipping clipping;
  clipping.highest = values.maxCoeff();
  clipping.lowest = values.minCoeff();
  const double allowed = 8.0 * resolution(values) + 6.0 * noise;
  clipping.upper = clipped_at_top(values, allowed);
  clipping.lower = clipped_at_top(-values, allowed);
  return clipping;
}

}  // namespace alembert::identify
