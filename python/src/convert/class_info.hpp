#pragma once

#include <pybind11/pybind11.h>

#include <concepts>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "convert/error.hpp"

/// What Python knows of a class of the library: its name and its fields.
namespace alembert::python {

/// A field of a struct. `object` points to the struct, which lives in `parent`.
struct Field {
  const char* name;
  const char* doc;
  py::object (*get)(void* object, py::handle parent);
  void (*set)(void* object, py::handle value, py::handle parent);  ///< null: cannot be set
};

/// A value of an enum.
struct EnumEntry {
  std::string_view name;  ///< in C++ and Python: "NelderMead"
  int value;
  std::string_view text;  ///< in studies and results: "nelder-mead"
  const char* doc;
};

struct ClassInfo {
  const std::type_info* type = nullptr;
  const char* name = "";                   ///< "identify.RefineOptions"
  std::span<const Field> fields = {};      ///< its own
  const ClassInfo* base = nullptr;         ///< whose fields it has too
  std::span<const EnumEntry> values = {};  ///< of an enum
};

/// The entry of a class, filled in when the class is bound.
template <typename T>
ClassInfo& class_info() {
  static ClassInfo info{.type = &typeid(T)};
  return info;
}

/// The C++ object behind a Python one, or null if it is of another class.
[[nodiscard]] void* pointer_to(const ClassInfo& info, py::handle object);
[[noreturn]] void wrong_class(const ClassInfo& info, py::handle object);

/// Sets fields by name. @throws ConversionError, for an unknown one with the nearest known.
void set_fields(const ClassInfo& info, void* object, const py::dict& values,
                py::handle parent = {});
/// The field of that name, of the class or its bases; null: none.
[[nodiscard]] const Field* find_field(const ClassInfo& info, std::string_view name);
[[nodiscard]] std::vector<std::string> field_names(const ClassInfo& info);

[[nodiscard]] std::string text_from(py::handle object);
[[noreturn]] void wrong_name(const std::string& text, const std::vector<std::string>& names);

/// The value of an enum with this name or text.
[[nodiscard]] int enum_value(const ClassInfo& info, const std::string& text);

/// An enum, or a struct that is like one, with names of its own; not one that converts to such.
template <typename T>
concept NamesItself = NamedEnum<T> && requires(T value) {
  requires std::same_as<std::remove_cvref_t<decltype(enum_names(value)[0].value)>, T>;
};

/// The value that studies know by this name.
template <NamesItself T>
[[nodiscard]] T enum_from_text(py::handle object) {
  const std::string text = text_from(object);
  for (const EnumName<T>& name : enum_names(T{})) {
    if (name.text == text) return name.value;
  }
  if constexpr (std::is_enum_v<T>) {
    if (const auto old = enum_named<T>(text)) return *old;
    return static_cast<T>(enum_value(class_info<T>(), text));
  } else {
    std::vector<std::string> names;
    for (const EnumName<T>& name : enum_names(T{})) names.emplace_back(name.text);
    wrong_name(text, names);
  }
}

}  // namespace alembert::python
