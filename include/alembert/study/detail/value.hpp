#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "alembert/core/error.hpp"

/// The content of a TOML file as a tree of values that know where they stand.
namespace alembert::study {

/// Where a key or value stands. Values from the command line have a source of their own.
struct Position {
  std::size_t line = 0;    ///< 1-based
  std::size_t column = 0;  ///< 1-based, in characters
  std::size_t source = 0;  ///< index into Document::sources; 0 is the file
};

struct Value;
struct Entry;

/// A date or time; studies use none, but TOML has them.
struct DateTime {};

using Array = std::vector<Value>;
using Table = std::vector<Entry>;  ///< in the order of the file

/// A value and its position.
struct Value {
  std::variant<Table, Array, std::string, long long, double, bool, DateTime> data;
  Position position;

  [[nodiscard]] const Table* table() const { return std::get_if<Table>(&data); }
  [[nodiscard]] const Array* array() const { return std::get_if<Array>(&data); }
  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&data); }
  [[nodiscard]] bool is_number() const;
  /// The number, integer or not; 0 for anything else.
  [[nodiscard]] double number() const;
  /// The member of a table with this key, or nullptr.
  [[nodiscard]] const Entry* find(std::string_view key) const;
};

/// A key of a table and its value.
struct Entry {
  std::string key;
  Position position;  ///< of the key
  Value value;
};

/// A whole study as written.
struct Document {
  Value root;                        ///< a table
  std::vector<std::string> sources;  ///< the file, then "--set key" for each override
  std::string text = {};             ///< of the file

  /// The place that errors name.
  [[nodiscard]] Place place(const Position& position) const;
};

/// What a value is, in words: "a text", "a number", "a table", ...
[[nodiscard]] std::string kind_name(const Value& value);

}  // namespace alembert::study
