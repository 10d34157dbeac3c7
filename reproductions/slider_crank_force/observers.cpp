#include "reproductions/slider_crank_force/observers.hpp"

#include <cmath>

namespace alembert::reproductions::slider_crank_force {
namespace {

using estimate::ForceModel;
using estimate::KinematicObserverOptions;
using estimate::ObserverForm;

Eigen::VectorXd levels_at(std::initializer_list<double> values) {
  Eigen::VectorXd levels(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), levels.begin());
  return levels;
}

std::vector<ForceCase> made_cases() {
  // Starts of the search: what one search on S1 came to, in round figures.
  const Eigen::VectorXd input = levels_at({-3.5, 1.0, -4.0, 0.0, 4.0, 0.3});
  const Eigen::VectorXd output = levels_at({1.2, 0.2, 4.5, 0.7});
  const Eigen::VectorXd joint = levels_at({1.2, 0.2, 4.0, 0.0});
  const Eigen::VectorXd smooth = levels_at({1.2, 0.2, 7.5, 0.0});
  return {{.name = "two stages, input form, switch 0.08",
           .kind = Kind::InputStages,
           .distance = 0.08,
           .start = input,
           .reference = {{{.188, 21.5, 10.96}, {.0845, 7.87, 9.92}, {.0120, .341, 1.88}}}},
          {.name = "two stages, input form, switch 0.2",
           .kind = Kind::InputStages,
           .distance = 0.2,
           .start = input,
           .reference = {{{.152, 15.7, 11.02}, {.0571, 2.76, 7.40}, {.0120, .341, 1.88}}}},
          {.name = "single stage, random walk",
           .kind = Kind::SingleStage,
           .start = levels_at({-4.6, 0.2, 4.0, -1.0}),
           .reference = {{{.0695, 3.38, 5.42}, {.0419, 1.65, 5.13}, {.0114, .307, 1.93}}}},
          {.name = "two stages, output form",
           .kind = Kind::OutputStages,
           .start = output,
           .reference = {{{.100, 8.45, 11.52}, {.0273, .646, 4.14}, {.0152, .294, 1.82}}}},
          {.name = "joint, random walk",
           .start = joint,
           .reference = {{{.0586, 2.29, 5.12}, {.0289, .681, 3.82}, {.0152, .292, 1.82}}}},
          {.name = "joint, integrated random walk",
           .integrated = true,
           .start = smooth,
           .reference = {{{.0639, 2.22, 4.81}, {.0286, .678, 3.43}, {.0153, .292, 1.61}}}},
          {.name = "joint, integrated random walk, smoothed",
           .integrated = true,
           .smooth = true,
           .start = levels_at({0.0, -0.2, 7.5, 0.0}),
           .reference = {{{.0113, .575, 2.42}, {.0036, .072, 2.87}, {.0039, .077, 1.91}}}}};
}

double power(double level) { return std::pow(10.0, level); }

void set_input_stages(const ForceCase& one, const Eigen::VectorXd& levels,
                      KinematicObserverOptions& options) {
  options.form = ObserverForm::TwoStage;
  options.stages.motion = ObserverForm::Input;
  options.input.inputs = {1};
  options.input.outputs = {0};
  options.input_noise.kinematic = {1e-12, power(levels(0)), power(levels(1))};
  options.input_noise.random_walk = {1e-12, power(levels(2)), power(levels(3))};
  // S = l sin d at a distance d from a dead centre, but for the slope of the rod.
  options.switching.threshold = std::pow(kNominal.crank * std::sin(one.distance), 2);
  options.output_noise.force_density = {power(levels(4))};
  options.stages.relation_variance = power(levels(5));
  options.stages.from_motion = false;
}

void set_output_stages(const Eigen::VectorXd& levels, KinematicObserverOptions& options) {
  options.form = ObserverForm::TwoStage;
  options.output_noise.density = {power(levels(0))};
  options.output_noise.force_density = {power(levels(2))};
  options.stages.relation_variance = power(levels(3));
  options.stages.from_motion = false;
}

void set_single_stage(const Eigen::VectorXd& levels, KinematicObserverOptions& options) {
  options.form = ObserverForm::Dynamic;
  options.output.forces = true;
  options.input_noise.kinematic = {1e-12, power(levels(0)), power(levels(1))};
  options.output_noise.force_density = {power(levels(2))};
}

void set_joint(const Eigen::VectorXd& levels, KinematicObserverOptions& options) {
  options.output.forces = true;
  options.output_noise.density = {power(levels(0))};
  options.output_noise.force_density = {power(levels(2))};
}

// What the errors of the model do to a sensor is taken for its noise.
Sigmas believed_sigmas(Kind kind, const Eigen::VectorXd& levels) {
  Sigmas sigmas;
  if (kind == Kind::OutputStages || kind == Kind::Joint) sigmas.accelerometer = power(levels(1));
  if (kind == Kind::Joint) sigmas.torque = power(levels(3));
  if (kind == Kind::SingleStage) sigmas.accelerometer = power(levels(3));
  return sigmas;
}

}  // namespace

