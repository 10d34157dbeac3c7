#include "bind/modules.hpp"

namespace alembert::python {

py::module_ module_named(const py::module_& root, const std::string& name) {
  py::module_ module = root;
  std::string full = "alembert";
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string part = name.substr(begin, end - begin);
    full += "." + part;
    if (!py::hasattr(module, part.c_str())) {
      py::module_ made = py::reinterpret_steal<py::module_>(PyModule_New(full.c_str()));
      module.attr(part.c_str()) = made;
    }
    module = py::reinterpret_borrow<py::module_>(module.attr(part.c_str()));
    begin = end + 1;
  }
  return module;
}

}  // namespace alembert::python
