#include "bind/errors.hpp"

#include <fmt/format.h>

#include <new>

#include "alembert/core/error.hpp"
#include "alembert/core/printable.hpp"
#include "alembert/model/equations.hpp"

namespace alembert::python {
namespace {

// Live as long as the process, as the module does.
PyObject* invalid_input_class = nullptr;
PyObject* data_error_class = nullptr;
PyObject* study_error_class = nullptr;
PyObject* equation_error_class = nullptr;

PyObject* new_class(py::module_& module, const char* name, const char* doc, PyObject* base) {
  const std::string full = std::string("alembert.") + name;
  PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), doc, base, nullptr);
  module.attr(name) = py::reinterpret_borrow<py::object>(made);
  return made;
}

py::object instance_of(PyObject* type, const std::string& message) {
  return py::reinterpret_borrow<py::object>(type)(printable_message(message));
}

void set(PyObject* type, const py::object& instance) { PyErr_SetObject(type, instance.ptr()); }

void set_invalid_input(const InvalidInput& error) {
  const py::object instance = instance_of(invalid_input_class, error.what());
  const InvalidInput::Parts& parts = error.parts();
  instance.attr("function") = parts.function;
  instance.attr("item") = parts.item;
  instance.attr("argument") = parts.argument;
  instance.attr("rule") = parts.rule;
  instance.attr("value") = parts.value;
  set(invalid_input_class, instance);
}

void set_placed(PyObject* type, const PlacedError& error) {
  const py::object instance = instance_of(type, error.what());
  const Place& place = error.place();
  instance.attr("file") = place.file;
  instance.attr("line") = place.line;
  instance.attr("column") = place.column;
  instance.attr("byte") = place.byte;
  instance.attr("reason") = error.reason();
  set(type, instance);
}

void translate() {
  try {
    throw;
  } catch (const InvalidInput& error) {
    set_invalid_input(error);
  } catch (const DataError& error) {
    set_placed(data_error_class, error);
  } catch (const StudyError& error) {
    set_placed(study_error_class, error);
  } catch (const model::EquationError& error) {
    set_placed(equation_error_class, error);
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const ConversionError& error) {
    PyErr_SetString(PyExc_TypeError, (error.argument + " " + error.rule).c_str());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

}  // namespace

void add_errors(py::module_& module) {
  invalid_input_class = new_class(
      module, "InvalidInput",
      "A function was given what it documents as not allowed.\n\n"
      "A ValueError with the parts of its message: function, item, argument, rule, value.",
      PyExc_ValueError);
  data_error_class =
      new_class(module, "DataError",
                "A file with measured data or matrices cannot be used; its owner can mend it.\n\n"
                "Attributes: file, line, column, byte, reason.",
                PyExc_RuntimeError);
  // Attributes and the functions that pybind11 calls itself.
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InvalidInput&) {
      translate_current();
    } catch (const PlacedError&) {
      translate_current();
    } catch (const ConversionError&) {
      translate_current();
    }
  });
  study_error_class =
      new_class(module, "StudyError",
                "A study breaks a rule; its author can mend it.\n\n"
                "A ValueError with the attributes file, line, column, byte, reason.",
                PyExc_ValueError);
}

void add_equation_error(py::module_& module) {
  equation_error_class =
      new_class(module, "EquationError",
                "A text of equations breaks a rule of their language.\n\n"
                "A ValueError with the attributes file (which text), line, column, reason.",
                PyExc_ValueError);
  module.attr("model").attr("EquationError") =
      py::reinterpret_borrow<py::object>(equation_error_class);
}

void raise_conversion(const char* function, const ConversionError& error) {
  const std::string got = error.got.empty() ? "" : ", got " + error.got;
  if (error.kind == ConversionError::Kind::Type) {
    throw py::type_error(fmt::format("{}: {} {}{}", function, error.argument, error.rule, got));
  }
  throw InvalidInput(
      {.function = function, .argument = error.argument, .rule = error.rule, .value = error.got});
}

void translate_current() noexcept {
  try {
    translate();
  } catch (...) {
    // Not even the exception could be made.
    PyErr_SetString(PyExc_RuntimeError, "alembert: an error whose text could not be made");
  }
}

}  // namespace alembert::python
