#include "identify/linear/evidence.hpp"

#include <fmt/format.h>

#include <cmath>

#include "identify/linear/force_evidence.hpp"
#include "identify/linear/pulses.hpp"
#include "identify/verdict/fit_evidence.hpp"
#include "identify/verdict/residual_evidence.hpp"

namespace alembert::identify {
namespace {

// Of half the sampling rate: fewer than 2.5 samples in a cycle hardly tell a phase.
constexpr double kNearNyquist = 0.8;
// χ² that a system with an eigenvalue at zero exceeds in 1 of 1000 records (one degree of freedom),
// and one that no small count of eigenvalues explains.
constexpr double kEnforcementSeen = 11.0;
constexpr double kEnforcementLarge = 50.0;
constexpr double kPoorCondition = 1e6;  // of the scaled sensitivities
constexpr double kPoorlyKnown = 0.5;    // relative standard deviation of a matrix

void judge_positivity(const Refinement& refinement, Evidence& evidence) {
  if (!refinement.positive_enforced) return;
  const double cost = refinement.enforcement_cost;
  const TrustLevel level = level_above(cost, kEnforcementSeen, kEnforcementLarge);
  const double damping = model::scaled_definiteness(refinement.free_matrices.D).smallest;
  const double stiffness = model::scaled_definiteness(refinement.free_matrices.K).smallest;
  evidence.add(level,
               fmt::format("D or K came out indefinite (smallest scaled eigenvalues {:.2g} and "
                           "{:.2g}) and was moved to the nearest fit that is not, at a cost of "
                           "{:.3g} in units of χ²",
                           damping, stiffness, cost),
               level == TrustLevel::Bad
                   ? "the system may be unstable or under feedback, or a sign or unit is wrong"
                   : "record longer, or excite the weak part more");
}

void judge_knowledge(const LinearIdentification& result, Evidence& evidence) {
  if (result.refinement.condition > kPoorCondition) {
    evidence.add(TrustLevel::Caution,
                 fmt::format("some unknowns are strongly correlated: condition {:.1e} of the "
                             "sensitivities",
                             result.refinement.condition),
                 "fix or tie some of them, or move a force or a sensor");
  }
  const std::string doubt = optimize::doubt_of(result.refinement.coloured);
  if (!doubt.empty()) evidence.add(TrustLevel::Caution, doubt, "record longer");
  if (!result.expected_error) return;
  const char* const names[] = {"M", "D", "K"};
  for (Eigen::Index i = 0; i < 3; ++i) {
    const double share = (*result.expected_error)(i);
    if (share <= kPoorlyKnown || !std::isfinite(share)) continue;  // infinite: the status says so
    evidence.add(TrustLevel::Caution,
                 fmt::format("{} is known to {:.0f} % only", names[i], 100.0 * share),
                 "record longer, excite more or add sensors");
  }
}

void judge_modes(const LinearIdentification& result, Evidence& evidence) {
  const double nyquist = 0.5 / result.records.step;
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const double frequency = result.modes[i].frequency_hz;
    if (frequency <= kNearNyquist * nyquist) continue;
    evidence.add(TrustLevel::Caution,
                 fmt::format("mode {} at {:.4g} Hz lies {} half the sampling rate, {:.4g} Hz",
                             i + 1, frequency, frequency > nyquist ? "above" : "near", nyquist),
                 "sample faster, or leave coordinates out");
    return;
  }
}

// What the model misses of the data, whatever the deviations say.
void judge_misses(const Experiments& data, const LinearIdentification& result, Evidence& evidence) {
  if (!result.has_system()) return;
  const std::vector<std::string>& names = result.names.outputs;
  judge_fit(names, result.outputs, result.input_shares, evidence);
  judge_experiments(names, data, result.refinement.residuals, evidence);
  judge_beginnings(result.refinement.residuals, result.refinement.noise, evidence);
  judge_delays(names, result.refinement.delays, evidence);
  judge_gain_changes(names, result.refinement.gain_changes, evidence);
  if (result.validation) {
    judge_held_back(names, result.validation->outputs, result.refinement.noise, evidence);
  }
  judge_positivity(result.refinement, evidence);
}

}  // namespace

bool is_doubtful(const Experiments& data, const LinearIdentification& result) {
  Evidence evidence;
  judge_misses(data, result, evidence);
  evidence.add(result);
  return result.status != Status::Stopped && evidence.verdict().level != TrustLevel::Good;
}

void judge_trust(const Experiments& data, bool smooth_forces, LinearIdentification& result) {
  Evidence evidence;
  judge_misses(data, result, evidence);
  if (result.has_system()) {
    judge_outliers(result.names.outputs, data, result.refinement.residuals, evidence);
    judge_colour(result.names.outputs, result.outputs,
                 result.refinement.coloured.deviations.size() > 0, evidence);
    if (smooth_forces) judge_pulses(data, result, evidence);
    judge_knowledge(result, evidence);
    judge_force_noise(result, evidence);
    judge_modes(result, evidence);
  }
  judge_alternatives(result.alternatives, evidence);
  result.warnings = evidence.verdict().reasons;
  evidence.add(result);
  result.verdict = evidence.verdict();
}

}  // namespace alembert::identify
