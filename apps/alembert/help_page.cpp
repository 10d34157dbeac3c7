#include "help_page.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <vector>

#include "alembert/core/text.hpp"

namespace alembert::app {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kLabelWidth = 22;

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : full_name(*parent) + " " + command.get_name();
}

std::string item(const std::string& label, const std::string& help) {
  constexpr std::size_t kIndent = kLabelWidth + 2;
  if (label.size() + 1 > kLabelWidth) {
    return fmt::format("  {}\n{}{}\n", label, std::string(kIndent, ' '), wrapped(help, kIndent));
  }
  return fmt::format("  {:<{}}{}\n", label, kLabelWidth, wrapped(help, kIndent));
}

std::string usage(const CLI::App& command) {
  std::string line = full_name(command);
  if (!command.get_subcommands({}).empty()) {
    return line + " COMMAND [OPTIONS]";
  }
  for (const CLI::Option* option : command.get_options({})) {
    if (!option->get_positional()) {
      continue;
    }
    const std::string label = option_label(*option);
    line += option->get_required() ? " " + label : " [" + label + "]";
  }
  return line + " [OPTIONS]";
}

std::string options(const CLI::App& command, bool positional) {
  std::string text;
  for (const CLI::Option* option : command.get_options({})) {
    if (option->get_positional() == positional) {
      text += item(option_label(*option), option->get_description());
    }
  }
  return text;
}

std::string section(const std::string& title, const std::string& content) {
  return content.empty() ? "" : "\n" + title + "\n" + content;
}

}  // namespace

std::vector<std::string> command_names(const CLI::App& app) {
  const std::vector<const CLI::App*> commands = app.get_subcommands({});
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const CLI::App* command : commands) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::Option& option) {
  std::vector<std::string> names;
  names.reserve(option.get_lnames().size() + option.get_snames().size());
  for (const std::string& name : option.get_lnames()) {
    names.push_back("--" + name);
  }
  for (const std::string& name : option.get_snames()) {
    names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options({})) {
    const std::vector<std::string> more = option_names(*option);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string result;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    if (!result.empty() && column + 1 + word.size() > kWidth) {
      result += "\n" + std::string(indent, ' ') + word;
      column = indent + word.size();
    } else {
      result += (result.empty() ? "" : " ") + word;
      column += word.size() + (column > indent ? 1 : 0);
    }
  }
  return result;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string option_label(const CLI::Option& option) {
  if (option.get_positional()) {
    const bool many = option.get_expected_max() > 1;
    return option.get_name(true) + (many ? "..." : "");
  }
  std::vector<std::string> names = option_names(option);
  std::reverse(names.begin(), names.end());
  const std::string value = takes_value(option) ? " " + option.get_type_name() : "";
  return join(names, ", ") + value;
}

std::string help_page(const CLI::App& command) {
  std::string commands;
  for (const CLI::App* inner : command.get_subcommands({})) {
    commands += item(inner->get_name(), inner->get_description());
  }
  return "usage: " + usage(command) + "\n\n" + wrapped(command.get_description(), 0) + "\n" +
         section("commands:", commands) + section("arguments:", options(command, true)) +
         section("options:", options(command, false)) + section("examples:", command.get_footer());
}

}  // namespace alembert::app
