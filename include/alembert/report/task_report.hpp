#pragma once

#include "alembert/document/document.hpp"
#include "alembert/study/task.hpp"

namespace alembert::report {

/// The report of any task. Where the result has its trace, it ends with what is needed to trace it
/// back: author and customer, checksums of the files, and the version.
/// @throws InvalidInput for a result that no report is written for.
[[nodiscard]] document::Document task_document(const study::TaskResult& result);

}  // namespace alembert::report
