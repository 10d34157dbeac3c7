#include "terminal/completion.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "alembert/core/text.hpp"
#include "alembert/study/detail/keys.hpp"
#include "alembert/study/detail/template.hpp"
#include "help_page.hpp"
#include "reproductions/registry.hpp"

namespace alembert::app {
namespace {

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const study::TableSpec* table : study::all_tables()) {
    const bool known = std::find(names.begin(), names.end(), table->path) != names.end();
    if (!table->path.empty() && !known) {
      names.push_back(table->path);
    }
  }
  return names;
}

/// The words that an argument of this type may be; empty where it is a file or free.
std::vector<std::string> words_for(const std::string& type) {
  std::vector<std::string> words;
  words.reserve(8);
  if (type == "KIND") {
    for (const study::TemplateKind& kind : study::template_kinds()) {
      words.push_back(kind.name);
    }
  } else if (type == "NAME") {
    for (const reproductions::ReproductionEntry& entry : reproductions::reproductions()) {
      words.push_back(entry.name);
    }
  } else if (type == "TABLE") {
    words = table_names();
  } else if (type == "FORMATS") {
    words = {"mat", "h5", "mat,h5"};
  } else if (type == "SHELL") {
    words = {"bash", "zsh", "fish"};
  }
  return words;
}

/// The bash command that fills COMPREPLY for a value of this type.
std::string bash_values(const std::string& type) {
  const std::vector<std::string> words = words_for(type);
  if (!words.empty()) {
    return fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))", join(words, " "));
  }
  if (type == "STUDY") {
    return "_alembert_files '*.toml'";
  }
  if (type == "DIR" || type == "RESULT" || type == "OTHER") {
    return "COMPREPLY=($(compgen -d -- \"$cur\"))";
  }
  if (type == "DATA" || type == "FILE") {
    return "_alembert_files '*'";
  }
  return "COMPREPLY=()";
}

std::string bash_command(const CLI::App& command) {
  std::string before;  // Options whose value is being completed.
  std::string positional = "COMPREPLY=()";
  bool first = true;
  for (const CLI::Option* option : command.get_options({})) {
    if (option->get_positional()) {
      const std::string values = bash_values(option->get_name(true));
      // Later arguments are files in every command that has them.
      positional = first ? values : positional;
      if (!first && values != positional) {
        positional = fmt::format("if ((words == 2)); then {}; else {}; fi", positional, values);
      }
      first = false;
    } else if (takes_value(*option)) {
      before += fmt::format("        {}) {}; return ;;\n", join(option_names(*option), "|"),
                            bash_values(option->get_type_name()));
    }
  }
  return fmt::format(
      "    {})\n      case \"$prev\" in\n{}        *) ;;\n      esac\n"
      "      if [[ \"$cur\" == -* ]]; then\n"
      "        COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))\n"
      "      else\n        {}\n      fi ;;\n",
      command.get_name(), before, join(option_names(command), " "), positional);
}

/// Text inside zsh's 'spec[help]:message:action' may not hold these unescaped.
std::string zsh_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("[]:\\").find(c) != std::string_view::npos) {
      result += '\\';
    }
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result;
}

std::string zsh_action(const std::string& type) {
  const std::vector<std::string> words = words_for(type);
  if (!words.empty()) {
    return fmt::format("({})", join(words, " "));
  }
  if (type == "STUDY") {
    return "_files -g \"*.toml\"";
  }
  if (type == "DIR" || type == "RESULT" || type == "OTHER") {
    return "_files -/";
  }
  if (type == "DATA" || type == "FILE") {
    return "_files";
  }
  return " ";
}

