#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace alembert::app {

/// Refuses a first word that is no command. @throws CLI::ParseError with the nearest command.
void check_command_name(const CLI::App& app, const std::vector<std::string>& arguments);

/// One line on what is wrong with the arguments: unknown options with the nearest known one.
[[nodiscard]] std::string usage_message(const CLI::App& app,
                                        const std::vector<std::string>& arguments,
                                        const CLI::ParseError& error);

}  // namespace alembert::app
