#pragma once

#include <string>

namespace alembert {

/// Which BLAS this program uses, and how.
struct BlasInformation {
  std::string library;  ///< as it names itself: "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
  std::string kernels;  ///< the processor whose kernels are in use: "SkylakeX"
  int threads = 1;      ///< that a product may take
  bool serial = false;  ///< built without threads: calls of the library take turns
  /// Kernels that would suit this processor better, "" if those in use do; prepare_blas() takes
  /// them.
  std::string better_kernels;
};

/// Asks the library that is loaded.
[[nodiscard]] BlasInformation blas_information();

}  // namespace alembert
