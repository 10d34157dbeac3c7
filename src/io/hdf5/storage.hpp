#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/io/read_limits.hpp"
#include "io/file/byte_source.hpp"
#include "io/hdf5/library.hpp"

/// Where a file keeps its numbers: checks before anything is read.
namespace alembert::io::hdf5 {

/// Paths of all objects that links lead to, without the leading slash, in order of their names.
/// @throws DataError if groups lie too deep inside each other or are too many; also for a link to
///   another file unless that is allowed.
[[nodiscard]] std::vector<std::string> link_paths(const Handle& file, const std::string& name,
                                                  const ReadLimits& limits);

/// Checks that a data set keeps its numbers in this file, or that others are allowed.
/// @throws DataError
void check_place(const Handle& data_set, const std::string& name, const std::string& path,
                 const ReadLimits& limits);

/// Checks that the numbers of a data set have a form that machines have. @throws DataError
void check_numbers(const Handle& data_set, const std::string& name, const std::string& path);

/// Checks that all numbers of a data set were written: what was not reads as zeros.
/// @throws DataError saying how many parts are missing.
void check_written(const Handle& data_set, const std::string& name, const std::string& path);

/// Checks links and places of all data sets of a file.
/// @param path by which the library opens it. @param source its bytes. @throws DataError
void check_storage(const std::filesystem::path& path, const ByteSource& source,
                   const ReadLimits& limits);

}  // namespace alembert::io::hdf5
