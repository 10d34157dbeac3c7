#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproductions/slider_crank/runs.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

// The search minimises it; both searches had the same aim, so that ours must not be worse. It may
// be better: the reference says nothing of how far its own search came.
double searched_cost(const Errors& errors) {
  return errors.velocity / 0.05 + errors.acceleration / 2.0;
}

void add_cost_claim(const Run& run, std::vector<Claim>& claims) {
  if (run.one.tuning == Tuning::None || !std::isfinite(run.one.published.all.velocity)) return;
  claims.push_back(make_claim("cost over that of the reference, " + run.one.name,
                              searched_cost(run.score.all) / searched_cost(run.one.published.all),
                              "", "<= 1.1"));
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
  claims.push_back(
      make_claim("velocity, a switch over the next narrower one, 0.05 to 0.35, largest",
                 worst_velocity, "", "< 1"));
  claims.push_back(
      make_claim("acceleration, a switch over the next narrower one, 0.05 to 0.35, largest",
                 worst_acceleration, "", "< 1"));
  claims.push_back(make_claim("velocity, switch 0.08 over 0.35, tuned here",
                              at(0.08).velocity / at(0.35).velocity, "", within_tenth(2.4), 2.4));
  claims.push_back(make_claim("acceleration, switch 0.08 over 0.35, tuned here",
                              at(0.08).acceleration / at(0.35).acceleration, "", within_tenth(8.0),
                              8.0));
}

/// The five observers of one fault.
struct FaultScores {
  Score narrow, wide, plain, tuned_sensor, states;
};

FaultScores fault_scores(const Runs& runs, const std::string& fault) {
  const auto at = [&](const char* observer) { return score_of(runs, fault + ": " + observer); };
  return {at("input, switch 0.08"), at("input, switch 0.25"), at("output"),
          at("output, sigma of the accelerometer tuned"), at("output, states for it")};
}

// Orders of the reference: states for what is wrong, then a larger sigma, then the rest.
void add_fault_claims(const Runs& runs, const std::string& fault, std::vector<Claim>& claims) {
  const FaultScores scores = fault_scores(runs, fault);
  const double next = std::min({scores.narrow.all.velocity, scores.wide.all.velocity,
                                scores.plain.all.velocity, scores.tuned_sensor.all.velocity});
  claims.push_back(make_claim(fault + ": velocity, best without states over with them",
                              next / scores.states.all.velocity, "", ">= 3"));
  claims.push_back(
      make_claim(fault + ": velocity, output form with the sigma of the sensor over tuned",
                 scores.plain.all.velocity / scores.tuned_sensor.all.velocity, "", ">= 2"));
  claims.push_back(make_claim(fault + ": mean NIS, output form with the sigma of the sensor",
                              scores.plain.nis, "", ">= 20"));
  claims.push_back(make_claim(fault + ": mean NIS, states for it", scores.states.nis, "", "<= 2"));
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
  claims.push_back(make_claim(
      "lengths wrong: velocity, state for a bias over no state",
      velocity("lengths wrong: output, state for a bias") / velocity("lengths wrong: output"), "",
      ">= 0.8"));
  claims.push_back(make_claim(
      "bias 0.3 m/s^2: velocity, states for lengths over no state",
      velocity("bias 0.3 m/s^2: output, states for lengths") / velocity("bias 0.3 m/s^2: output"),
      "", ">= 0.8"));
  return claims;
}

}  // namespace alembert::reproductions::slider_crank
