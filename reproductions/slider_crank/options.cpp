#include "reproductions/slider_crank/options.hpp"

#include <cmath>

namespace alembert::reproductions::slider_crank {
namespace {

using estimate::KinematicObserverOptions;
using estimate::ObserverFilter;

KinematicObserverOptions crank_start(ObserverFilter filter) {
  KinematicObserverOptions options;
  options.filter = filter;
  // The velocity is 10 % wrong.
  options.start = {.z = Eigen::VectorXd::Zero(1),
                   .zd = Eigen::VectorXd::Constant(1, 1.1 * 13.816),
                   .sigma_zd = 2.0,
                   .sigma_zdd = 20.0,
                   .sigma_zddd = 500.0};
  return options;
}

}  // namespace

KinematicObserverOptions output_options(ObserverFilter filter, estimate::MotionModel motion,
                                        double log_density) {
  KinematicObserverOptions options = crank_start(filter);
  options.output.motion = motion;
  options.output_noise.density = {std::pow(10.0, log_density)};
  return options;
}

KinematicObserverOptions input_options(ObserverFilter filter, double distance,
                                       const Levels& levels) {
  KinematicObserverOptions options = crank_start(filter);
  options.form = estimate::ObserverForm::Input;
  options.input.inputs = {1};
  options.input.outputs = {0};
  options.input.scheme = estimate::AccelerationScheme::Constraint;
  options.input_noise.kinematic = {1e-12, std::pow(10.0, levels.velocity),
                                   std::pow(10.0, levels.acceleration)};
  options.input_noise.random_walk = {1e-12, std::pow(10.0, levels.walk_velocity),
                                     std::pow(10.0, levels.walk_acceleration)};
  // S = l sin d at a distance d from a dead centre.
  options.switching.threshold = std::pow(0.14 * std::sin(distance), 2);
  return options;
}

}  // namespace alembert::reproductions::slider_crank
