#include "alembert/core/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <system_error>

#include "alembert/core/error.hpp"
#include "alembert/io/text_file.hpp"
#include "alembert/study/detail/toml.hpp"
#include "core/mapped.hpp"

namespace alembert::study {
namespace {

// Far beyond what anyone writes by hand.
constexpr std::uintmax_t kLargestStudy = 16U << 20U;

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
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (std::filesystem::is_directory(status)) {
    throw StudyError({.file = file.string()}, "is a folder, not a study");
  }
  if (!std::filesystem::exists(status)) {
    throw StudyError({.file = file.string()}, "cannot open: " + error.message());
  }
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  if (!error && bytes > kLargestStudy) {
    throw StudyError({.file = file.string()},
                     fmt::format("is {} MB long, a study has at most {} MB; numbers belong into a "
                                 "data file",
                                 bytes >> 20U, kLargestStudy >> 20U));
  }
  try {
    return io::read_text_file(file, {.memory = kLargestStudy});
  } catch (const DataError& problem) {
    // Without the advice for data files.
    throw StudyError(problem.place(), problem.reason().substr(0, problem.reason().find(';')));
  }
}

}  // namespace alembert::study
