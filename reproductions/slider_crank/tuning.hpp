#pragma once

#include <Eigen/Core>

#include "alembert/core/progress.hpp"
#include "alembert/core/status.hpp"
#include "reproductions/slider_crank/cases.hpp"

/// Noise levels of the slider-crank's observers that do best when the truth is known.
namespace alembert::reproductions {

/// The levels that `one.tuning` names, as decimal logarithms: variances a step of velocity and
/// acceleration outside the switch, then inside; or density of jerk or snap, and standard deviation
/// of the accelerometer.
[[nodiscard]] Eigen::VectorXd crank_levels(const CrankCase& one);
void set_crank_levels(const Eigen::VectorXd& levels, CrankCase& one);

/// What is minimised: rms(θ')/0.05 + rms(θ'')/2 over a record. Infinite if the observer fails.
[[nodiscard]] double crank_cost(const CrankCase& one, const CrankRecord& record);

struct TunedCrank : Outcome {
  CrankCase one;  ///< with the best levels
  double cost = 0.0;
  long evaluations = 0;
};

/// Simplex search for the levels on the record of seed 100, from those of `one`.
[[nodiscard]] TunedCrank tune_crank(const CrankCase& one, double seconds,
                                    const StopFlag* stop = nullptr);

}  // namespace alembert::reproductions
