#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "alembert/document/words.hpp"

/// A result described once: result.json, the terminal and the tables of a report are written from
/// the same tree.
namespace alembert::document {

/// A value with what is to be known of it, or a group of named ones, or a list.
///
/// The tree is filled from its root: references that group(), list() and item() return hold until
/// the next entry is added beside them.
class ResultTree {
 public:
  enum class Kind { Null, Boolean, Integer, Count, Number, Text, Group, List };

  ResultTree() = default;  ///< null
  explicit ResultTree(bool value) : value_(value) {}
  explicit ResultTree(std::int64_t value) : value_(value) {}
  explicit ResultTree(std::uint64_t value) : value_(value) {}
  explicit ResultTree(int value) : value_(std::int64_t{value}) {}
  explicit ResultTree(double value) : value_(value) {}  ///< null in files if it is not finite
  explicit ResultTree(std::string text) : value_(std::move(text)) {}
  explicit ResultTree(std::string_view text) : value_(std::string(text)) {}
  explicit ResultTree(const char* text) : value_(std::string(text)) {}
  explicit ResultTree(const std::vector<std::string>& texts);
  explicit ResultTree(const std::vector<double>& numbers);
  explicit ResultTree(const Eigen::VectorXd& numbers);  ///< a list
  explicit ResultTree(const Eigen::MatrixXd& rows);     ///< a list of lists

  [[nodiscard]] static ResultTree empty_group();
  [[nodiscard]] static ResultTree empty_list();

  /// Adds an entry of a group, which a null becomes. Returns the entry.
  template <typename Value>
  ResultTree& add(const std::string& key, const Value& value) {
    return insert(key, ResultTree(value));
  }
  ResultTree& group(const std::string& key) { return insert(key, empty_group()); }
  ResultTree& list(const std::string& key) { return insert(key, empty_list()); }
  ResultTree& insert(const std::string& key, ResultTree entry);
  /// Adds an item to a list. Returns the item.
  ResultTree& item(ResultTree entry = empty_group());

  /// What tables call it: "frequency", with the unit "Hz".
  ResultTree& named(std::string label, std::string unit = {});
  /// The value as readers know it, where that is not the number itself.
  ResultTree& in_words(std::string words);
  /// For tables alone: result.json does not have it.
  ResultTree& not_in_file();

  [[nodiscard]] Kind kind() const { return static_cast<Kind>(value_.index()); }
  [[nodiscard]] bool is_null() const { return kind() == Kind::Null; }
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& label() const { return label_.empty() ? key_ : label_; }
  [[nodiscard]] const std::string& unit() const { return unit_; }
  [[nodiscard]] const std::string& words() const { return words_; }
  [[nodiscard]] bool in_file() const { return in_file_; }

  [[nodiscard]] bool boolean() const { return std::get<bool>(value_); }
  [[nodiscard]] std::int64_t integer() const { return std::get<std::int64_t>(value_); }
  [[nodiscard]] std::uint64_t count() const { return std::get<std::uint64_t>(value_); }
  [[nodiscard]] const std::string& text() const { return std::get<std::string>(value_); }
  /// Any kind of number as double; NaN for what is none.
  [[nodiscard]] double number() const;
  /// Entries of a group or items of a list; none for a single value.
  [[nodiscard]] const std::vector<ResultTree>& entries() const&;
  const std::vector<ResultTree>& entries() && = delete;  // parts of a tree that is gone
  /// The entry below a path such as "errors/mass/median" or "values/0", which counts the items of
  /// a list; nullptr if there is none.
  [[nodiscard]] const ResultTree* find(std::string_view path) const&;
  const ResultTree* find(std::string_view path) && = delete;
  /// The entry below a path. @throws InvalidInput if there is none.
  [[nodiscard]] const ResultTree& at(std::string_view path) const&;
  const ResultTree& at(std::string_view path) && = delete;
  [[nodiscard]] double number(std::string_view path) const { return at(path).number(); }
  [[nodiscard]] const std::string& text(std::string_view path) const { return at(path).text(); }

 private:
  struct Group {
    std::vector<ResultTree> entries;
  };
  struct List {
    std::vector<ResultTree> entries;
  };

  std::string key_, label_, unit_, words_;
  bool in_file_ = true;
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Group, List>
      value_;
};

/// How a number is written with so many digits.
using NumberText = std::string (*)(double value, int digits);

/// How a value is written together with its standard deviation.
using DeviationText = std::string (*)(double value, double deviation);

/// How a whole number is written.
using CountText = std::string (*)(long long value);

/// A column of a table whose rows are the items of a list.
struct ResultColumn {
  std::string path;          ///< of the value inside a row
  std::string heading = {};  ///< "": label and unit of the value
  int digits = 4;            ///< that count
  double factor = 1.0;       ///< 100 for a share in per cent
  /// Bounds shown behind the value, "1.23 (0.8–1.9)", with `band_digits`; "": none.
  std::string lower = {}, upper = {};
  int band_digits = 2;
  /// The standard deviation shown behind the value and how both are written; "": none.
  std::string deviation = {};
  DeviationText deviation_text = with_deviation;
  NumberText number_text = nullptr;  ///< in place of the table's: a fixed count of decimals
  CountText count_text = nullptr;    ///< of whole numbers, in place of plain digits
  std::string unknown = "-";         ///< for a number that is not finite; "": as written
  std::string missing = "-";         ///< for null, and where a row has no such value
};

/// The cells of a table: words where a value has them, `missing` for what is not there.
[[nodiscard]] std::vector<std::vector<std::string>> cells_of(
    const ResultTree& rows, const std::vector<ResultColumn>& columns, NumberText number_text);

/// The cell of one column.
[[nodiscard]] std::string cell_of(const ResultTree& row, const ResultColumn& column,
                                  NumberText number_text);

/// The headings: as given, else "label [unit]" of the first row.
[[nodiscard]] std::vector<std::string> headings_of(const ResultTree& rows,
                                                   const std::vector<ResultColumn>& columns);

/// The shortest text with so many digits, "1e-05": for a terminal.
[[nodiscard]] std::string plain_number(double value, int digits);

}  // namespace alembert::document
