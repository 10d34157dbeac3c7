#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/estimate/observer.hpp"

namespace alembert::estimate {

/// What an observer of a model of one's own must know beside the model: where it starts, and the
/// noise.
struct ModelObserverOptions : ObserverOptions {
  Eigen::VectorXd mean = {};  ///< of the states at the start; empty: what the model says, else zero
  /// Standard deviations of the states at the start, one for all or one for each.
  Eigen::VectorXd deviation = {};
  Eigen::MatrixXd covariance = {};  ///< at the start, in place of deviation; empty: that
  /// Density q of white noise w in x' = f + w, one for all states or one for each, unit²/s: a step
  /// of h s adds q h to the variance of a state. For a coordinate and its velocity (y'' = ... + w)
  /// the density of the velocity adds q h³/3 and q h²/2 to the coordinate and its covariance too.
  Eigen::VectorXd density = {};
  /// Covariance that every step adds, whatever its length, in place of density; empty: that.
  Eigen::MatrixXd process_noise = {};
  Eigen::VectorXd sigma = {};    ///< standard deviation of the sensor of each output
  std::vector<int> angles = {};  ///< outputs on the circle: innovations in [-π, π]
};

}  // namespace alembert::estimate
