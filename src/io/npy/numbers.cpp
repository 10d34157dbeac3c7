#include "io/npy/numbers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace alembert::io::npy {
namespace {

// The value of a 2-byte float of IEEE 754: sign, 5 bits of exponent, 10 bits of fraction.
double half(std::uint16_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = static_cast<int>((bits >> 10U) & 0x1FU);
  const double fraction = static_cast<double>(bits & 0x3FFU) / 1024.0;
  if (exponent == 31) {
    return fraction == 0.0 ? sign * HUGE_VAL : std::nan("");
  }
  return exponent == 0 ? sign * std::ldexp(fraction, -14)
                       : sign * std::ldexp(1.0 + fraction, exponent - 15);
}

template <typename Number>
double as(const std::array<char, 8>& bytes) {
  Number value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return static_cast<double>(value);
}

// One number of `size` bytes in the order of this machine.
double number(char kind, std::size_t size, const std::array<char, 8>& bytes) {
  if (kind == 'f' || kind == 'c') {
    if (size == 2) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, bytes.data(), sizeof bits);
      return half(bits);
    }
    return size == 4 ? as<float>(bytes) : as<double>(bytes);
  }
  const bool has_sign = kind == 'i';
  switch (size) {
    case 1:
      return has_sign ? as<std::int8_t>(bytes) : as<std::uint8_t>(bytes);
    case 2:
      return has_sign ? as<std::int16_t>(bytes) : as<std::uint16_t>(bytes);
    case 4:
      return has_sign ? as<std::int32_t>(bytes) : as<std::uint32_t>(bytes);
    default:
      return has_sign ? as<std::int64_t>(bytes) : as<std::uint64_t>(bytes);
  }
}

double number_at(const char* from, char kind, std::size_t size, bool turn) {
  std::array<char, 8> bytes{};
  std::copy_n(from, size, bytes.begin());
  if (turn) {
    std::reverse(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
  }
  return number(kind, size, bytes);
}

}  // namespace

Size size_of(const Header& header, const Place& place) {
  if (header.shape.size() > 2) {
    throw DataError(place, fmt::format("has {} dimensions; a record has two, samples and channels",
                                       header.shape.size()));
  }
  // One side of an array of nothing can be as long as it likes: no byte stands for it.
  if (std::find(header.shape.begin(), header.shape.end(), 0U) != header.shape.end()) {
    return {.rows = 0, .columns = 0};
  }
  Size size;
  size.rows = header.shape.empty() ? 1 : static_cast<Eigen::Index>(header.shape[0]);
  size.columns = header.shape.size() < 2 ? 1 : static_cast<Eigen::Index>(header.shape[1]);
  return size;
}

ArrayValues numbers_of(const Header& header, const Field& field, const Size& size,
                       std::string_view content) {
  const auto count = static_cast<Eigen::Index>(field.count);
  const bool complex = field.kind == 'c';
  const bool turn = field.size > 1 && field.big_endian != (std::endian::native == std::endian::big);
  const std::size_t part = complex ? field.size / 2 : field.size;
  ArrayValues values{.real = Eigen::MatrixXd(size.rows, size.columns * count)};
  if (complex) {
    values.imaginary.resize(size.rows, size.columns * count);
  }
  const char* begin = content.data() + header.begin + field.offset;
  for (Eigen::Index column = 0; column < size.columns * count; ++column) {
    for (Eigen::Index row = 0; row < size.rows; ++row) {
      const Eigen::Index element = header.fortran_order ? (column / count) * size.rows + row
                                                        : row * size.columns + column / count;
      const char* from = begin + static_cast<std::size_t>(element) * header.element +
                         static_cast<std::size_t>(column % count) * field.size;
      values.real(row, column) = number_at(from, field.kind, part, turn);
      if (complex) {
        values.imaginary(row, column) = number_at(from + part, field.kind, part, turn);
      }
    }
  }
  return values;
}

}  // namespace alembert::io::npy
