#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/study/observe.hpp"

namespace alembert::study {

/// Rows of readings that come one by one as text: names, units and numbers as in a CSV file.
///
/// The separator is the first of tab, semicolon and comma that stands in the header. After a tab or
/// semicolon a comma in a number is a decimal one. A second line of units is understood.
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
  void find_columns(const std::string& text);
  void find_time();
  void find_sensors();
  [[nodiscard]] bool is_units(const std::vector<std::string_view>& cells) const;
  [[nodiscard]] double number(std::string_view line, std::string_view cell) const;
  [[nodiscard]] double next_time(std::string_view line,
                                 const std::vector<std::string_view>& cells) const;
  void take_row(std::string_view line, const std::vector<std::string_view>& cells);

  ObserveStudy& study_;
  std::size_t line_ = 0, rows_ = 0;
  char separator_ = ',';
  bool begun_ = false;
  std::string names_;
  std::vector<signal::Channel> columns_;
  std::optional<std::size_t> time_at_;
  double time_factor_ = 1.0;
  std::vector<std::size_t> sensor_at_;
  std::vector<double> readings_;
  double time_ = 0.0;
};

}  // namespace alembert::study
