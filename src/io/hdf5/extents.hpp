#pragma once

#include <string>
#include <vector>

#include "io/hdf5/library.hpp"

namespace alembert::io::hdf5 {

/// Checks that no two data sets keep their numbers in the same bytes of the file, and none where an
/// object begins. Files without checksums of their structure have nothing else by which a damaged
/// address could be found. Data sets in chunks are not looked at.
/// @param paths of objects, as link_paths() gives them.
/// @throws DataError
void check_extents(const Handle& file, const std::string& name,
                   const std::vector<std::string>& paths);

}  // namespace alembert::io::hdf5
