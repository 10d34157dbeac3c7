#include "keep_memory.hpp"

#include <malloc.h>

namespace alembert::app {

void keep_memory() {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that glibc takes
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

}  // namespace alembert::app
