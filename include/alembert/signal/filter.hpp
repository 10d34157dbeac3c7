#pragma once

#include <Eigen/Core>

#include "alembert/signal/record.hpp"

/// Filters that shift nothing: Butterworth filters run forwards and backwards.
namespace alembert::signal {

/// What passes: frequencies above one corner, below another, or between both. With
/// Ω(f) = tan(π f h), h the step, n the order, the gain of both runs together is
///
///   above: 1/(1 + (Ω(above)/Ω(f))²ⁿ),   below: 1/(1 + (Ω(f)/Ω(below))²ⁿ),
///
/// 1/2 at a corner, without any shift of phase; for a band it is their product.
struct FilterOptions {
  double above = 0.0;  ///< Hz, below half the rate; 0: no limit
  double below = 0.0;  ///< Hz, likewise
  int order = 4;       ///< n, 1 .. 12
};

/// All columns of values, filtered.
///
/// Beyond its ends the record is continued by point reflection, 2x(0) - x(-k), for as long as the
/// filter remembers (47/(2π f) s for a corner f and order 4) or as the record is long. Within that
/// time of the ends the result depends on what is not known.
/// @param values N x m, N >= 2, finite. @param step in s, > 0.
/// @throws InvalidInput if a rule above is broken, no corner is given, or above >= below.
[[nodiscard]] Eigen::MatrixXd filter_zero_phase(const Eigen::Ref<const Eigen::MatrixXd>& values,
                                                double step, const FilterOptions& options);

/// All channels of a record on an even axis. Missing samples are filled by straight lines for the
/// filter and stay missing; a channel without any sample stays as it is.
/// @throws InvalidInput as above, or if the times are uneven (no common step within 1e-3).
[[nodiscard]] Record filter_zero_phase(const Record& record, const FilterOptions& options);

}  // namespace alembert::signal
