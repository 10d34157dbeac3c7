#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace alembert::document {

/// A table of text, of numbers, or of both: a row shows its text cells, then its numbers.
///
/// Text is shown as it is; columns of numbers, in text or not, are aligned at the decimal point.
struct Table {
  std::string id;  ///< unique in the document, used for links and file names
  std::string title;
  std::vector<std::string> header;                  ///< units in brackets, "frequency [Hz]"
  std::vector<std::vector<std::string>> rows = {};  ///< text cells
  /// Numbers behind the text cells, rows x the last columns; NaN leaves a cell empty. No entry: the
  /// table is all text.
  Eigen::MatrixXd values = {};
  std::string caption = {};
  int status_column = -1;  ///< the column with "ok" or "not ok", shown as a mark; -1: none
};

/// All cells as text: those of `rows`, then the numbers with four significant digits.
/// @throws InvalidInput if there are numbers, and not a row of them for each row of text.
[[nodiscard]] std::vector<std::vector<std::string>> text_cells(const Table& table);

/// The headings of the columns of numbers: the last ones. @throws InvalidInput if there are fewer.
[[nodiscard]] std::vector<std::string> number_headings(const Table& table);

}  // namespace alembert::document
