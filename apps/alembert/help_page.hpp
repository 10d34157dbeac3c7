#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace alembert::app {

/// The help page of a command: usage, description, arguments, options, examples, in 80 columns.
[[nodiscard]] std::string help_page(const CLI::App& command);

/// Names of the commands below an app.
[[nodiscard]] std::vector<std::string> command_names(const CLI::App& app);
/// Names of an option with their dashes, the long ones first; none for a positional argument.
[[nodiscard]] std::vector<std::string> option_names(const CLI::Option& option);
/// Names of all options of a command.
[[nodiscard]] std::vector<std::string> option_names(const CLI::App& command);

/// Whether an option is followed by a value; flags are not.
[[nodiscard]] bool takes_value(const CLI::Option& option);

/// "--out DIR", "-o, --out FILE", "STUDY..."
[[nodiscard]] std::string option_label(const CLI::Option& option);

/// Breaks text at blanks into lines of at most 80 columns that begin with `indent` blanks; the
/// first begins where it is put.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t indent);

}  // namespace alembert::app
