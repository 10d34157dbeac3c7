#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "alembert/study/observe.hpp"

namespace alembert::study {

/// How a stream is read.
struct StreamOptions {
  bool skip_bad = false;  ///< rows that cannot be read are counted and left out
};

/// The task [observe] row by row: lines of a table of readings become lines of a table of
/// estimates, as they come.
///
/// Lines are read by the rules of CSV files. The first line that is neither blank nor a comment
/// holds the names of the columns, with units in brackets (`theta [deg]`) or in a second line;
/// semicolons, tabs, commas or blanks stand between cells. An empty cell, `nan`, `NA` or `-` is a
/// missing reading.
///
/// Estimates begin as those of a record: the first rows are gathered until every coordinate has
/// been read 64 times (or 1000 rows have passed since all were); once if the study gives the
/// velocities of the start.
class ObserveStream {
 public:
  /// @param study loaded with LoadOptions::stream. @throws StudyError if it needs a whole record.
  explicit ObserveStream(ObserveStudy study, const StreamOptions& options = {});
  ~ObserveStream();
  ObserveStream(ObserveStream&&) noexcept;
  ObserveStream& operator=(ObserveStream&&) noexcept;

  /// Takes a line without its end. Returns what is to be written, without a line end: the names of
  /// the estimates with the rows that were gathered, then one row for each row; "" for a blank
  /// line, a comment, or a row that is gathered. The text is valid until the next call.
  /// @throws DataError naming line and column for a line that cannot be read, times that do not
  ///   rise or columns that are not there; StudyError if the mechanism cannot be assembled there.
  [[nodiscard]] std::string_view take(std::string_view line);
  /// To be called after the last line: returns what is still to be written, as take().
  [[nodiscard]] std::string_view finish();

  /// Alarms of [observe.watch] that began or ended with the last take() or finish(), one line each
  /// with its end; "" without. The rows have them too, as columns `alarm_NAME` of 0 and 1. The text
  /// is valid until the next call.
  [[nodiscard]] std::string_view news() const;

  [[nodiscard]] std::size_t rows() const;      ///< of readings so far
  [[nodiscard]] std::size_t waiting() const;   ///< of these, without an estimate (so far)
  [[nodiscard]] std::size_t failed() const;    ///< of these, without an update or a prediction
  [[nodiscard]] std::size_t rejected() const;  ///< readings kept out by the gate
  [[nodiscard]] std::size_t widened() const;   ///< times that the gate was opened after that
  [[nodiscard]] std::size_t lost() const;      ///< readings that came too late
  [[nodiscard]] std::size_t skipped() const;   ///< rows that could not be read
  [[nodiscard]] const std::string& first_skipped() const;  ///< why, of the first of them
  /// On the estimates so far: LiveObserver::verdict(), and rows that were skipped.
  [[nodiscard]] Verdict verdict() const;

 private:
  struct State;

  std::unique_ptr<State> state_;
};

}  // namespace alembert::study
