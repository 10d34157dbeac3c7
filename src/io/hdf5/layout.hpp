#pragma once

#include <cstddef>
#include <string>

/// Names in the HDF5 files written here; the layout is described in io/hdf5.hpp.
namespace alembert::io::hdf5 {

inline constexpr const char* kFormat = "format";
inline constexpr const char* kFormatName = "alembert records";
inline constexpr const char* kVersion = "version";
inline constexpr const char* kRecords = "records";
inline constexpr const char* kTitle = "title";
inline constexpr const char* kSamples = "samples";
inline constexpr const char* kChannels = "channels";
inline constexpr const char* kStep = "step";
inline constexpr const char* kStart = "start";
inline constexpr const char* kTime = "time";
inline constexpr const char* kName = "name";
inline constexpr const char* kUnit = "unit";
inline constexpr const char* kDescription = "description";
inline constexpr const char* kColumn = "column";

inline std::string record_path(std::size_t number) { return "record_" + std::to_string(number); }

}  // namespace alembert::io::hdf5
