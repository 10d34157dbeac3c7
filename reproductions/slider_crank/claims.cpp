#include <fmt/format.h>

#include "reproductions/slider_crank/runs.hpp"

namespace alembert::reproductions::slider_crank {
namespace {

void add_row_claims(const Run& run, std::vector<Claim>& claims) {
  if (!run.one.held) return;
  const Errors& all = run.one.published.all;
  claims.push_back(make_claim("rms velocity, " + run.one.name, run.score.all.velocity, "rad/s",
                              within_tenth(all.velocity), all.velocity));
  claims.push_back(make_claim("rms acceleration, " + run.one.name, run.score.all.acceleration,
                              "rad/s^2", within_tenth(all.acceleration), all.acceleration));
}

/// How many times as large one row's errors are as another's.
Errors error_ratio(const Runs& runs, const std::string& over, const std::string& under) {
  const Errors& a = score_of(runs, over).all;
  const Errors& b = score_of(runs, under).all;
  return {a.velocity / b.velocity, a.acceleration / b.acceleration};
}

void add_ratio(const std::string& name, const Errors& ratio, const std::string& velocity,
               const std::string& acceleration, std::vector<Claim>& claims) {
  claims.push_back(make_claim("velocity, " + name, ratio.velocity, "", velocity));
  claims.push_back(make_claim("acceleration, " + name, ratio.acceleration, "", acceleration));
}

// Filters of one model agree; the reference found 2 % at most.
void add_filter_claims(const Runs& runs, std::vector<Claim>& claims) {
  const std::string ekf = "input, EKF, switch 0.08";
  const std::string simplex = "input, simplex w0 = 1/3, switch 0.08";
  const std::string same = "1 +- 0.02";
  add_ratio("simplex over EKF, input form", error_ratio(runs, simplex, ekf), same, same, claims);
  add_ratio("cubature over EKF, input form",
            error_ratio(runs, "input, cubature = unscented(1, 0, 0), switch 0.08", ekf), same, same,
            claims);
  add_ratio("simplex over EKF, output form, white jerk",
            error_ratio(runs, "output, simplex, white jerk", "output, EKF, white jerk"), same, same,
            claims);
  add_ratio("simplex over EKF, output form, white snap",
            error_ratio(runs, "output, simplex, white snap", "output, EKF, white snap"), same, same,
            claims);
  // The same filter in other arithmetic: four digits over 30 s.
  const std::string digits = "1 +- 0.0001";
  add_ratio("square-root simplex over simplex, input form",
            error_ratio(runs, "input, square-root simplex, switch 0.08", simplex), digits, digits,
            claims);
  add_ratio(
      "square-root simplex over simplex, output form",
      error_ratio(runs, "output, square-root simplex, white jerk", "output, simplex, white jerk"),
      digits, digits, claims);
}

void add_scheme_claims(const Runs& runs, std::vector<Claim>& claims) {
  // Under Euler's rule one filter: (1/γ) f + ((γ-1)/γ) f = f, and (z'_k - z'_{k-1})/Δt = f.
  const std::string identical = "1 +- 1e-09";
  const std::string first = "input, scheme 1";
  add_ratio("scheme 2 with gamma 1 over scheme 1",
            error_ratio(runs, "input, scheme 2, gamma 1", first), identical, identical, claims);
  add_ratio("scheme 3 with gamma 5 over scheme 1",
            error_ratio(runs, "input, scheme 3, gamma 5", first), identical, identical, claims);
  // z''_k = f/γ + ((γ-1)/γ) z''_{k-1} is a low pass: less of the noise near the dead centres, lag
  // elsewhere.
  const auto& plain = score_of(runs, first).zones;
  const auto& low_pass = score_of(runs, "input, scheme 2, gamma 20").zones;
  claims.push_back(
      make_claim("acceleration near dead centres, scheme 2 with gamma 20 over scheme 1",
                 low_pass[0].acceleration / plain[0].acceleration, "", "<= 0.3"));
  claims.push_back(make_claim("acceleration far from them, scheme 2 with gamma 20 over scheme 1",
                              low_pass[2].acceleration / plain[2].acceleration, "", ">= 2"));
  const auto& now = score_of(runs, "input, scheme 1, Heun, no delay").zones;
  claims.push_back(make_claim("velocity far from dead centres, Heun without delay over Euler",
                              now[2].velocity / plain[2].velocity, "", "<= 0.8"));
  claims.push_back(make_claim("velocity near them, Heun without delay over Euler",
                              now[0].velocity / plain[0].velocity, "", ">= 1.1"));
  // With the noise of the inputs the estimate is no better, but its covariance more honest: the
  // reference has 4.3 against 6.8 to 10.7.
  claims.push_back(
      make_claim("NEES, noise of the input propagated over not",
                 score_of(runs, "input, scheme 1, noise of the input propagated").nees /
                     score_of(runs, first).nees,
                 "", "<= 0.6"));
}

void add_form_claims(const Runs& runs, std::vector<Claim>& claims) {
  const auto& narrow = score_of(runs, "input, scheme 1").zones;
  claims.push_back(make_claim("velocity far from dead centres, input form, switch 0.08",
                              narrow[2].velocity, "rad/s", within_tenth(.0146), .0146));
  claims.push_back(make_claim("acceleration far from dead centres, input form, switch 0.08",
                              narrow[2].acceleration, "rad/s^2", within_tenth(.855), .855));
  const Score& jerk = score_of(runs, "output, EKF, white jerk");
  claims.push_back(
      make_claim("mean NIS, output form, white jerk", jerk.nis, "", within_tenth(1.65), 1.65));
  // 3 if all is right; less for a motion that is smoother than white jerk. More would be false
  // confidence.
  claims.push_back(
      make_claim("mean NEES, output form, white jerk (3 states)", jerk.nees, "", "<= 3", 2.9));
  add_ratio("input form, switch 0.08 over output form",
            error_ratio(runs, "input, scheme 1", "output, EKF, white jerk"), ">= 6", ">= 14",
            claims);
  add_ratio("input form, switch 0.35 over output form",
            error_ratio(runs, "input, simplex, switch 0.35", "output, EKF, white jerk"), ">= 2.5",
            ">= 1.8", claims);
}

}  // namespace

std::string within_tenth(double reference) {
  return fmt::format("{:.4g} +- {:.3g}", reference, 0.1 * reference);
}

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
