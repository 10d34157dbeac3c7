#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/study/observe.hpp"
#include "io/csv/cell.hpp"
#include "io/csv/layout.hpp"

namespace alembert::study {

/// Rows of readings that come one by one as text, understood as those of a CSV file: names, units,
/// comments, quotes, missing cells and numbers.
///
/// What a file shows in its first lines a stream must find in one. The separator is the first of
/// semicolon, tab, comma and blanks that gives the header all columns that are looked for; a header
/// with another separator may stand over rows with blanks. The decimal mark is the first that
/// stands in a number.
class StreamTable {
 public:
  /// What a line was.
  enum class Line { Blank, Names, Units, Row };

  /// @param study gives the columns to look for and takes their units and factors.
  explicit StreamTable(ObserveStudy& study);

  /// Takes a line without its end. @throws DataError naming line and column for what cannot be
  /// read, columns that are not there and times that do not rise.
  Line take(std::string_view line);

  /// Of the last row.
  [[nodiscard]] double time() const { return time_; }
  [[nodiscard]] const std::vector<double>& readings() const { return readings_; }  ///< NaN: none
  /// Rows so far.
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[noreturn]] void fail(const std::string& reason, std::size_t column = 0) const;

 private:
  void read_header(std::string_view line);
  [[nodiscard]] bool has_all_columns(const io::csv::Layout& layout) const;
  [[nodiscard]] std::size_t column_named(const std::string& name, const std::string& key) const;
  void find_columns();
  void find_time();
  void find_sensors();
  [[nodiscard]] bool is_units(std::string_view line) const;
  void choose_blanks(std::string_view row);
  void settle_mark(std::string_view text);
  [[nodiscard]] double number(std::string_view line, const io::csv::Cell& cell);
  [[noreturn]] void fail_cell(std::string_view line, const io::csv::Cell& cell,
                              io::csv::CellKind kind) const;
  [[nodiscard]] double next_time(std::string_view line);
  void check_cells() const;
  void take_row(std::string_view line);

  ObserveStudy& study_;
  std::size_t line_ = 0, rows_ = 0;
  bool begun_ = false;
  io::csv::Layout layout_;
  bool mark_known_ = false;           // a number with a decimal mark has been seen
  std::vector<io::csv::Cell> cells_;  // of the line at work
  std::optional<std::size_t> time_at_;
  double time_seconds_ = 1.0;  // in the unit of the times
  std::vector<std::size_t> sensor_at_;
  std::vector<double> readings_;
  double time_ = 0.0;
};

}  // namespace alembert::study
