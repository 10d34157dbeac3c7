#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/identify/state_space/state_space.hpp"
#include "alembert/study/measured_data.hpp"
#include "alembert/study/run_options.hpp"

/// The task [identify] with method = "state-space": a linear state-space model of records of inputs
/// and outputs.
namespace alembert::study {

/// Everything that the task needs, read from a study and checked.
struct StateSpaceStudy {
  std::string title;
  std::filesystem::path file;              ///< the study
  std::string text;                        ///< the study as written, for the report
  std::vector<std::string> overrides;      ///< `key=value` from the command line
  std::vector<ColumnUse> inputs, outputs;  ///< in the order of the model's columns and rows
  MeasuredData data;                       ///< in the units of the columns
  MeasuredData validation;                 ///< held back; may be empty
  identify::StateSpaceOptions options;
  std::vector<std::string> notes;
};

/// What was found.
struct StateSpaceOutcome : Outcome {
  StateSpaceStudy study;
  identify::StateSpace found;
  std::vector<std::string> warnings;
  Verdict verdict;
};

/// Identifies the model. One thread.
/// @throws DataError if the method cannot use what the study asks for.
[[nodiscard]] StateSpaceOutcome run_state_space(StateSpaceStudy study,
                                                const RunOptions& options = {});

/// Describes the result: result.json, the terminal and the tables of the report are written from
/// it.
[[nodiscard]] document::ResultTree describe(const StateSpaceOutcome& result);

/// Writes result.json and model.mat (A, B, C, D, K, x0, Ts, and the covariance R of the
/// innovations) into an existing folder. @throws DataError if a file cannot be written.
void write_state_space_result(const StateSpaceOutcome& result, const std::filesystem::path& folder);

}  // namespace alembert::study
