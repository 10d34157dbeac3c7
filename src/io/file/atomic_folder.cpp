#include "alembert/io/atomic_folder.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "alembert/core/error.hpp"

namespace alembert::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& folder, const std::string& reason) {
  throw DataError(Place{.file = folder.string()}, reason);
}

fs::path parent(const fs::path& folder) {
  return folder.has_parent_path() ? folder.parent_path() : fs::path(".");
}

// The path without trailing slash; a link is followed, so that the result ends up behind it.
fs::path resolved(const fs::path& target) {
  std::error_code code;
  fs::path path = target.lexically_normal();
  if (!path.has_filename()) {
    path = path.parent_path();
  }
  if (!path.has_filename() || path == "." || path.filename() == "..") {
    fail(target, "is no name for a result folder");
  }
  if (fs::is_symlink(fs::symlink_status(path, code))) {
    path = fs::canonical(path, code);
    if (code) {
      fail(target, "is a link that leads nowhere");
    }
  }
  return path;
}

void require_replaceable(const fs::path& target, const ReplaceRule& rule) {
  std::error_code code;
  const fs::file_status status = fs::status(target, code);
  if (status.type() == fs::file_type::not_found) {
    return;
  }
  if (status.type() != fs::file_type::directory) {
    fail(target, "exists and is not a folder; choose another result folder");
  }
  const bool empty = fs::is_empty(target, code);
  if (code) {
    fail(target, fmt::format("cannot be read: {}", code.message()));
  }
  const std::string reason = empty ? "" : rule(target);
  if (!reason.empty()) {
    fail(target, reason + ", so it is not replaced; choose another result folder");
  }
}

std::string part_prefix(const fs::path& target) {
  return fmt::format(".{}.part-", target.filename().string());
}

// The process number in the name of a part folder of this target, if it is one.
std::optional<pid_t> owner(const std::string& name, const std::string& prefix) {
  if (name.rfind(prefix, 0) != 0) {
    return std::nullopt;
  }
  pid_t process = 0;
  const char* end = name.data() + name.size();
  const auto [rest, code] = std::from_chars(name.data() + prefix.size(), end, process);
  const bool number = code == std::errc() && process > 0 && (rest == end || *rest == '-');
  return number ? std::optional(process) : std::nullopt;
}

int lock_folder(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

// Whether a folder is the user's own and not a link to one.
bool is_own_folder(const fs::path& folder) {
  struct stat status {};
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid();
}

// Whether a folder was made or changed a moment ago. An unknown age counts as young.
bool is_young(const fs::path& folder) {
  std::error_code code;
  const fs::file_time_type time = fs::last_write_time(folder, code);
  return code || fs::file_time_type::clock::now() - time < std::chrono::minutes(1);
}

// A part folder is stale when nobody holds its lock and its process is gone, or its process number
// has another owner by now: the lock is taken a moment after the folder is made, so that an old
// folder without a lock belongs to nobody.
void remove_stale_parts(const fs::path& target) {
  const std::string prefix = part_prefix(target);
  std::error_code code;
  for (fs::directory_iterator entry(parent(target), code), end; !code && entry != end;
       entry.increment(code)) {
    const auto process = owner(entry->path().filename().string(), prefix);
    if (!process || !is_own_folder(entry->path())) {
      continue;
    }
    const bool gone = kill(*process, 0) != 0 && errno == ESRCH;
    if (!gone && is_young(entry->path())) {
      continue;
    }
    const int lock = lock_folder(entry->path());
    if (lock >= 0) {
      std::error_code ignored;
      fs::remove_all(entry->path(), ignored);
      close(lock);
    }
  }
}

// Waits until a file or folder has reached the disk. What the file system cannot flush (EINVAL) or
// may not be opened (EACCES: a folder that may be written but not listed) is left to it.
void flush_to_disk(const fs::path& path, int flags) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags);
  if (descriptor < 0 && errno == EACCES) return;
  const bool flushed = descriptor >= 0 && (fsync(descriptor) == 0 || errno == EINVAL);
  const std::error_code reason(errno, std::generic_category());
  if (descriptor >= 0) close(descriptor);
  if (!flushed) fail(path, fmt::format("cannot be written to disk: {}", reason.message()));
}

