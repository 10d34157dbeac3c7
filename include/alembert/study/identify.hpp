#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/identify/linear.hpp"
#include "alembert/study/linear_model.hpp"
#include "alembert/study/measured_data.hpp"
#include "alembert/study/simulate.hpp"

/// The task [identify]: M, D and K from records of forces and responses.
namespace alembert::study {

/// A measured output: Σ weights(i) x(i), with x the displacements, velocities or accelerations.
struct OutputSensor {
  ColumnUse column;
  model::Motion motion = model::Motion::Displacement;
  std::string place;             ///< where, in words: "q1", "q1 - q2"
  Eigen::VectorXd weights;       ///< n
  Eigen::Index coordinate = -1;  ///< that it measures alone with weight 1; -1: a combination
  std::optional<double> sigma;   ///< known noise, in the model's unit
};

/// Everything that [identify] needs, read from a study and checked.
struct IdentifyStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  LinearModel model;                   ///< L, names, units; M, D, K: nominal ones, or empty
  std::vector<ColumnUse> inputs;       ///< one per model input
  std::vector<OutputSensor> outputs;
  std::string structure;             ///< of the unknowns, in words
  identify::LinearOptions settings;  ///< complete: forces, outputs, unknowns, names, truth, methods
  MeasuredData data;                 ///< to identify from
  MeasuredData validation;           ///< held back; may be empty
  std::vector<identify::DataRemark> remarks;  ///< what is odd about the data, none fatal
  std::vector<std::string> notes;             ///< unit conversions and the like

  /// Whether [model] gives nominal matrices.
  [[nodiscard]] bool has_nominal() const noexcept { return model.system.M.size() > 0; }
  [[nodiscard]] double step() const { return data.experiments.front().step; }
};

/// What the outputs see, as the methods take it.
[[nodiscard]] model::OutputMap output_map(const IdentifyStudy& study);

/// The result of [identify]: what identify_linear() says, and the study that asked.
struct IdentifyResult : identify::LinearIdentification {
  IdentifyStudy study;
};

/// Identifies M, D, K by identify_linear(). The records move into the result. One thread.
/// @throws DataError if a method cannot use the data, with the file of the study.
IdentifyResult run_identify(IdentifyStudy study, const RunOptions& options = {});

/// Gives what a failed method has left unfilled the size that writers expect, as NaN, or takes it
/// away as a whole. A result that is whole stays as it is. describe(), files and report need it;
/// the tasks call it.
void complete(IdentifyResult& result);

/// All that result.json says, and what tables on a terminal and in a report are made of.
[[nodiscard]] document::ResultTree describe(const IdentifyResult& result);

/// Writes result.json, mass.csv, damping.csv, stiffness.csv, prediction.csv and validation.csv (the
/// last two numbered with several experiments) into an existing folder.
/// @throws DataError if a file cannot be written.
void write_identify_result(const IdentifyResult& result, const std::filesystem::path& folder);

}  // namespace alembert::study
