#pragma once

namespace alembert {

/// Sets up OpenBLAS for the whole program: one thread, and kernels that suit the processor.
///
/// The library calls OpenBLAS for large products and factorisations and takes it as the program has
/// set it up; it changes nothing by itself. The command-line tool calls this function first. A
/// program of your own may do the same, in main, before it starts threads and before other users of
/// OpenBLAS, or leave it, with two consequences.
///
/// - One thread: the library spreads independent runs over the cores by itself, and the way in
/// which
///   OpenBLAS splits a product among threads makes the last digits depend on the machine. With
///   several threads results are as good, but not the same bits everywhere.
/// - Kernels: OpenBLAS looks the processor up in a table. Version 0.3.21 of Debian 12 takes kernels
///   for SSE2, those of "Prescott", on processors made after it (seen: Intel family 6, model 207),
///   although they have AVX-512: a quarter of the speed of matrix products. Later versions look at
///   the instruction sets, as is done here. The environment variable OPENBLAS_CORETYPE goes before.
///
/// Calls of the library from several threads at once are safe either way: where the loader took a
/// serial OpenBLAS, which is not safe for them, the library lets its own calls take turns. It
/// cannot do so for calls that the program makes to such an OpenBLAS itself.
void prepare_blas();

}  // namespace alembert
