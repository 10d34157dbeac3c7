#include "io/hdf5/global_heap.hpp"

#include "io/hdf5/little_endian.hpp"

namespace alembert::io::hdf5 {

namespace {

constexpr std::size_t kObjectHead = 16;

}  // namespace

// An object has an index, 2 bytes, and at byte 8 its length, to which the head and bytes up to the
// next eight are added; the index 0 marks free space, whose length holds its head already. What is
// too short for a head is free too.
bool global_heap_agrees(std::string_view collection) {
  for (std::size_t at = kCollectionHead; at + kObjectHead <= collection.size();) {
    const std::uint64_t left = collection.size() - at;
    const std::uint64_t length = number(collection, at + 8, 8);
    if (length > left) return false;
    const bool free = number(collection, at, 2) == 0;
    const std::uint64_t needed = free ? length : kObjectHead + padded(length);
    if (needed < kObjectHead || needed > left) return false;
    at += needed;
  }
  return true;
}

}  // namespace alembert::io::hdf5
