#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/study/detail/keys.hpp"
#include "alembert/study/detail/template.hpp"

namespace alembert::study {

/// Writes a commented study: every key of a table with its help, the ones in use as they are, the
/// others as comments.
class TemplateWriter {
 public:
  /// Keys that the task does not take are left out.
  explicit TemplateWriter(std::string task) : task_(std::move(task)) {}

  using Assignments = std::vector<std::pair<std::string, std::string>>;  ///< key, TOML text

  /// A line of comment, wrapped.
  void comment(const std::string& text);
  void blank() { text_ += '\n'; }
  /// The keys of a table, with a heading unless it is the root. Tables inside it that are not
  /// assigned are left out.
  void table(const TableSpec& table, const Assignments& used);
  /// The heading and help of a table with names of the user's choice, and these names.
  void named(const TableSpec& table, const Assignments& used);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void heading(const TableSpec& table);
  void assignment(const std::string& name, const std::string& value, const std::string& help);
  void unused(const KeySpec& key);

  std::string task_;
  std::string text_;
};

/// The keys of [data] that say which file it is; "record.csv" without data.
/// @param even the task needs an even step: uneven times are taken for even, or made so.
[[nodiscard]] TemplateWriter::Assignments file_assignments(const std::optional<TemplateData>& data,
                                                           bool even = true);

}  // namespace alembert::study
