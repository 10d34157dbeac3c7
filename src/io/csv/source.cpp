#include "io/csv/source.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "alembert/core/error.hpp"

namespace alembert::io::csv {
namespace {

// Bytes read at a time where the end is not known; a search for a line end starts small.
constexpr std::size_t kPiece = std::size_t{256} * 1024;
constexpr std::size_t kSmallPiece = 1024;
// Readable bytes before and behind text from a file; more than the number parser needs.
constexpr std::size_t kMargin = 64;

[[noreturn]] void fail(const std::string& file, const std::string& reason) {
  throw DataError(Place{.file = file}, reason);
}

std::string system_message(int code) { return std::generic_category().message(code); }

}  // namespace

Source::Source(const std::filesystem::path& file) : name_(file.string()) {
  descriptor_ = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    fail(name_, fmt::format("cannot be opened: {}", system_message(errno)));
  }
  struct stat status {};
  const bool known = fstat(descriptor_, &status) == 0;
  if (known && S_ISREG(status.st_mode)) {
    size_ = static_cast<std::size_t>(status.st_size);
    return;
  }
  try {
    if (known && S_ISDIR(status.st_mode)) {
      fail(name_, "is a folder, not a file");
    }
    read_all();
  } catch (...) {
    close(descriptor_);
    throw;
  }
  close(descriptor_);
  descriptor_ = -1;
}

Source::Source(std::string_view text, std::string name)
    : name_(std::move(name)), text_(text), size_(text.size()) {}

Source::~Source() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

void Source::read_all() {
  while (true) {
    const std::size_t filled = held_.size();
    held_.resize(filled + kPiece);
    const ssize_t got = ::read(descriptor_, held_.data() + filled, kPiece);
    if (got < 0 && errno != EINTR) {
      fail(name_, fmt::format("cannot be read: {}", system_message(errno)));
    }
    held_.resize(filled + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) {
      break;
    }
  }
  text_ = held_;
  size_ = held_.size();
}

void Source::read_exactly(char* to, std::size_t length, std::size_t offset) const {
  while (length > 0) {
    const ssize_t got = pread(descriptor_, to, length, static_cast<off_t>(front_ + offset));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      fail(name_, fmt::format("cannot be read: {}", system_message(errno)));
    }
    if (got == 0) {
      fail(name_, fmt::format("became shorter while it was read ({} of {} bytes)", offset, size_));
    }
    to += got;
    length -= static_cast<std::size_t>(got);
    offset += static_cast<std::size_t>(got);
  }
}

void Source::skip_front(std::size_t count) {
  front_ += count;
  size_ -= count;
  if (descriptor_ < 0) {
    text_.remove_prefix(count);
  }
}

Lines Source::bytes(std::size_t offset, std::size_t length) const {
  offset = std::min(offset, size_);
  length = std::min(length, size_ - offset);
  Lines result;
  if (descriptor_ < 0) {
    result.text = text_.substr(offset, length);
    result.readable = text_;
    return result;
  }
  const std::size_t total = length + 2 * kMargin;
  result.buffer = std::make_unique_for_overwrite<char[]>(total);
  char* begin = result.buffer.get() + kMargin;
  std::memset(result.buffer.get(), 0, kMargin);
  read_exactly(begin, length, offset);
  std::memset(begin + length, 0, kMargin);
  result.text = {begin, length};
  result.readable = {result.buffer.get(), total};
  return result;
}

std::size_t Source::find(char letter, std::size_t from, std::size_t limit) const {
  for (std::size_t piece = kSmallPiece; from < limit; piece = std::min(2 * piece, kPiece)) {
    const Lines part = bytes(from, std::min(piece, limit - from));
    const std::size_t at = part.text.find(letter);
    if (at != std::string_view::npos) {
      return from + at;
    }
    from += part.text.size();
  }
  return limit;
}

Lines Source::lines(std::size_t begin, std::size_t end, char terminator) const {
  end = std::min(end, size_);
  if (begin > 0) {
    begin = find(terminator, begin - 1, end) + 1;
  }
  if (begin >= end) {
    return {};
  }
  // The last line starts before end: it is complete with the first terminator from end - 1 on.
  end = std::min(find(terminator, end - 1, size_) + 1, size_);
  return bytes(begin, end - begin);
}

}  // namespace alembert::io::csv
