#pragma once

#include <memory>
#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/repeat.hpp"
#include "alembert/study/task.hpp"
#include "study/parts/data/file_context.hpp"

namespace alembert::study {

/// Reads the whole study; each combination of swept values is set and checked, and run 0 of it is
/// simulated, so that what the task says about its record is known. What is wrong is added to
/// `problems`.
[[nodiscard]] RepeatStudy read_repeat(const Document& document, const FileContext& files,
                                      std::vector<Problem>& problems);

/// The files that a simulation would write, by name.
[[nodiscard]] FilesInMemory files_of(const SimulateResult& simulated);

/// Reads the study of the task with these files in place of those on disk. What is wrong is added
/// to `problems`; then nullptr.
[[nodiscard]] std::unique_ptr<TaskStudy> read_part(const Document& document,
                                                   const FileContext& files,
                                                   std::vector<Problem>& problems);

}  // namespace alembert::study
