#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/optimize/minimise.hpp"

namespace alembert::optimize {

/// The cost up to which a parameter value is inside the interval of the given level.
///
///   noise unknown:  c + c t²/(N - p),  t = quantile of Student's t with N - p degrees of freedom
///   noise known:    c + σ² z²,         z = quantile of the normal distribution
///
/// both at (1 + level)/2; c is the smallest cost, a sum of squares.
/// @param noise_variance σ², 0 if unknown.
/// @throws InvalidInput unless 0 < level < 1 and N > p if the noise is unknown.
[[nodiscard]] double profile_limit(double cost, Eigen::Index residuals, Eigen::Index parameters,
                                   double level = 0.95, double noise_variance = 0.0);

struct ProfileOptions {
  double limit = 0.0;       ///< cost at the ends of the interval, from profile_limit()
  double first_step = 0.0;  ///< > 0; the distance of the first trial: t times the std is best
  double lower = -std::numeric_limits<double>::infinity();  ///< bound of the parameter
  double upper = std::numeric_limits<double>::infinity();   ///< likewise
  double tolerance = 1e-3;  ///< of the ends, relative to half the width of the interval
  int max_solves = 40;      ///< on each side
  /// Further points of the curve between the estimate and each end, for a figure.
  int between = 0;
};

/// A value of the parameter with the cost after all others were fitted anew.
struct ProfilePoint {
  double value = 0.0;
  double cost = 0.0;
};

/// The interval of values that the data do not exclude, not symmetric in general.
struct ProfileInterval : Outcome {
  double lower = 0.0, upper = 0.0;
  bool lower_open = false, upper_open = false;  ///< ends at a bound, or was not found
  std::vector<ProfilePoint> curve;              ///< all that was computed, by value
};

/// Searches both ends of the interval from a function that fits all other parameters with this one
/// held at a value. Status NotConverged if a lower cost than at the estimate turned up, or an end
/// was not found.
/// @throws InvalidInput if an option is out of range.
[[nodiscard]] ProfileInterval profile_interval(const std::function<double(double)>& cost_at,
                                               double estimate, double cost,
                                               const ProfileOptions& options);

/// The same for a named free parameter of a problem; the others are fitted by `local`, each time
/// from the last fit. Bounds are those of the parameter.
[[nodiscard]] ProfileInterval profile_interval(const Problem& problem, const Minimum& minimum,
                                               const std::string& name,
                                               const ProfileOptions& options,
                                               const MinimiseOptions& local);

}  // namespace alembert::optimize
