#pragma once

namespace alembert::app {

/// Gives the program all its cores back. To be called first in main.
///
/// When OpenBLAS is loaded, before main, it starts a thread for each core, of which the tool uses
/// none, and ends the program where a thread cannot be made. It therefore sees one core only.
void restore_cores();

}  // namespace alembert::app
