#include "study/schema/key_words.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "alembert/core/text.hpp"

namespace alembert::study {
namespace {

std::string form_words(unsigned forms) {
  static const std::vector<std::pair<unsigned, std::string>> kNames = {
      {kNumber, "number"},   {kInteger, "integer"}, {kBoolean, "true/false"}, {kText, "text"},
      {kNumbers, "numbers"}, {kTexts, "texts"},     {kRows, "rows"},          {kTable, "table"},
      {kList, "list"},       {kTables, "tables"}};
  std::vector<std::string> words;
  for (const auto& [form, name] : kNames) {
    if ((forms & form) != 0) {
      words.push_back(name);
    }
  }
  return join(words, " or ");
}

std::string unit_words(const std::string& unit) {
  if (unit == "model" || unit == "input" || unit == "sensor") {
    return "unit of the " + unit;
  }
  return unit;
}

}  // namespace

std::string value_words(const KeySpec& key) {
  if (!key.choices.empty() && (key.forms & kNumber) == 0) {
    return (key.forms == kTexts ? "texts among " : "one of ") + join(key.choices, ", ");
  }
  if (!key.choices.empty()) {  // a number, or words that stand for one
    KeySpec number = key;
    number.choices.clear();
    number.forms = kNumber;
    return value_words(number) + ", or " + join(key.choices, ", ");
  }
  std::string words = key.size > 0 ? std::to_string(key.size) + " numbers" : form_words(key.forms);
  if (key.range.is_bounded()) {
    words += ", " + to_string(key.range);
  }
  if (!key.unit.empty()) {
    words += ", " + unit_words(key.unit);
  }
  return words;
}

std::string default_words(const KeySpec& key) {
  if (key.required) {
    return "required";
  }
  if (!key.required_by.empty()) {
    return "required by [" + key.required_by + "]";
  }
  if (!key.fallback.empty()) {
    return "default: " + key.fallback;
  }
  if (!key.fallback_note.empty()) {
    return "default: " + key.fallback_note;
  }
  return "";
}

std::string help_words(const KeySpec& key) {
  return key.tasks.empty() ? key.help : fmt::format("{} ([{}])", key.help, join(key.tasks, "], ["));
}

std::string table_heading(const TableSpec& table) {
  const std::string name = table.path.empty() ? "study" : "[" + table.path + "]";
  return table.model.empty() ? name : name + " for " + table.model;
}

std::string rule_words(const KeyRule& rule) {
  const std::string names =
      join(rule.keys, ", ") + (rule.unless.empty() ? "" : "; not beside " + rule.unless);
  switch (rule.kind) {
    case KeyRule::Kind::ExactlyOne:
      return "exactly one of " + names;
    case KeyRule::Kind::AtLeastOne:
      return "at least one of " + names;
    case KeyRule::Kind::Needs:
      return rule.keys[0] + " needs " + rule.keys[1];
    case KeyRule::Kind::AtMostOne:
      break;
  }
  return "at most one of " + names;
}

}  // namespace alembert::study
