#pragma once

#include <vector>

#include "alembert/study/observe.hpp"
#include "report/page/vocabulary.hpp"

/// Plots and sections of the report of [observe].
namespace alembert::report {

/// Each state over time with its band.
[[nodiscard]] std::vector<Plot> state_plots(const study::ObserveResult& result);

/// Errors against the truth with what the filter expects of them; none without a truth.
[[nodiscard]] std::vector<Plot> error_plots(const study::ObserveResult& result);

/// Innovations of each sensor with their bounds.
[[nodiscard]] std::vector<Plot> innovation_plots(const study::ObserveResult& result);

/// Means of the NIS over short runs of samples, with their χ² band; no curves without samples.
[[nodiscard]] Plot nis_plot(const study::ObserveResult& result);

/// Autocorrelation of the whitened innovations with its bounds.
[[nodiscard]] Plot innovation_correlation(const study::ObserveResult& result);

/// Where the alarms of one signal begin, for the plots of what it watches.
[[nodiscard]] std::vector<Marker> alarm_markers(const estimate::WatchReport& report);

/// What is watched, the alarms, and how far out each signal was; no blocks if nothing is watched.
[[nodiscard]] Section watch_section(const study::ObserveResult& result,
                                    const document::ResultTree& watch);

}  // namespace alembert::report
