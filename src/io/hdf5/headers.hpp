#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/file/byte_source.hpp"

/// The bytes of a file that describe its objects, looked at beside the library.
namespace alembert::io::hdf5 {

/// Bytes of the file that belong to one object.
struct Extent {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string path = {};
};

/// Where the file begins and ends by its own word.
struct Bounds {
  std::uint64_t begin = 0;       ///< of the superblock; addresses count from here
  std::uint64_t end = 0;         ///< behind the last byte
  std::uint64_t superblock = 0;  ///< its bytes
  bool usual = false;            ///< whether addresses and lengths have 8 bytes
  std::uint64_t leaf = 0;        ///< half of the most entries of a leaf of a group's tree, or 0
  std::uint64_t node = 0;        ///< half of the most children of a node of it, or 0: not stated
};

/// @param begin of the superblock. @throws DataError if there is none.
[[nodiscard]] Bounds bounds_of(const ByteSource& source, std::uint64_t begin);

/// Checks the header of an object in the form without checksums [HDF5, IV.A.1.a]: the lengths that
/// its messages state must agree with each other. A flipped bit in one of them, or in the class of
/// a type, would give other numbers. Headers of the newer form have checksums, which the library
/// looks at.
/// @param address of the header from the beginning of the file.
/// @param data_set whether the library takes it for a data set.
/// @return the bytes of the header, in all its pieces, and of the list of a group's members.
/// @throws DataError
[[nodiscard]] std::vector<Extent> check_header(const ByteSource& source, const Bounds& bounds,
                                               std::uint64_t address, const std::string& path,
                                               bool data_set);

}  // namespace alembert::io::hdf5
