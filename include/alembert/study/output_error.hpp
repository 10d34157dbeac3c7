#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/identify/equation_fit.hpp"
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
  model::EquationSetup setup;          ///< what the study says about its names
  model::EquationModel model{nullptr};
  std::vector<ColumnUse> inputs, outputs;       ///< in the order of the model
  std::vector<optimize::Parameter> parameters;  ///< in the order of the model
  std::vector<std::string> parameter_units;     ///< "" where not known
  identify::EquationFitOptions options;         ///< without the data that are held back
  MeasuredData data;                            ///< to identify from
  MeasuredData validation;                      ///< held back; may be empty
  std::vector<std::string> notes;

  [[nodiscard]] double step() const { return data.experiments.front().step; }
};

/// What was found.
struct OutputErrorOutcome : identify::EquationFit {
  OutputErrorStudy study;
};

/// Estimates the parameters, judges them and simulates the held-back data.
///
/// Several starts are spread over machines; the whole result is on the first one, the others hold
/// nothing of use. It is the same for any number of them.
/// @throws StudyError or DataError if the methods cannot use what the study asks for.
[[nodiscard]] OutputErrorOutcome run_output_error(const OutputErrorStudy& study,
                                                  const RunOptions& options = {},
                                                  const Machines* machines = nullptr);

/// Gives what a failed method has left unfilled the size that writers expect, as NaN, or takes it
/// away as a whole. A result that is whole stays as it is. describe(), files and report need it;
/// the tasks call it.
void complete(OutputErrorOutcome& result);

/// Describes the result: result.json, the terminal and the tables of the report are written from
/// it.
[[nodiscard]] document::ResultTree describe(const OutputErrorOutcome& result);

/// Writes result.json, prediction.csv and validation.csv (numbered with several experiments) into
/// an existing folder. @throws DataError if a file cannot be written.
void write_output_error_result(const OutputErrorOutcome& result,
                               const std::filesystem::path& folder);

}  // namespace alembert::study
