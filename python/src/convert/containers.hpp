#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "convert/arrays.hpp"
#include "convert/scalars.hpp"

/// Lists, optional values, alternatives and pairs.
namespace alembert::python {

/// The items of a list, tuple or array, not of a text. @throws ConversionError.
[[nodiscard]] std::vector<py::object> items_of(py::handle object);
[[nodiscard]] py::tuple tuple_of(const std::vector<py::object>& items);

template <typename T>
T item_from(py::handle item, std::size_t index) {
  try {
    return Convert<T>::from(item);
  } catch (ConversionError& error) {
    prepend_place(error, "[" + std::to_string(index) + "]");
    throw;
  }
}

template <typename T>
struct Convert<std::vector<T>> {
  static std::vector<T> from(py::handle object) {
    std::vector<T> values;
    const std::vector<py::object> items = items_of(object);
    values.reserve(items.size());
    for (const py::object& item : items) values.push_back(item_from<T>(item, values.size()));
    return values;
  }
  static py::object to(const std::vector<T>& values) {
    if constexpr (kArrayType<T> != 0) {
      py::array array = new_array(kArrayType<T>, static_cast<long>(values.size()), -1);
      std::copy(values.begin(), values.end(), static_cast<T*>(array.mutable_data()));
      return array;
    } else {
      std::vector<py::object> items;
      items.reserve(values.size());
      for (const T& value : values) items.push_back(Convert<T>::to(value));
      return tuple_of(items);
    }
  }
  static py::object to(std::vector<T>&& values) {
    if constexpr (kArrayType<T> != 0 || std::is_same_v<T, bool>) {
      return to(std::as_const(values));
    } else {
      std::vector<py::object> items;
      items.reserve(values.size());
      for (T& value : values) items.push_back(Convert<T>::to(std::move(value)));
      return tuple_of(items);
    }
  }
};

template <typename T, std::size_t N>
struct Convert<std::array<T, N>> {
  static std::array<T, N> from(py::handle object) {
    const std::vector<py::object> items = items_of(object);
    if (items.size() != N) {
      wrong_value("must have " + std::to_string(N) + " items", std::to_string(items.size()));
    }
    std::array<T, N> values{};
    for (std::size_t i = 0; i < N; ++i) values[i] = item_from<T>(items[i], i);
    return values;
  }
  static py::object to(const std::array<T, N>& values) {
    return Convert<std::vector<T>>::to(std::vector<T>(values.begin(), values.end()));
  }
};

template <typename A, typename B>
struct Convert<std::pair<A, B>> {
  static std::pair<A, B> from(py::handle object) {
    const std::vector<py::object> items = items_of(object);
    if (items.size() != 2) wrong_value("must be a pair", std::to_string(items.size()) + " items");
    return {item_from<A>(items[0], 0), item_from<B>(items[1], 1)};
  }
  static py::object to(const std::pair<A, B>& value) {
    return py::make_tuple(Convert<A>::to(value.first), Convert<B>::to(value.second));
  }
};

template <typename T>
struct Convert<std::optional<T>> {
  static std::optional<T> from(py::handle object) {
    if (object.is_none()) return std::nullopt;
    return Convert<T>::from(object);
  }
  static py::object to(const std::optional<T>& value) {
    return value ? Convert<T>::to(*value) : py::none();
  }
  static py::object view(std::optional<T>& value, py::handle parent) {
    if (!value) return py::none();
    if constexpr (requires { Convert<T>::view(*value, parent); }) {
      return Convert<T>::view(*value, parent);
    } else {
      return Convert<T>::to(*value);
    }
  }
};

template <typename T>
struct Convert<std::map<std::string, T>> {
  static std::map<std::string, T> from(py::handle object) {
    if (!PyDict_Check(object.ptr())) wrong_type("must be a dict", object);
    std::map<std::string, T> values;
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(object)) {
      values.emplace(text_from(key), Convert<T>::from(value));
    }
    return values;
  }
  static py::object to(const std::map<std::string, T>& values) {
    py::dict result;
    for (const auto& [key, value] : values) result[text_to(key)] = Convert<T>::to(value);
    return result;
  }
};

template <typename... Ts>
struct Convert<std::variant<Ts...>> {
  static std::variant<Ts...> from(py::handle object) {
    std::optional<std::variant<Ts...>> found;
    (attempt<Ts>(object, found), ...);
    if (!found) wrong_type("is of none of the possible types", object);
    return *std::move(found);
  }
  static py::object to(const std::variant<Ts...>& value) {
    return std::visit([]<typename T>(const T& one) { return Convert<T>::to(one); }, value);
  }

 private:
  template <typename T>
  static void attempt(py::handle object, std::optional<std::variant<Ts...>>& found) {
    if (found) return;
    try {
      found = Convert<T>::from(object);
    } catch (const ConversionError&) {
      // Perhaps the next alternative.
    }
  }
};

/// Shared objects are the same object in Python.
template <typename T>
struct Convert<std::shared_ptr<T>> {
  using Class = std::remove_const_t<T>;
  static std::shared_ptr<T> from(py::handle object) {
    if (object.is_none()) return nullptr;
    if (pointer_to(class_info<Class>(), object) == nullptr) {
      wrong_class(class_info<Class>(), object);
    }
    return py::cast<std::shared_ptr<Class>>(object);
  }
  static py::object to(const std::shared_ptr<T>& value) {
    return py::cast(std::const_pointer_cast<Class>(value));
  }
};

/// Objects that others refer to: None for a null pointer. Who takes it keeps it alive.
template <typename T>
struct Convert<T*> {
  using Class = std::remove_const_t<T>;
  static T* from(py::handle object) {
    if (object.is_none()) return nullptr;
    void* held = pointer_to(class_info<Class>(), object);
    if (held == nullptr) wrong_class(class_info<Class>(), object);
    return static_cast<T*>(held);
  }
  static py::object to(T* value) {
    return value == nullptr
               ? py::none()
               : py::cast(const_cast<Class*>(value), py::return_value_policy::reference);
  }
};

}  // namespace alembert::python
