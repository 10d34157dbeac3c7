#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/identify/output_error.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/simulate.hpp"

/// The task [identify] with method = "output-error": parameters of a model given as equations.
namespace alembert::study {

/// Everything that the task needs, read from a study and checked.
struct OutputErrorStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  std::string equations;               ///< text of the model
  model::EquationModel model{nullptr};
  model::EngineKind engine = model::EngineKind::Automatic;
  std::vector<ColumnUse> inputs, outputs;       ///< in the order of the model
  std::vector<optimize::Parameter> parameters;  ///< in the order of the model
  std::vector<std::string> parameter_units;     ///< "" where not known
  identify::OutputErrorOptions options;
  MeasuredData data;        ///< to identify from
  MeasuredData validation;  ///< held back; may be empty
  std::vector<std::string> notes;

  [[nodiscard]] double step() const { return data.experiments.front().step; }
};

/// The simulation of held-back data with the parameters found.
struct EquationValidation {
  identify::EquationPrediction prediction;
  std::vector<identify::ResidualVerdict> outputs;
};

/// What was found. Its status is that of the search, then that of the statistics.
struct OutputErrorOutcome : Outcome {
  OutputErrorStudy study;
  identify::OutputErrorResult estimate;
  std::optional<EquationValidation> validation;
  std::vector<std::string> warnings;
  std::string engine;            ///< "interpreter" or "native code"; not in result files
  double compile_seconds = 0.0;  ///< not in result files
  double search_seconds = 0.0;   ///< not in result files

  /// Whether there is a simulation of the data to show.
  [[nodiscard]] bool has_prediction() const noexcept {
    return !estimate.prediction.outputs.empty() && estimate.prediction.ok();
  }
};

/// What is known of one parameter after the estimation.
struct ParameterVerdict {
  enum class Role { Free, Fixed, Tied, AtBound } role = Role::Free;
  double value = 0.0;
  double deviation = 0.0;  ///< for white residuals; 0 if fixed, NaN if not known
  double robust = 0.0;     ///< for coloured residuals; the same
};
/// The name used in results: "free", "fixed", "tied", "at-bound".
[[nodiscard]] std::string to_string(ParameterVerdict::Role role);
/// Parameter `index` of the study.
[[nodiscard]] ParameterVerdict parameter_verdict(const OutputErrorOutcome& result,
                                                 std::size_t index);

/// Estimates the parameters, judges them and simulates the held-back data.
/// @throws StudyError or DataError if the methods cannot use what the study asks for.
[[nodiscard]] OutputErrorOutcome run_output_error(const OutputErrorStudy& study,
                                                  const RunOptions& options = {});

/// Writes result.json, prediction.csv and validation.csv (numbered with several experiments) into
/// an existing folder. @throws DataError if a file cannot be written.
void write_output_error_result(const OutputErrorOutcome& result,
                               const std::filesystem::path& folder);

}  // namespace alembert::study
