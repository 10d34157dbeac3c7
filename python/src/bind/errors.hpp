#pragma once

#include "convert/error.hpp"

/// Exceptions of the library as Python exceptions.
namespace alembert::python {

/// Adds InvalidInput, DataError and StudyError to the module.
void add_errors(py::module_& module);

/// Adds EquationError, in the place of the class of that name; after the classes are there.
void add_equation_error(py::module_& module);

/// Raises what a conversion says: TypeError or InvalidInput.
[[noreturn]] void raise_conversion(const char* function, const ConversionError& error);

/// Sets the Python error for the exception that is being handled.
void translate_current() noexcept;

/// Calls a function that returns a new reference; its exceptions become Python errors.
template <typename Call>
auto guarded(const Call& call) noexcept -> decltype(call()) {
  try {
    return call();
  } catch (...) {
    translate_current();
    return decltype(call()){};
  }
}

}  // namespace alembert::python
