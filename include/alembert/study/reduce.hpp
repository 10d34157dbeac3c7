#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/model/structure/structure.hpp"
#include "alembert/reduce/reduce.hpp"
#include "alembert/study/run_options.hpp"

/// The task [reduce]: a small model of a structure, with proof.
namespace alembert::study {

/// Everything that the task needs, read from a study and checked.
struct ReduceStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  model::Structure structure;
  std::vector<Eigen::Index> masters;  ///< rows
  reduce::ReduceOptions options;
  std::vector<std::string> notes;
};

/// What was found.
struct ReduceOutcome : reduce::ReduceResult {
  ReduceStudy study;
};

/// Reduces the structure. @throws DataError if the methods cannot use it.
[[nodiscard]] ReduceOutcome run_reduce(const ReduceStudy& study, const RunOptions& options = {});

/// Describes the result: result.json, the terminal and the tables of the report are written from
/// it.
[[nodiscard]] document::ResultTree describe(const ReduceOutcome& result);

/// Writes result.json, the small matrices mass.mtx, stiffness.mtx (damping.mtx) and the way back to
/// all rows, basis.mtx, into an existing folder. @throws DataError if a file cannot be written.
void write_reduce_result(const ReduceOutcome& result, const std::filesystem::path& folder);

}  // namespace alembert::study
