#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/identify/acceleration.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/simulate.hpp"

/// The task [identify] with method = "acceleration": stiffness, damping and nonlinearity of one
/// degree of freedom from short records of its acceleration.
namespace alembert::study {

/// Everything that the task needs, read from a study and checked.
struct AccelerationStudy {
  std::string title;
  std::filesystem::path file;                          ///< the study
  std::string text;                                    ///< the study as written, for the report
  std::vector<std::string> overrides;                  ///< `key=value` from the command line
  std::string equations;                               ///< text of the equation of motion
  std::optional<identify::EquationOfMotion> equation;  ///< always there in a study without problems
  std::vector<ColumnUse> columns;                      ///< acceleration first, then velocity, ...
  std::vector<identify::AccelerationRecord> records;   ///< in SI units
  std::vector<ExperimentSource> sources;               ///< one per record
  identify::AccelerationOptions options;
  std::vector<std::string> notes;

  [[nodiscard]] const std::vector<std::string>& parameters() const {
    return equation->parameters();
  }
};

/// What was found.
struct AccelerationOutcome : identify::AccelerationFit {
  AccelerationStudy study;
};

/// Diagnoses, fits, refines, compares and does the classical tests.
/// @throws StudyError or DataError if the methods cannot use what the study asks for.
[[nodiscard]] AccelerationOutcome run_acceleration(const AccelerationStudy& study,
                                                   const RunOptions& options = {});

/// Gives what a failed method has left unfilled the size that writers expect, as NaN, or takes it
/// away as a whole. A result that is whole stays as it is. describe(), files and report need it;
/// the tasks call it.
void complete(AccelerationOutcome& result);

/// Describes the result: result.json, the terminal and the tables of the report are written from
/// it.
[[nodiscard]] document::ResultTree describe(const AccelerationOutcome& result);

/// Writes result.json, motion.csv and windows.csv (numbered with several records) into an existing
/// folder. @throws DataError if a file cannot be written.
void write_acceleration_result(const AccelerationOutcome& result,
                               const std::filesystem::path& folder);

}  // namespace alembert::study
