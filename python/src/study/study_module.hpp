#pragma once

#include <pybind11/pybind11.h>

namespace alembert::python {

/// Studies: reading, running, results.
void add_study(pybind11::module_& root);

}  // namespace alembert::python
