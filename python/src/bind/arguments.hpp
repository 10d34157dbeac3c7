#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <span>
#include <string>

#include "bind/option_keywords.hpp"
#include "convert/functions.hpp"
#include "convert/result_tree.hpp"

/// Functions of the library as Python functions: arguments by place or name, overloads, options as
/// keywords.
namespace alembert::python {

struct Arguments;

/// One form of a function.
struct Overload {
  std::span<const char* const> names;  ///< of its arguments
  int required = 0;                    ///< arguments that have no default; they come first
  /// Further keywords are fields of the last argument, a struct of options; null: there is none.
  const ClassInfo& (*options)() = nullptr;
  bool controlled = false;  ///< takes `progress` and stops at Ctrl-C
  py::object (*call)(Arguments& arguments) = nullptr;
};

/// A function with all its forms. The document begins with `name(signature)\n--\n\n`.
struct Function {
  const char* name;
  const char* doc;
  std::span<const Overload> overloads;
  bool is_method = false;  ///< the object comes first
};

template <typename T>
const ClassInfo& class_info_of() {
  return class_info<T>();
}

inline constexpr std::size_t kMostArguments = 24;

/// What a call was given, by the places of one overload.
struct Arguments {
  const Function* function = nullptr;
  const Overload* overload = nullptr;
  py::handle self = {};
  std::array<py::handle, kMostArguments> slots = {};  ///< null: not given
  py::object fields = {};                             ///< dict of further keywords; null: none
  py::handle progress = {};

  [[nodiscard]] bool has(std::size_t i) const { return slots[i].ptr() != nullptr; }
};

/// The argument in a form that holds it during the call; errors name it.
template <typename Form>
Form held(const Arguments& arguments, std::size_t i) {
  try {
    return Form(arguments.slots[i]);
  } catch (ConversionError& error) {
    prepend_place(error, arguments.overload->names[i]);
    throw;
  }
}

template <typename T>
T value(const Arguments& arguments, std::size_t i) {
  try {
    return Convert<T>::from(arguments.slots[i]);
  } catch (ConversionError& error) {
    prepend_place(error, arguments.overload->names[i]);
    throw;
  }
}

/// The object of a method.
template <typename T>
T& self_of(const Arguments& arguments) {
  void* held = pointer_to(class_info<T>(), arguments.self);
  if (held == nullptr) wrong_class(class_info<T>(), arguments.self);
  return *static_cast<T*>(held);
}

/// Sets the fields of options that came as keywords.
template <typename T>
void take_fields(const Arguments& arguments, T& options) {
  if (!arguments.fields) return;
  set_options(class_info<T>(), &options, py::reinterpret_borrow<py::dict>(arguments.fields));
}

/// Calls without the interpreter's lock and converts the result.
template <typename Call>
py::object released(const Call& call) {
  using Result = std::remove_cvref_t<decltype(call())>;
  if constexpr (std::is_void_v<Result>) {
    {
      const py::gil_scoped_release unlocked;
      call();
    }
    return py::none();
  } else {
    auto run = [&]() -> Result {
      const py::gil_scoped_release unlocked;
      return call();
    };
    return Convert<Result>::to(run());
  }
}

/// Calls with the lock and converts the result; references become copies, or views where the class
/// cannot be copied.
template <typename Call>
py::object locked(const Arguments& arguments, const Call& call) {
  using Returned = decltype(call());
  using Result = std::remove_cvref_t<Returned>;
  if constexpr (std::is_void_v<Result>) {
    call();
    return py::none();
  } else if constexpr (std::is_lvalue_reference_v<Returned> &&
                       (!std::is_const_v<std::remove_reference_t<Returned>> ||
                        !std::is_copy_constructible_v<Result>)) {
    return Convert<Result>::view(const_cast<Result&>(call()), arguments.self);
  } else {
    return Convert<Result>::to(call());
  }
}

/// Makes the object of a constructor.
template <typename T>
py::object construct(const Arguments& arguments, std::unique_ptr<T> made);
void take_over(const std::type_info& type, py::handle self, void* made);

template <typename T>
py::object construct(const Arguments& arguments, std::unique_ptr<T> made) {
  take_over(typeid(T), arguments.self, made.release());
  return py::none();
}

/// Adds a function to a module or class.
void add_function(py::handle scope, const Function& function);
void add_static(py::handle scope, const Function& function);
/// Adds to the documents of functions what their keywords mean; after all classes are there.
void complete_documents();

}  // namespace alembert::python
