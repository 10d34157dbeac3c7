#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// Typed access to a table whose keys have been checked. Absent keys give their documented
/// default; an absent table behaves as an empty one.
class TableReader {
 public:
  /// The root of a document.
  TableReader(const Document& document, const TableSpec& root);

  [[nodiscard]] bool has(const std::string& key) const { return entry(key) != nullptr; }
  [[nodiscard]] double number(const std::string& key) const;
  [[nodiscard]] long long integer(const std::string& key) const;
  [[nodiscard]] bool boolean(const std::string& key) const;
  [[nodiscard]] std::string text(const std::string& key) const;
  [[nodiscard]] std::optional<double> optional_number(const std::string& key) const;
  [[nodiscard]] std::optional<std::string> optional_text(const std::string& key) const;
  [[nodiscard]] std::vector<double> numbers(const std::string& key) const;
  [[nodiscard]] Eigen::VectorXd vector(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& key) const;
  [[nodiscard]] Eigen::MatrixXd rows(const std::string& key) const;

  /// The one form that the value has; 0 when the key is absent.
  [[nodiscard]] unsigned form(const std::string& key) const;
  /// A table inside this one.
  [[nodiscard]] TableReader table(const std::string& key) const;
  /// The tables of a list, each named key[1], key[2], ...
  [[nodiscard]] std::vector<TableReader> tables(const std::string& key) const;
  /// The keys in the order of the file.
  [[nodiscard]] std::vector<std::string> keys() const;
  [[nodiscard]] const Value* value(const std::string& key) const;

  /// The dotted name of a key, "simulate.step".
  [[nodiscard]] std::string name(const std::string& key) const;
  /// The place of a key's value, of the table if the key is absent.
  [[nodiscard]] Place place(const std::string& key) const;
  /// The place of a key itself.
  [[nodiscard]] Place key_place(const std::string& key) const;
  /// The place of a character of a text, whose line and column are counted in that text.
  [[nodiscard]] Place place_in(const std::string& key, std::size_t line, std::size_t column) const;
  [[nodiscard]] Place place_of(const Position& position) const {
    return document_->place(position);
  }

  /// Throws a StudyError at the value: `name rule`, where rule reads on from the name.
  [[noreturn]] void fail(const std::string& key, const std::string& rule) const;
  /// Throws a StudyError at the key itself.
  [[noreturn]] void fail_at_key(const std::string& key, const std::string& message) const;

 private:
  TableReader(const Document& document, const TableSpec& spec, const Value* value, std::string path,
              Position position);
  [[nodiscard]] const Entry* entry(const std::string& key) const;
  /// The value, or the default.
  [[nodiscard]] Value value_or_default(const std::string& key) const;
  [[nodiscard]] std::string todays_text(const std::string& key, const std::string& text) const;

  const Document* document_;
  const TableSpec* spec_;
  const Value* value_;  ///< nullptr for an absent table
  std::string path_;
  Position position_;
};

}  // namespace alembert::study
