#include "reproductions/two_link/plan.hpp"

#include <cmath>
#include <numbers>

#include "reproductions/two_link/tuning.hpp"

namespace alembert::reproductions::two_link {
namespace {

using estimate::AccelerationScheme;
using estimate::FilterRule;
using estimate::KinematicObserverOptions;
using estimate::MotionModel;
using estimate::ObserverFilter;

constexpr std::uint64_t kTwoLinkTrainingSeed = 100;
constexpr double kRigTilt = std::numbers::pi / 180.0;
constexpr double kRigGravity = 9.81;    // m/s²
constexpr double kLengthError = 0.02;   // of d1, d2
constexpr double kLengthSigma = 0.005;  // m, the size of the error
constexpr double kLooseFactor = 30.0;   // of the densities
constexpr double kLengthsKnown = 5.0;   // s, when the lengths have been learnt
constexpr double kRigBiasSigma = 0.2;   // m/s²

// The angles of the start are set from the readings.
KinematicObserverOptions rig_options(ObserverFilter filter) {
  KinematicObserverOptions options = start_options(*make_rig(), Eigen::MatrixXd::Zero(1, 4));
  options.filter = filter;
  return options;
}

// Euler's rule as published; without the delay a rule that looks at both ends of a step.
estimate::Discretisation discretisation_of(AccelerationScheme scheme) {
  return scheme == AccelerationScheme::ConstraintNow ? estimate::Discretisation::Heun
                                                     : estimate::Discretisation::Euler;
}

KinematicObserverOptions rig_input_form(ObserverFilter filter, AccelerationScheme scheme,
                                        const std::vector<double>& variances) {
  KinematicObserverOptions options = rig_options(filter);
  options.form = estimate::ObserverForm::Input;
  options.input = {.inputs = {UpperAccelerometer, LowerAccelerometer},
                   .outputs = {ShoulderEncoder, ElbowEncoder},
                   .discretisation = discretisation_of(scheme),
                   .scheme = scheme};
  if (!variances.empty()) options.input_noise.kinematic = variances;
  return options;
}

KinematicObserverOptions rig_output_form(ObserverFilter filter, MotionModel motion,
                                         const std::vector<double>& density) {
  KinematicObserverOptions options = rig_options(filter);
  options.output.motion = motion;
  if (!density.empty()) options.output_noise.density = density;
  return options;
}

Row rig_row(const std::string& name, const Motion& motion, const KinematicObserverOptions& options,
            std::shared_ptr<const model::planar::Mechanism> mechanism = make_rig()) {
  return {name, {.mechanism = std::move(mechanism), .motion = &motion, .options = options}};
}

void tune_level(Lab& lab, std::size_t test, std::size_t which) {
  const Motion& motion = lab.level[test];
  Levels& levels = lab.levels[test];
  const auto input = [&](AccelerationScheme scheme) {
    const auto row = rig_row("", motion, rig_input_form(FilterRule::Ekf, scheme, {}));
    return truest_variances(row.one, kTwoLinkTrainingSeed);
  };
  const auto output = [&](MotionModel model) {
    const auto row = rig_row("", motion, rig_output_form(FilterRule::Ekf, model, {}));
    return likeliest_density(row.one, kTwoLinkTrainingSeed);
  };
  if (which == 0) levels.input = input(AccelerationScheme::Constraint);
  if (which == 1) levels.input_now = input(AccelerationScheme::ConstraintNow);
  if (which == 2) levels.jerk = output(MotionModel::WhiteJerk);
  if (which == 3) levels.snap = output(MotionModel::WhiteSnap);
}

// The best of each form where the geometry or gravity is in question.
KinematicObserverOptions best_input(const Levels& levels) {
  return rig_input_form(FilterRule::Ekf, AccelerationScheme::ConstraintNow, levels.input_now);
}

KinematicObserverOptions best_output(const Levels& levels) {
  return rig_output_form(FilterRule::Ekf, MotionModel::WhiteSnap, levels.snap);
}

Score mean_of(const std::vector<Score>& scores) {
  Score mean = scores.front();
  mean.length_errors = mean.length_errors.cwiseAbs2().eval();
  const auto count = static_cast<double>(scores.size());
  for (std::size_t i = 1; i < scores.size(); ++i) {
    mean.rms += scores[i].rms;
    mean.nis += scores[i].nis;
    mean.angle_nees += scores[i].angle_nees;
    mean.rate_nees += scores[i].rate_nees;
    mean.correlation += scores[i].correlation;
    mean.length_errors += scores[i].length_errors.cwiseAbs2();
    mean.length_deviations += scores[i].length_deviations;
    mean.ok = mean.ok && scores[i].ok;
  }
  mean.rms /= count;
  mean.nis /= count;
  mean.angle_nees /= count;
  mean.rate_nees /= count;
  mean.correlation /= count;
  mean.length_errors = (mean.length_errors / count).cwiseSqrt();
  mean.length_deviations /= count;
  return mean;
}

}  // namespace

bool prepare(Lab& lab, const ParallelOptions& parallel) {
  lab.tilted_gravity = kRigGravity * std::sin(kRigTilt);
  const std::array<Trial, 2> tests{Trial::Impulses, Trial::Sweep};
  const std::size_t simulated = parallel_for(
      4,
      [&](std::size_t i) {
        const bool tilted = i >= 2;
        (tilted ? lab.tilted : lab.level)[i % 2] =
            simulate(tests[i % 2], tilted ? lab.tilted_gravity : 0.0);
      },
      parallel);
  if (simulated < 4) return false;
  return parallel_for(
             8, [&](std::size_t i) { tune_level(lab, i % 2, i / 2); }, parallel) == 8;
}

std::vector<Row> error_rows(const Lab& lab, std::size_t test) {
  const Motion& motion = lab.level[test];
  const Levels& levels = lab.levels[test];
  const auto input = [&](ObserverFilter filter) {
    return rig_input_form(filter, AccelerationScheme::Constraint, levels.input);
  };
  const auto jerk = [&](ObserverFilter filter) {
    return rig_output_form(filter, MotionModel::WhiteJerk, levels.jerk);
  };
  const KinematicObserverOptions snap =
      rig_output_form(FilterRule::Ekf, MotionModel::WhiteSnap, levels.snap);
  std::vector<Row> rows = {
      rig_row("input form, Euler, EKF", motion, input(FilterRule::Ekf)),
      rig_row("input form, Euler, simplex", motion, input(FilterRule::Simplex)),
      rig_row("input form, Heun, no delay, EKF", motion,
              rig_input_form(FilterRule::Ekf, AccelerationScheme::ConstraintNow, levels.input_now)),
      rig_row("output form, white jerk, EKF", motion, jerk(FilterRule::Ekf)),
      rig_row("output form, white jerk, simplex", motion, jerk(FilterRule::Simplex)),
      rig_row("output form, white snap, EKF", motion, snap),
      rig_row("output form, white jerk, smoothed", motion, jerk(FilterRule::Ekf)),
      rig_row("output form, white snap, smoothed", motion, snap)};
  rows[JerkSmoothed].one.smooth = true;
  rows[SnapSmoothed].one.smooth = true;
  return rows;
}

std::vector<Row> encoder_rows(const Lab& lab, std::size_t test) {
  const std::vector<Row> counted = error_rows(lab, test);
  std::vector<Row> rows = {counted[InputNow], counted[JerkEkf], counted[SnapEkf]};
  for (Row& row : rows) row.one.encoders = EncoderError::Gaussian;
  rows.push_back(counted[SnapEkf]);
  rows.back().one.mechanism = make_rig({.encoder_sigma = 2.0 * std::numbers::pi / kEncoderCounts});
  return rows;
}

std::vector<Row> gravity_rows(const Lab& lab, std::size_t test) {
  const Motion& motion = lab.tilted[test];
  const Levels& levels = lab.levels[test];
  const auto level = make_rig();
  const auto tilted = make_rig({}, lab.tilted_gravity);
  const KinematicObserverOptions input = best_input(levels);
  const KinematicObserverOptions output = best_output(levels);
  KinematicObserverOptions biases = output;
  biases.output.biases = {UpperAccelerometer, LowerAccelerometer};
  biases.start.sigma_bias = kRigBiasSigma;
  return {rig_row("input form, gravity left out", motion, input, level),
          rig_row("input form, gravity in the model", motion, input, tilted),
          rig_row("output form, gravity left out", motion, output, level),
          rig_row("output form, gravity in the model", motion, output, tilted),
          rig_row("output form, left out, biases as states", motion, biases, level)};
}

std::vector<Row> length_rows(const Lab& lab, std::size_t test) {
  const Motion& motion = lab.level[test];
  const Levels& levels = lab.levels[test];
  Sizes long_d1, long_d2;
  long_d1.upper_sensor *= 1.0 + kLengthError;
  long_d2.lower_sensor *= 1.0 + kLengthError;
  const KinematicObserverOptions input = best_input(levels);
  const KinematicObserverOptions output = best_output(levels);
  KinematicObserverOptions states = output;
  states.output.geometry = true;
  states.start.sigma_parameter = kLengthSigma;
  KinematicObserverOptions loose = states;
  for (double& density : loose.output_noise.density) density *= kLooseFactor;
  std::vector<Row> rows = {rig_row("d1 and d2 right, output form", motion, output)};
  for (const auto& [name, sizes] : {std::pair("d1", long_d1), std::pair("d2", long_d2)}) {
    const auto rig = make_rig(sizes);
    const std::string wrong = std::string(name) + " 2 % too long, ";
    rows.push_back(rig_row(wrong + "input form", motion, input, rig));
    rows.push_back(rig_row(wrong + "output form", motion, output, rig));
    rows.push_back(rig_row(wrong + "output form, d1 and d2 as states", motion, states, rig));
    rows.push_back(rig_row(wrong + "states, 30 times the density", motion, loose, rig));
    rows.push_back(rig_row(wrong + "states, 30 times, Gaussian encoders", motion, loose, rig));
    rows.back().one.encoders = EncoderError::Gaussian;
  }
  for (Row& row : rows) row.one.scored_from = kLengthsKnown;
  return rows;
}

bool score_rows(const std::vector<Row*>& rows, int seeds, const ParallelOptions& parallel) {
  const auto each = static_cast<std::size_t>(seeds);
  std::vector<std::vector<Score>> scores(rows.size(), std::vector<Score>(each));
  const std::size_t finished = parallel_for(
      rows.size() * each,
      [&](std::size_t i) {
        Score score = score_case(rows[i / each]->one, 1 + i % each);
        if (i % each > 0) score.motion.resize(0, 0);
        scores[i / each][i % each] = std::move(score);
      },
      parallel);
  if (finished < rows.size() * each) return false;
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i]->score = mean_of(scores[i]);
  return true;
}

}  // namespace alembert::reproductions::two_link
