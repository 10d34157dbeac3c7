#include "estimate/observe/observe_evidence.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alembert::estimate {
namespace {

// Mean NIS over its expectation: docs/verdict.md.
constexpr double kNisTooLarge = 3.0;
constexpr double kNisTooSmall = 1.0 / 16.0;

}  // namespace

void judge_nis(double mean, double expected, Evidence& evidence) {
  const double ratio = mean / expected;
  if (!(ratio < kNisTooLarge)) {
    evidence.add(TrustLevel::Bad,
                 fmt::format("the innovations are {:.3g} times as large as their covariance says "
                             "(mean NIS {:.3g}, expected {:.3g})",
                             std::sqrt(ratio), mean, expected),
                 "check units, signs, counts and sigma of the sensors, and the geometry");
  } else if (ratio < kNisTooSmall) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("the innovations are {:.3g} times smaller than their covariance says: "
                             "the standard deviations are too large",
                             1.0 / std::sqrt(ratio)),
                 "lower sigma of the sensors or the density of the motion");
  }
}

void judge_trust(ObserveResult& result) {
  Evidence evidence;
  evidence.add(result);
  const ConsistencyVerdict& found = result.consistency;
  if (found.judged) judge_nis(found.squares.average, found.squares.expected, evidence);
  for (const SensorFinding& one : found.findings) evidence.add(one.level, one.reason, one.advice);
  for (const std::string& warning : result.warnings) evidence.add(TrustLevel::Caution, warning);
  result.verdict = evidence.verdict();
}

}  // namespace alembert::estimate
