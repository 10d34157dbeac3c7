#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/estimate/step.hpp"

/// Noise levels from data alone, off line.
namespace alembert::estimate {

/// A noise level that is searched on a logarithmic scale.
struct NoiseLevel {
  std::string name;
  double guess = 1.0;    ///< > 0
  double decades = 6.0;  ///< searched within guess · 10^±decades
};

struct TuneOptions {
  long max_evaluations = 0;  ///< runs of the filter; 0: 400 for each level
  double tolerance = 1e-6;   ///< of the log-likelihood, relative
};

/// Noise levels of greatest likelihood.
struct TunedNoise : Outcome {
  Eigen::VectorXd levels;
  /// Standard deviations of ln(level), from the curvature at the maximum; NaN where it is not one.
  Eigen::VectorXd log_deviations;
  double log_likelihood = 0.0;
  long evaluations = 0;
  std::vector<std::string> at_bound;
};

/// Maximises ln p(z_1..z_N | levels), which a filter computes from its innovations (see
/// log_likelihood()), over the logarithms of the levels by Nelder-Mead with restarts.
///
/// @param log_likelihood of all data for given levels; -infinity or NaN where the filter failed.
/// @throws InvalidInput if there is no level, a name is double or empty, a guess or an option is
/// not positive.
[[nodiscard]] TunedNoise tune_noise(
    const std::vector<NoiseLevel>& levels,
    const std::function<double(const Eigen::VectorXd& levels)>& log_likelihood,
    const TuneOptions& options = {});

/// One step of a record for log_likelihood().
template <typename Filter>
struct FilterStep {
  typename Filter::Input input;
  typename Filter::Output measurement;
};

/// ln p of a record: runs the filter over it, predict then update. -infinity if a step fails.
template <typename Filter>
double log_likelihood(Filter filter, const std::vector<FilterStep<Filter>>& steps,
                      const typename Filter::ProcessNoise& q,
                      const typename Filter::OutputNoise& r) {
  double sum = 0.0;
  for (const FilterStep<Filter>& step : steps) {
    if (filter.predict(step.input, q) != Status::Success) {
      return -std::numeric_limits<double>::infinity();
    }
    const UpdateReport report = filter.update(step.input, step.measurement, r);
    if (report.status != Status::Success) return -std::numeric_limits<double>::infinity();
    if (report.accepted) sum += filter.innovation().log_likelihood();
  }
  return sum;
}

}  // namespace alembert::estimate
