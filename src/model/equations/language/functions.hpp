#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/equations/language/syntax.hpp"

namespace alembert::model::equations {

struct Function {
  std::string_view name;
  Form form;
  int arguments;
};

/// The functions of the language, and a function by name (nullptr if there is none).
[[nodiscard]] const std::vector<Function>& functions();
[[nodiscard]] const Function* find_function(std::string_view name);

/// Name of an operator or function, for messages.
[[nodiscard]] std::string word_of(Form form);

}  // namespace alembert::model::equations
