#pragma once

#include <string>
#include <vector>

#include "alembert/signal/frf.hpp"
#include "alembert/study/measured_data.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Records of inputs and responses without a model, in the units of the columns of the first file.
struct ResponseRecords {
  std::vector<ColumnUse> inputs, outputs;  ///< without inputs the forces are not known
  std::vector<signal::InputOutput> experiments;
  std::vector<ExperimentSource> sources;  ///< one per experiment
  double step = 0.0;                      ///< s
  std::vector<std::string> notes;
};

/// Reads the records of the files of [data]. @throws DataError, StudyError
[[nodiscard]] ResponseRecords read_response_records(const TableReader& data,
                                                    const FileContext& files);

}  // namespace alembert::study
