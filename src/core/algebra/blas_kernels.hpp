#pragma once

namespace alembert {

/// The name of the OpenBLAS kernels that suit a processor which OpenBLAS does not know, or null if
/// its own choice stands. `chosen` is that choice, openblas_get_corename().
[[nodiscard]] const char* better_kernels(const char* chosen) noexcept;

/// Readies OpenBLAS before the first call: one thread, and the kernels of better_kernels().
///
/// OpenBLAS looks the processor up in a table. Version 0.3.21 of Debian 12 takes kernels for SSE2,
/// those of "Prescott", on processors made after it (seen: Intel family 6, model 207), although
/// they have AVX-512: a quarter of the speed of matrix products. Later versions look at the
/// instruction sets, as is done here. The environment variable OPENBLAS_CORETYPE goes before.
///
/// Programs that use the library beside other users of OpenBLAS should set that variable, or make
/// their first identification before they start threads: the choice is made once, and a call of
/// OpenBLAS from elsewhere at that very moment would find it without kernels.
/// @return whether calls from several threads must take turns.
[[nodiscard]] bool prepare_blas();

}  // namespace alembert
