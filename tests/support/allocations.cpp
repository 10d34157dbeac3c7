#include "support/allocations.hpp"

#include <cstdlib>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ALEMBERT_FOREIGN_ALLOCATOR
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ALEMBERT_FOREIGN_ALLOCATOR
#endif

#if defined(__GLIBC__) && !defined(ALEMBERT_FOREIGN_ALLOCATOR)

namespace {
thread_local std::size_t allocations = 0;
}

// glibc lets a program define these; the originals stay reachable under their internal names.
extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT
void* __libc_realloc(void* pointer, std::size_t size);           // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* pointer, std::size_t size) {
  ++allocations;
  return __libc_realloc(pointer, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}

namespace alembert::test {
std::size_t allocation_count() { return allocations; }
bool counts_allocations() { return true; }
}  // namespace alembert::test

#else

namespace alembert::test {
std::size_t allocation_count() { return 0; }
bool counts_allocations() { return false; }
}  // namespace alembert::test

#endif
