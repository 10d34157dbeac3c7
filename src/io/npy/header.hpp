#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/error.hpp"

/// The header of a .npy array: what its bytes mean.
namespace alembert::io::npy {

/// Numbers of one kind inside an element: 'f', 'i', 'u', 'b' (one byte, logical) or 'c'.
struct Field {
  std::string name = {};  ///< "" for an array without fields
  char kind = 'f';
  std::size_t size = 8;    ///< bytes of one number, both parts of a complex one
  std::size_t count = 1;   ///< numbers side by side
  std::size_t offset = 0;  ///< byte in the element
  bool big_endian = false;
  [[nodiscard]] bool is_number() const { return kind != 'x'; }  ///< 'x': text, times, padding
};

struct Header {
  std::vector<Field> fields;
  bool structured = false;
  std::string type;  ///< as written, for lists and messages
  bool fortran_order = false;
  std::vector<std::uintmax_t> shape;
  std::size_t element = 0;   ///< bytes of an element
  std::uintmax_t begin = 0;  ///< byte where the elements begin
};

/// Whether the bytes begin like a .npy array.
[[nodiscard]] bool begins_like_npy(std::string_view start);

/// Reads the header at the start of `content`, which holds at least the header.
/// @param size bytes of the whole array, header included; the shape must fit them exactly.
/// @throws DataError
[[nodiscard]] Header read_header(std::string_view content, std::uintmax_t size, const Place& place);

/// Bytes that are enough for the header of an array that begins like `start` (12 bytes or more).
[[nodiscard]] std::size_t header_bytes(std::string_view start);

}  // namespace alembert::io::npy
