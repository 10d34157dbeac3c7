#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "alembert/document/result_tree.hpp"
#include "alembert/estimate/observe.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "alembert/signal/record.hpp"
#include "alembert/study/run_options.hpp"
#include "alembert/study/simulate.hpp"

/// The task [observe]: the motion of a mechanism from its sensors.
namespace alembert::study {

/// A column of the data and the sensor behind it, both in the order of the mechanism.
struct SensorColumn {
  std::string column;       ///< name in the file
  std::string column_unit;  ///< as the file says it, "" when it does not
  std::string unit;         ///< of the readings; "count" for an encoder that counts
  double factor = 1.0;      ///< from the unit of the column
  double delay = 0.0;       ///< s, how long after its instant a reading is stamped
};

/// Everything that the task needs, read from a study and checked.
struct ObserveStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  std::shared_ptr<const model::planar::Mechanism> mechanism;  // constant, shared with observers
  std::vector<SensorColumn> columns;  ///< one for each sensor of the mechanism
  std::string source;                 ///< name of the data file
  std::string time_column;            ///< for streams; "" without
  double step = 0.0;                  ///< s, for streams without a time column; 0: not given
  signal::TimeAxis time;              ///< of the samples
  Eigen::MatrixXd readings;           ///< samples x sensors, as units of `columns`; NaN: missing
  estimate::ObserveOptions options;
  model::planar::Assemblies assemblies;  ///< at the start
  std::vector<std::string> notes;
};

/// What was found, and the study as it was used: with the noise levels and the workspace found.
struct ObserveResult : estimate::ObserveResult {
  ObserveStudy study;
};

/// Estimates the motion and judges it. Status Stopped: there is nothing to use.
/// @throws StudyError or DataError if the observer cannot use what the study asks for.
[[nodiscard]] ObserveResult run_observe(const ObserveStudy& study, const RunOptions& options = {});

/// Gives what a failed method has left unfilled the size that writers expect, as NaN, or takes it
/// away as a whole. A result that is whole stays as it is. describe(), files and report need it;
/// the tasks call it.
void complete(ObserveResult& result);

/// All that result.json says, and what tables on a terminal and in a report are made of.
[[nodiscard]] document::ResultTree describe(const ObserveResult& result);

/// Writes result.json and estimates.csv into an existing folder.
/// @throws DataError if a file cannot be written.
void write_observe_result(const ObserveResult& result, const std::filesystem::path& folder);

}  // namespace alembert::study
