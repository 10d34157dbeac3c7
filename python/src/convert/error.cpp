#include "convert/error.hpp"

#include <utility>

namespace alembert::python {

std::string type_name(py::handle object) {
  const py::handle type(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())));
  const std::string module = py::str(type.attr("__module__"));
  const std::string name = py::str(type.attr("__qualname__"));
  return module == "builtins" ? name : module + "." + name;
}

void wrong_type(const char* rule, py::handle got) {
  throw ConversionError{.rule = rule, .got = type_name(got)};
}

void wrong_value(std::string rule, std::string got) {
  throw ConversionError{
      .kind = ConversionError::Kind::Value, .rule = std::move(rule), .got = std::move(got)};
}

void prepend_place(ConversionError& error, const std::string& name) {
  const bool item = !error.argument.empty() && error.argument.front() == '[';
  error.argument = error.argument.empty() ? name : name + (item ? "" : ".") + error.argument;
}

}  // namespace alembert::python
