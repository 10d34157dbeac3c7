#pragma once

#include <cstddef>

namespace alembert::test {

/// Heap allocations (malloc and its kin) of this thread so far. Counts nothing in sanitizer
/// builds, which bring an allocator of their own; see counts_allocations().
std::size_t allocation_count();

/// Whether allocation_count() works in this build.
bool counts_allocations();

}  // namespace alembert::test
