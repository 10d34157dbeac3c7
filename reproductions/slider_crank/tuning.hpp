#pragma once

#include <Eigen/Core>

#include "alembert/core/progress.hpp"
#include "alembert/core/status.hpp"
#include "reproductions/slider_crank/cases.hpp"

/// Noise levels of the slider-crank's observers that do best when the truth is known.
namespace alembert::reproductions::slider_crank {

/// The levels that `one.tuning` names, as decimal logarithms: variances a step of velocity and
/// acceleration outside the switch, then inside; or density of jerk or snap, and standard deviation
/// of the accelerometer.
[[nodiscard]] Eigen::VectorXd levels_of(const Case& one);
void set_levels(const Eigen::VectorXd& levels, Case& one);

/// What is minimised: rms(θ')/0.05 + rms(θ'')/2 over a record. Infinite if the observer fails.
[[nodiscard]] double cost_of(const Case& one, const Record& record);

struct Tuned : Outcome {
  Case one;  ///< with the best levels
  double cost = 0.0;
  long evaluations = 0;
};

/// Simplex search for the levels on the record of seed 100, from those of `one`.
[[nodiscard]] Tuned tune(const Case& one, double seconds, const StopFlag* stop = nullptr);

}  // namespace alembert::reproductions::slider_crank
