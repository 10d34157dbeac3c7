#pragma once

#include <initializer_list>
#include <memory>

#include "bind/arguments.hpp"

/// Classes, structs and enums of the library as Python classes.
namespace alembert::python {

template <auto Member>
struct FieldAccess;

/// Keeps what a field held before alive: arrays and parts that were taken from it stay valid.
template <typename T>
void keep_old(T& field, py::handle parent) {
  if (!parent || parent.is_none()) return;
  const py::capsule old(new T(std::move(field)), [](void* held) { delete static_cast<T*>(held); });
  py::detail::keep_alive_impl(parent, old);
}

template <typename T>
inline constexpr bool kIsPlain = std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                                 std::is_same_v<T, std::string> || std::is_pointer_v<T>;

template <typename S, typename T, T S::*Member>
struct FieldAccess<Member> {
  static py::object get(void* object, py::handle parent) {
    T& field = static_cast<S*>(object)->*Member;
    if constexpr (requires { Convert<T>::view(field, parent); }) {
      return Convert<T>::view(field, parent);
    } else {
      return Convert<T>::to(std::as_const(field));
    }
  }
  static void set(void* object, py::handle value, py::handle parent) {
    T converted = Convert<T>::from(value);
    T& field = static_cast<S*>(object)->*Member;
    if constexpr (!kIsPlain<T>) keep_old(field, parent);
    if constexpr (std::is_pointer_v<T>) {
      if (parent && !value.is_none()) py::detail::keep_alive_impl(parent, value);
    }
    field = std::move(converted);
  }
};

template <auto Member>
struct FieldType;
template <typename S, typename T, T S::*Member>
struct FieldType<Member> {
  using type = T;
};

/// What sets a field; null for one that cannot be copied.
template <auto Member>
constexpr auto setter_of() -> void (*)(void*, py::handle, py::handle) {
  using T = typename FieldType<Member>::type;
  if constexpr (std::is_copy_constructible_v<T> && std::is_move_assignable_v<T>) {
    return &FieldAccess<Member>::set;
  } else {
    return nullptr;
  }
}

/// A struct's fields become attributes and keywords of its constructor.
void add_fields(py::handle cls, ClassInfo& info, std::span<const Field> fields);
/// A constructor by fields, where `make` makes a struct with its defaults; null: none.
void add_struct_constructor(py::handle cls, const ClassInfo& info, void* (*make)());

template <typename T>
void* make_default() {
  return new T{};
}

template <typename T, typename... Bases>
py::class_<T, Bases..., std::shared_ptr<T>> add_class(py::handle scope, const char* name,
                                                      const char* full_name, const char* doc) {
  class_info<T>().name = full_name;
  if constexpr (sizeof...(Bases) > 0) class_info<T>().base = (&class_info<Bases>(), ...);
  return {scope, name, doc};
}

/// Adds the values of an enum as attributes of its class, and what they can do: name, value, str,
/// comparison with each other and with the texts that studies use.
void add_enum_values(py::handle cls, ClassInfo& info, std::span<const EnumEntry> values);

template <typename T>
py::object add_enum(py::handle scope, const char* name, const char* full_name, const char* doc,
                    std::span<const EnumEntry> values) {
  static_assert(std::is_enum_v<T> && sizeof(T) == sizeof(int));
  class_info<T>().name = full_name;
  py::class_<T, std::shared_ptr<T>> cls(scope, name, doc);
  add_enum_values(cls, class_info<T>(), values);
  return cls;
}

/// The text that studies use for a value, else its name.
template <typename T>
std::string_view enum_text(T value, std::string_view name) {
  if constexpr (NamesItself<T>) {
    return name_of(value);
  } else {
    return name;
  }
}

}  // namespace alembert::python
