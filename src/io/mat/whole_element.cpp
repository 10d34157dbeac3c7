#include "io/mat/whole_element.hpp"

#include <libdeflate.h>

#include <cstring>
#include <new>

#include "alembert/core/error.hpp"

namespace alembert::io::mat {

namespace {

// Not filled with zeros first, as a vector would be.
using Buffer = std::unique_ptr<unsigned char[]>;

struct FreeDecompressor {
  void operator()(libdeflate_decompressor* one) const { libdeflate_free_decompressor(one); }
};

class HeldStream final : public ElementStream {
 public:
  HeldStream(Buffer bytes, std::size_t size, const ByteSource& source, const ElementPlace& place)
      : bytes_(std::move(bytes)), size_(size), source_(source), place_(place) {}

  void read(void* to, std::size_t length) override {
    require(length);
    if (length > 0) std::memcpy(to, bytes_.get() + at_, length);
    at_ += length;
  }

  void skip(std::uintmax_t length) override {
    require(length);
    at_ += static_cast<std::size_t>(length);
  }

  void finish() override {
    if (at_ < size_) fail_here("more bytes than the variable has (broken file?)");
  }

 private:
  void require(std::uintmax_t length) const {
    if (length > size_ - at_) fail_here("the variable ends early (broken file?)");
  }

  [[noreturn]] void fail_here(const char* reason) const {
    throw DataError({.file = source_.name(), .byte = static_cast<long long>(place_.tag)}, reason);
  }

  Buffer bytes_;
  std::size_t size_;
  std::size_t at_ = 0;
  const ByteSource& source_;
  ElementPlace place_;
};

}  // namespace

std::unique_ptr<ElementStream> inflate_at_once(const ByteSource& source, const ElementPlace& place,
                                               std::uintmax_t bytes) {
  if (bytes > kMostAtOnce || place.bytes > kMostAtOnce) return nullptr;
  const auto packed_size = static_cast<std::size_t>(place.bytes);
  const auto size = static_cast<std::size_t>(bytes);
  const Buffer packed(new unsigned char[packed_size]);
  Buffer inflated(new unsigned char[size]);
  const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> decompressor(
      libdeflate_alloc_decompressor());
  if (!decompressor) throw std::bad_alloc();
  source.read(packed.get(), packed_size, place.begin);
  std::size_t taken = 0;
  // Without a place for the size, all of it must be filled.
  const libdeflate_result result = libdeflate_zlib_decompress_ex(
      decompressor.get(), packed.get(), packed_size, inflated.get(), size, &taken, nullptr);
  if (result != LIBDEFLATE_SUCCESS || taken != packed_size) return nullptr;
  return std::make_unique<HeldStream>(std::move(inflated), size, source, place);
}

}  // namespace alembert::io::mat
