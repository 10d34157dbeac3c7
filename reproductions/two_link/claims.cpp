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
  const auto equal = [](const char* name, double measured) {
    return compared({.name = name,
                     .measured = measured,
                     .target = "<= 1e-9",
                     .source = "MultibodyThesis, eq. (2.24)"});
  };
  return {equal("S, generic mechanism against the published equations", difference.sensitivity),
          equal("S' z', the same", difference.rest),
          equal("z'' from both accelerometers, the same", difference.acceleration),
          promised({.name = "positions where the sensors do not suffice, of 1369",
                    .measured = singular_positions(),
                    .target = "== 0",
                    .source = "own promise: S is regular for all angles"}),
          promised({.name = "energy balance of the simulated tests",
                    .measured = gap,
                    .target = "<= 1e-8",
                    .source = "own promise: accuracy of the simulation"})};
}

// The thesis draws estimates and prints no error: only the order of the methods can be compared.
std::vector<Claim> error_claims(const Parts& parts, const DifferentiatorErrors& differentiator,
                                std::size_t test) {
  const std::vector<Row>& rows = parts.errors;
  const auto drawn = [&](const std::string& what, double measured) {
    return compared({.name = of_test(test, what),
                     .measured = measured,
                     .target = "> 1",
                     .source = "MultibodyThesis, figures of section 2.3.2 (drawn, no number)"});
  };
  const auto better = [&](const std::string& what, double measured) {
    return promised({.name = of_test(test, what),
                     .measured = measured,
                     .target = "> 1",
                     .source = "own promise: the recommended form is the better one"});
  };
  const auto same = [&](const std::string& what, double measured) {
    return promised({.name = of_test(test, what),
                     .measured = measured,
                     .target = "<= 1.02",
                     .source = "own promise: both rules see the same model"});
  };
  const Eigen::Vector4d& snap = rms_of(rows, SnapEkf);
  return {drawn("7-point differentiator over input form, Euler, worst column",
                least_ratio(differentiator.seven, rms_of(rows, InputEkf))),
          better("7-point differentiator over output form, white jerk, worst column",
                 least_ratio(differentiator.seven, rms_of(rows, JerkEkf))),
          better("7-point differentiator over output form, white snap, worst column",
                 least_ratio(differentiator.seven, snap)),
          better("differentiator of best width over output form, white jerk, worst column",
                 least_ratio(differentiator.best, rms_of(rows, JerkEkf))),
          same("simplex and EKF, larger over smaller, worst column, input form",
               largest_ratio(rms_of(rows, InputSimplex), rms_of(rows, InputEkf))),
          same("simplex and EKF, larger over smaller, worst column, output form",
               largest_ratio(rms_of(rows, JerkSimplex), rms_of(rows, JerkEkf))),
          better("input form, Euler, over output form, white snap, worst column",
                 least_ratio(rms_of(rows, InputEkf), snap)),
          better("velocities, filtered over smoothed, white snap, worst joint",
                 (snap.head(2).cwiseQuotient(rms_of(rows, SnapSmoothed).head(2))).minCoeff())};
}

std::vector<Claim> consistency_claims(const Rows& rows) {
  const auto nees = [](const Row& row) { return row.score.angle_nees / 2.0; };
  // The limits within which a study calls standard deviations good.
  const auto honest = [](const std::string& name, double measured) {
    return promised({.name = name,
                     .measured = measured,
                     .target = "0.67 .. 1.25",
                     .source = "own promise: 1 is honest"});
  };
  const auto counts = [](const std::string& name, double measured) {
    return compared({.name = name,
                     .measured = measured,
                     .reference = 1.0,
                     .target = "0.67 .. 1.5",
                     .source = "reference computation: closed form for white errors",
                     .reason = "at rest a count errs by the same amount for ever, and the filter "
                               "believes that it averages: its deviations are too small"});
  };
  const Parts& pulses = rows[0];
  const Parts& sweep = rows[1];
  return {
      honest("impulses: NIS over expected, white snap, counts", relative(pulses.errors[SnapEkf])),
      honest("sweep: NIS over expected, white snap, counts", relative(sweep.errors[SnapEkf])),
      honest("impulses: NEES of angles over expected, white snap, Gaussian encoders",
             nees(pulses.encoders[GaussianSnap])),
      counts("impulses: NEES of angles over expected, white snap, counts",
             nees(pulses.errors[SnapEkf])),
      counts("sweep: NEES of angles over expected, white snap, counts",
             nees(sweep.errors[SnapEkf]))};
}

