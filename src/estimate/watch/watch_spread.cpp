#include "estimate/watch/watch_spread.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/chi_square.hpp"
#include "alembert/estimate/watch/run_length.hpp"

namespace alembert::estimate {

namespace {

constexpr long kFewestSums = 20;
constexpr double kMostSquare = 16.0;  // of a sum over its variance: a shift is no noise
constexpr double kSure = 0.999;

double probability_outside(double z) { return std::erfc(z / std::sqrt(2.0)); }

}  // namespace

WatchSpread::WatchSpread(const WatchDesign& design) : design_(design) {
  if (design.rule == WatchRule::Cusum && std::isfinite(design.delay)) {
    length_ = std::max(1L, std::lround(design.delay / design.step));
  }
}

void WatchSpread::add(double normalised) noexcept {
  sum_ += normalised;
  if (++summed_ < length_) return;
  squares_ += std::min(sum_ * sum_ / static_cast<double>(length_), kMostSquare);
  ++sums_;
  begin_anew();
}

void WatchSpread::begin_anew() noexcept {
  sum_ = 0.0;
  summed_ = 0;
}

double WatchSpread::false_alarms_every() const {
  const double promised = design_.run_length * design_.step;
  if (sums_ < kFewestSums) return promised;
  const double variance = squares_ / chi_square_quantile(kSure, static_cast<double>(sums_));
  if (!(variance > 1.0)) return promised;
  // White values of this variance, in units of their deviation.
  const double size = std::sqrt(variance);
  const double limit = design_.limit / size;
  const double values = design_.rule == WatchRule::Threshold
                            ? 1.0 / probability_outside(limit)
                            : two_sided_cusum_run_length(design_.reference / size, limit, 0.0);
  return std::min(promised, values * design_.step);
}

}  // namespace alembert::estimate
