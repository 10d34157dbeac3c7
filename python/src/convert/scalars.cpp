#include "convert/scalars.hpp"

#include <cmath>

namespace alembert::python {
namespace {

// Whether an object is a number of NumPy or Python, not a text, list or array.
bool is_number(py::handle object) {
  return PyFloat_Check(object.ptr()) || PyLong_Check(object.ptr()) ||
         (PyNumber_Check(object.ptr()) != 0 && PySequence_Check(object.ptr()) == 0);
}

// An array of no dimensions stands for its number.
py::object scalar_of(py::handle object) {
  if (py::hasattr(object, "ndim") && py::hasattr(object, "item") &&
      py::cast<int>(object.attr("ndim")) == 0) {
    return object.attr("item")();
  }
  return py::reinterpret_borrow<py::object>(object);
}

}  // namespace

bool bool_from(py::handle object) {
  const py::object scalar = scalar_of(object);
  if (!PyBool_Check(scalar.ptr())) wrong_type("must be True or False", object);
  return scalar.ptr() == Py_True;
}

long long integer_from(py::handle object, long long lower, long long upper) {
  const py::object scalar =
      PyLong_Check(object.ptr()) ? py::reinterpret_borrow<py::object>(object) : scalar_of(object);
  if (PyBool_Check(scalar.ptr()) || PyIndex_Check(scalar.ptr()) == 0) {
    wrong_type("must be a whole number", object);
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(scalar.ptr(), &overflow);
  if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (overflow != 0 || value < lower || value > upper) {
    wrong_value("must be in [" + std::to_string(lower) + ", " + std::to_string(upper) + "]",
                py::str(object));
  }
  return value;
}

unsigned long long count_from(py::handle object, unsigned long long upper) {
  const long long limit = std::numeric_limits<long long>::max();
  const long long value = integer_from(
      object, 0,
      upper > static_cast<unsigned long long>(limit) ? limit : static_cast<long long>(upper));
  return static_cast<unsigned long long>(value);
}

double number_from(py::handle object) {
  if (PyFloat_CheckExact(object.ptr())) return PyFloat_AS_DOUBLE(object.ptr());
  const py::object scalar = scalar_of(object);
  if (PyBool_Check(scalar.ptr()) || PyComplex_Check(scalar.ptr()) || !is_number(scalar)) {
    wrong_type("must be a number", object);
  }
  const double value = PyFloat_AsDouble(scalar.ptr());
  if (value == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    wrong_type("must be a number", object);
  }
  return value;
}

std::complex<double> complex_from(py::handle object) {
  const py::object scalar = scalar_of(object);
  if (!PyComplex_Check(scalar.ptr()) && !is_number(scalar)) wrong_type("must be a number", object);
  const Py_complex value = PyComplex_AsCComplex(scalar.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  return {value.real, value.imag};
}

std::string text_from(py::handle object) {
  if (!PyUnicode_Check(object.ptr())) wrong_type("must be a text", object);
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (text == nullptr) {
    PyErr_Clear();
    wrong_value("must be a text that UTF-8 can write", "lone surrogates");
  }
  return {text, static_cast<std::size_t>(size)};
}

std::filesystem::path path_from(py::handle object) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(object.ptr(), &bytes) == 0) {
    PyErr_Clear();
    wrong_type("must be a path", object);
  }
  const auto held = py::reinterpret_steal<py::bytes>(bytes);
  return std::string(held);
}

py::object path_to(const std::filesystem::path& path) {
  const std::string text = path.string();
  const auto name = py::reinterpret_steal<py::object>(
      PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
  return py::module_::import("pathlib").attr("Path")(name);
}

py::object text_to(std::string_view text) {
  // Names in files may hold anything; broken bytes must not end in an exception.
  PyObject* made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

}  // namespace alembert::python
