#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "alembert/io/read_limits.hpp"
#include "io/mat/element_stream.hpp"
#include "io/mat/file.hpp"

namespace alembert::io::mat {

/// How much of a variable is taken from its element.
enum class Depth {
  Head,    ///< name, class and size; the stream is left behind them
  Fields,  ///< the same of all fields, without numbers
  Content  ///< everything
};

/// What the reader of a matrix element is told.
struct MatrixOptions {
  std::string file;
  long long byte = 0;  ///< of the element, for messages
  bool swap = false;   ///< whether the file has the other byte order
  ReadLimits limits = {};
};

/// Reads an element of type 14 (a matrix: numbers, text, a structure, ...) from its stream, behind
/// its tag. Each size is compared with the bytes that are left before it is believed.
/// @param bytes of the element, by its tag. @throws DataError
[[nodiscard]] Variable read_matrix_element(ElementStream& stream, std::uintmax_t bytes, Depth depth,
                                           const MatrixOptions& options);

/// A 32-bit number as it stands in a file.
[[nodiscard]] std::uint32_t file_word(const unsigned char* bytes, bool swap);

inline constexpr std::uintmax_t kHeaderBytes = 128;  ///< of a file
inline constexpr std::uintmax_t kTagBytes = 8;       ///< of an element
inline constexpr int kDeepestStructure = 64;         ///< structures inside structures
inline constexpr std::uint32_t kMatrixElement = 14;
inline constexpr std::uint32_t kCompressedElement = 15;

}  // namespace alembert::io::mat
