#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace alembert::io {

/// Judges whether a folder that exists may be removed with all its content, in favour of a new
/// result: "" if it may, else the reason that reads on from the folder's name, "holds notes.txt".
/// Not asked for an empty folder.
using ReplaceRule = std::function<std::string(const std::filesystem::path& folder)>;

/// A folder that appears only when it is complete.
///
/// Files are written to a temporary folder beside the target (`.NAME.part-PID`); commit() renames
/// it to the target, replacing an earlier result. Without commit() the temporary folder is removed,
/// so that no half-written result is ever seen under the target's name. A target that exists is
/// replaced only if it is empty or the rule allows it: anything else is somebody's data.
/// Temporary folders of processes that died are removed when the next one is made, those of the
/// same user only.
///
/// commit() flushes all files and folders to disk before it renames and the parent folder
/// afterwards: when it returns, a power failure takes the new result no more than a kill does; when
/// it fails, or power fails on the way, the earlier result or the new one is there as a whole.
class AtomicFolder {
 public:
  /// @throws DataError if the folder cannot be made, or if target exists and must not be replaced.
  AtomicFolder(const std::filesystem::path& target, ReplaceRule rule);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  /// Where to write.
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return part_; }
  /// Where it ends up.
  [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }
  /// Makes the result visible. @throws DataError if the disk does not take it, if the rename fails,
  /// or if the target must not be replaced any more.
  void commit();

 private:
  ReplaceRule rule_;
  std::filesystem::path target_;
  std::filesystem::path part_;
  std::filesystem::path first_made_;  ///< outermost parent folder made here; empty if none was
  int lock_ = -1;                     ///< held on part_, so that others know it is alive
  bool committed_ = false;
};

}  // namespace alembert::io
