#include <algorithm>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "alembert/core/text.hpp"
#include "bind/arguments.hpp"
#include "bind/errors.hpp"
#include "bind/new_object.hpp"

namespace alembert::python {
namespace {

/// The call as Python hands it over.
struct Call {
  PyObject* const* values;
  std::size_t count;   // by place
  PyObject* keywords;  // names of those that follow, or null
};

std::vector<std::string> known_keywords(const Overload& overload) {
  std::vector<std::string> names(overload.names.begin(), overload.names.end());
  if (overload.controlled) names.emplace_back("progress");
  if (overload.options != nullptr) {
    const auto fields = option_names(overload.options());
    names.insert(names.end(), fields.begin(), fields.end());
  }
  return names;
}

std::string unknown_keyword(const Overload& overload, const std::string& name) {
  return "has no keyword \"" + name + "\"" + suggestion(name, known_keywords(overload));
}

/// Puts a keyword into its slot. Returns what is wrong, "" for nothing.
std::string place_keyword(Arguments& arguments, const std::string& name, py::handle value) {
  const Overload& overload = *arguments.overload;
  const auto slot = std::find(overload.names.begin(), overload.names.end(), name);
  if (slot != overload.names.end()) {
    const auto i = static_cast<std::size_t>(slot - overload.names.begin());
    if (arguments.has(i)) return "got argument \"" + name + "\" twice";
    arguments.slots[i] = value;
    return "";
  }
  if (overload.controlled && name == "progress") {
    arguments.progress = value;
    return "";
  }
  if (overload.options == nullptr || !is_option(overload.options(), name)) {
    return unknown_keyword(overload, name);
  }
  if (!arguments.fields) arguments.fields = py::dict();
  arguments.fields[py::str(name)] = value;
  return "";
}

/// Binds a call to the places of an overload. Returns what is wrong, "" for nothing.
std::string bind(const Call& call, Arguments& arguments) {
  const Overload& overload = *arguments.overload;
  if (call.count > overload.names.size()) {
    return "takes at most " + std::to_string(overload.names.size()) + " arguments by place, got " +
           std::to_string(call.count);
  }
  for (std::size_t i = 0; i < call.count; ++i) arguments.slots[i] = call.values[i];
  const Py_ssize_t named = call.keywords == nullptr ? 0 : PyTuple_GET_SIZE(call.keywords);
  for (Py_ssize_t k = 0; k < named; ++k) {
    const std::string name = py::str(py::handle(PyTuple_GET_ITEM(call.keywords, k)));
    const std::string wrong =
        place_keyword(arguments, name, call.values[call.count + static_cast<std::size_t>(k)]);
    if (!wrong.empty()) return wrong;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(overload.required); ++i) {
    if (!arguments.has(i)) {
      return "needs the argument \"" + std::string(overload.names[i]) + "\"";
    }
  }
  return "";
}

/// What is wrong with the forms that were tried: of the conversions that failed the one of the
/// latest argument, since the form it belongs to took all before.
struct Complaint {
  std::string binding;
  std::optional<ConversionError> conversion;
  std::ptrdiff_t place = -1;

  void take(const Overload& overload, ConversionError error) {
    const std::string first = error.argument.substr(0, error.argument.find_first_of(".["));
    const auto found = std::find(overload.names.begin(), overload.names.end(), first);
    const std::ptrdiff_t at = found - overload.names.begin();  // options come last
    if (at <= place) return;
    place = at;
    conversion = std::move(error);
  }

