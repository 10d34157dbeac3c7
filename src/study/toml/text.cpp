#include "alembert/core/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <system_error>

#include "alembert/study/detail/toml.hpp"
#include "core/mapped.hpp"

namespace alembert::study {
namespace {

// A double as TOML wants it: with a point or an exponent, so that it stays a double.
std::string number_text(double value) {
  if (std::isnan(value)) {
    return "nan";
  }
  if (std::isinf(value)) {
    return value > 0.0 ? "inf" : "-inf";
  }
  std::string text = shortest(value);
  if (text.find_first_of(".e") == std::string::npos) {
    text += ".0";
  }
  return text;
}

std::string array_text(const Array& items) {
  return "[" + join(mapped(items, to_toml), ", ") + "]";
}

std::string table_text(const Table& entries) {
  if (entries.empty()) {
    return "{}";
  }
  const auto assignment = [](const Entry& entry) {
    return entry.key + " = " + to_toml(entry.value);
  };
  return "{ " + join(mapped(entries, assignment), ", ") + " }";
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (code < 0x20 || code == 0x7f) {
      result += fmt::format("\\u{:04X}", static_cast<unsigned>(code));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string to_toml(const Value& value) {
  struct Visitor {
    std::string operator()(const Table& table) const { return table_text(table); }
    std::string operator()(const Array& array) const { return array_text(array); }
    std::string operator()(const std::string& text) const { return toml_string(text); }
    std::string operator()(long long integer) const { return std::to_string(integer); }
    std::string operator()(double real) const { return number_text(real); }
    std::string operator()(bool boolean) const { return boolean ? "true" : "false"; }
    std::string operator()(DateTime) const { return "1970-01-01"; }
  };
  return std::visit(Visitor{}, value.data);
}

std::string read_study_text(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw StudyError({.file = file.string()}, "is a folder, not a study");
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw StudyError({.file = file.string()},
                     "cannot open: " + std::generic_category().message(errno));
  }
  std::ostringstream content;
  content << stream.rdbuf();
  if (stream.bad()) {
    throw StudyError({.file = file.string()}, "cannot be read to its end");
  }
  return content.str();
}

}  // namespace alembert::study
