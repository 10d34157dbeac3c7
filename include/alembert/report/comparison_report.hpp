#pragma once

#include <optional>

#include "alembert/document/document.hpp"
#include "alembert/signal/record.hpp"
#include "alembert/study/result/compare_results.hpp"

namespace alembert::report {

/// The report of a comparison: verdicts side by side, numbers with their intervals and whether they
/// agree, fits, settings that differ and, where signals are given, the signals of both.
[[nodiscard]] document::Document comparison_document(
    const study::ResultComparison& comparison, const std::optional<signal::Record>& first = {},
    const std::optional<signal::Record>& second = {});

}  // namespace alembert::report