  [[noreturn]] void raise(const Function& function, py::handle self) const {
    // Users write the name of a class, not that of its constructor.
    const std::string name =
        std::string(function.name) == "__init__" ? type_name(self) : function.name;
    if (conversion) raise_conversion(name.c_str(), *conversion);
    throw py::type_error(name + ": " + binding);
  }
};

py::object try_all(const Function& function, py::handle self, const Call& call) {
  Complaint complaint;
  for (const Overload& overload : function.overloads) {
    Arguments arguments{.function = &function, .overload = &overload, .self = self};
    const std::string wrong = bind(call, arguments);
    if (!wrong.empty()) {
      if (complaint.binding.empty()) complaint.binding = wrong;
      continue;
    }
    try {
      return overload.call(arguments);
    } catch (ConversionError& error) {
      complaint.take(overload, std::move(error));
    }
  }
  complaint.raise(function, self);
}

PyObject* entry(PyObject* capsule, PyObject* const* values, Py_ssize_t count, PyObject* keywords) {
  const auto* function = static_cast<const Function*>(PyCapsule_GetPointer(capsule, nullptr));
  return guarded([&] {
    Call call{values, static_cast<std::size_t>(count), keywords};
    py::handle self;
    if (function->is_method) {
      if (call.count == 0) throw py::type_error(std::string(function->name) + ": needs an object");
      self = call.values[0];
      ++call.values;
      --call.count;
      if (std::string_view(function->name) == "__init__") require_new(self);
    }
    return try_all(*function, self, call).release().ptr();
  });
}

/// Functions with options, whose documents are completed when all classes are known.
struct Documented {
  PyMethodDef* definition;
  const Function* function;
};
std::vector<Documented>& documented() {
  static std::vector<Documented> all;
  return all;
}

py::object make(py::handle scope, const Function& function) {
  // Lives as long as the process, as the classes do.
  auto* definition = new PyMethodDef{
      function.name,
      reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&entry)),  // NOLINT: as C asks
      METH_FASTCALL | METH_KEYWORDS, function.doc};
  const bool has_options =
      std::any_of(function.overloads.begin(), function.overloads.end(),
                  [](const Overload& overload) { return overload.options != nullptr; });
  if (has_options) documented().push_back({definition, &function});
  const py::capsule capsule(static_cast<const void*>(&function));
  const py::object module =
      py::getattr(scope, PyModule_Check(scope.ptr()) ? "__name__" : "__module__", py::none());
  return py::reinterpret_steal<py::object>(
      PyCFunction_NewEx(definition, capsule.ptr(), module.ptr()));
}

}  // namespace

void add_function(py::handle scope, const Function& function) {
  py::object made = make(scope, function);
  if (function.is_method) {
    made = py::reinterpret_steal<py::object>(PyInstanceMethod_New(made.ptr()));
  }
  py::setattr(scope, function.name, made);
}

void add_static(py::handle scope, const Function& function) {
  py::setattr(scope, function.name,
              py::reinterpret_steal<py::object>(PyStaticMethod_New(make(scope, function).ptr())));
}

void complete_documents() {
  static std::deque<std::string> texts;  // live as long as the process
  for (const Documented& one : documented()) {
    std::string text = one.function->doc;
    std::vector<const ClassInfo*> said;
    for (const Overload& overload : one.function->overloads) {
      if (overload.options == nullptr) continue;
      const ClassInfo& options = overload.options();
      if (std::find(said.begin(), said.end(), &options) != said.end()) continue;
      said.push_back(&options);
      text += std::string("\n\nKeywords (") + options.name + "):\n" + option_help(options);
    }
    one.definition->ml_doc = texts.emplace_back(std::move(text)).c_str();
  }
  documented().clear();
}

void require_new(py::handle self) {
  auto* base = reinterpret_cast<PyTypeObject*>(py::detail::get_internals().instance_base);
  if (PyType_IsSubtype(Py_TYPE(self.ptr()), base) == 0) {
    throw py::type_error("__init__: needs an object of its class, got " + type_name(self));
  }
  auto* instance = reinterpret_cast<py::detail::instance*>(self.ptr());
  if (instance->get_value_and_holder().value_ptr() != nullptr) {
    throw py::type_error(type_name(self) +
                         ".__init__: the object has been made before; make a new one");
  }
}

void take_over(const std::type_info& type, py::handle self, void* made) {
  auto* instance = reinterpret_cast<py::detail::instance*>(self.ptr());
  py::detail::value_and_holder place =
      instance->get_value_and_holder(py::detail::get_type_info(type, true));
  place.value_ptr() = made;
  place.type->init_instance(instance, nullptr);
}

}  // namespace alembert::python
