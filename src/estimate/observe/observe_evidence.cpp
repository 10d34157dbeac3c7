#include "estimate/observe/observe_evidence.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alembert::estimate {
namespace {

// Mean NIS over its expectation. Three times: the deviations are too small by more than 1.7, which
// turns an interval of 95 % into one of 74 %. A tenth: they are three times too large.
constexpr double kTooLarge = 3.0;
constexpr double kTooSmall = 0.1;
// Autocorrelation of the innovations at the first lag: beyond it, more than a quarter of their
// power is what the estimate could have known.
constexpr double kRegular = 0.5;

void judge_size(const SquaresReport& squares, Evidence& evidence) {
  const double ratio = squares.average / squares.expected;
  if (!(ratio < kTooLarge)) {
    evidence.add(TrustLevel::Bad,
                 fmt::format("the innovations are {:.3g} times as large as their covariance says "
                             "(mean NIS {:.3g}, expected {:.3g})",
                             std::sqrt(ratio), squares.average, squares.expected),
                 "check units, signs, counts and sigma of the sensors, and the geometry");
  } else if (ratio < kTooSmall) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("the innovations are {:.3g} times smaller than their covariance says: "
                             "the standard deviations are too large",
                             1.0 / std::sqrt(ratio)),
                 "lower sigma of the sensors or the density of the motion");
  }
}

}  // namespace

void judge_trust(ObserveResult& result) {
  Evidence evidence;
  evidence.add(result);
  const ConsistencyVerdict& found = result.consistency;
  if (found.judged) {
    judge_size(found.squares, evidence);
    const auto& correlation = found.whiteness.autocorrelation;
    if (!correlation.empty() && std::abs(correlation.front()) > kRegular) {
      evidence.add(
          TrustLevel::Caution,
          fmt::format("the innovations follow each other, correlation {:.2f}: the estimate "
                      "lags behind the readings, or a sensor drifts",
                      correlation.front()),
          "raise the density of the motion, look for a drifting or delayed sensor");
    }
  }
  for (const std::string& warning : result.warnings) evidence.add(TrustLevel::Caution, warning);
  result.verdict = evidence.verdict();
}

}  // namespace alembert::estimate
