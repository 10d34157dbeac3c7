#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/identify/experiment.hpp"

/// Records of data files as tasks use them.
namespace alembert::study {

/// One column of the data files and what it is in the model.
struct ColumnUse {
  std::string name;         ///< in the model
  std::string column;       ///< in the file
  std::string column_unit;  ///< "" when neither file nor study names one
  std::string unit;         ///< of the model
  double factor = 1.0;      ///< from the column's unit to the model's

  /// The unit of the model, that of the column where the model names none.
  [[nodiscard]] const std::string& known_unit() const { return unit.empty() ? column_unit : unit; }
};

/// Where an experiment comes from.
struct ExperimentSource {
  std::string file;         ///< as the study names it
  double start_time = 0.0;  ///< of its first sample, s
};

/// Experiments on one system with their origin.
struct MeasuredData {
  identify::Experiments experiments;  ///< in the units of the model
  std::vector<ExperimentSource> sources;

  [[nodiscard]] bool empty() const noexcept { return experiments.empty(); }
  /// Samples of all experiments.
  [[nodiscard]] Eigen::Index samples() const;
};

}  // namespace alembert::study
