#pragma once

#include <functional>
#include <memory>

#include "convert/containers.hpp"

/// Python callables as functions of the library: each call takes the interpreter's lock, an
/// exception goes through the library to the caller.
namespace alembert::python {

/// A callable whose last reference is given up with the interpreter's lock.
struct Callable {
  std::shared_ptr<py::object> object;
};
[[nodiscard]] Callable callable_from(py::handle object);
/// The error of a result that cannot be converted, as a Python exception.
[[noreturn]] void raise_wrong_result(const ConversionError& error);

template <typename A>
py::object argument_to(A& argument) {
  using T = std::remove_cvref_t<A>;
  if constexpr (std::is_lvalue_reference_v<A&> && !std::is_const_v<std::remove_reference_t<A>> &&
                requires(T & t, py::handle h) { Convert<T>::view(t, h); }) {
    return Convert<T>::view(argument, py::none());
  } else {
    return Convert<T>::to(argument);
  }
}

template <typename R, typename... A>
struct PythonFunction {
  Callable callable;
  R operator()(A... arguments) const {
    const py::gil_scoped_acquire lock;
    const py::object result =
        (*callable.object)(argument_to<std::remove_reference_t<A>>(arguments)...);
    if constexpr (!std::is_void_v<R>) {
      try {
        return Convert<R>::from(result);
      } catch (const ConversionError& error) {
        raise_wrong_result(error);
      }
    }
  }
};

template <typename R, typename... A>
struct Convert<std::function<R(A...)>> {
  static std::function<R(A...)> from(py::handle object) {
    if (object.is_none()) return {};
    return PythonFunction<R, A...>{callable_from(object)};
  }
  static py::object to(const std::function<R(A...)>& function) {
    const auto* python = function.template target<PythonFunction<R, A...>>();
    return python == nullptr ? py::none() : *python->callable.object;
  }
};

}  // namespace alembert::python
