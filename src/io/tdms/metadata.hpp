#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/io/read_limits.hpp"

/// The segments of a TDMS file: which objects there are and where their numbers stand.
namespace alembert::io::tdms {

/// Types of values, with the numbers that files use.
enum class Type : std::uint32_t {
  Void = 0,
  Int8 = 1,
  Int16 = 2,
  Int32 = 3,
  Int64 = 4,
  Uint8 = 5,
  Uint16 = 6,
  Uint32 = 7,
  Uint64 = 8,
  Single = 9,
  Double = 10,
  SingleWithUnit = 0x19,
  DoubleWithUnit = 0x1A,
  Text = 0x20,
  Boolean = 0x21,
  TimeStamp = 0x44
};

/// Bytes of one value; 0 for texts and types that are not known.
[[nodiscard]] std::size_t size_of(Type type);

/// Numbers of an object in one segment: `chunks` runs of `count` numbers.
struct Piece {
  std::uintmax_t begin = 0;   ///< byte of the first number
  std::uintmax_t count = 0;   ///< numbers in a run
  std::uintmax_t stride = 0;  ///< bytes from one number to the next
  std::uintmax_t chunks = 1;
  std::uintmax_t chunk = 0;  ///< bytes from one run to the next
  bool big_endian = false;
};

/// A channel, a group or the file itself.
struct Object {
  std::vector<std::string> names;  ///< group and channel; only the group; none for the file
  Type type = Type::Void;
  std::map<std::string, double> numbers = {};     ///< properties
  std::map<std::string, std::string> texts = {};  ///< properties
  std::vector<Piece> pieces = {};

  [[nodiscard]] std::uintmax_t count() const;
  [[nodiscard]] std::optional<double> number(const std::string& property) const;
};

/// All objects in the order of their first appearance. @throws DataError, also where the list of
/// objects and pieces takes more memory than the limits allow.
[[nodiscard]] std::vector<Object> read_objects(std::string_view content, const Place& place,
                                               const ReadLimits& limits = {});

}  // namespace alembert::io::tdms
