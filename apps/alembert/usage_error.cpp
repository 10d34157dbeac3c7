#include "usage_error.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "alembert/core/text.hpp"
#include "help_page.hpp"

namespace alembert::app {
namespace {

const CLI::App* chosen_command(const CLI::App& app, const std::vector<std::string>& arguments) {
  for (const CLI::App* command : app.get_subcommands({})) {
    if (!arguments.empty() && command->get_name() == arguments.front()) {
      return command;
    }
  }
  return nullptr;
}

// The first option that the command does not have, without "=value".
std::string unknown_option(const CLI::App& command, const std::vector<std::string>& arguments) {
  const std::vector<std::string> known = option_names(command);
  for (const std::string& argument : arguments) {
    if (argument == "--") {
      break;
    }
    if (argument.size() < 2 || argument.front() != '-') {
      continue;
    }
    std::string name = argument.substr(0, argument.find('='));
    const bool number = argument.find_first_not_of("+-.0123456789eE") == std::string::npos;
    if (!number && std::find(known.begin(), known.end(), name) == known.end()) {
      return name;
    }
  }
  return "";
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string hint(const std::string& word, const std::vector<std::string>& known) {
  const std::string best = nearest(word, known);
  return best.empty() ? "" : fmt::format("; did you mean {}?", best);
}

}  // namespace

void check_command_name(const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty() || arguments.front().empty() || arguments.front().front() == '-') {
    return;
  }
  if (chosen_command(app, arguments) != nullptr) {
    return;
  }
  const std::vector<std::string> names = command_names(app);
  const std::string near = hint(arguments.front(), names);
  throw CLI::ParseError(fmt::format("unknown command \"{}\"{}", arguments.front(),
                                    near.empty() ? "; commands: " + join(names, ", ") : near),
                        CLI::ExitCodes::ExtrasError);
}

std::string usage_message(const CLI::App& app, const std::vector<std::string>& arguments,
                          const CLI::ParseError& error) {
  const CLI::App* command = chosen_command(app, arguments);
  const CLI::App& asked = command == nullptr ? app : *command;
  const std::string name = command == nullptr ? "alembert" : "alembert " + command->get_name();
  const std::string unknown = unknown_option(asked, arguments);
  if (!unknown.empty()) {
    return fmt::format("{}: unknown option {}{}", name, unknown,
                       hint(unknown, option_names(asked)));
  }
  if (command == nullptr && arguments.empty()) {
    return "alembert: a command is needed: " + join(command_names(app), ", ") +
           "; see alembert --help";
  }
  return fmt::format("{}: {}; see {} --help", name, one_line(error.what()), name);
}

}  // namespace alembert::app
