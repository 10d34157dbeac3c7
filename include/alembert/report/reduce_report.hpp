#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/reduce.hpp"

namespace alembert::report {

/// The report of [reduce]: how right the small model is, how small each method could be, the
/// trade-off of size and error, target modes on the moving mesh, MAC between modes, the ranking of
/// interior modes, the proof that no mode is missing, what was asked, and the files beside it.
[[nodiscard]] document::Document reduce_document(const study::ReduceOutcome& result);

}  // namespace alembert::report