std::vector<Claim> gravity_claims(const Lab& lab, const Rows& rows) {
  std::vector<Claim> claims;
  const double d1 = Sizes{}.upper_sensor;
  const auto better = [&](std::size_t test, const char* what, double measured) {
    claims.push_back(promised({.name = of_test(test, what),
                               .measured = measured,
                               .target = "> 1",
                               .source = "own promise: the richer model is the better one"}));
  };
  for (std::size_t test = 0; test < 2; ++test) {
    const std::vector<Row>& part = rows[test].gravity;
    const Eigen::Vector4d& out = rms_of(part, InputLevel);
    const Eigen::Vector4d& in = rms_of(part, InputTilted);
    // θ1'' = a1/d1: gravity across the link adds g cos θ1/d1 to it, cos θ1 > 0.98.
    const double bias = std::sqrt(out(2) * out(2) - in(2) * in(2));
    claims.push_back(
        compared({.name = of_test(test, "input form: error by gravity over g sin 1°/d1"),
                  .measured = bias / (lab.tilted_gravity / d1),
                  .reference = 1.0,
                  .target = "1 +- 0.03",
                  .source = "reference computation: closed form, cos of the angle above 0.98"}));
    better(test, "output form: shoulder velocity, gravity left out over in the model",
           rms_of(part, OutputLevel)(0) / rms_of(part, OutputTilted)(0));
    claims.push_back(
        promised({.name = of_test(test, "output form: NIS over expected, gravity left out"),
                  .measured = relative(part[OutputLevel]),
                  .target = "> 1.25",
                  .source = "own promise: the verdict of a study sees it"}));
    better(test, "output form: shoulder velocity, gravity left out, without over with biases",
           rms_of(part, OutputLevel)(0) / rms_of(part, OutputBiases)(0));
  }
  return claims;
}

std::vector<Claim> length_claims(const Rows& rows) {
  std::vector<Claim> claims;
  const auto better = [&](const std::string& name, double measured) {
    claims.push_back(promised({.name = name,
                               .measured = measured,
                               .target = "> 1",
                               .source = "own promise: states for lengths pay"}));
  };
  for (std::size_t test = 0; test < 2; ++test) {
    const std::vector<Row>& part = rows[test].lengths;
    const Score& d1 = part[StatesD1].score;
    const Score& d2 = part[StatesD2].score;
    better(of_test(test, "d1 wrong: shoulder velocity, without over with states for d1, d2"),
           rms_of(part, OutputD1)(0) / rms_of(part, StatesD1)(0));
    better(of_test(test, "error of d1, before over after it was a state"),
           part[OutputD1].score.length_errors(0) / d1.length_errors(0));
    better(of_test(test, "error of d2, before over after it was a state"),
           part[OutputD2].score.length_errors(1) / d2.length_errors(1));
    // The rms r of two normalised errors is passed with exp(-r²): 2.7 once in a thousand.
    claims.push_back(
        compared({.name = of_test(test, "d1 with counts: rms error over deviation"),
                  .measured = d1.length_errors(0) / d1.length_deviations(0),
                  .target = "<= 2.7",
                  .source = "reference computation: distribution for white errors",
                  .reason = "counts at rest are no white noise: the deviation is too small"}));
    const Score& gaussian = part[GaussianD1].score;
    claims.push_back(promised(
        {.name = of_test(test, "d1 with Gaussian encoders, loose model: rms error over deviation"),
         .measured = gaussian.length_errors(0) / gaussian.length_deviations(0),
         .target = "<= 2.7",
         .source = "own promise: 1 is honest"}));
  }
  const std::vector<Row>& sweep = rows[1].lengths;
  better("sweep: d2 wrong: elbow velocity, without over with states for d1, d2",
         rms_of(sweep, OutputD2)(1) / rms_of(sweep, StatesD2)(1));
  return claims;
}

}  // namespace alembert::reproductions::two_link
