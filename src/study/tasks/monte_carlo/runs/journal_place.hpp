#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "alembert/core/status.hpp"
#include "alembert/study/run_options.hpp"

/// Where finished runs rest, and what becomes of them.
namespace alembert::study {

/// Finished runs rest beside the result until it is there: frame.out.runs. Nowhere ("") where there
/// is no folder for the result: a run of the library that keeps everything in memory.
[[nodiscard]] std::filesystem::path journal_beside(const std::filesystem::path& out);

/// Removes the journal once the result is safe; after a stop it stays, and the user is told so.
[[nodiscard]] std::string settle_journal(const Outcome& outcome, const RunContext& context);

/// Each thread holds the records of one run, which take so many bytes.
/// @throws StudyError if that is more than the machine has.
void check_memory_of_runs(double needed, std::size_t runs, const std::filesystem::path& study,
                          const RunContext& context);

}  // namespace alembert::study
