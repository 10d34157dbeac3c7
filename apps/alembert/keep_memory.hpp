#pragma once

namespace alembert::app {

/// Lets the C library keep memory that was freed, up to 256 MB at the end of the heap, and take
/// requests below 32 MB from there.
///
/// By default large arrays come from the system and go back to it each time. The system clears
/// every page when it is touched first: some 14 % of the time of identify_linear (3 x 3, 4000
/// samples; benchmarks/python).
void keep_memory();

}  // namespace alembert::app
