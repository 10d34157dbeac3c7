#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/identify/modes/ambient_modes.hpp"
#include "alembert/identify/modes/record_modes.hpp"
#include "alembert/study/measured_data.hpp"
#include "alembert/study/run_options.hpp"

/// The task [identify] with method = "modes": frequencies, damping and shapes from records of
/// forces and responses, or of responses alone.
namespace alembert::study {

/// What a study says of the method.
struct ModesSettings {
  identify::RecordModesOptions forced;
  identify::AmbientOptions ambient;
  bool has_forces = true;  ///< data.inputs names some
};

/// Everything that the task needs, read from a study and checked.
struct ModesStudy {
  std::string title;
  std::filesystem::path file;                    ///< the study
  std::string text;                              ///< the study as written, for the report
  std::vector<std::string> overrides;            ///< `key=value` from the command line
  std::vector<ColumnUse> inputs, outputs;        ///< without inputs the forces are not known
  std::vector<signal::InputOutput> experiments;  ///< in the units of the columns
  std::vector<ExperimentSource> sources;         ///< one per experiment
  double step = 0.0;                             ///< s
  ModesSettings settings;
  std::vector<std::string> notes;

  [[nodiscard]] Eigen::Index samples() const;  ///< of all experiments
};

/// What was found.
struct ModesOutcome : Outcome {
  ModesStudy study;
  std::vector<identify::Mode> modes;  ///< ascending frequency
  std::vector<identify::StabilityPoint> diagram;
  std::vector<std::string> warnings;
  Verdict verdict;
  std::optional<identify::RecordModes> forced;    ///< with measured forces
  std::optional<identify::AmbientModes> ambient;  ///< without
};

/// Finds the modes. One thread.
/// @throws DataError if the methods cannot use what the study asks for.
[[nodiscard]] ModesOutcome run_modes(ModesStudy study, const RunOptions& options = {});

/// Describes the result: result.json, the terminal and the tables of the report are written from
/// it.
[[nodiscard]] document::ResultTree describe(const ModesOutcome& result);

/// Writes result.json and shapes.csv (one row per output; real and imaginary part of each mode in
/// turn) into an existing folder. @throws DataError if a file cannot be written.
void write_modes_result(const ModesOutcome& result, const std::filesystem::path& folder);

}  // namespace alembert::study