const std::vector<ForceCase>& force_cases() {
  static const std::vector<ForceCase> cases = made_cases();
  return cases;
}

std::vector<std::string> level_names(Kind kind) {
  switch (kind) {
    case Kind::InputStages:
      return {"q velocity",           "q acceleration",
              "q velocity, switched", "q acceleration, switched",
              "density, force",       "q balance"};
    case Kind::OutputStages:
      return {"density, jerk", "sigma, accelerometer", "density, force", "q balance"};
    case Kind::SingleStage:
      return {"q velocity", "q acceleration", "density, force", "sigma, accelerometer"};
    case Kind::Joint:
      break;
  }
  return {"density, jerk", "sigma, accelerometer", "density, force", "sigma, torque"};
}

TunedObserver tuned_observer(const ForceCase& one, const SliderMotion& motion,
                             const Eigen::VectorXd& levels) {
  TunedObserver made{slider_mechanism(kNominal, believed_sigmas(one.kind, levels)), {}};
  KinematicObserverOptions& options = made.options;
  options.start = {.z = motion.path.z.row(0).transpose(),
                   .zd = 1.1 * motion.path.zd.row(0).transpose(),
                   .sigma_zd = 2.0,
                   .sigma_zdd = 20.0};
  if (one.integrated) options.output.force_model = ForceModel::IntegratedRandomWalk;
  switch (one.kind) {
    case Kind::InputStages:
      set_input_stages(one, levels, options);
      break;
    case Kind::OutputStages:
      set_output_stages(levels, options);
      break;
    case Kind::SingleStage:
      set_single_stage(levels, options);
      break;
    case Kind::Joint:
      set_joint(levels, options);
      break;
  }
  return made;
}

ForceErrors force_errors(const ForceCase& one, const SliderMotion& motion,
                         const Eigen::MatrixXd& readings, const Eigen::VectorXd& levels) {
  constexpr Eigen::Index kFirst = 500;
  const TunedObserver made = tuned_observer(one, motion, levels);
  const estimate::KinematicEstimate found = estimate::observe_record(
      made.mechanism, motion.time, readings, made.options, {.smooth = one.smooth});
  if (!found.ok()) return {};
  const Eigen::MatrixXd& mean = one.smooth ? found.smoothed_mean : found.mean;
  const auto rms = [&](Eigen::Index column, const Eigen::MatrixXd& truth) {
    const Eigen::Index rest = truth.rows() - kFirst;
    return (mean.col(column) - truth.col(0)).tail(rest).norm() /
           std::sqrt(static_cast<double>(rest));
  };
  return {.velocity = rms(1, motion.path.zd),
          .acceleration = rms(2, motion.path.zdd),
          .force = rms(3, motion.load)};
}

}  // namespace alembert::reproductions::slider_crank_force
