#include "core/algebra/blas_kernels.hpp"

#include <cblas.h>

#include <cstdlib>
#include <string_view>

#include "alembert/core/prepare_blas.hpp"

// How OpenBLAS chooses at load time; absent in builds for one processor only.
extern "C" {
[[gnu::weak]] void gotoblas_dynamic_init();
[[gnu::weak]] void gotoblas_dynamic_quit();
}

namespace alembert {

namespace {

constexpr const char* kVariable = "OPENBLAS_CORETYPE";

void choose_kernels() {
  if (gotoblas_dynamic_init == nullptr || gotoblas_dynamic_quit == nullptr) return;
  const char* better = better_kernels(openblas_get_corename());
  if (better == nullptr || std::getenv(kVariable) != nullptr) return;
  setenv(kVariable, better, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(kVariable);
}

}  // namespace

const char* better_kernels(const char* chosen) noexcept {
#if defined(__x86_64__)
  // What OpenBLAS falls back to; a real one has none of the instructions below.
  if (std::string_view(chosen) != "Prescott") return nullptr;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return "SkylakeX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

bool blas_is_serial() { return openblas_get_parallel() == 0; }

void prepare_blas() {
  choose_kernels();
  openblas_set_num_threads(1);
}

}  // namespace alembert
