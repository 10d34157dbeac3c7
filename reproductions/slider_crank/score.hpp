#pragma once

#include "reproductions/slider_crank/cases.hpp"

/// Observers of the slider-crank run over records, and their errors.
namespace alembert::reproductions::slider_crank {

/// Errors of a run, or their means over runs.
struct Score : Numbers {
  Eigen::VectorXd acceleration_error = {};  ///< of every sample
  bool ok = false;
};
[[nodiscard]] Score score_case(const Case& one, const Record& record);

/// Only the errors, NaN if the observer fails: faster.
[[nodiscard]] Errors errors_of(const Case& one, const Record& record);

/// Means over the seeds 1..seeds; the acceleration error is that of seed 1.
[[nodiscard]] Score mean_score(const Case& one, double seconds, int seeds);

}  // namespace alembert::reproductions::slider_crank
