#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "reproductions/slider_crank/runs.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

// The search minimises it; both searches had the same aim, so that ours must not be worse. It may
// be better: the reference says nothing of how far its own search came.
double searched_cost(const Errors& errors) {
  return errors.velocity / 0.05 + errors.acceleration / 2.0;
}

void add_cost_claim(const Run& run, std::vector<Claim>& claims) {
  if (run.one.tuning == Tuning::None || !std::isfinite(run.one.reference.all.velocity)) return;
  claims.push_back(promised(
      {.name = "cost over that of the reference, " + run.one.name,
       .measured = searched_cost(run.score.all) / searched_cost(run.one.reference.all),
       .target = "<= 1.1",
       .source = "own promise: the search is not worse than that of the reference computation"}));
}

// Errors fall with the distance of the switch, up to 0.35 rad.
void add_switch_claims(const Runs& runs, std::vector<Claim>& claims) {
  const auto at = [&](double distance) {
    return score_of(runs, fmt::format("input, simplex, switch {:.2f}, tuned here", distance)).all;
  };
  const double distances[] = {0.05, 0.08, 0.15, 0.25, 0.35};
  double worst_velocity = 0.0, worst_acceleration = 0.0;
  for (std::size_t i = 1; i < std::size(distances); ++i) {
    const Errors wide = at(distances[i]), narrow = at(distances[i - 1]);
    worst_velocity = std::max(worst_velocity, wide.velocity / narrow.velocity);
    worst_acceleration = std::max(worst_acceleration, wide.acceleration / narrow.acceleration);
  }
  const auto add = [&](const char* name, double measured, std::optional<double> reference) {
    claims.push_back(compared({.name = name,
                               .measured = measured,
                               .reference = reference,
                               .target = reference ? within(*reference, 0.1) : "< 1",
                               .source = kReference}));
  };
  add("velocity, a switch over the next narrower one, 0.05 to 0.35, largest", worst_velocity, {});
  add("acceleration, a switch over the next narrower one, 0.05 to 0.35, largest",
      worst_acceleration, {});
  add("velocity, switch 0.08 over 0.35, tuned here", at(0.08).velocity / at(0.35).velocity, 2.4);
  add("acceleration, switch 0.08 over 0.35, tuned here",
      at(0.08).acceleration / at(0.35).acceleration, 8.0);
}

/// Errors of the velocity of the five observers of one fault.
struct FaultErrors {
  double narrow, wide, plain, tuned_sensor, states;
  [[nodiscard]] double best_without() const {
    return std::min({narrow, wide, plain, tuned_sensor});
  }
};

template <typename NumbersOf>
FaultErrors fault_errors(const std::string& fault, const NumbersOf& numbers_of) {
  const auto at = [&](const char* observer) {
    return numbers_of(fault + ": " + observer).all.velocity;
  };
  return {at("input, switch 0.08"), at("input, switch 0.25"), at("output"),
          at("output, sigma of the accelerometer tuned"), at("output, states for it")};
}

// Orders of the reference: states for what is wrong, then a larger sigma, then the rest.
void add_fault_claims(const Runs& runs, const std::string& fault, std::vector<Claim>& claims) {
  const FaultErrors here = fault_errors(
      fault, [&](const std::string& name) -> const Numbers& { return score_of(runs, name); });
  const FaultErrors there = fault_errors(
      fault, [&](const std::string& name) -> const Numbers& { return reference_of(runs, name); });
  const auto add = [&](const std::string& name, double measured, double reference) {
    claims.push_back(
        compared({.name = fault + ": " + name,
                  .measured = measured,
                  .reference = reference,
                  .target = within(reference, 0.1),
                  .source = kReference,
                  .reason = "the search here found better noise levels than the reference has"}));
  };
  add("velocity, best without states over with them", here.best_without() / here.states,
      there.best_without() / there.states);
  add("velocity, output form with the sigma of the sensor over tuned",
      here.plain / here.tuned_sensor, there.plain / there.tuned_sensor);
  claims.push_back(
      promised({.name = fault + ": mean NIS, output form with the sigma of the sensor",
                .measured = score_of(runs, fault + ": output").nis,
                .target = ">= 3",
                .source = "own promise: the verdict of a study sees it (expected: 2)"}));
  claims.push_back(promised({.name = fault + ": mean NIS, states for it",
                             .measured = score_of(runs, fault + ": output, states for it").nis,
                             .target = "<= 2.5",
                             .source = "own promise: the verdict of a study is good"}));
}

}  // namespace

std::vector<Claim> searched_claims(const Runs& runs) {
  std::vector<Claim> claims;
  for (const Run& run : runs) add_cost_claim(run, claims);
  add_switch_claims(runs, claims);
  for (const char* const fault :
       {"lengths wrong", "bias 0.3 m/s^2", "lengths and bias 0.1 m/s^2"}) {
    add_fault_claims(runs, fault, claims);
  }
  // A bias does not stand for a wrong length, nor lengths for a bias: no gain, where the right
  // states gain a factor of twenty.
  const auto velocity = [&](const char* name) { return score_of(runs, name).all.velocity; };
  const auto add = [&](const char* name, double measured) {
    claims.push_back(compared({.name = name,
                               .measured = measured,
                               .reference = 1.0,
                               .target = ">= 0.8",
                               .source = kReference}));
  };
  add("lengths wrong: velocity, state for a bias over no state",
      velocity("lengths wrong: output, state for a bias") / velocity("lengths wrong: output"));
  add("bias 0.3 m/s^2: velocity, states for lengths over no state",
      velocity("bias 0.3 m/s^2: output, states for lengths") / velocity("bias 0.3 m/s^2: output"));
  return claims;
}

}  // namespace alembert::reproductions::slider_crank
