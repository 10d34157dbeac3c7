#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/io/read_limits.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Thrown where a check would need the content of another file and none may be read.
struct NeedsFile {};

/// Where the files that a study names are found, and whether they may be read.
struct FileContext {
  std::filesystem::path folder;
  bool read_files = true;
  std::vector<std::filesystem::path>* found = nullptr;  ///< notes each file that find() returns
  io::ReadLimits limits = {};                           ///< of every file that the study names

  /// The path of a file that a key names. @throws DataError at the key if there is no such file,
  /// NeedsFile if files may not be read.
  [[nodiscard]] std::filesystem::path find(const TableReader& table, const std::string& key) const;
  /// The same for a name in a list; `key` and `place` are for the message.
  [[nodiscard]] std::filesystem::path find(const std::string& name, const std::string& key,
                                           const Place& place) const;
};

}  // namespace alembert::study
