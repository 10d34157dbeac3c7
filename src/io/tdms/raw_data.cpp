#include "io/tdms/raw_data.hpp"

#include <bit>
#include <cmath>

namespace alembert::io::tdms {
namespace {

// A time stamp: 2⁻⁶⁴ s and whole seconds, in this order where the lowest byte comes first.
struct Stamp {
  std::int64_t seconds = 0;
  std::uint64_t parts = 0;
};

Stamp stamp_at(std::string_view content, std::uintmax_t at, bool big_endian) {
  const std::uintmax_t seconds = big_endian ? at : at + 8;
  const std::uintmax_t parts = big_endian ? at + 8 : at;
  return {static_cast<std::int64_t>(whole_at(content, seconds, 8, big_endian)),
          whole_at(content, parts, 8, big_endian)};
}

double seconds_of(const Stamp& stamp, const Stamp& origin) {
  const auto whole = static_cast<double>(static_cast<std::int64_t>(
      static_cast<std::uint64_t>(stamp.seconds) - static_cast<std::uint64_t>(origin.seconds)));
  const double parts = std::ldexp(static_cast<double>(stamp.parts), -64) -
                       std::ldexp(static_cast<double>(origin.parts), -64);
  return whole + parts;
}

}  // namespace

std::uint64_t whole_at(std::string_view content, std::uintmax_t at, std::size_t size,
                       bool big_endian) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t place = static_cast<std::size_t>(at) + (big_endian ? i : size - 1 - i);
    value = value << 8U | static_cast<unsigned char>(content[place]);
  }
  return value;
}

double value_at(std::string_view content, std::uintmax_t at, Type type, bool big_endian) {
  if (type == Type::TimeStamp) {
    return seconds_of(stamp_at(content, at, big_endian), {});
  }
  const std::uint64_t raw = whole_at(content, at, size_of(type), big_endian);
  switch (type) {
    case Type::Int8:
      return static_cast<double>(static_cast<std::int8_t>(raw));
    case Type::Int16:
      return static_cast<double>(static_cast<std::int16_t>(raw));
    case Type::Int32:
      return static_cast<double>(static_cast<std::int32_t>(raw));
    case Type::Int64:
      return static_cast<double>(static_cast<std::int64_t>(raw));
    case Type::Single:
    case Type::SingleWithUnit:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
    case Type::Double:
    case Type::DoubleWithUnit:
      return std::bit_cast<double>(raw);
    default:
      return static_cast<double>(raw);
  }
}

Eigen::VectorXd numbers_of(std::string_view content, const Object& channel) {
  Eigen::VectorXd numbers(static_cast<Eigen::Index>(channel.count()));
  Eigen::Index k = 0;
  Stamp origin;
  for (const Piece& piece : channel.pieces) {
    for (std::uintmax_t chunk = 0; chunk < piece.chunks; ++chunk) {
      for (std::uintmax_t i = 0; i < piece.count; ++i) {
        const std::uintmax_t at = piece.begin + chunk * piece.chunk + i * piece.stride;
        if (channel.type == Type::TimeStamp) {
          const Stamp stamp = stamp_at(content, at, piece.big_endian);
          origin = k == 0 ? stamp : origin;
          numbers(k++) = seconds_of(stamp, origin);
        } else {
          numbers(k++) = value_at(content, at, channel.type, piece.big_endian);
        }
      }
    }
  }
  return numbers;
}

}  // namespace alembert::io::tdms
