#pragma once

#include <pybind11/pybind11.h>

namespace alembert::python {

/// Published tables, computed anew: what `alembert reproduce` does.
void add_reproduce(pybind11::module_& root);

}  // namespace alembert::python
