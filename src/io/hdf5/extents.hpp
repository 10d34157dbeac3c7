#pragma once

#include <string>
#include <vector>

#include "io/file/byte_source.hpp"
#include "io/hdf5/library.hpp"

namespace alembert::io::hdf5 {

/// Checks that each byte of the file belongs to one object at most: no two data sets keep their
/// numbers in the same bytes, none where objects are described or behind the end of the file, and
/// each has as many bytes as its size needs. Files without checksums of their structure have
/// nothing else by which a damaged address or length could be found. Where data sets have many
/// chunks, these are not looked at.
/// @param source the bytes of the same file. @param paths of objects, as link_paths() gives them.
/// @throws DataError
void check_extents(const Handle& file, const ByteSource& source,
                   const std::vector<std::string>& paths);

}  // namespace alembert::io::hdf5
