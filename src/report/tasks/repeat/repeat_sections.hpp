#pragma once

#include "alembert/study/repeat.hpp"
#include "report/page/vocabulary.hpp"

/// The parts of the report of [monte-carlo] around another task.
namespace alembert::report {

/// Error over deviation of each parameter, run by run.
[[nodiscard]] std::vector<Plot> estimate_plots(const study::RepeatResult& result);
/// Joint NEES of each run with its band.
[[nodiscard]] std::vector<Plot> nees_plots(const study::RepeatResult& result);

}  // namespace alembert::report
