#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "alembert/io/table.hpp"
#include "alembert/signal/record.hpp"

/// Measurement files of LabVIEW (.lvm): a head, then segments, each with a head of its own and
/// rows of numbers.
namespace alembert::io {

/// Reads a record for each segment.
///
/// Names are those above the columns, units those of `Y_Unit_Label`. The time is the column
/// X_Value where there is one (its digits give the step better than `Delta_X`, which LabVIEW
/// rounds), else `X0` and `Delta_X`. Segments whose channels have times of their own that differ
/// give a record for each channel. Comments behind the numbers and special blocks are passed over;
/// a cell without a number is a missing sample.
/// @throws DataError with file, line and reason.
[[nodiscard]] signal::Records read_lvm(const std::filesystem::path& file,
                                       const ReadOptions& options = {});

/// Reads records from text in memory; `name` stands for the file in messages. @throws DataError
[[nodiscard]] signal::Records parse_lvm(std::string_view content, const std::string& name,
                                        const ReadOptions& options = {});

}  // namespace alembert::io
