#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace alembert::io {

/// Which columns a RowReader takes, and what its messages say.
struct RowReaderOptions {
  std::vector<std::string> columns = {};  ///< names of the columns to read
  std::string time = {};                  ///< name of the column of the times; "": see step
  /// Without a column of times: > 0, rows are this far apart, in s, from 0 on; 0, the first column
  /// must have the name of a time.
  double step = 0.0;
  std::string source = "standard input";  ///< where the lines come from
  std::string time_key = "time";          ///< what the caller's users know `time` as
  std::string step_key = "step";          ///< the same of `step`
};

/// Rows of a text table that come one by one, understood as those of a CSV file (csv.hpp): names,
/// units, comments, quotes, missing cells and numbers.
///
/// What a file shows in its first lines a stream must find in one. The separator is the first of
/// semicolon, tab, comma and blanks that gives the header all columns that are looked for; a header
/// with another separator may stand over rows with blanks. The decimal mark is the first that
/// stands in a number.
class RowReader {
 public:
  /// What a line was.
  enum class Line { Blank, Names, Units, Row };

  explicit RowReader(RowReaderOptions options);
  ~RowReader();
  RowReader(RowReader&&) noexcept;
  RowReader& operator=(RowReader&&) noexcept;

  /// Takes a line without its end. @throws DataError naming line and column for what cannot be
  /// read, columns that are not there and times that do not rise.
  Line take(std::string_view line);

  /// Of the last row, in s.
  [[nodiscard]] double time() const;
  /// Of the last row, in the order of the options; NaN where a cell is empty.
  [[nodiscard]] const std::vector<double>& values() const;
  /// The unit of each column as the table has it, "" where it does not say.
  [[nodiscard]] const std::vector<std::string>& units() const;
  /// Rows and lines so far.
  [[nodiscard]] std::size_t rows() const;
  [[nodiscard]] std::size_t lines() const;

 private:
  class Content;
  std::unique_ptr<Content> content_;
};

}  // namespace alembert::io
