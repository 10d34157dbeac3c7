#include "io/file/regular_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "alembert/core/error.hpp"

namespace alembert::io {
namespace {

[[noreturn]] void refuse(const std::string& file, const std::string& reason) {
  throw DataError(Place{.file = file}, reason);
}

std::string words_of(int code) { return std::generic_category().message(code); }

[[noreturn]] void refuse_opening(const std::string& file, int code) {
  switch (code) {
    case ENOENT:
      refuse(file, "the file does not exist");
    case EACCES:
      refuse(file, "the file cannot be read (permissions)");
    case ENXIO:
      refuse(file, "is a socket, not a file");
    default:
      refuse(file, fmt::format("the file cannot be read: {}", words_of(code)));
  }
}

void refuse_kind(const std::string& file, mode_t mode) {
  if (S_ISDIR(mode)) refuse(file, "is a folder, not a file");
  if (S_ISFIFO(mode)) refuse(file, "is a pipe, not a file; for standard input give -");
  if (S_ISSOCK(mode)) refuse(file, "is a socket, not a file");
  if (!S_ISREG(mode)) refuse(file, "is a device, not a file; for standard input give -");
}

}  // namespace

RegularFile::RegularFile(const std::filesystem::path& file) : name_(file.string()) {
  descriptor_ = open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor_ < 0) refuse_opening(name_, errno);
  struct stat status {};
  try {
    if (fstat(descriptor_, &status) != 0) refuse_opening(name_, errno);
    refuse_kind(name_, status.st_mode);
  } catch (...) {
    close(descriptor_);
    throw;
  }
  size_ = static_cast<std::uintmax_t>(status.st_size);
}

RegularFile::~RegularFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

RegularFile::RegularFile(RegularFile&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

std::string RegularFile::path() const {
  const std::string link = fmt::format("/proc/self/fd/{}", descriptor_);
  return access(link.c_str(), R_OK) == 0 ? link : name_;
}

void RegularFile::read(void* to, std::size_t length, std::uintmax_t offset) const {
  auto* target = static_cast<char*>(to);
  while (length > 0) {
    const ssize_t got = pread(descriptor_, target, length, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(name_, fmt::format("cannot be read: {}", words_of(errno)));
    if (got == 0) {
      refuse(name_,
             fmt::format("became shorter while it was read ({} of {} bytes)", offset, size_));
    }
    target += got;
    length -= static_cast<std::size_t>(got);
    offset += static_cast<std::uintmax_t>(got);
  }
}

}  // namespace alembert::io
