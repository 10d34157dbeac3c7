#pragma once

#include <string>

#include "alembert/study/monte_carlo.hpp"
#include "report/page/vocabulary.hpp"

/// The parts of the report of [monte-carlo].
namespace alembert::report {

/// "M", "D", "K", "frequencies", "damping ratios".
[[nodiscard]] std::string compared_words(study::Compared quantity);

/// "simulate.step = 0.01, identify.refine = exact"; "this study" without a sweep.
[[nodiscard]] std::string point_words(const study::MonteCarloStudy& study, std::size_t point);

/// Errors, coverage, modes and failures of each point.
[[nodiscard]] Section monte_carlo_error_section(const study::MonteCarloResult& result);
[[nodiscard]] Section monte_carlo_interval_section(const study::MonteCarloResult& result);
[[nodiscard]] Section monte_carlo_mode_section(const study::MonteCarloResult& result);
[[nodiscard]] Section monte_carlo_failure_section(const study::MonteCarloResult& result);

/// Error against the swept key; none without a sweep. With two keys a plot for each quantity, a
/// curve for each value of the second key.
[[nodiscard]] std::vector<Plot> error_plots(const study::MonteCarloResult& result);
/// The same for the coverage of the 95 % intervals.
[[nodiscard]] std::vector<Plot> coverage_plots(const study::MonteCarloResult& result);
/// Error against reported deviation, a point for each run.
[[nodiscard]] Plot reported_plot(const study::MonteCarloResult& result);
/// How error/deviation is distributed over the runs.
[[nodiscard]] Plot ratio_histogram(const study::MonteCarloResult& result);

/// Whether a swept key deserves a logarithmic axis: positive numbers, spread rather by a factor
/// than by a difference.
[[nodiscard]] bool suits_log_axis(const Eigen::Ref<const Eigen::VectorXd>& numbers);

}  // namespace alembert::report
