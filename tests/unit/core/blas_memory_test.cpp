#include "core/algebra/blas_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <new>
#include <vector>

namespace alembert {
namespace blas_memory_test {

// Address space for what the process has and 100 MB more: less than one buffer of OpenBLAS.
void leave_little_memory() {
  unsigned long long pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr || std::fscanf(file, "%llu", &pages) != 1) std::_Exit(4);
  std::fclose(file);
  const auto bytes = pages * static_cast<unsigned long long>(sysconf(_SC_PAGESIZE)) + 100'000'000;
  const struct rlimit limit { .rlim_cur = bytes, .rlim_max = bytes };
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(4);
}

// As many calls at once as earlier tests of this process cannot have made.
int code_of_many_calls() {
  std::vector<std::unique_ptr<BlasMemory>> calls;
  try {
    for (int k = 0; k < 100; ++k) calls.push_back(std::make_unique<BlasMemory>());
  } catch (const std::bad_alloc&) {
    return 3;
  }
  return 0;
}

// In processes of their own. Without the check OpenBLAS would ask again for ever.
TEST(BlasMemory, CallsWithoutRoomForTheirBufferEndInBadAlloc) {
  EXPECT_EXIT(
      {
        leave_little_memory();
        std::_Exit(code_of_many_calls());
      },
      testing::ExitedWithCode(3), "");
}

}  // namespace blas_memory_test
}  // namespace alembert