void flush_content(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_symlink()) continue;
    flush_to_disk(entry.path(), entry.is_directory() ? O_DIRECTORY : 0);
  }
  flush_to_disk(folder, O_DIRECTORY);
}

// Makes the parent folders and returns the outermost one that was missing, or an empty path.
fs::path make_parents(const fs::path& target) {
  std::error_code code;
  fs::path first_missing;
  for (fs::path folder = parent(target); !fs::exists(folder, code); folder = parent(folder)) {
    first_missing = folder;
  }
  fs::create_directories(parent(target), code);
  if (code) {
    fail(parent(target), fmt::format("cannot be made: {}", code.message()));
  }
  return first_missing;
}

fs::path make_part(const fs::path& target) {
  const std::string name = fmt::format("{}{}", part_prefix(target), getpid());
  fs::path part = parent(target) / name;
  std::error_code code;
  for (int attempt = 2; !fs::create_directory(part, code); ++attempt) {
    if (code) {
      fail(part, fmt::format("cannot be made: {}", code.message()));
    }
    part = parent(target) / fmt::format("{}-{}", name, attempt);
  }
  return part;
}

// Puts part in the place of target, in one step where the file system can do that.
// Afterwards the earlier result, if there was one, is under the returned name.
fs::path exchange(const fs::path& part, const fs::path& target) {
  std::error_code code;
  if (fs::exists(target, code)) {
    if (renameat2(AT_FDCWD, part.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
      return part;
    }
    const fs::path old = part.string() + "-old";
    fs::rename(target, old, code);
    if (code) {
      fail(target, fmt::format("cannot be replaced: {}", code.message()));
    }
    fs::rename(part, target, code);
    if (code) {
      std::error_code ignored;
      fs::rename(old, target, ignored);
      fail(target, fmt::format("cannot be replaced: {}", code.message()));
    }
    return old;
  }
  fs::rename(part, target, code);
  if (code) {
    fail(target, fmt::format("cannot be made: {}", code.message()));
  }
  return {};
}

}  // namespace

AtomicFolder::AtomicFolder(const fs::path& target, ReplaceRule rule)
    : rule_(std::move(rule)), target_(resolved(target)) {
  require_replaceable(target_, rule_);
  first_made_ = make_parents(target_);
  remove_stale_parts(target_);
  part_ = make_part(target_);
  lock_ = lock_folder(part_);
}

AtomicFolder::~AtomicFolder() {
  std::error_code ignored;
  if (!committed_) {
    fs::remove_all(part_, ignored);
    // Parent folders made for the result go too, as long as nobody else has put something there.
    if (!first_made_.empty()) {
      fs::path folder = parent(target_);
      while (fs::remove(folder, ignored) && folder != first_made_) {
        folder = parent(folder);
      }
    }
  }
  if (lock_ >= 0) {
    close(lock_);
  }
}

void AtomicFolder::commit() {
  if (committed_) {
    return;
  }
  require_replaceable(target_, rule_);
  flush_content(part_);
  const fs::path old = exchange(part_, target_);
  committed_ = true;
  // The rename itself; folders that were made for it stand in theirs.
  flush_to_disk(parent(target_), O_DIRECTORY);
  for (fs::path made = parent(target_); !first_made_.empty(); made = parent(made)) {
    flush_to_disk(parent(made), O_DIRECTORY);
    if (made == first_made_) break;
  }
  if (!old.empty()) {
    std::error_code ignored;
    fs::remove_all(old, ignored);
  }
}

}  // namespace alembert::io
