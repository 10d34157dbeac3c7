#pragma once

#include <vector>

#include "alembert/study/result/compare_results.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {

/// Each number with an interval, as a difference from the first result over the joint 95 % limit;
/// no curves if no number has one.
[[nodiscard]] Plot agreement_plot(const study::ResultComparison& comparison);

/// The signals of two results, one plot for each that both hold; at most twelve of them.
[[nodiscard]] std::vector<Block> signal_plots(const signal::Record& first,
                                              const signal::Record& second);

}  // namespace alembert::report
