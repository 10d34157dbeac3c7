#include "alembert/core/version.hpp"
#include "bind/arguments.hpp"
#include "bind/errors.hpp"
#include "bind/modules.hpp"
#include "study/study_module.hpp"

/// The extension module: one Python module for each module of the library.
PYBIND11_MODULE(_alembert, module) {
  using namespace alembert::python;
  module.doc() = "Mechanical models you can trust from measured motion: the compiled part.";
  module.attr("__version__") = std::string(alembert::version());
  add_errors(module);
  bind_all(module);
  add_equation_error(module);
  add_study(module);
  complete_documents();
}
