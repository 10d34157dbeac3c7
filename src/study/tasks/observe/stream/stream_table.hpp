#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alembert/io/row_reader.hpp"
#include "alembert/study/observe.hpp"

namespace alembert::study {

/// Rows of readings that come one by one as text (io::RowReader), in the units of the sensors.
class StreamTable {
 public:
  using Line = io::RowReader::Line;

  /// @param study gives the columns to look for and takes their units and factors.
  explicit StreamTable(ObserveStudy& study);

  /// Takes a line without its end. @throws DataError naming line and column for what cannot be
  /// read, columns that are not there and times that do not rise.
  Line take(std::string_view line);

  /// Of the last row.
  [[nodiscard]] double time() const { return reader_.time(); }
  [[nodiscard]] const std::vector<double>& readings() const { return readings_; }  ///< NaN: none
  /// The names of the columns have been read.
  [[nodiscard]] bool begun() const { return begun_; }
  /// Rows so far.
  [[nodiscard]] std::size_t rows() const { return reader_.rows(); }
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  void find_factors();

  ObserveStudy& study_;
  io::RowReader reader_;
  std::vector<double> readings_;
  bool begun_ = false;
};

}  // namespace alembert::study
