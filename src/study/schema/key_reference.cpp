#include "alembert/study/detail/key_reference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/detail/keys.hpp"
#include "core/mapped.hpp"
#include "study/schema/check_keys.hpp"
#include "study/schema/key_words.hpp"
#include "study/schema/wrap.hpp"

namespace alembert::study {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kIndent = 22;

std::string key_text(const KeySpec& key) {
  const std::string note = default_words(key);
  const std::string value = value_words(key) + (note.empty() ? "" : "; " + note);
  return fmt::format("  {:<19} {}\n{}{}\n", key.name,
                     wrapped(help_words(key), kWidth, kIndent, kIndent), std::string(kIndent, ' '),
                     wrapped(value, kWidth, kIndent, kIndent));
}

std::string rules_text(const std::vector<KeyRule>& rules) {
  std::string text;
  for (const KeyRule& rule : rules) {
    // The rule that a single key is needed repeats "required".
    if (rule.keys.size() > 1) {
      text += fmt::format("  {}\n", wrapped("Rule: " + rule_words(rule) + ".", kWidth, 4, 2));
    }
  }
  return text;
}

std::string table_text(const TableSpec& table) {
  std::string text =
      fmt::format("{}\n  {}\n", table_heading(table), wrapped(table.help, kWidth, 2, 2));
  for (const KeySpec& key : table.keys) {
    if (key.now_called.empty()) text += key_text(key);
  }
  if (table.any_name != nullptr) {
    text += key_text(*table.any_name);
  }
  text += rules_text(table.rules);
  for (const Variant& variant : table.variants) {
    text += fmt::format("\n{} {} = \"{}\"\n  {}\n", table_heading(table), table.tag,
                        variant.tag_value, variant.help);
    for (const KeySpec& key : variant.keys) {
      text += key_text(key);
    }
    text += rules_text(variant.rules);
  }
  return text;
}

// "simulate" shows itself and all tables below.
bool is_below(const std::string& path, const std::string& top) {
  return path == top || path.rfind(top + ".", 0) == 0;
}

std::string escaped(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) {
    text.insert(at, "\\");
  }
  return text;
}

std::string keys_markdown(const std::vector<KeySpec>& keys, const std::vector<KeyRule>& rules) {
  std::string text;
  if (!keys.empty()) {
    text += "| key | value | default | meaning |\n|---|---|---|---|\n";
  }
  for (const KeySpec& key : keys) {
    if (!key.now_called.empty()) continue;
    const std::string fallback = key.required               ? "required"
                                 : !key.required_by.empty() ? default_words(key)
                                 : !key.fallback.empty()    ? "`" + key.fallback + "`"
                                                            : key.fallback_note;
    text += fmt::format("| `{}` | {} | {} | {} |\n", key.name, escaped(value_words(key)),
                        escaped(fallback), escaped(help_words(key)));
  }
  for (const KeyRule& rule : rules) {
    if (rule.keys.size() > 1) {
      text += fmt::format("\nRule: {}.\n", rule_words(rule));
    }
  }
  return text;
}

std::string table_markdown(const TableSpec& table) {
  std::vector<KeySpec> keys = table.keys;
  if (table.any_name != nullptr) {
    keys.push_back(*table.any_name);
  }
  std::string text = fmt::format("### `{}`\n\n{}\n\n{}", table_heading(table), table.help,
                                 keys_markdown(keys, table.rules));
  for (const Variant& variant : table.variants) {
    const std::string inner = keys_markdown(variant.keys, variant.rules);
    text += fmt::format("\n#### `{} = \"{}\"`\n\n{}{}.\n{}", table.tag, variant.tag_value,
                        static_cast<char>(std::toupper(variant.help.front())),
                        variant.help.substr(1), inner.empty() ? "" : "\n" + inner);
  }
  return text;
}

}  // namespace

std::string keys_as_text(const std::string& path) {
  std::vector<std::string> parts;
  std::vector<std::string> known;
  for (const TableSpec* table : all_tables()) {
    if (!table->path.empty()) {
      known.push_back(table->path);
    }
    if (path.empty() || is_below(table->path, path)) {
      parts.push_back(table_text(*table));
    }
  }
  if (parts.empty()) {
    throw InvalidInput({.function = "keys",
                        .rule = fmt::format("no table \"{}\"{}", path, suggestion(path, known))});
  }
  return join(parts, "\n");
}

std::string keys_as_markdown() {
  return join(mapped(all_tables(), [](const TableSpec* table) { return table_markdown(*table); }),
              "\n");
}

}  // namespace alembert::study
