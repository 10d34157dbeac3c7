#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "io/file/byte_source.hpp"

/// The bytes of an element of a MATLAB file of version 5, one after the other.
namespace alembert::io::mat {

/// Where an element stands in the file.
struct ElementPlace {
  std::uintmax_t tag = 0;    ///< offset of its tag
  std::uintmax_t begin = 0;  ///< offset of its content
  std::uintmax_t bytes = 0;  ///< of its content as it stands in the file
  bool compressed = false;
};

/// Bytes to be taken in order; what is taken is only to be believed after finish().
class ElementStream {
 public:
  virtual ~ElementStream() = default;
  /// @throws DataError if there are fewer bytes, or the compressed data are broken.
  virtual void read(void* to, std::size_t length) = 0;
  /// Goes on without the next bytes. @throws as read().
  virtual void skip(std::uintmax_t length) = 0;
  /// Ends: there must be no byte left and, of compressed data, the checksum must be right.
  /// @throws DataError
  virtual void finish() = 0;
};

/// The content of an element; compressed data are inflated on the way. The source must outlive it.
[[nodiscard]] std::unique_ptr<ElementStream> open_element(const ByteSource& source,
                                                          const ElementPlace& place);

}  // namespace alembert::io::mat
