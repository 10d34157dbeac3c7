#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <string_view>

#include "alembert/io/table.hpp"
#include "alembert/signal/record.hpp"

/// Records and matrices as text tables: .csv .txt .dat .tsv.
///
/// A table is, in this order: comment lines, lines that a logger writes before the header (only
/// above a header with a name for each column), an optional header line with names and units
/// (`F1 [N]`, `F1 (N)`, or a second line of units), and lines of numbers. Comment lines and blank
/// lines (also one of Ctrl-Z, the end mark of old systems) may stand anywhere. Separator and
/// decimal mark are found from the first lines. A cell that is empty or holds `nan`, `NA` or `-` is
/// a missing sample.
namespace alembert::io {

/// Whether the first line that is no comment holds the names.
enum class CsvHeader {
  Auto,     ///< yes if its first cell, or half of its cells or more, is not a number
  Present,  ///< yes
  Absent    ///< no: the channels are named c1, c2, ...
};

/// How a text table is written, where it is not to be found out from the file.
struct CsvOptions {
  char separator = '\0';     ///< ',' ';' '\t' or ' ' (any run of blanks and tabs); 0: find out
  char decimal_mark = '\0';  ///< '.' or ','; 0: find out
  CsvHeader header = CsvHeader::Auto;
  std::string comment = {};  ///< what a comment line begins with; "": any of # % //
  int threads = 0;           ///< threads that parse; 0: all cores. The result is the same for any.
};

/// Reads a text table as a record.
///
/// The file is read twice in blocks and never held as a whole: first to count its rows, then to
/// parse them into their final place. Standard input, by the name `-`, is held as text.
/// Only the channels asked for are parsed and stored; the time column is no channel unless asked
/// for by name. A comment line `# step = 0.005 s, start = 0 s` before the data, as write_csv makes
/// it with CsvNotes::Exact, gives the time axis; a time column beside it must agree with it.
/// @throws DataError with file, line, column and reason.
/// @throws InvalidInput if an option is not allowed.
[[nodiscard]] signal::Record read_csv(const std::filesystem::path& file,
                                      const ReadOptions& options = {}, const CsvOptions& csv = {});

/// Reads a text table from memory; `name` stands for the file in messages. @throws as read_csv
[[nodiscard]] signal::Record read_csv_text(std::string_view text, const ReadOptions& options = {},
                                           const CsvOptions& csv = {},
                                           const std::string& name = "text");

/// Reads a text table without header and without missing cells as a matrix. @throws as read_csv
[[nodiscard]] Eigen::MatrixXd read_csv_matrix(const std::filesystem::path& file,
                                              const CsvOptions& csv = {},
                                              const ReadLimits& limits = {});

/// Whether comment lines stand above a table that is written.
enum class CsvNotes {
  None,  ///< no: names with units and numbers alone, as NumPy and pandas read them without options
  Exact  ///< title, step and what a header cell cannot say: the same record comes back, bit for bit
};

/// Writes a record as a text table.
///
/// A header `name [unit]`, the time in the first column, then the channels, comma-separated, each
/// number in the fewest digits that read back as the same double; missing samples are empty cells.
/// numpy.genfromtxt(file, delimiter=",", names=True) and pandas.read_csv(file) take it as it is.
/// Titles and descriptions are left out, and a step is what the times say: a plain decimal or the
/// reciprocal of one comes back as the same double. CsvNotes::Exact keeps all in comment lines.
/// The file appears under its name only when it is complete.
/// @throws DataError if the file cannot be written.
void write_csv(const std::filesystem::path& file, const signal::Record& record,
               CsvNotes notes = CsvNotes::None);

/// The text that write_csv would write.
[[nodiscard]] std::string format_csv(const signal::Record& record, CsvNotes notes = CsvNotes::None);

/// Writes a matrix as comma-separated lines without header. @throws DataError
void write_csv_matrix(const std::filesystem::path& file,
                      const Eigen::Ref<const Eigen::MatrixXd>& matrix);

}  // namespace alembert::io
