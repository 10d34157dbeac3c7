#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "alembert/io/table.hpp"
#include "alembert/signal/record.hpp"

/// Sound files (.wav), as many recorders of vibration write them: samples of 8 to 32 bits, or
/// floats, not compressed; RF64 for more than 4 GiB. Read by code of ours, because the usual
/// library brings decoders of compressed sound along, which no measurement needs.
namespace alembert::io {

/// Reads a record: channels c1, c2, ..., the step from the sampling rate. Whole numbers are scaled
/// so that full scale is 1 (the file does not say what a unit is); floats are taken as they are.
/// @throws DataError naming file, byte and reason.
[[nodiscard]] signal::Record read_wav(const std::filesystem::path& file,
                                      const ReadOptions& options = {});

/// Reads a record from a file in memory; `name` stands for the file in messages. @throws DataError
[[nodiscard]] signal::Record parse_wav(std::string_view content, const std::string& name,
                                       const ReadOptions& options = {});

}  // namespace alembert::io
