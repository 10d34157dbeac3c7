#pragma once

#include <vector>

#include "alembert/document/document.hpp"
#include "alembert/study/source_files.hpp"
#include "alembert/study/task.hpp"

namespace alembert::report {

/// The report of any task. With the files that the study read, it ends with what is needed to trace
/// the result back: their checksums and the version.
/// @throws InvalidInput for a result that no report is written for.
[[nodiscard]] document::Document task_document(const study::TaskResult& result,
                                               const std::vector<study::SourceFile>& files = {});

}  // namespace alembert::report
