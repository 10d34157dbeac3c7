#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace alembert::python {

namespace py = pybind11;

/// The Python module of a C++ namespace, "model.planar"; made where it is not there yet. Its name
/// is the one that users import, alembert.model.planar.
[[nodiscard]] py::module_ module_named(const py::module_& root, const std::string& name);

/// All that the generator found in the public headers.
void bind_all(const py::module_& root);

}  // namespace alembert::python
