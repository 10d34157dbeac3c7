#pragma once

#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace alembert::app {

/// The help page of a command: usage, description, arguments, options, examples, in 80 columns.
[[nodiscard]] std::string help_page(const CLI::App& command);

/// "--out DIR", "-o, --out FILE", "STUDY..."
[[nodiscard]] std::string option_label(const CLI::Option& option);

/// Breaks text at blanks into lines of at most 80 columns that begin with `indent` blanks; the
/// first begins where it is put.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t indent);

}  // namespace alembert::app
