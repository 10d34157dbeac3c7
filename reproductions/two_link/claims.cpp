#include "reproductions/two_link/claims.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/estimate/kinematic_observability.hpp"

namespace alembert::reproductions::two_link {
namespace {

const Eigen::Vector4d& rms_of(const std::vector<Row>& rows, int row) {
  return rows[static_cast<std::size_t>(row)].score.rms;
}

// The smallest of the four ratios: how much better at least.
double least_ratio(const Eigen::Vector4d& worse, const Eigen::Vector4d& better) {
  return worse.cwiseQuotient(better).minCoeff();
}

// The largest ratio, whichever of the two is the larger.
double largest_ratio(const Eigen::Vector4d& one, const Eigen::Vector4d& other) {
  return one.cwiseQuotient(other).cwiseMax(other.cwiseQuotient(one)).maxCoeff();
}

double relative(const Row& row) { return row.score.nis / row.score.outputs; }

std::string of_test(std::size_t test, const std::string& what) {
  return (test == 0 ? "impulses: " : "sweep: ") + what;
}

// Positions on a grid over all angles where the two accelerometers do not fix both accelerations.
double singular_positions() {
  const auto rig = make_rig();
  model::planar::MechanismState state = rig->make_state();
  (void)rig->assemble(Eigen::Vector2d::Zero(), state);
  const double half = std::numbers::pi;
  const estimate::ObservabilityReport report = estimate::examine_sensors(
      *rig, state,
      {.lower = Eigen::Vector2d::Constant(-half), .upper = Eigen::Vector2d::Constant(half)});
  return static_cast<double>(report.acceleration_sensors.singular.size() +
                             report.position_sensors.singular.size());
}

}  // namespace

std::vector<Claim> rig_claims(const FormulaDifference& difference, const Lab& lab) {
  double gap = 0.0;
  for (std::size_t test = 0; test < 2; ++test) {
    gap = std::max({gap, lab.level[test].energy_gap, lab.tilted[test].energy_gap});
  }
  return {
      make_claim("S, generic mechanism against the published equations", difference.sensitivity, "",
                 "<= 1e-9"),
      make_claim("S' z', the same", difference.rest, "", "<= 1e-9"),
      make_claim("z'' from both accelerometers, the same", difference.acceleration, "", "<= 1e-9"),
      make_claim("positions where the sensors do not suffice, of 1369", singular_positions(), "",
                 "== 0"),
      make_claim("energy balance of the simulated tests", gap, "", "<= 1e-8")};
}

// Seeds scatter by less than a tenth; a target is about half of what is measured, so that only a
// fault misses it.
std::vector<Claim> error_claims(const Parts& parts, const DifferentiatorErrors& differentiator,
                                std::size_t test) {
  const std::vector<Row>& rows = parts.errors;
  const bool sweep = test == 1;
  const auto claim = [&](const std::string& what, double measured, const std::string& target) {
    return make_claim(of_test(test, what), measured, "", target);
  };
  const Eigen::Vector4d& snap = rms_of(rows, SnapEkf);
  return {
      claim("7-point differentiator over input form, Euler, worst column",
            least_ratio(differentiator.seven, rms_of(rows, InputEkf)), sweep ? ">= 4" : ">= 12"),
      claim("7-point differentiator over output form, white jerk, worst column",
            least_ratio(differentiator.seven, rms_of(rows, JerkEkf)), ">= 25"),
      claim("7-point differentiator over output form, white snap, worst column",
            least_ratio(differentiator.seven, snap), ">= 45"),
      claim("differentiator of best width over output form, white jerk, worst column",
            least_ratio(differentiator.best, rms_of(rows, JerkEkf)), ">= 5"),
      claim("simplex and EKF, larger over smaller, worst column, input form",
            largest_ratio(rms_of(rows, InputSimplex), rms_of(rows, InputEkf)), "<= 1.02"),
      claim("simplex and EKF, larger over smaller, worst column, output form",
            largest_ratio(rms_of(rows, JerkSimplex), rms_of(rows, JerkEkf)), "<= 1.02"),
      claim("input form, Euler, over output form, white snap, worst column",
            least_ratio(rms_of(rows, InputEkf), snap), sweep ? ">= 9" : ">= 1.6"),
      // A tie: differences of a few per cent are of the tuning.
      claim("input form, Heun, no delay, and output form, white snap, larger over smaller",
            largest_ratio(rms_of(rows, InputNow), snap), "<= 1.2"),
      claim("velocities, filtered over smoothed, white snap, worst joint",
            (snap.head(2).cwiseQuotient(rms_of(rows, SnapSmoothed).head(2))).minCoeff(), ">= 1.5")};
}

std::vector<Claim> consistency_claims(const Rows& rows) {
  const auto nees = [](const Row& row) { return row.score.angle_nees / 2.0; };
  const Parts& pulses = rows[0];
  const Parts& sweep = rows[1];
  return {// The limits within which a study calls standard deviations good.
          make_claim("impulses: NIS over expected, white snap, counts",
                     relative(pulses.errors[SnapEkf]), "", "0.67 .. 1.25"),
          make_claim("sweep: NIS over expected, white snap, counts",
                     relative(sweep.errors[SnapEkf]), "", "0.67 .. 1.25"),
          make_claim("impulses: NEES of angles over expected, white snap, Gaussian encoders",
                     nees(pulses.encoders[GaussianSnap]), "", "0.67 .. 1.25"),
          // At rest a count errs by the same amount for ever; the filter believes that it averages.
          make_claim("impulses: the same with counts: too sure of itself",
                     nees(pulses.errors[SnapEkf]), "", ">= 3"),
          make_claim("sweep: NEES of angles over expected, white snap, counts",
                     nees(sweep.errors[SnapEkf]), "", "0.67 .. 1.5")};
}

std::vector<Claim> gravity_claims(const Lab& lab, const Rows& rows) {
  std::vector<Claim> claims;
  const double d1 = Sizes{}.upper_sensor;
  for (std::size_t test = 0; test < 2; ++test) {
    const std::vector<Row>& part = rows[test].gravity;
    const Eigen::Vector4d& out = rms_of(part, InputLevel);
    const Eigen::Vector4d& in = rms_of(part, InputTilted);
    // θ1'' = a1/d1: gravity across the link adds g cos θ1/d1 to it, cos θ1 > 0.98.
    const double bias = std::sqrt(out(2) * out(2) - in(2) * in(2));
    claims.push_back(make_claim(of_test(test, "input form: error by gravity over g sin 1°/d1"),
                                bias / (lab.tilted_gravity / d1), "", "1 +- 0.03"));
    claims.push_back(make_claim(
        of_test(test, "output form: shoulder velocity, gravity left out over in the model"),
        rms_of(part, OutputLevel)(0) / rms_of(part, OutputTilted)(0), "", ">= 20"));
    claims.push_back(make_claim(of_test(test, "output form: NIS over expected, gravity left out"),
                                relative(part[OutputLevel]), "", ">= 5"));
    claims.push_back(make_claim(
        of_test(test, "output form: shoulder velocity, gravity left out, without over with biases"),
        rms_of(part, OutputLevel)(0) / rms_of(part, OutputBiases)(0), "", ">= 3"));
  }
  return claims;
}

std::vector<Claim> length_claims(const Rows& rows) {
  std::vector<Claim> claims;
  for (std::size_t test = 0; test < 2; ++test) {
    const std::vector<Row>& part = rows[test].lengths;
    claims.push_back(make_claim(
        of_test(test, "d1 wrong: shoulder velocity, without over with states for d1, d2"),
        rms_of(part, OutputD1)(0) / rms_of(part, StatesD1)(0), "", ">= 2.5"));
    // Within the limits that a study calls good: the NIS does not tell.
    claims.push_back(make_claim(of_test(test, "d1 wrong, no states: NIS over expected"),
                                relative(part[OutputD1]), "", "<= 1.25"));
    const Score& d1 = part[StatesD1].score;
    const Score& d2 = part[StatesD2].score;
    claims.push_back(make_claim(of_test(test, "error of d1, before over after it was a state"),
                                part[OutputD1].score.length_errors(0) / d1.length_errors(0), "",
                                ">= 2.5"));
    claims.push_back(make_claim(of_test(test, "error of d2, before over after it was a state"),
                                part[OutputD2].score.length_errors(1) / d2.length_errors(1), "",
                                ">= 2.5"));
    claims.push_back(make_claim(of_test(test, "d1 with counts: rms error over deviation: too sure"),
                                d1.length_errors(0) / d1.length_deviations(0), "", ">= 2.5"));
    const Score& gaussian = part[GaussianD1].score;
    // The rms r of two normalised errors is passed with exp(-r²): 2.7 once in a thousand.
    claims.push_back(make_claim(
        of_test(test, "d1 with Gaussian encoders, loose model: rms error over deviation"),
        gaussian.length_errors(0) / gaussian.length_deviations(0), "", "<= 2.7"));
  }
  const std::vector<Row>& sweep = rows[1].lengths;
  claims.push_back(
      make_claim("sweep: d2 wrong: elbow velocity, without over with states for d1, d2",
                 rms_of(sweep, OutputD2)(1) / rms_of(sweep, StatesD2)(1), "", ">= 2.5"));
  return claims;
}

}  // namespace alembert::reproductions::two_link
