#pragma once

#include <complex>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>

#include "convert/convert.hpp"

/// Numbers, texts and paths.
namespace alembert::python {

[[nodiscard]] bool bool_from(py::handle object);
[[nodiscard]] long long integer_from(py::handle object, long long lower, long long upper);
[[nodiscard]] unsigned long long count_from(py::handle object, unsigned long long upper);
[[nodiscard]] double number_from(py::handle object);
[[nodiscard]] std::complex<double> complex_from(py::handle object);
[[nodiscard]] std::string text_from(py::handle object);
[[nodiscard]] std::filesystem::path path_from(py::handle object);
[[nodiscard]] py::object path_to(const std::filesystem::path& path);
[[nodiscard]] py::object text_to(std::string_view text);

template <>
struct Convert<bool> {
  static bool from(py::handle object) { return bool_from(object); }
  static py::object to(bool value) { return py::bool_(value); }
};

template <std::integral T>
requires(!std::is_same_v<T, char> && !std::is_same_v<T, bool>) struct Convert<T> {
  static T from(py::handle object) {
    if constexpr (std::is_signed_v<T>) {
      return static_cast<T>(
          integer_from(object, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    } else {
      return static_cast<T>(count_from(object, std::numeric_limits<T>::max()));
    }
  }
  static py::object to(T value) { return py::int_(value); }
};

template <std::floating_point T>
struct Convert<T> {
  static T from(py::handle object) { return static_cast<T>(number_from(object)); }
  static py::object to(T value) { return py::float_(static_cast<double>(value)); }
};

template <>
struct Convert<std::complex<double>> {
  static std::complex<double> from(py::handle object) { return complex_from(object); }
  static py::object to(const std::complex<double>& value) {
    return py::reinterpret_steal<py::object>(PyComplex_FromDoubles(value.real(), value.imag()));
  }
};

template <>
struct Convert<char> {
  static char from(py::handle object) {
    const std::string text = text_from(object);
    if (text.size() != 1) wrong_value("must be one letter", "'" + text + "'");
    return text.front();
  }
  static py::object to(char value) { return text_to({&value, 1}); }
};

template <>
struct Convert<std::string> {
  static std::string from(py::handle object) { return text_from(object); }
  static py::object to(const std::string& text) { return text_to(text); }
};

template <>
struct Convert<std::string_view> {
  static py::object to(std::string_view text) { return text_to(text); }
};

template <>
struct Convert<std::filesystem::path> {
  static std::filesystem::path from(py::handle object) { return path_from(object); }
  static py::object to(const std::filesystem::path& path) { return path_to(path); }
};

/// A view of text needs the text to live as long as the call.
template <>
struct Held<std::string_view> {
  explicit Held(py::handle object) : text(text_from(object)) {}
  operator std::string_view() const { return text; }  // NOLINT: stands for the argument
  std::string text;
};

}  // namespace alembert::python
