#include "estimate/observe/observe_evidence.hpp"

#include <fmt/format.h>

#include <cmath>

namespace alembert::estimate {
namespace {

// Mean NIS over its expectation: docs/verdict.md.
constexpr double kNisTooLarge = 3.0;
constexpr double kNisTooSmall = 1.0 / 16.0;

// Joint NEES over its expectation: docs/verdict.md. The same as for NIS: deviations 1.7 times too
// small, and four times too large.
constexpr double kNeesTooLarge = 3.0;
constexpr double kNeesTooSmall = 1.0 / 16.0;

// The errors against the truth, where it is given.
void judge_nees(const CorrelatedSquares& joint, Evidence& evidence) {
  const double ratio = joint.average / joint.expected;
  if (joint.average > joint.upper) {
    evidence.add(ratio < kNeesTooLarge ? TrustLevel::Caution : TrustLevel::Bad,
                 fmt::format("the errors against the truth are {:.3g} times as large as the "
                             "covariances say (joint NEES {:.3g}, 95 % within {:.3g} to {:.3g})",
                             std::sqrt(ratio), joint.average, joint.lower, joint.upper),
                 "check density, sigma and start of the observer, and whether the truth is of the "
                 "same record");
  } else if (ratio < kNeesTooSmall && joint.average < joint.lower) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("the errors against the truth are {:.3g} times smaller than the "
                             "covariances say (joint NEES {:.3g}, 95 % within {:.3g} to {:.3g})",
                             1.0 / std::sqrt(ratio), joint.average, joint.lower, joint.upper),
                 "lower sigma of the sensors or the density of the motion");
  }
}

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
  if (result.truth) judge_nees(result.truth->joint, evidence);
  for (const std::string& warning : result.warnings) evidence.add(TrustLevel::Caution, warning);
  result.verdict = evidence.verdict();
}

}  // namespace alembert::estimate
