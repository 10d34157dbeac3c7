#include "convert/class_info.hpp"

#include <unordered_map>

#include "alembert/core/text.hpp"

namespace alembert::python {

namespace {

// pybind11 finds a class by the name of its type, which it hashes in every call; addresses are
// found sooner. The interpreter's lock is held.
const py::detail::type_info* registered(const ClassInfo& info) {
  static std::unordered_map<const ClassInfo*, const py::detail::type_info*> known;
  const py::detail::type_info*& found = known[&info];
  if (found == nullptr) found = py::detail::get_type_info(*info.type);
  return found;
}

}  // namespace

void* pointer_to(const ClassInfo& info, py::handle object) {
  py::detail::type_caster_generic caster(registered(info));
  if (caster.typeinfo == nullptr || object.is_none()) return nullptr;
  if (PyType_IsSubtype(Py_TYPE(object.ptr()), caster.typeinfo->type) == 0) return nullptr;
  // An object whose constructor has not run: pybind11 would give memory that nobody has filled.
  auto* instance = reinterpret_cast<py::detail::instance*>(object.ptr());
  if (instance->get_value_and_holder().value_ptr() == nullptr) return nullptr;
  return caster.load(object, false) ? caster.value : nullptr;
}

void wrong_class(const ClassInfo& info, py::handle object) {
  const bool has_fields = !field_names(info).empty();
  const bool vowel = std::string_view("aeiou").find(*info.name) != std::string_view::npos;
  const std::string rule = std::string(vowel ? "must be an " : "must be a ") +
                           (*info.name == '\0' ? "?" : info.name) +
                           (has_fields ? " or a dict of its fields" : "");
  wrong_type(rule.c_str(), object);
}

const Field* find_field(const ClassInfo& info, std::string_view name) {
  for (const Field& field : info.fields) {
    if (name == field.name) return &field;
  }
  return info.base == nullptr ? nullptr : find_field(*info.base, name);
}

std::vector<std::string> field_names(const ClassInfo& info) {
  std::vector<std::string> names =
      info.base == nullptr ? std::vector<std::string>{} : field_names(*info.base);
  for (const Field& field : info.fields) names.emplace_back(field.name);
  return names;
}

void set_fields(const ClassInfo& info, void* object, const py::dict& values, py::handle parent) {
  // A copy: converting a value may call Python, which may change the dict.
  const auto kept = py::reinterpret_steal<py::dict>(PyDict_Copy(values.ptr()));
  for (const auto& [key, value] : kept) {
    const std::string name = text_from(key);
    const Field* field = find_field(info, name);
    if (field == nullptr) {
      throw py::type_error(std::string(info.name) + " has no field \"" + name + "\"" +
                           suggestion(name, field_names(info)));
    }
    if (field->set == nullptr) {
      throw py::type_error(std::string(info.name) + ": " + name + " cannot be set");
    }
    try {
      field->set(object, value, parent);
    } catch (ConversionError& error) {
      prepend_place(error, name);
      throw;
    }
  }
}

int enum_value(const ClassInfo& info, const std::string& text) {
  std::vector<std::string> names;
  for (const EnumEntry& entry : info.values) {
    if (entry.text == text || entry.name == text) return entry.value;
    names.emplace_back(entry.text);
  }
  wrong_name(text, names);
}

void wrong_name(const std::string& text, const std::vector<std::string>& names) {
  throw ConversionError{.kind = ConversionError::Kind::Value,
                        .rule = "must be one of " + join(names, ", "),
                        .got = "\"" + text + "\"" + suggestion(text, names)};
}

}  // namespace alembert::python
