// The only file that knows toml++: its tree becomes ours, with a position for each key and value.
#include "alembert/study/detail/toml.hpp"

#include <toml++/toml.h>

#include <algorithm>

#include "study/toml/nesting.hpp"

namespace alembert::study {
namespace {

Position position_of(const toml::source_region& region) {
  return {.line = region.begin.line, .column = region.begin.column};
}

bool stands_before(const Entry& a, const Entry& b) {
  return std::pair(a.position.line, a.position.column) <
         std::pair(b.position.line, b.position.column);
}

Value convert(const toml::node& node);

Value convert_table(const toml::table& table) {
  Table entries;
  entries.reserve(table.size());
  for (const auto& [key, node] : table) {
    entries.push_back({.key = std::string(key.str()),
                       .position = position_of(key.source()),
                       .value = convert(node)});
  }
  // toml++ sorts by key; people read from top to bottom.
  std::stable_sort(entries.begin(), entries.end(), stands_before);
  return {.data = std::move(entries), .position = position_of(table.source())};
}

Value convert_array(const toml::array& array) {
  Array items;
  items.reserve(array.size());
  for (const toml::node& node : array) {
    items.push_back(convert(node));
  }
  return {.data = std::move(items), .position = position_of(array.source())};
}

Value convert(const toml::node& node) {
  const Position position = position_of(node.source());
  if (const auto* table = node.as_table()) {
    return convert_table(*table);
  }
  if (const auto* array = node.as_array()) {
    return convert_array(*array);
  }
  if (const auto* text = node.as_string()) {
    return {.data = text->get(), .position = position};
  }
  if (const auto* integer = node.as_integer()) {
    return {.data = static_cast<long long>(integer->get()), .position = position};
  }
  if (const auto* real = node.as_floating_point()) {
    return {.data = real->get(), .position = position};
  }
  if (const auto* boolean = node.as_boolean()) {
    return {.data = boolean->get(), .position = position};
  }
  return {.data = DateTime{}, .position = position};
}

// Error texts of the parser quote the input, which may hold line breaks and control characters.
std::string one_line(std::string_view description) {
  constexpr std::string_view kPrefix = "Error while parsing ";
  const bool has_prefix = description.substr(0, kPrefix.size()) == kPrefix;
  std::string line = has_prefix ? "in " + std::string(description.substr(kPrefix.size()))
                                : std::string(description);
  // A bare word is read as the beginning of true, false, inf or nan.
  if (line.rfind("in boolean", 0) == 0) {
    line += "; a text needs quotes";
  }
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      c = ' ';
    }
  }
  return line;
}

}  // namespace

Document parse_toml(const std::string& text, const std::string& file) {
  check_nesting(text, file);
  try {
    const toml::table table = toml::parse(std::string_view(text));
    Document document{.root = convert_table(table), .sources = {file}, .text = text};
    document.root.position = {.line = 1, .column = 1};
    return document;
  } catch (const toml::parse_error& error) {
    const toml::source_position& at = error.source().begin;
    throw StudyError({.file = file, .line = at.line, .column = at.column},
                     "not valid TOML: " + one_line(error.description()));
  }
}

}  // namespace alembert::study
