#include "study/tasks/monte_carlo/journal/journal_key.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "study/tasks/monte_carlo/journal/journal_file.hpp"

namespace alembert::study {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeyBytes = 32;

fs::path state_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  if (state != nullptr && state[0] == '/') return fs::path(state) / "alembert";
  const char* home = std::getenv("HOME");
  if (home == nullptr || home[0] != '/') return {};
  return fs::path(home) / ".local/state/alembert";
}

// Makes the folder where it is missing; whether others can neither see nor change what is in it.
bool is_private_folder(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  ::mkdir(folder.c_str(), 0700);  // fails if it exists; what counts is checked next
  struct stat status {};
  return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// The key in a file that is the user's alone; "" if there is none.
std::string read_key(const fs::path& file) {
  const OwnFile key(file, O_RDONLY);
  if (!key.reason().empty() || (key.mode() & (S_IRWXG | S_IRWXO)) != 0) return "";
  std::array<char, kKeyBytes> bytes{};
  const ssize_t count = ::read(key.descriptor(), bytes.data(), bytes.size());
  return count == static_cast<ssize_t>(bytes.size()) ? std::string(bytes.data(), bytes.size()) : "";
}

// Written under another name and linked, so that no process ever sees half a key and two that
// begin at once agree on one.
void make_key(const fs::path& file) {
  std::array<char, kKeyBytes> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return;
  const std::string part = fmt::format("{}.{}", file.string(), ::getpid());
  ::unlink(part.c_str());
  const int descriptor = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return;
  const bool written =
      ::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) &&
      ::fsync(descriptor) == 0;
  ::close(descriptor);
  if (written && ::link(part.c_str(), file.c_str()) != 0) {
    // Another process was first: its key is read next.
  }
  ::unlink(part.c_str());
}

}  // namespace

std::string journal_key() {
  const fs::path folder = state_folder();
  if (folder.empty() || !is_private_folder(folder)) return "";
  const fs::path file = folder / "journal.key";
  std::string key = read_key(file);
  if (!key.empty()) return key;
  make_key(file);
  return read_key(file);
}

}  // namespace alembert::study
