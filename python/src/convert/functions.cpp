#include "convert/functions.hpp"

namespace alembert::python {

Callable callable_from(py::handle object) {
  if (PyCallable_Check(object.ptr()) == 0) wrong_type("must be callable", object);
  return {std::shared_ptr<py::object>(new py::object(py::reinterpret_borrow<py::object>(object)),
                                      [](py::object* held) {
                                        const py::gil_scoped_acquire lock;
                                        delete held;
                                      })};
}

void raise_wrong_result(const ConversionError& error) {
  const std::string got = error.got.empty() ? "" : ", got " + error.got;
  const std::string text = "the result of a callback " + error.rule + got;
  if (error.kind == ConversionError::Kind::Type) throw py::type_error(text);
  throw py::value_error(text);
}

}  // namespace alembert::python
