#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "alembert/core/distributed.hpp"

namespace alembert::study {

/// Finished runs on disk, so that work that was interrupted goes on where it stopped.
///
/// A line for each run: fingerprint of the study, index of the run, its numbers, a checksum. Lines
/// are only ever appended. One that is torn, damaged or of another study is passed over, and does
/// no harm to the others. The first process of a job writes to `file`, process r to `file-r`; all
/// are read by all.
class RunJournal {
 public:
  /// Reads what is there, then opens for appending. An empty name: nothing is read or written.
  /// @throws DataError if the file cannot be opened or another process has it.
  RunJournal(std::filesystem::path file, std::string fingerprint, const Machines& machines);
  ~RunJournal();
  RunJournal(const RunJournal&) = delete;
  RunJournal& operator=(const RunJournal&) = delete;

  /// The runs that were finished before, by index.
  [[nodiscard]] const std::map<std::size_t, Eigen::RowVectorXd>& finished() const {
    return finished_;
  }
  /// Adds a run; may be called from several threads. @throws DataError if that fails.
  void append(std::size_t index, const Eigen::RowVectorXd& numbers);

 private:
  std::filesystem::path file_;
  std::string fingerprint_;
  std::map<std::size_t, Eigen::RowVectorXd> finished_;
  std::mutex mutex_;
  int descriptor_ = -1;
};

/// One line of the journal, with its line end.
[[nodiscard]] std::string journal_line(const std::string& fingerprint, std::size_t index,
                                       const Eigen::RowVectorXd& numbers);
/// Adds the intact lines of this study in a text to the runs.
void read_journal(const std::string& text, const std::string& fingerprint,
                  std::map<std::size_t, Eigen::RowVectorXd>& runs);

}  // namespace alembert::study
