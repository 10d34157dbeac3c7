#pragma once

#include <pybind11/pybind11.h>

#include <concepts>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "alembert/core/enum_names.hpp"
#include "convert/class_info.hpp"
#include "convert/error.hpp"

/// Between Python objects and the types of the library.
///
/// Convert<T>::from(object) makes a T or throws ConversionError, Convert<T>::to(value) makes an
/// object. Held<T> keeps what an argument refers to alive during a call. Classes and enums of the
/// library are classes in Python too: the primary template.
namespace alembert::python {

template <typename T>
struct Convert;

/// What is passed where a function takes a const reference or a value.
template <typename T>
struct Held {
  explicit Held(py::handle object) : value(Convert<T>::from(object)) {}
  operator const T&() const { return value; }  // NOLINT: stands for the argument
  operator T&() { return value; }              // NOLINT: stands for the argument
  T value;
};

template <typename T>
concept DefaultMade = std::is_default_constructible_v<T>;

/// A value of a class from a dict of its fields, or of one with names from a text.
template <typename T>
std::optional<T> made_from(py::handle object) {
  if constexpr (NamesItself<T>) {
    if (PyUnicode_Check(object.ptr())) return enum_from_text<T>(object);
  } else if constexpr (std::is_enum_v<T>) {
    if (PyUnicode_Check(object.ptr())) {
      return static_cast<T>(enum_value(class_info<T>(), text_from(object)));
    }
  }
  if constexpr (DefaultMade<T> && !std::is_enum_v<T> && std::is_move_constructible_v<T>) {
    if (PyDict_Check(object.ptr()) && !class_info<T>().fields.empty()) {
      std::optional<T> value(std::in_place);
      set_fields(class_info<T>(), &*value, py::reinterpret_borrow<py::dict>(object));
      return value;
    }
  }
  return std::nullopt;
}

/// Classes of the library.
template <typename T>
struct Convert {
  static T from(py::handle object) requires std::copy_constructible<T> {
    if (const void* held = pointer_to(class_info<T>(), object)) return *static_cast<const T*>(held);
    if (std::optional<T> made = made_from<T>(object)) return *std::move(made);
    wrong_class(class_info<T>(), object);
  }
  static py::object to(T&& value) {
    return py::cast(std::move(value), py::return_value_policy::move);
  }
  static py::object to(const T& value) { return py::cast(value, py::return_value_policy::copy); }
  /// A part of another object, which it keeps alive.
  static py::object view(T& value, py::handle parent) {
    if constexpr (std::is_enum_v<T>) {
      return to(std::as_const(value));
    } else {
      return py::reinterpret_steal<py::object>(py::detail::type_caster_base<T>::cast(
          &value, py::return_value_policy::reference_internal, parent));
    }
  }
};

/// Reference to a class of the library as argument.
template <typename T>
class HeldObject {
 public:
  explicit HeldObject(py::handle object) {
    held_ = static_cast<T*>(pointer_to(class_info<T>(), object));
    if (held_ != nullptr) return;
    if constexpr (std::is_move_constructible_v<T>) made_ = made_from<T>(object);
    if constexpr (std::is_move_constructible_v<T>) held_ = made_ ? &*made_ : nullptr;
    if (held_ == nullptr) wrong_class(class_info<T>(), object);
  }
  HeldObject(const HeldObject&) = delete;
  HeldObject& operator=(const HeldObject&) = delete;
  T& get() { return *held_; }

 private:
  T* held_ = nullptr;
  std::conditional_t<std::is_move_constructible_v<T>, std::optional<T>, char> made_{};
};

}  // namespace alembert::python
