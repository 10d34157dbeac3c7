#pragma once

#include <cstdint>
#include <memory>

#include "io/file/byte_source.hpp"
#include "io/mat/element_stream.hpp"

namespace alembert::io::mat {

/// Elements that inflate to more are taken piece by piece, so that memory beside the numbers is
/// bounded: this, and as much for the compressed bytes.
inline constexpr std::uintmax_t kMostAtOnce = std::uintmax_t{64} << 20U;

/// A compressed element inflated at once and checked to its last byte, checksum included: takes
/// three fifths of the time of open_element(). Nothing where it is too large for that or broken;
/// open_element() then says where.
/// @param bytes that it must inflate to.
[[nodiscard]] std::unique_ptr<ElementStream> inflate_at_once(const ByteSource& source,
                                                             const ElementPlace& place,
                                                             std::uintmax_t bytes);

}  // namespace alembert::io::mat