std::string zsh_command(const CLI::App& command) {
  std::vector<std::string> specs;
  int position = 1;
  for (const CLI::Option* option : command.get_options({})) {
    if (option->get_positional()) {
      const std::string name = option->get_name(true);
      const std::string place = option->get_expected_max() > 1 ? "*" : std::to_string(position++);
      specs.push_back(fmt::format("'{}:{}:{}'", place, name, zsh_action(name)));
      continue;
    }
    for (const std::string& name : option_names(*option)) {
      const std::string help = zsh_escaped(option->get_description());
      const std::string value =
          !takes_value(*option)
              ? ""
              : fmt::format(":{}:{}", option->get_type_name(), zsh_action(option->get_type_name()));
      const bool many = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
      specs.push_back(fmt::format("'{}{}[{}]{}'", many ? "*" : "", name, help, value));
    }
  }
  return fmt::format("        {})\n          _arguments \\\n            {} ;;\n",
                     command.get_name(), join(specs, " \\\n            "));
}

/// Text inside fish's single quotes.
std::string fish_quoted(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return "'" + result + "'";
}

/// What fish offers for a value of this type, as options of `complete`.
std::string fish_values(const std::string& type) {
  const std::vector<std::string> words = words_for(type);
  if (!words.empty()) return " -f -a " + fish_quoted(join(words, " "));
  if (type == "STUDY") return " -f -a '(__fish_complete_suffix .toml)'";
  if (type == "DIR" || type == "RESULT" || type == "OTHER") {
    return " -f -a '(__fish_complete_directories)'";
  }
  return type == "DATA" || type == "FILE" ? " -F" : " -f";
}

std::string fish_command(const CLI::App& command) {
  const std::string begin =
      fmt::format("complete -c alembert -n '__fish_seen_subcommand_from {}'", command.get_name());
  std::string lines;
  for (const CLI::Option* option : command.get_options({})) {
    if (option->get_positional()) {
      lines += begin + fish_values(option->get_name(true)) + "\n";
      continue;
    }
    std::string names;
    for (const std::string& name : option->get_lnames()) names += " -l " + name;
    for (const std::string& name : option->get_snames()) names += " -s " + name;
    const std::string value =
        takes_value(*option) ? " -r" + fish_values(option->get_type_name()) : "";
    lines += begin + names + value + " -d " + fish_quoted(option->get_description()) + "\n";
  }
  return lines;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    cases += bash_command(*command);
  }
  return fmt::format(
      "# bash completion of alembert; load it with: source <(alembert completion bash)\n"
      "_alembert_files() {{\n"
      "  compopt -o filenames 2>/dev/null\n"
      "  mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"; compgen -f -X \"!$1\" -- \"$cur\")\n"
      "}}\n"
      "_alembert() {{\n"
      "  local cur=\"${{COMP_WORDS[COMP_CWORD]}}\" prev=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n"
      "  local words=$COMP_CWORD\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W \"{} {}\" -- \"$cur\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}"
      "    *) ;;\n  esac\n}}\n"
      "complete -F _alembert alembert\n",
      join(command_names(app), " "), join(option_names(app), " "), cases);
}

std::string zsh_completion(const CLI::App& app) {
  std::string commands;
  std::string cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands +=
        fmt::format("    '{}:{}'\n", command->get_name(), zsh_escaped(command->get_description()));
    cases += zsh_command(*command);
  }
  return fmt::format(
      "#compdef alembert\n"
      "# zsh completion of alembert; load it with: source <(alembert completion zsh)\n"
      "_alembert() {{\n"
      "  local -a commands\n"
      "  commands=(\n{}  )\n"
      "  local state line\n"
      "  _arguments -C '1:command:->command' '*::argument:->argument'\n"
      "  case $state in\n"
      "    command) _describe 'command' commands ;;\n"
      "    argument)\n"
      "      case $line[1] in\n{}      esac ;;\n"
      "  esac\n}}\n"
      "if [ \"$funcstack[1]\" = _alembert ]; then _alembert \"$@\"; "
      "else compdef _alembert alembert; fi\n",
      commands, cases);
}

std::string fish_completion(const CLI::App& app) {
  std::string lines =
      "# fish completion of alembert; load it with: alembert completion fish | source\n"
      "complete -c alembert -f\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    lines += fmt::format("complete -c alembert -n __fish_use_subcommand -a {} -d {}\n",
                         command->get_name(), fish_quoted(command->get_description()));
  }
  for (const CLI::App* command : app.get_subcommands({})) lines += fish_command(*command);
  return lines;
}

}  // namespace alembert::app
