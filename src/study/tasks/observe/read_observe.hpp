#pragma once

#include <vector>

#include "alembert/study/detail/problem.hpp"
#include "alembert/study/observe.hpp"
#include "study/parts/data/file_columns.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/parts/mechanism/read_sensor_files.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Reads [observe] into study.options and what stands beside them; needs the mechanism.
/// @throws StudyError
void read_observe_settings(const TableReader& observe, ObserveStudy& study);

/// Reads [observe.watch] into study.options; needs the mechanism. @throws StudyError
void read_observe_watch(const TableReader& observe, ObserveStudy& study);

/// What is watched must be estimated, and be a sensor that corrects the estimate. States that are
/// named by their column get their name. Needs the start. @throws StudyError
void check_observe_watch(const TableReader& observe, ObserveStudy& study);

/// Reads [data.truth], the true motion at the times of the readings, if it is there.
/// @throws DataError, StudyError
void read_observe_truth(const TableReader& data, const FileContext& files, ObserveStudy& study);

/// Reads the whole study for task [observe]; what is wrong is added to `problems`. With `stream`
/// the readings come later, row by row, and data.file is not looked at.
[[nodiscard]] ObserveStudy read_observe(const TableReader& root, const FileContext& files,
                                        bool stream, std::vector<Problem>& problems);

}  // namespace alembert::study
