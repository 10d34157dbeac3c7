#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "alembert/io/read_limits.hpp"
#include "alembert/signal/record.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// Thrown where a check would need the content of another file and none may be read.
struct NeedsFile {};

/// Files that are not on disk, by their names without folder: what a simulation would write.
using FilesInMemory = std::map<std::string, signal::Records>;

/// Where the files that a study names are found, and whether they may be read.
struct FileContext {
  std::filesystem::path folder;
  bool read_files = true;
  std::vector<std::filesystem::path>* found = nullptr;  ///< notes each file that find() returns
  io::ReadLimits limits = {};                           ///< of every file that the study names
  const FilesInMemory* memory = nullptr;                ///< found before those on disk
  std::vector<std::string>* notes = nullptr;            ///< for what is said of their records

  /// The same, with what is said of records going to `notes`.
  [[nodiscard]] FileContext noting(std::vector<std::string>& target) const {
    FileContext context = *this;
    context.notes = &target;
    return context;
  }

  /// The content of a file in memory; nullptr: it is sought on disk.
  [[nodiscard]] const signal::Records* in_memory(const std::string& name) const;

  /// The path of a file that a key names. @throws DataError at the key if there is no such file,
  /// NeedsFile if files may not be read.
  [[nodiscard]] std::filesystem::path find(const TableReader& table, const std::string& key) const;
  /// The same for a name in a list; `key` and `place` are for the message.
  [[nodiscard]] std::filesystem::path find(const std::string& name, const std::string& key,
                                           const Place& place) const;
};

}  // namespace alembert::study
