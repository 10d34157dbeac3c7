#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/study/inputs.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// The inputs of a model, by name; a unit may be open.
struct ModelInputs {
  const std::vector<std::string>& names;
  const std::vector<std::string>& units;
};

/// Inputs that come from the study's data file.
struct DataInputs {
  double start = 0.0;  ///< time of the first sample, s
  double step = 0.0;   ///< s
  Eigen::Index samples = 0;
  std::vector<std::optional<FileInput>> inputs;  ///< one slot for each model input
  std::vector<std::string> notes;
};

/// Reads the columns that [data] names.
/// @throws DataError for a missing file or column, gaps, missing samples, uneven times, units
///   that do not fit. @throws StudyError for an input that the model does not have.
[[nodiscard]] DataInputs read_data_inputs(const TableReader& data, const ModelInputs& model,
                                          const FileContext& files);

}  // namespace alembert::study
