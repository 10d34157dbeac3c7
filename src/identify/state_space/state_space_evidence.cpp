#include "identify/state_space/state_space_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace alembert::identify::state_space {
namespace {

constexpr double kFairFit = 70.0;     // %, mean: below is caution
constexpr double kPoorFit = 30.0;     // %: below is bad
constexpr double kLostFit = 10.0;     // percentage points between estimation and validation
constexpr double kHalvesApart = 1.5;  // median of |difference|/deviation; 0.67 expected
// Largest of them: a hundred normal ones stay below 3.5, those of 30 parts below 5.
constexpr double kPoleApart = 6.0;
constexpr double kNoDamping = 2.0;  // deviations that damping must exceed

void judge_fit(const StateSpace& result, Evidence& evidence) {
  // The worse of both: start states of their own make short records look better than they are.
  const bool held =
      result.validation && !(result.validation->mean_fit() > result.estimation.mean_fit());
  const double mean = (held ? *result.validation : result.estimation).mean_fit();
  const char* where = held ? "held-back samples" : "samples of the estimate";
  if (!(mean >= kFairFit)) {
    evidence.add(
        mean >= kPoorFit ? TrustLevel::Caution : TrustLevel::Bad,
        fmt::format("the simulation explains little of the {}: mean fit {:.1f} %", where, mean),
        "look for unmeasured forces, nonlinear behaviour, wrong columns or a wrong rate");
  }
  if (held && result.estimation.mean_fit() - mean > kLostFit) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("the fit falls from {:.1f} % on the samples of the estimate to {:.1f} "
                             "% on held-back ones",
                             result.estimation.mean_fit(), mean),
                 "use a longer record or a smaller order");
  }
}

void judge_order(const StateSpace& result, Evidence& evidence) {
  if (result.trials.empty()) return;
  if (result.trials.back().chosen && result.trials.size() > 1) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("the chosen order {} is the largest that was tried", result.order),
                 "raise identify.largest-order");
  }
}

void judge_poles(const StateSpace& result, const StateSpaceOptions& options, Evidence& evidence) {
  if (result.halves > kHalvesApart) {
    evidence.add(
        TrustLevel::Caution,
        fmt::format("the halves of the record disagree: their poles differ by {:.2g} deviations "
                    "in the median (0.67 expected), so the deviations are about {:.2g} times too "
                    "small",
                    result.halves, result.halves / 0.67),
        "look for a structure that changes, warms up or is not linear");
  } else if (result.largest_half > kPoleApart) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("the halves of the record disagree on the pole at {:.5g} Hz by {:.2g} "
                             "deviations",
                             result.largest_half_hz, result.largest_half),
                 "look for a structure that changes, warms up or is not linear");
  }
  const auto edge = std::count_if(result.poles.begin(), result.poles.end(), [](const StatePole& p) {
    return p.z.imag() != 0.0 && p.damping_ratio < kNoDamping * p.damping_deviation;
  });
  if (edge > 0) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("{} of {} poles have a damping below twice its deviation", edge,
                             result.poles.size()),
                 "use a longer record or a smaller order");
  }
  if (result.reflected > 0 && !options.refine) {
    evidence.add(
        TrustLevel::Caution,
        fmt::format("{} unstable poles of the start were reflected at the unit circle",
                    result.reflected),
        "refine the poles, or say from where on the sensors can be trusted with identify.from");
  }
}

}  // namespace

Verdict state_space_verdict(const StateSpace& result, const StateSpaceOptions& options) {
  Evidence evidence;
  evidence.add(result);
  judge_fit(result, evidence);
  judge_order(result, evidence);
  judge_poles(result, options, evidence);
  return evidence.verdict();
}

}  // namespace alembert::identify::state_space
