#include "convert/containers.hpp"

namespace alembert::python {

std::vector<py::object> items_of(py::handle object) {
  if (PyUnicode_Check(object.ptr()) || PyBytes_Check(object.ptr()) || PyDict_Check(object.ptr()) ||
      PySequence_Check(object.ptr()) == 0) {
    wrong_type("must be a list", object);
  }
  const auto list = py::reinterpret_steal<py::object>(PySequence_Fast(object.ptr(), ""));
  if (!list) {
    PyErr_Clear();
    wrong_type("must be a list", object);
  }
  std::vector<py::object> items;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list.ptr()); ++i) {
    items.push_back(
        py::reinterpret_borrow<py::object>(PySequence_Fast_GET_ITEM(list.ptr(), i)));  // NOLINT
  }
  return items;
}

py::tuple tuple_of(const std::vector<py::object>& items) {
  py::tuple tuple(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) tuple[i] = items[i];
  return tuple;
}

}  // namespace alembert::python
