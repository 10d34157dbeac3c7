#pragma once

#include <string>
#include <vector>

namespace alembert::io {

/// An array in a .mat or HDF5 file, as list_mat and list_hdf5 report it.
struct StoredArray {
  std::string name;             ///< variable, `struct.field`, or path of the data set
  std::vector<long long> size;  ///< as the file's own programs show it
  std::string type;             ///< "double", "int16", "complex double", "struct", "text", ...

  bool operator==(const StoredArray&) const = default;
};

}  // namespace alembert::io
