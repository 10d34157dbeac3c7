#pragma once

#include <string>

namespace alembert::model::equations {

/// The folder of compiled models: the given one, $XDG_CACHE_HOME/alembert or ~/.cache/alembert;
/// made if needed, only for the user. "" if there is no folder that belongs to the user alone.
[[nodiscard]] std::string usable_cache(const std::string& given);

/// A folder that is removed in the end, with the files in it.
class PrivateFolder {
 public:
  /// Makes one below the given folder. @throws std::runtime_error
  explicit PrivateFolder(const std::string& parent);
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Appends a seal to a library: its length and checksum. Loaders ignore what follows the library.
/// @throws std::runtime_error
void seal_library(const std::string& file);

/// Whether the file belongs to the user, nobody else may write it, and its seal is right.
[[nodiscard]] bool is_sealed(const std::string& file);

/// Notes in `file` that compiling took longer than `timeout` s.
void note_timeout(const std::string& file, double timeout);

/// Whether a note of the last week says that compiling takes longer than `timeout` s.
[[nodiscard]] bool timed_out_before(const std::string& file, double timeout);

/// Removes the older libraries once there are more than a few hundred, and what compilations that
/// were ended by force left behind.
void trim_cache(const std::string& folder);

}  // namespace alembert::model::equations
