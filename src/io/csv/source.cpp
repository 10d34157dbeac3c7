#include "io/csv/source.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <system_error>
#include <utility>

#include "alembert/core/error.hpp"
#include "io/file/memory_limit.hpp"

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

// Standard input can be read once in the life of a process: what came is kept for who asks again.
// @throws DataError if it is longer than the limit, or cannot be read.
std::string_view standard_input(const ReadLimits& limits) {
  static std::mutex mutex;
  static std::string held;
  static bool ended = false;
  const std::lock_guard lock(mutex);
  while (!ended) {
    const std::size_t filled = held.size();
    require_room("standard input", "the text", filled + kPiece, 1, 1, limits);
    held.resize(filled + kPiece);
    const ssize_t got = ::read(STDIN_FILENO, held.data() + filled, kPiece);
    const int code = errno;
    held.resize(filled + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && code != EINTR) {
      fail("standard input",
           fmt::format("cannot be read: {}", std::generic_category().message(code)));
    }
    ended = got == 0;
  }
  return held;
}

}  // namespace

Source::Source(const std::filesystem::path& file, const ReadLimits& limits) : name_(file.string()) {
  if (file == "-") {
    name_ = "standard input";
    text_ = standard_input(limits);
    size_ = text_.size();
    return;
  }
  file_.emplace(file);
  size_ = static_cast<std::size_t>(file_->size());
}

Source::Source(std::string_view text, std::string name)
    : name_(std::move(name)), text_(text), size_(text.size()) {}

void Source::skip_front(std::size_t count) {
  front_ += count;
  size_ -= count;
  if (!file_) {
    text_.remove_prefix(count);
  }
}

Lines Source::bytes(std::size_t offset, std::size_t length) const {
  offset = std::min(offset, size_);
  length = std::min(length, size_ - offset);
  Lines result;
  if (!file_) {
    result.text = text_.substr(offset, length);
    result.readable = text_;
    return result;
  }
  const std::size_t total = length + 2 * kMargin;
  result.buffer = std::make_unique_for_overwrite<char[]>(total);
  char* begin = result.buffer.get() + kMargin;
  std::memset(result.buffer.get(), 0, kMargin);
  file_->read(begin, length, front_ + offset);
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
