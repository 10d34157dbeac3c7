#include "terminal/load_time.hpp"

#include <sched.h>

#if defined(__SANITIZE_ADDRESS__)
#define ALEMBERT_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ALEMBERT_SANITIZED
#endif
#endif

namespace alembert::app {
namespace {

cpu_set_t all_cores;
bool restricted = false;

// Runs before the libraries are initialised: nothing but system calls here.
[[maybe_unused]] void use_one_core(int, char**, char**) {
  if (sched_getaffinity(0, sizeof all_cores, &all_cores) != 0) return;
  int first = 0;
  while (first < CPU_SETSIZE && !CPU_ISSET(first, &all_cores)) ++first;
  if (first == CPU_SETSIZE) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  restricted = sched_setaffinity(0, sizeof one, &one) == 0;
}

#if !defined(ALEMBERT_SANITIZED)  // their runtimes are not ready for it
[[gnu::section(".preinit_array"), gnu::used]] void (*const at_load)(int, char**,
                                                                    char**) = use_one_core;
#endif

}  // namespace

void restore_cores() {
  if (restricted) sched_setaffinity(0, sizeof all_cores, &all_cores);
}

}  // namespace alembert::app
