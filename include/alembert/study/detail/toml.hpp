#pragma once

#include <filesystem>
#include <string>

#include "alembert/study/detail/value.hpp"

namespace alembert::study {

/// Reads TOML text. `file` is only the name that errors and places carry.
/// @throws StudyError with line, column and reason, on one line, for text that is not TOML.
[[nodiscard]] Document parse_toml(const std::string& text, const std::string& file);

/// The text of a file. @throws StudyError if it cannot be read.
[[nodiscard]] std::string read_study_text(const std::filesystem::path& file);

/// A value given beside the study: `key` is a dotted path, `value` is written as in TOML; a single
/// bare word that is no TOML value counts as text, so that a shell needs no quotes.
struct Override {
  std::string key;
  std::string value;
  std::string origin = {};  ///< what errors name; "" stands for "--set KEY"
};

/// Splits `key=value` at the first `=` outside quotes.
/// @throws StudyError if there is no `=` or no key.
[[nodiscard]] Override parse_override(const std::string& assignment);

/// Sets a value in the document, replacing what stood there and making missing tables.
/// @throws StudyError naming the origin if key or value is not TOML, or if the path leads through
///   something that is not a table.
void apply_override(Document& document, const Override& change);

/// A value as TOML text on one line (texts quoted), for templates and messages.
[[nodiscard]] std::string to_toml(const Value& value);

/// A text as a TOML string with quotes.
[[nodiscard]] std::string toml_string(std::string_view text);

}  // namespace alembert::study
