#include "reproductions/slider_crank/runs.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

Claim against_reference(const std::string& name, double measured, double reference,
                        const std::string& unit = "") {
  return compared({.name = name,
                   .measured = measured,
                   .unit = unit,
                   .reference = reference,
                   .target = within(reference, 0.1),
                   .source = kReference});
}

void add_row_claims(const Run& run, std::vector<Claim>& claims) {
  if (!run.one.held) return;
  const Errors& all = run.one.reference.all;
  claims.push_back(against_reference("rms velocity, " + run.one.name, run.score.all.velocity,
                                     all.velocity, "rad/s"));
  claims.push_back(against_reference("rms acceleration, " + run.one.name,
                                     run.score.all.acceleration, all.acceleration, "rad/s^2"));
}

/// How many times as large one row's errors are as another's, measured and of the reference.
void add_ratio(const Runs& runs, const std::string& name, const std::string& over,
               const std::string& under, std::vector<Claim>& claims) {
  const Errors& a = score_of(runs, over).all;
  const Errors& b = score_of(runs, under).all;
  const Errors& c = reference_of(runs, over).all;
  const Errors& d = reference_of(runs, under).all;
  claims.push_back(
      against_reference("velocity, " + name, a.velocity / b.velocity, c.velocity / d.velocity));
  claims.push_back(against_reference("acceleration, " + name, a.acceleration / b.acceleration,
                                     c.acceleration / d.acceleration));
}

// The thesis finds the sigma points less affected by the dead centres than the EKF.
void add_filter_claims(const Runs& runs, std::vector<Claim>& claims) {
  const auto& ekf = score_of(runs, "input, EKF, switch 0.08").zones[0];
  const auto& simplex = score_of(runs, "input, simplex w0 = 1/3, switch 0.08").zones[0];
  const auto add = [&](const char* name, double ratio) {
    claims.push_back(compared(
        {.name = name,
         .measured = ratio,
         .target = "< 0.98",
         .source = "MultibodyThesis, section 2.3.1 and figure 2.3 (drawn, no number)",
         .reason = "with exact derivatives the EKF is as good as the sigma points; how the "
                   "thesis takes its derivatives across the switch is not said"}));
  };
  add("velocity near dead centres, simplex over EKF, input form", simplex.velocity / ekf.velocity);
  add("acceleration near dead centres, simplex over EKF, input form",
      simplex.acceleration / ekf.acceleration);
}

void add_scheme_claims(const Runs& runs, std::vector<Claim>& claims) {
  const std::string first = "input, scheme 1";
  const auto add = [&](const char* name, const char* row, std::size_t zone, double Errors::*kind) {
    const auto ratio = [&](const Numbers& over, const Numbers& under) {
      return over.zones[zone].*kind / under.zones[zone].*kind;
    };
    claims.push_back(against_reference(name, ratio(score_of(runs, row), score_of(runs, first)),
                                       ratio(reference_of(runs, row), reference_of(runs, first))));
  };
  // z''_k = f/γ + ((γ-1)/γ) z''_{k-1} is a low pass: less of the noise near the dead centres, lag
  // elsewhere.
  add("acceleration near dead centres, scheme 2 with gamma 20 over scheme 1",
      "input, scheme 2, gamma 20", 0, &Errors::acceleration);
  add("acceleration far from them, scheme 2 with gamma 20 over scheme 1",
      "input, scheme 2, gamma 20", 2, &Errors::acceleration);
  add("velocity far from dead centres, Heun without delay over Euler",
      "input, scheme 1, Heun, no delay", 2, &Errors::velocity);
  add("velocity near them, Heun without delay over Euler", "input, scheme 1, Heun, no delay", 0,
      &Errors::velocity);
}

void add_form_claims(const Runs& runs, std::vector<Claim>& claims) {
  const std::string narrow = "input, scheme 1", jerk = "output, EKF, white jerk";
  const auto far = [](const Numbers& numbers) { return numbers.zones[2]; };
  claims.push_back(against_reference("velocity far from dead centres, input form, switch 0.08",
                                     far(score_of(runs, narrow)).velocity,
                                     far(reference_of(runs, narrow)).velocity, "rad/s"));
  claims.push_back(against_reference("acceleration far from dead centres, input form, switch 0.08",
                                     far(score_of(runs, narrow)).acceleration,
                                     far(reference_of(runs, narrow)).acceleration, "rad/s^2"));
  claims.push_back(against_reference("mean NIS, output form, white jerk", score_of(runs, jerk).nis,
                                     reference_of(runs, jerk).nis));
  // 3 if all is right; less for a motion that is smoother than white jerk. More would be false
  // confidence.
  claims.push_back(promised({.name = "mean NEES, output form, white jerk (3 states)",
                             .measured = score_of(runs, jerk).nees,
                             .reference = reference_of(runs, jerk).nees,
                             .target = "<= 3",
                             .source = "own promise: no false confidence"}));
  add_ratio(runs, "input form, switch 0.08 over output form", narrow, jerk, claims);
  add_ratio(runs, "input form, switch 0.35 over output form", "input, simplex, switch 0.35", jerk,
            claims);
}

}  // namespace

std::vector<Claim> claims_of(const Runs& runs, bool full) {
  std::vector<Claim> claims;
  for (const Run& run : runs) add_row_claims(run, claims);
  add_form_claims(runs, claims);
  add_filter_claims(runs, claims);
  add_scheme_claims(runs, claims);
  if (full) {
    const std::vector<Claim> more = searched_claims(runs);
    claims.insert(claims.end(), more.begin(), more.end());
  }
  return claims;
}

}  // namespace alembert::reproductions::slider_crank
