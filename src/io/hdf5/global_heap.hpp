#pragma once

#include <cstddef>
#include <string_view>

namespace alembert::io::hdf5 {

constexpr std::size_t kCollectionHead = 16;  ///< bytes; the length of all stands in the last 8

/// Whether the lengths inside a collection of a global heap lead to its end [HDF5, III.E]. The
/// library follows them, and for ever where free space has the length 0.
/// @param collection all of its bytes, the head included.
[[nodiscard]] bool global_heap_agrees(std::string_view collection);

}  // namespace alembert::io::hdf5
