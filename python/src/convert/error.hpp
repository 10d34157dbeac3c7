#pragma once

#include <pybind11/pybind11.h>

#include <string>

/// Why a Python object is not what a function of the library takes.
namespace alembert::python {

namespace py = pybind11;

/// An argument of the wrong type (a TypeError) or the wrong value (an InvalidInput). The place is
/// filled in on the way up: "argument 'options'", "field 'weights'".
struct ConversionError {
  enum class Kind { Type, Value };
  Kind kind = Kind::Type;
  std::string argument = {};  ///< name of the argument or field, "options.weights"
  std::string rule;           ///< "must be a number"
  std::string got = {};       ///< "str", "an array of shape (3, 2)"
};

/// The name of an object's type: "str", "numpy.ndarray".
[[nodiscard]] std::string type_name(py::handle object);

[[noreturn]] void wrong_type(const char* rule, py::handle got);
[[noreturn]] void wrong_value(std::string rule, std::string got);

/// Puts the name of a field in front of where an error arose.
void prepend_place(ConversionError& error, const std::string& name);

}  // namespace alembert::python
