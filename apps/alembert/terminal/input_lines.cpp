#include "terminal/input_lines.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "alembert/core/error.hpp"

namespace alembert::app {
namespace {

constexpr int kPatience = 200;  // ms between looks at the stop flag while nothing comes
constexpr std::size_t kChunk = 1 << 16;

}  // namespace

// Appends what there is; false when nothing will come.
bool InputLines::read_more() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  while (!stop_.requested()) {
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    const int ready = poll(&input, 1, kPatience);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const std::size_t size = buffer_.size();
    buffer_.resize(size + kChunk);
    const ssize_t count = read(STDIN_FILENO, buffer_.data() + size, kChunk);
    buffer_.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) throw DataError({.file = "standard input"}, "cannot be read");
    return count > 0;
  }
  return false;
}

bool InputLines::next(std::string_view& line) {
  std::size_t searched = begin_;
  while (!ended_) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      line = std::string_view(buffer_).substr(begin_, end - begin_);
      begin_ = end + 1;
      return true;
    }
    const std::size_t known = buffer_.size() - begin_;
    ended_ = !read_more();
    searched = known;
  }
  if (begin_ >= buffer_.size() || stop_.requested()) return false;
  line = std::string_view(buffer_).substr(begin_);  // a last line without an end
  begin_ = buffer_.size();
  return true;
}

}  // namespace alembert::app
