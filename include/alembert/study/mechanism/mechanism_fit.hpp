#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/identify/mechanism/mechanism_fit.hpp"
#include "alembert/study/observe.hpp"

/// The task [identify] on a [mechanism]: masses, friction, stiffness, lengths and motor constants
/// from measured forces and motion.
namespace alembert::study {

/// What a study says of the method.
struct MechanismFitSettings {
  identify::MechanismFitOptions fit;
  double held_back = 0.0;  ///< last part of the record that takes no part in the fit
  Eigen::VectorXd start;   ///< z and then z' at the first sample; empty: from the readings
};

/// Everything that the task needs, read from a study and checked.
struct MechanismFitStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  std::shared_ptr<const model::planar::Mechanism> mechanism;  // constant, shared with the reader
  std::vector<SensorColumn> columns;  ///< one for each sensor of the mechanism
  std::string source;                 ///< name of the data file
  std::vector<optimize::Parameter> parameters;
  MechanismFitSettings settings;
  identify::Experiment record;      ///< columns of the forces, readings of the motion sensors
  identify::Experiments held_back;  ///< the rest of the record; none or one
  std::vector<std::string> notes;
};

/// What was found.
struct MechanismFitOutcome : identify::MechanismFit {
  MechanismFitStudy study;
};

/// Estimates the parameters and judges them.
/// @throws DataError if the methods cannot use what the study asks for.
[[nodiscard]] MechanismFitOutcome run_mechanism_fit(MechanismFitStudy study,
                                                    const RunOptions& options = {});

/// Gives what a failed method has left unfilled the size that writers expect.
void complete(MechanismFitOutcome& result);

/// Describes the result: result.json, the terminal and the tables of the report are written from
/// it.
[[nodiscard]] document::ResultTree describe(const MechanismFitOutcome& result);

/// Writes result.json, prediction.csv and validation.csv into an existing folder.
/// @throws DataError if a file cannot be written.
void write_mechanism_fit_result(const MechanismFitOutcome& result,
                                const std::filesystem::path& folder);

}  // namespace alembert::study
