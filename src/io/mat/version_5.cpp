#include <fmt/core.h>

#include <array>
#include <bit>

#include "alembert/core/error.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/mat/element_stream.hpp"
#include "io/mat/file.hpp"
#include "io/mat/matrix_element.hpp"
#include "io/mat/whole_element.hpp"

namespace alembert::io::mat {

namespace {

// Deflate makes 258 bytes of two bits at best: 1032 of one byte. A larger claim is a broken file.
constexpr std::uintmax_t kLargestDeflation = 1032;
constexpr std::uintmax_t kSmallestStream = 64;

class Version5 final : public File {
 public:
  Version5(const ByteSource& source, const ReadLimits& limits)
      : File(source.name(), limits), source_(source) {
    std::array<char, kHeaderBytes> header{};
    source.read(header.data(), header.size(), 0);
    const bool big_endian = header[126] == 'M';
    swap_ = big_endian != (std::endian::native == std::endian::big);
    find_elements();
    checked_.assign(elements_.size(), false);
    for (std::size_t k = 0; k < elements_.size(); ++k) {
      Variable variable = take(k, Depth::Head);
      variable.element = k;
      // What has no name belongs to other variables: MATLAB's own objects.
      if (!variable.name.empty()) variables_.push_back(std::move(variable));
    }
  }

  [[nodiscard]] ArrayValues numbers(const Variable& variable) const override {
    return take(variable.element, Depth::Content).numbers;
  }

  [[nodiscard]] Variable read(const Variable& variable, bool content) const override {
    return take(variable.element, content ? Depth::Content : Depth::Fields);
  }

  void check_rest() const override {
    for (std::size_t k = 0; k < elements_.size(); ++k) {
      if (!checked_[k]) static_cast<void>(take(k, Depth::Fields));
    }
  }

 private:
  [[noreturn]] void fail_at(std::uintmax_t byte, const std::string& reason) const {
    throw DataError({.file = name_, .byte = static_cast<long long>(byte)}, reason);
  }

  void find_elements() {
    for (std::uintmax_t position = kHeaderBytes; position < source_.size();) {
      const std::uintmax_t left = source_.size() - position;
      std::array<unsigned char, kTagBytes> tag{};
      if (left < kTagBytes) {
        fail_at(position, fmt::format("{} bytes behind the last variable (truncated file?)", left));
      }
      source_.read(tag.data(), tag.size(), position);
      const std::uint32_t type = file_word(tag.data(), swap_);
      const std::uintmax_t bytes = file_word(tag.data() + 4, swap_);
      if (type != kMatrixElement && type != kCompressedElement) {
        fail_at(position,
                fmt::format("expected a variable (element type 14 or 15), got type {}", type));
      }
      if (bytes > left - kTagBytes) {
        fail_at(position, fmt::format("a variable of {} bytes, {} are left (truncated file?)",
                                      bytes, left - kTagBytes));
      }
      elements_.push_back({.tag = position,
                           .begin = position + kTagBytes,
                           .bytes = bytes,
                           .compressed = type == kCompressedElement});
      position += kTagBytes + bytes;
    }
  }

  // The bytes of the matrix inside: those of the element, or what the tag inside of it says.
  std::uintmax_t matrix_bytes(const ElementPlace& place, ElementStream& stream) const {
    if (!place.compressed) return place.bytes;
    std::array<unsigned char, kTagBytes> tag{};
    stream.read(tag.data(), tag.size());
    const std::uint32_t type = file_word(tag.data(), swap_);
    const std::uintmax_t bytes = file_word(tag.data() + 4, swap_);
    if (type != kMatrixElement) {
      fail_at(place.tag, fmt::format("expected a variable (element type 14), got type {}", type));
    }
    if (bytes > kSmallestStream + kLargestDeflation * place.bytes) {
      fail_at(place.tag, fmt::format("a size of {} bytes is not believable, compressed to {}",
                                     bytes, place.bytes));
    }
    return bytes;
  }

  // The stream of a matrix of so many bytes behind its tag, in the quicker form where it has one.
  void at_once(const ElementPlace& place, std::uintmax_t bytes,
               std::unique_ptr<ElementStream>& stream) const {
    std::unique_ptr<ElementStream> whole = inflate_at_once(source_, place, kTagBytes + bytes);
    if (!whole) return;
    whole->skip(kTagBytes);
    stream = std::move(whole);
  }

  // What is taken whole is checked to its last byte, checksum included.
  [[nodiscard]] Variable take(std::size_t element, Depth depth) const {
    const ElementPlace& place = elements_[element];
    std::unique_ptr<ElementStream> stream = open_element(source_, place);
    const std::uintmax_t bytes = matrix_bytes(place, *stream);
    if (depth != Depth::Head && place.compressed) at_once(place, bytes, stream);
    Variable variable = read_matrix_element(*stream, bytes, depth,
                                            {.file = name_,
                                             .byte = static_cast<long long>(place.tag),
                                             .swap = swap_,
                                             .limits = limits_});
    if (depth != Depth::Head) {
      stream->finish();
      checked_[element] = true;
    }
    return variable;
  }

  const ByteSource& source_;
  bool swap_ = false;
  std::vector<ElementPlace> elements_;
  mutable std::vector<bool> checked_;
};

}  // namespace

std::unique_ptr<File> open_version_5(const ByteSource& source, const ReadLimits& limits) {
  return std::make_unique<Version5>(source, limits);
}

}  // namespace alembert::io::mat
