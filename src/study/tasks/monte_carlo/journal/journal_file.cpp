#include "study/tasks/monte_carlo/journal/journal_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "alembert/core/error.hpp"

namespace alembert::study {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunk = 1 << 16;
constexpr std::size_t kLongestLine = 1 << 24;  // bytes; a run has some thousand numbers at most

[[noreturn]] void fail_journal(const fs::path& file, const std::string& what) {
  throw DataError({.file = file.string()},
                  what + ": " + std::error_code(errno, std::generic_category()).message());
}

std::string reason_against(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return "is no regular file";
  if (status.st_uid != ::geteuid()) return "belongs to another user";
  if (status.st_nlink != 1) return "has another name too";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "can be written by others";
  return "";
}

// The first bytes of an open file, at most so many.
std::string first_bytes(int descriptor, std::size_t count) {
  std::string text(count, '\0');
  const ssize_t got = ::pread(descriptor, text.data(), count, 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

bool begins_with_head(int descriptor, std::string_view head) {
  return first_bytes(descriptor, head.size() + 1) == std::string(head) + "\n";
}

int make_journal(const fs::path& file, std::string_view head) {
  const int descriptor =
      ::open(file.c_str(), O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) fail_journal(file, "cannot be made");
  write_all(descriptor, std::string(head) + "\n", file);
  return descriptor;
}

// A process that died while it made the journal leaves a part of the first line.
void complete_head(int descriptor, std::string_view head, const fs::path& file) {
  const std::string whole = std::string(head) + "\n";
  const std::string found = first_bytes(descriptor, whole.size() + 1);
  if (found.size() >= whole.size() || whole.rfind(found, 0) != 0) return;
  write_all(descriptor, std::string_view(whole).substr(found.size()), file);
}

}  // namespace

OwnFile::OwnFile(const fs::path& file, int flags) {
  descriptor_ = ::open(file.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (descriptor_ < 0) {
    missing_ = errno == ENOENT;
    reason_ = errno == ELOOP ? "is a link"
                             : "cannot be opened: " +
                                   std::error_code(errno, std::generic_category()).message();
    return;
  }
  struct stat status {};
  reason_ = ::fstat(descriptor_, &status) == 0 ? reason_against(status) : "cannot be examined";
  mode_ = status.st_mode;
}

OwnFile::~OwnFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int OwnFile::release() noexcept {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  return descriptor;
}

int open_journal(const fs::path& file, std::string_view head) {
  OwnFile found(file, O_RDWR | O_APPEND);
  if (found.missing()) return make_journal(file, head);
  if (!found.reason().empty()) {
    throw DataError({.file = file.string()},
                    found.reason() + ", so it cannot keep finished runs; remove it");
  }
  complete_head(found.descriptor(), head, file);
  if (!begins_with_head(found.descriptor(), head)) {
    throw DataError({.file = file.string()},
                    "does not hold finished runs of this version; remove it or choose another "
                    "result folder");
  }
  return found.release();
}

bool is_journal(const fs::path& file, std::string_view head) {
  const OwnFile found(file, O_RDONLY);
  return found.reason().empty() && begins_with_head(found.descriptor(), head);
}

void read_lines(const fs::path& file, std::string_view head,
                const std::function<void(std::string_view)>& on_line) {
  const OwnFile found(file, O_RDONLY);
  if (!found.reason().empty() || !begins_with_head(found.descriptor(), head)) return;
  ::lseek(found.descriptor(), static_cast<off_t>(head.size() + 1), SEEK_SET);
  std::string text;
  std::vector<char> chunk(kChunk);
  for (ssize_t count = 0; (count = ::read(found.descriptor(), chunk.data(), kChunk)) > 0;) {
    text.append(chunk.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      on_line(std::string_view(text).substr(begin, end - begin));
    }
    text.erase(0, begin);
    if (text.size() > kLongestLine) return;
  }
}

void write_all(int descriptor, std::string_view text, const fs::path& file) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno != EINTR) fail_journal(file, "cannot be written");
    text.remove_prefix(count > 0 ? static_cast<std::size_t>(count) : 0);
  }
}

}  // namespace alembert::study
