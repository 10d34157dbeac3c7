#include "io/mat/element_stream.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "alembert/core/error.hpp"

namespace alembert::io::mat {

namespace {

constexpr std::size_t kBlock = std::size_t{128} * 1024;

[[noreturn]] void fail_element(const ByteSource& source, const ElementPlace& place,
                               const std::string& reason) {
  throw DataError({.file = source.name(), .byte = static_cast<long long>(place.tag)}, reason);
}

// The bytes of an element as they stand in the file, through a buffer.
class StoredBytes {
 public:
  StoredBytes(const ByteSource& source, const ElementPlace& place)
      : source_(source), next_(place.begin), left_(place.bytes) {}

  [[nodiscard]] std::uintmax_t left() const { return left_ + filled_ - at_; }

  // Up to `most` bytes that were read already, or after reading a block; none at the end.
  std::pair<const unsigned char*, std::size_t> take(std::size_t most) {
    if (at_ == filled_) fill();
    const std::size_t length = std::min(most, filled_ - at_);
    const unsigned char* begin = buffer_.data() + at_;
    at_ += length;
    return {begin, length};
  }

  // Past the buffer, for what is long.
  void read_directly(void* to, std::size_t length) {
    source_.read(to, length, next_);
    next_ += length;
    left_ -= length;
  }

  [[nodiscard]] bool buffer_is_empty() const { return at_ == filled_; }

  void skip(std::uintmax_t length) {
    const std::uintmax_t here = std::min<std::uintmax_t>(length, filled_ - at_);
    at_ += static_cast<std::size_t>(here);
    next_ += length - here;
    left_ -= length - here;
  }

 private:
  void fill() {
    at_ = 0;
    filled_ = static_cast<std::size_t>(std::min<std::uintmax_t>(kBlock, left_));
    buffer_.resize(filled_);
    if (filled_ > 0) read_directly(buffer_.data(), filled_);
  }

  const ByteSource& source_;
  std::uintmax_t next_;
  std::uintmax_t left_;  // in the file behind the buffer
  std::vector<unsigned char> buffer_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
};

class PlainStream final : public ElementStream {
 public:
  PlainStream(const ByteSource& source, const ElementPlace& place)
      : source_(source), place_(place), bytes_(source, place) {}

  void read(void* to, std::size_t length) override {
    require(length);
    auto* target = static_cast<unsigned char*>(to);
    while (length > 0) {
      if (bytes_.buffer_is_empty() && length >= kBlock) {
        bytes_.read_directly(target, length);
        return;
      }
      const auto [begin, count] = bytes_.take(length);
      std::memcpy(target, begin, count);
      target += count;
      length -= count;
    }
  }

  void skip(std::uintmax_t length) override {
    require(length);
    bytes_.skip(length);
  }

  void finish() override {
    if (bytes_.left() > 0) {
      fail_element(source_, place_,
                   fmt::format("{} bytes more than the variable has", bytes_.left()));
    }
  }

 private:
  void require(std::uintmax_t length) const {
    if (length > bytes_.left()) {
      fail_element(source_, place_, "the variable ends early (broken file?)");
    }
  }

  const ByteSource& source_;
  ElementPlace place_;
  StoredBytes bytes_;
};

class InflatedStream final : public ElementStream {
 public:
  InflatedStream(const ByteSource& source, const ElementPlace& place)
      : source_(source), place_(place), bytes_(source, place) {
    if (inflateInit(&state_) != Z_OK) throw std::bad_alloc();
  }
  ~InflatedStream() override { inflateEnd(&state_); }
  InflatedStream(const InflatedStream&) = delete;
  InflatedStream& operator=(const InflatedStream&) = delete;

  void read(void* to, std::size_t length) override {
    auto* target = static_cast<unsigned char*>(to);
    while (length > 0) {
      const std::size_t got = inflate_into(target, length);
      if (got == 0) fail_element(source_, place_, "the variable ends early (broken file?)");
      target += got;
      length -= got;
    }
  }

  void skip(std::uintmax_t length) override {
    while (length > 0) {
      unread_.resize(kBlock);
      const auto part = static_cast<std::size_t>(std::min<std::uintmax_t>(kBlock, length));
      read(unread_.data(), part);
      length -= part;
    }
  }

  // zlib ends a stream only if its checksum (Adler-32 of all inflated bytes) is right.
  void finish() override {
    unsigned char more = 0;
    if (!ended_ && inflate_into(&more, 1) > 0) {
      fail_element(source_, place_, "more bytes than the variable has (broken file?)");
    }
    if (bytes_.left() + state_.avail_in > 0) {
      fail_element(source_, place_, "bytes behind the end of the compressed data (broken file?)");
    }
  }

 private:
  // As much as comes, at least one byte unless the stream ends.
  std::size_t inflate_into(unsigned char* target, std::size_t length) {
    const auto most =
        static_cast<uInt>(std::min<std::size_t>(length, std::numeric_limits<uInt>::max()));
    state_.next_out = target;
    state_.avail_out = most;
    while (!ended_ && state_.avail_out == most) {
      if (state_.avail_in == 0) {
        const auto [begin, count] = bytes_.take(kBlock);
        state_.next_in = const_cast<unsigned char*>(begin);
        state_.avail_in = static_cast<uInt>(count);
      }
      step();
    }
    return most - state_.avail_out;
  }

  void step() {
    const bool at_end = state_.avail_in == 0;
    const int code = inflate(&state_, Z_NO_FLUSH);
    ended_ = code == Z_STREAM_END;
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_BUF_ERROR && at_end) {
      fail_element(source_, place_, "the compressed data end early (broken file?)");
    }
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
      fail_element(source_, place_,
                   fmt::format("the compressed data are broken ({})",
                               state_.msg == nullptr ? "no zlib data" : state_.msg));
    }
  }

  const ByteSource& source_;
  ElementPlace place_;
  StoredBytes bytes_;
  z_stream state_{};
  bool ended_ = false;
  std::vector<unsigned char> unread_;
};

}  // namespace

std::unique_ptr<ElementStream> open_element(const ByteSource& source, const ElementPlace& place) {
  if (place.compressed) return std::make_unique<InflatedStream>(source, place);
  return std::make_unique<PlainStream>(source, place);
}

}  // namespace alembert::io::mat
