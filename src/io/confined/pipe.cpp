#include "io/confined/pipe.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace alembert::io {

namespace {

using Clock = std::chrono::steady_clock;
// Waiting is counted in slices: one that took longer was spent stopped (Ctrl-Z, a machine asleep).
constexpr std::chrono::milliseconds kSlice{100};

}  // namespace

void PipeWriter::put(const std::string& text) {
  put(static_cast<std::uint64_t>(text.size()));
  bytes(text.data(), text.size());
}

void PipeWriter::bytes(const void* from, std::size_t length) {
  const auto* source = static_cast<const char*>(from);
  while (length > 0) {
    const ssize_t done = write(descriptor_, source, length);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(1);
    source += done;
    length -= static_cast<std::size_t>(done);
  }
}

std::uint64_t PipeReader::number() {
  std::uint64_t value = 0;
  bytes(&value, sizeof(value));
  return value;
}

double PipeReader::real() {
  double value = 0.0;
  bytes(&value, sizeof(value));
  return value;
}

std::string PipeReader::text() {
  std::string text(count(1), '\0');
  bytes(text.data(), text.size());
  return text;
}

std::size_t PipeReader::count(std::size_t bytes_of_one) {
  const std::uint64_t value = number();
  require(value, bytes_of_one);
  return static_cast<std::size_t>(value);
}

void PipeReader::require(std::uint64_t count, std::uint64_t bytes_of_one) const {
  if (count > left_ / std::max<std::uint64_t>(1, bytes_of_one)) throw BrokenPipe{};
}

void PipeReader::bytes(void* to, std::size_t length) {
  if (length > left_) throw BrokenPipe{};
  left_ -= length;
  auto* target = static_cast<char*>(to);
  while (length > 0) {
    wait();
    const ssize_t got = read(descriptor_, target, length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw BrokenPipe{};
    target += got;
    length -= static_cast<std::size_t>(got);
  }
}

// Until there is something to read, or nobody who could write.
void PipeReader::wait() {
  for (;;) {
    struct pollfd end {
      .fd = descriptor_, .events = POLLIN, .revents = 0
    };
    const Clock::time_point begin = Clock::now();
    if (poll(&end, 1, static_cast<int>(kSlice.count())) > 0) return;
    const auto waited = std::chrono::ceil<std::chrono::milliseconds>(Clock::now() - begin);
    patience_ -= std::min(waited, 2 * kSlice);
    if (patience_ <= std::chrono::milliseconds::zero()) throw LatePipe{};
  }
}

}  // namespace alembert::io
