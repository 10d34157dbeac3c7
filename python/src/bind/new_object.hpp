#pragma once

#include <pybind11/pybind11.h>

namespace alembert::python {

namespace py = pybind11;

/// Refuses to make an object a second time: what it held would be lost, and views of it would
/// dangle. Refuses what is no object of the library too. @throws TypeError
void require_new(py::handle self);

}  // namespace alembert::python
