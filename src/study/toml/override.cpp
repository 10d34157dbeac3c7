#include <algorithm>
#include <cctype>

#include "alembert/core/printable.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/detail/toml.hpp"

namespace alembert::study {
namespace {

// What stands before a message: places are not cut when they are printed, so a long key is here.
std::string set_option(const std::string& text) {
  return "--set " + (text.size() > kLongestEcho ? text.substr(0, kLongestEcho) + "..." : text);
}

std::string origin_of(const Override& change) {
  return change.origin.empty() ? set_option(change.key) : change.origin;
}

// TOML knows no bare words besides these, and no value of it begins as a path does, so any other
// bare word or path can only mean a text.
bool is_bare_text(const std::string& value) {
  static const std::vector<std::string> kWords = {"true", "false", "nan", "inf"};
  const bool begins =
      !value.empty() && (std::isalpha(static_cast<unsigned char>(value.front())) ||
                         std::string_view("/.~_").find(value.front()) != std::string_view::npos);
  if (!begins) return false;
  const bool plain = std::all_of(value.begin(), value.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-./~").find(c) != std::string_view::npos;
  });
  return plain && std::find(kWords.begin(), kWords.end(), value) == kWords.end();
}

void move_to_source(Value& value, std::size_t source);

void move_to_source(Entry& entry, std::size_t source) {
  entry.position.source = source;
  move_to_source(entry.value, source);
}

void move_to_source(Value& value, std::size_t source) {
  value.position.source = source;
  if (auto* table = std::get_if<Table>(&value.data)) {
    for (Entry& entry : *table) {
      move_to_source(entry, source);
    }
  } else if (auto* array = std::get_if<Array>(&value.data)) {
    for (Value& item : *array) {
      move_to_source(item, source);
    }
  }
}

Entry* find_entry(Table& table, const std::string& key) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == table.end() ? nullptr : &*found;
}

// Follows the path of `change` (a table with one entry at each level but the last). `depth` is the
// number of levels that belong to the path; below it the value replaces what was there.
void merge(Table& target, Entry change, std::size_t depth, const std::string& origin) {
  Entry* old = find_entry(target, change.key);
  if (old == nullptr) {
    target.push_back(std::move(change));
    return;
  }
  if (depth == 1) {
    *old = std::move(change);
    return;
  }
  auto* inner = std::get_if<Table>(&old->value.data);
  if (inner == nullptr) {
    throw StudyError({.file = origin},
                     change.key + " is " + kind_name(old->value) + ", not a table");
  }
  merge(*inner, std::move(std::get<Table>(change.value.data).front()), depth - 1, origin);
}

std::size_t path_length(const Value& keys_only) {
  std::size_t depth = 0;
  const Value* level = &keys_only;
  while (level->table() != nullptr && level->table()->size() == 1) {
    ++depth;
    level = &level->table()->front().value;
  }
  return depth;
}

Document parse_assignment(const Override& change, const std::string& origin) {
  const std::string value = is_bare_text(change.value) ? toml_string(change.value) : change.value;
  try {
    return parse_toml(change.key + " = " + value + "\n", origin);
  } catch (const StudyError& error) {
    throw StudyError({.file = origin}, error.reason());
  }
}

}  // namespace

Override parse_override(const std::string& assignment) {
  char quote = '\0';
  for (std::size_t i = 0; i < assignment.size(); ++i) {
    const char c = assignment[i];
    if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '=') {
      Override change{.key = std::string(trimmed(assignment.substr(0, i))),
                      .value = std::string(trimmed(assignment.substr(i + 1)))};
      if (!change.key.empty()) {
        return change;
      }
      break;
    }
  }
  throw StudyError({.file = set_option(assignment)}, "must have the form key=value");
}

void apply_override(Document& document, const Override& change) {
  const std::string origin = origin_of(change);
  if ((change.key + change.value).find('\n') != std::string::npos) {
    throw StudyError({.file = "--set"}, "key and value must stand on one line");
  }
  Document key = parse_assignment({.key = change.key, .value = "0"}, origin);
  Document assignment = parse_assignment(change, origin);
  const std::size_t depth = path_length(key.root);
  Table& entries = std::get<Table>(assignment.root.data);
  if (entries.size() != 1 || depth == 0) {
    throw StudyError({.file = origin}, "must set exactly one key");
  }
  document.sources.push_back(origin);
  move_to_source(entries.front(), document.sources.size() - 1);
  merge(std::get<Table>(document.root.data), std::move(entries.front()), depth, origin);
}

}  // namespace alembert::study
