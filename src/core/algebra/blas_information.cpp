#include "alembert/core/blas_information.hpp"

#include <cblas.h>

#include "core/algebra/blas_kernels.hpp"

namespace alembert {

BlasInformation blas_information() {
  const char* kernels = openblas_get_corename();
  const char* better = better_kernels(kernels);
  return {.library = openblas_get_config(),
          .kernels = kernels,
          .threads = openblas_get_num_threads(),
          .serial = blas_is_serial(),
          .better_kernels = better == nullptr ? "" : better};
}

}  // namespace alembert
