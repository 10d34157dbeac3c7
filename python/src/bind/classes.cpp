#include "bind/classes.hpp"

#include "bind/errors.hpp"
#include "bind/new_object.hpp"

namespace alembert::python {
namespace {

void* object_of(const ClassInfo& info, py::handle self) {
  void* held = pointer_to(info, self);
  if (held == nullptr) throw py::type_error(std::string("not a ") + info.name);
  return held;
}

void set_attribute(const ClassInfo& info, const Field& field, py::handle self, py::handle value) {
  try {
    field.set(object_of(info, self), value, self);
  } catch (ConversionError& error) {
    prepend_place(error, field.name);
    raise_conversion(info.name, error);
  }
}

// Called as getter with None for the value: one instantiation of pybind11 for all fields.
py::object property_of(const ClassInfo& info, const Field& field) {
  const py::cpp_function get(
      [&info, &field](const py::object& self) { return field.get(object_of(info, self), self); });
  const py::cpp_function set([&info, &field](const py::object& self, const py::object& value) {
    set_attribute(info, field, self, value);
  });
  const py::object property = py::module_::import("builtins").attr("property");
  const py::object setter = field.set == nullptr ? py::object(py::none()) : py::object(set);
  return property(get, setter, py::none(), field.doc);
}

/// The constructor of a struct: fields by place, in their order, or by name.
struct StructConstructor {
  const ClassInfo& info;
  void* (*make)();

  void operator()(const py::object& self, const py::args& values, const py::kwargs& named) const {
    const std::vector<std::string> names = field_names(info);
    if (values.size() > names.size()) {
      throw py::type_error(std::string(info.name) + ": has " + std::to_string(names.size()) +
                           " fields, got " + std::to_string(values.size()));
    }
    py::dict fields(named);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (fields.contains(names[i].c_str())) {
        throw py::type_error(std::string(info.name) + ": got field \"" + names[i] + "\" twice");
      }
      fields[names[i].c_str()] = values[i];
    }
    require_new(self);
    take_over(*info.type, self, make());
    try {
      set_fields(info, object_of(info, self), fields, self);
    } catch (const ConversionError& error) {
      raise_conversion(info.name, error);
    }
  }
};

const EnumEntry* entry_of(const ClassInfo& info, int value) {
  for (const EnumEntry& entry : info.values) {
    if (entry.value == value) return &entry;
  }
  return nullptr;
}

const EnumEntry& entry_of(const ClassInfo& info, const py::object& self) {
  const EnumEntry* entry = entry_of(info, *static_cast<const int*>(object_of(info, self)));
  if (entry == nullptr) throw py::value_error(std::string("not a value of ") + info.name);
  return *entry;
}

bool equals(const ClassInfo& info, const py::object& self, const py::object& other) {
  const EnumEntry& entry = entry_of(info, self);
  if (PyUnicode_Check(other.ptr())) {
    const std::string text = text_from(other);
    return text == entry.text || text == entry.name;
  }
  const void* held = pointer_to(info, other);
  return held != nullptr && *static_cast<const int*>(held) == entry.value;
}

void add_method(py::handle cls, const char* name, const py::cpp_function& function) {
  py::setattr(cls, name, function);
}

void add_attribute(py::handle cls, const char* name, const py::cpp_function& get) {
  py::setattr(cls, name, py::module_::import("builtins").attr("property")(get));
}

}  // namespace

// Errors of conversions in attributes and constructors leave through pybind11.
void add_fields(py::handle cls, ClassInfo& info, std::span<const Field> fields) {
  info.fields = fields;
  py::list names;
  for (const Field& field : fields) {
    py::setattr(cls, field.name, property_of(info, field));
    names.append(field.name);
  }
  py::setattr(cls, "__fields__", py::tuple(names));
}

void add_struct_constructor(py::handle cls, const ClassInfo& info, void* (*make)()) {
  py::setattr(cls, "__init__", py::cpp_function(StructConstructor{info, make}, py::is_method(cls)));
}

void add_enum_values(py::handle cls, ClassInfo& info, std::span<const EnumEntry> values) {
  info.values = values;
  add_method(cls, "__init__",
             py::cpp_function(
                 [&info](const py::object& self, const py::object& text) {
                   try {
                     const void* held = pointer_to(info, text);
                     const int value = held != nullptr ? *static_cast<const int*>(held)
                                                       : enum_value(info, text_from(text));
                     require_new(self);
                     take_over(*info.type, self, new int(value));
                   } catch (const ConversionError& error) {
                     raise_conversion(info.name, error);
                   }
                 },
                 py::is_method(cls)));
  add_attribute(cls, "name", py::cpp_function([&info](const py::object& self) {
                  return std::string(entry_of(info, self).name);
                }));
  add_attribute(cls, "value", py::cpp_function([&info](const py::object& self) {
                  return std::string(entry_of(info, self).text);
                }));
  add_method(cls, "__str__",
             py::cpp_function(
                 [&info](const py::object& self) { return std::string(entry_of(info, self).text); },
                 py::is_method(cls)));
  add_method(
      cls, "__eq__",
      py::cpp_function([&info](const py::object& self,
                               const py::object& other) { return equals(info, self, other); },
                       py::is_method(cls)));
  // As its text: what is equal has the same hash.
  add_method(cls, "__hash__",
             py::cpp_function(
                 [&info](const py::object& self) {
                   return py::hash(py::str(std::string(entry_of(info, self).text)));
                 },
                 py::is_method(cls)));
  py::dict members;
  for (const EnumEntry& entry : values) {
    const py::object member = cls(std::string(entry.text));
    py::setattr(cls, std::string(entry.name).c_str(), member);
    members[py::str(std::string(entry.name))] = member;
  }
  py::setattr(cls, "__members__", members);
}

}  // namespace alembert::python
