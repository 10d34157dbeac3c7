#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/io/stored_array.hpp"
#include "alembert/io/table.hpp"
#include "alembert/signal/record.hpp"

/// Measurement files of National Instruments (.tdms), versions 4712 and 4713: channels of numbers
/// in groups, written in segments. Written after the published description of the format, for no
/// packaged library reads it. Raw data of DAQmx (unscaled, with a scaling formula) are refused.
namespace alembert::io {

/// Reads a record for each group; where the channels of a group differ in length, step or start,
/// one for each of those. `options.dataset` names a group.
///
/// Units are `unit_string`; the time follows from `wf_increment` and `wf_start_offset`, else from a
/// channel named t or time. Channels of time stamps are seconds since their first one.
/// @throws DataError naming file, byte or channel, and reason.
[[nodiscard]] signal::Records read_tdms(const std::filesystem::path& file,
                                        const ReadOptions& options = {});

/// Reads records from a file in memory; `name` stands for the file in messages. @throws DataError
[[nodiscard]] signal::Records parse_tdms(std::string_view content, const std::string& name,
                                         const ReadOptions& options = {});

/// Lists the channels of a file as `GROUP/CHANNEL`. @throws DataError
[[nodiscard]] std::vector<StoredArray> list_tdms(const std::filesystem::path& file);

}  // namespace alembert::io
