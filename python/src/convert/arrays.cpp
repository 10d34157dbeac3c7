#include "convert/arrays.hpp"

#include <limits>

namespace alembert::python {
namespace {

std::string shape_words(const py::array& array) {
  return "an array of shape " + std::string(py::str(array.attr("shape")));
}

const char* element_words(char type) {
  return type == 'D' ? "complex numbers" : type == 'd' ? "numbers" : "whole numbers";
}

// Kinds of NumPy's dtypes (b: bool, i, u, f, c) that may become the wanted one.
bool may_become(char kind, char type) {
  if (type == 'D') return kind == 'c' || kind == 'f' || kind == 'i' || kind == 'u' || kind == 'b';
  if (type == 'd') return kind == 'f' || kind == 'i' || kind == 'u' || kind == 'b';
  return kind == 'i' || kind == 'u';
}

// What lies behind the mask of a masked array is no number: NaN, a missing one, where the type has
// it. Other numbers cannot be missing.
py::object without_mask(py::handle object) {
  const bool masked = py::isinstance<py::array>(object) && py::hasattr(object, "mask") &&
                      py::hasattr(object, "filled");
  if (!masked || !py::cast<bool>(py::bool_(object.attr("mask").attr("any")()))) {
    return py::reinterpret_borrow<py::object>(object);
  }
  const char kind = py::reinterpret_borrow<py::array>(object).dtype().kind();
  if (kind != 'f' && kind != 'c') {
    wrong_value("must have a number in every place", "a masked array of whole numbers");
  }
  return object.attr("filled")(std::numeric_limits<double>::quiet_NaN());
}

// Any array that NumPy makes of the object, not one of objects or texts.
py::array any_array(py::handle object, const ArrayRequest& request) {
  const std::string rule = std::string("must be an array of ") + element_words(request.type);
  if (PyUnicode_Check(object.ptr()) || PyBytes_Check(object.ptr()) || PyDict_Check(object.ptr()) ||
      object.is_none()) {
    wrong_type(rule.c_str(), object);
  }
  const py::object filled = without_mask(object);
  PyObject* made = py::detail::npy_api::get().PyArray_FromAny_(
      filled.ptr(), nullptr, 0, 0, py::detail::npy_api::NPY_ARRAY_ENSUREARRAY_, nullptr);
  if (made == nullptr) {
    // Rows of unequal length, objects that raise.
    PyErr_Clear();
    wrong_value(rule, "a " + type_name(object) + " that NumPy makes no array of");
  }
  auto array = py::reinterpret_steal<py::array>(made);
  const char kind = array.dtype().kind();
  if (array.size() == 0 && kind == 'f') return array;
  if (!may_become(kind, request.type)) {
    throw ConversionError{.rule = rule,
                          .got = "an array of " + std::string(py::str(array.dtype()))};
  }
  return array;
}

// A column where a vector is wanted, and the other way round.
py::array with_dimensions(py::array array, const ArrayRequest& request) {
  const auto dimensions = array.ndim();
  if (dimensions == request.dimensions) return array;
  if (request.dimensions == 2 && dimensions == 1) {
    return array.attr("reshape")(-1, request.rows > 0 && request.columns < 0 ? array.size() : 1);
  }
  if (request.dimensions == 1 && dimensions == 2 && (array.shape(1) == 1 || array.shape(0) == 1)) {
    return array.attr("reshape")(-1);
  }
  if (request.dimensions == 1 && dimensions == 0) return array.attr("reshape")(1);
  wrong_value(request.dimensions == 1 ? "must have one dimension"
                                      : "must have one row per sample and one column per channel",
              shape_words(array));
}

void check_shape(const py::array& array, const ArrayRequest& request) {
  if (request.rows >= 0 && array.shape(0) != request.rows) {
    wrong_value("must have " + std::to_string(request.rows) +
                    (request.dimensions == 1 ? " entries" : " rows"),
                shape_words(array));
  }
  if (request.dimensions == 2 && request.columns >= 0 && array.shape(1) != request.columns) {
    wrong_value("must have " + std::to_string(request.columns) + " columns", shape_words(array));
  }
}

py::array by_columns(const py::array& array, char type) {
  auto& api = py::detail::npy_api::get();
  const int flags = py::detail::npy_api::NPY_ARRAY_F_CONTIGUOUS_ |
                    py::detail::npy_api::NPY_ARRAY_ALIGNED_ |
                    py::detail::npy_api::NPY_ARRAY_FORCECAST_;
  PyObject* made = api.PyArray_FromAny_(
      array.ptr(), py::dtype(std::string(1, type)).release().ptr(), 0, 0, flags, nullptr);
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::array>(made);
}

// An array that can be taken as it is: most are, in loops that count. Classes that others derive
// from arrays may mean something else by their numbers.
bool is_ready(py::handle object, const ArrayRequest& request) {
  if (Py_TYPE(object.ptr()) != py::detail::npy_api::get().PyArray_Type_) return false;
  const auto* array = py::detail::array_proxy(object.ptr());
  constexpr int kFlags =
      py::detail::npy_api::NPY_ARRAY_F_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  return array->nd == request.dimensions && (array->flags & kFlags) == kFlags &&
         py::detail::array_descriptor_proxy(array->descr)->type == request.type &&
         py::detail::array_descriptor_proxy(array->descr)->byteorder != '>';
}

}  // namespace

py::array array_from(py::handle object, const ArrayRequest& request) {
  if (is_ready(object, request)) {
    auto ready = py::reinterpret_borrow<py::array>(object);
    check_shape(ready, request);
    return ready;
  }
  const py::array array = with_dimensions(any_array(object, request), request);
  check_shape(array, request);
  return by_columns(array, request.type);
}

py::array writable_array(py::handle object, const ArrayRequest& request) {
  if (!py::isinstance<py::array>(object)) wrong_type("must be a numpy.ndarray to write to", object);
  auto array = py::reinterpret_borrow<py::array>(object);
  const bool same = array.dtype().char_() == request.type && array.ndim() == request.dimensions &&
                    (array.flags() & py::array::f_style) != 0;
  if (!same || !array.writeable()) {
    wrong_value(std::string("must be a writable array of ") + element_words(request.type) +
                    " with contiguous columns (order=\"F\")",
                shape_words(array) + " of " + std::string(py::str(array.dtype())));
  }
  check_shape(array, request);
  return array;
}

py::array new_array(char type, long rows, long columns) {
  const py::dtype dtype(std::string(1, type));
  if (columns < 0) return py::array(dtype, std::vector<py::ssize_t>{rows});
  const auto item = dtype.itemsize();
  return py::array(dtype, std::vector<py::ssize_t>{rows, columns},
                   std::vector<py::ssize_t>{item, item * std::max<long>(rows, 1)});
}

py::array view_array(char type, const void* data, long rows, long columns, py::handle parent) {
  if (data == nullptr) return new_array(type, rows, columns);
  const py::dtype dtype(std::string(1, type));
  if (columns < 0) return py::array(dtype, std::vector<py::ssize_t>{rows}, data, parent);
  const auto item = dtype.itemsize();
  return py::array(dtype, std::vector<py::ssize_t>{rows, columns},
                   std::vector<py::ssize_t>{item, item * std::max<long>(rows, 1)}, data, parent);
}

}  // namespace alembert::python
