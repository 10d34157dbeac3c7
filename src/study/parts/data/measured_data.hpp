#pragma once

#include "alembert/study/measured_data.hpp"
#include "study/parts/data/file_columns.hpp"
#include "study/schema/table_reader.hpp"

/// Records of data files on their way to experiments, for all methods of [identify].
namespace alembert::study {

/// Checks that a file has the step of those before it; a `known` step of 0 takes it over.
/// @throws DataError
void check_same_step(double step, double& known, const DataFile& file);

/// Checks that a column has no infinite value. @throws DataError naming the first.
void check_not_infinite(const signal::Record& record, const FileColumn& column);

/// The record without what data.detrend says. @throws DataError if a channel has too few samples.
[[nodiscard]] signal::Record detrended(const TableReader& data, signal::Record record,
                                       const DataFile& file);

/// Moves the last part of each experiment, by validation.fraction, from `data` to `held`.
/// @throws StudyError if a part would have fewer than two samples.
void hold_back(const TableReader& validation, MeasuredData& data, MeasuredData& held);

}  // namespace alembert::study
