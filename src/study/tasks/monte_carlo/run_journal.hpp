#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "alembert/core/distributed.hpp"

namespace alembert::study {

/// What the lines of a journal are bound to.
struct JournalSeal {
  std::string fingerprint;  ///< of the study and the version of the program
  std::string key;          ///< secret of the user
};

/// What was found in journals.
struct JournalContent {
  std::map<std::size_t, Eigen::RowVectorXd> runs;  ///< by index
  /// Lines that were not used: damaged, of another study or version, or not sealed by this user.
  std::size_t passed_over = 0;
};

/// Finished runs on disk, so that work that was interrupted goes on where it stopped.
///
/// A line for each run: fingerprint of the study, index of the run, its numbers, a seal. Lines are
/// only ever appended. One that is torn, damaged, of another study or sealed by somebody else is
/// passed over, and does no harm to the others. The seal is a hash of the line and the form of
/// results with a key that the user alone can read: who writes a study cannot write runs for it.
/// The first process of a job writes to `file`, process r to `file-r`; all are read by all.
///
/// Only regular files of the user under a single name are read or written; links are not followed.
class RunJournal {
 public:
  /// Reads what is there, then opens for appending. An empty name: nothing is read or written.
  /// @throws DataError if the file cannot be opened, is no journal or another process has it.
  RunJournal(std::filesystem::path file, JournalSeal seal, const Machines& machines);
  ~RunJournal();
  RunJournal(const RunJournal&) = delete;
  RunJournal& operator=(const RunJournal&) = delete;

  /// The runs that were finished before, by index.
  [[nodiscard]] const std::map<std::size_t, Eigen::RowVectorXd>& finished() const {
    return content_.runs;
  }
  [[nodiscard]] std::size_t passed_over() const noexcept { return content_.passed_over; }
  /// Adds a run; may be called from several threads. @throws DataError if that fails.
  void append(std::size_t index, const Eigen::RowVectorXd& numbers);

 private:
  std::filesystem::path file_;
  JournalSeal seal_;
  JournalContent content_;
  std::mutex mutex_;
  int descriptor_ = -1;
};

/// The first line of every journal.
inline constexpr std::string_view kJournalHead = "alembert-journal-2";

/// One line of the journal, with its line end.
[[nodiscard]] std::string journal_line(const JournalSeal& seal, std::size_t index,
                                       const Eigen::RowVectorXd& numbers);
/// Adds the run of a line, if it is intact and sealed alike; counts it as passed over if not.
void read_journal_line(std::string_view line, const JournalSeal& seal, JournalContent& content);

}  // namespace alembert::study
