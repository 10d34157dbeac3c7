#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/monte_carlo.hpp"

namespace alembert::report {

/// The report of [monte-carlo]: how many runs succeeded and whether the intervals are honest;
/// errors and coverage for each combination of swept values as tables and against the swept key;
/// errors against reported deviations; modes; failures; the study and the files. It holds no times,
/// so that the same study gives the same bytes.
[[nodiscard]] document::Document monte_carlo_document(const study::MonteCarloResult& result);

}  // namespace alembert::report
