#pragma once

#include <cstdint>

namespace alembert::io {

/// What reading a file may take and touch.
struct ReadLimits {
  /// Bytes that the numbers of a file may take in memory; 0: half of the machine's memory. A file
  /// that asks for more is a DataError before anything is allocated.
  std::uintmax_t memory = 0;
  /// Whether an HDF5 file may take numbers from other files (external links, external storage,
  /// virtual data sets). A stranger's file could show any file of yours as a channel.
  bool external = false;
};

}  // namespace alembert::io
