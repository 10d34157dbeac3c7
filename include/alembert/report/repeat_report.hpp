#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/repeat.hpp"

namespace alembert::report {

/// The report of [monte-carlo] around another task: how the runs ended and what their verdicts say;
/// bias, scatter, reported deviation and coverage of each parameter; errors and NEES of each state;
/// all of them for each combination of swept values; the runs one by one; failures. It holds no
/// times, so that the same study gives the same bytes.
[[nodiscard]] document::Document repeat_document(const study::RepeatResult& result);

}  // namespace alembert::report
