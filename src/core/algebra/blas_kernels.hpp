#pragma once

namespace alembert {

/// The name of the OpenBLAS kernels that suit a processor which OpenBLAS does not know, or null if
/// its own choice stands. `chosen` is that choice, openblas_get_corename().
[[nodiscard]] const char* better_kernels(const char* chosen) noexcept;

/// Whether calls from several threads must take turns: OpenBLAS was built without threads.
[[nodiscard]] bool blas_is_serial();

}  // namespace alembert
