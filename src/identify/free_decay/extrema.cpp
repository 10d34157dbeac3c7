#include "identify/free_decay/extrema.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/algebra/dense.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kHalfWindow = 0.125;       // of a cycle
constexpr Index kFewestBesideExtremum = 3;  // on each side: 7 samples for 5 coefficients

double polynomial(const VectorXd& c, double x) {
  double sum = 0.0;
  for (Index i = c.size() - 1; i >= 0; --i) sum = sum * x + c(i);
  return sum;
}

// Newton's method for the zero of the slope; the start is the middle of the window.
double turning_point(const VectorXd& c) {
  double x = 0.0;
  for (int round = 0; round < 20; ++round) {
    const double slope = c(1) + x * (2.0 * c(2) + x * (3.0 * c(3) + x * 4.0 * c(4)));
    const double bend = 2.0 * c(2) + x * (6.0 * c(3) + x * 12.0 * c(4));
    if (bend == 0.0) break;
    const double next = std::clamp(x - slope / bend, -1.0, 1.0);
    if (std::abs(next - x) < 1e-12) break;
    x = next;
  }
  return x;
}

// The quartic through the samples middle - half .. middle + half, scaled to [-1, 1].
struct LocalFit {
  Extremum point;
  double misfit = 0.0;   // sum of squares
  double freedom = 0.0;  // samples - 5
  double leverage = 0.0;
};

LocalFit quartic_at(const Eigen::Ref<const VectorXd>& values, Index middle, Index half,
                    double step) {
  const Index n = 2 * half + 1;
  Eigen::MatrixXd basis(n, 5);
  VectorXd y(n);
  for (Index k = 0; k < n; ++k) {
    const double x = static_cast<double>(k - half) / static_cast<double>(half);
    for (Index i = 0; i < 5; ++i) basis(k, i) = i == 0 ? 1.0 : basis(k, i - 1) * x;
    y(k) = values(middle - half + k);
  }
  const Eigen::MatrixXd inverse = dense::inverse(dense::transposed_times(basis, basis));
  const VectorXd c = inverse * (basis.transpose() * y);
  const double x = turning_point(c);
  VectorXd at(5);
  for (Index i = 0; i < 5; ++i) at(i) = i == 0 ? 1.0 : at(i - 1) * x;
  LocalFit fit;
  fit.point.time = step * (static_cast<double>(middle) + x * static_cast<double>(half));
  fit.point.value = polynomial(c, x);
  fit.misfit = (y - basis * c).squaredNorm();
  fit.freedom = static_cast<double>(n - 5);
  fit.leverage = at.dot(inverse * at);
  return fit;
}

// The sample farthest from the offset between two places of the record.
Index farthest(const Eigen::Ref<const VectorXd>& values, Index from, Index to, double offset) {
  Index best = from;
  for (Index k = from; k <= to; ++k) {
    if (std::abs(values(k) - offset) > std::abs(values(best) - offset)) best = k;
  }
  return best;
}

// Noise moves the farthest sample about; the middle between two crossings does not move.
std::optional<Index> window_middle(const Eigen::Ref<const VectorXd>& values, const Cycles& cycles,
                                   double step, std::size_t gap, Index half) {
  const std::vector<double>& crossings = cycles.crossings;
  const auto last = static_cast<double>(values.size() - 1);
  double begin = gap == 0 ? 0.0 : crossings[gap - 1] / step;
  double end = gap == crossings.size() ? last : crossings[gap] / step;
  Index middle = 0;
  if (gap > 0 && gap < crossings.size()) {
    middle = static_cast<Index>(std::lround(0.5 * (begin + end)));
  } else {
    // Beyond the outer crossings a quarter of a cycle further on, if the record goes there.
    const double quarter = 0.25 * cycles.period / step;
    const double place = gap == 0 ? end - quarter : begin + quarter;
    if (place < 0.0 || place > last) return std::nullopt;
    middle = static_cast<Index>(std::lround(place));
  }
  begin = std::max(begin, static_cast<double>(middle - half));
  end = std::min(end, static_cast<double>(middle + half));
  // With large decrements the turning point is before the middle.
  middle = farthest(values, static_cast<Index>(std::ceil(begin)), static_cast<Index>(end),
                    cycles.offset);
  if (middle - half < 0 || middle + half >= values.size()) return std::nullopt;
  return middle;
}

}  // namespace

std::vector<Extremum> extrema_between(const Eigen::Ref<const VectorXd>& values, double step,
                                      const Cycles& cycles) {
  std::vector<LocalFit> fits;
  const Index half = std::max(kFewestBesideExtremum,
                              static_cast<Index>(std::lround(kHalfWindow * cycles.period / step)));
  if (cycles.crossings.empty()) return {};
  for (std::size_t gap = 0; gap <= cycles.crossings.size(); ++gap) {
    const std::optional<Index> middle = window_middle(values, cycles, step, gap, half);
    if (middle) fits.push_back(quartic_at(values, *middle, half, step));
  }
  double misfit = 0.0;
  double freedom = 0.0;
  for (const LocalFit& fit : fits) {
    misfit += fit.misfit;
    freedom += fit.freedom;
  }
  std::vector<Extremum> extrema;
  for (LocalFit& fit : fits) {
    fit.point.deviation = std::sqrt(misfit / freedom * fit.leverage);
    extrema.push_back(fit.point);
  }
  return extrema;
}

}  // namespace alembert::identify
