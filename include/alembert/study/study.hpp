#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/signal/record.hpp"
#include "alembert/study/detail/problem.hpp"
#include "alembert/study/detail/toml.hpp"
#include "alembert/study/task.hpp"

/// Reading and checking a whole study.
namespace alembert::study {

/// How to read a study.
struct LoadOptions {
  std::vector<Override> overrides = {};  ///< applied in this order
  /// Then the seed of [monte-carlo], or without it of [simulate], or of an [identify] that draws.
  std::optional<long long> seed = {};
  bool read_files = true;  ///< false: check only what needs no other file
  /// Bytes that the numbers of a file may take, before the study's data.memory; 0: that, or half of
  /// the machine's memory.
  std::uintmax_t memory = 0;
  /// Records that are not on disk, by the names that the study gives its files, without folder:
  /// found before files. So a study can be one of arrays.
  std::map<std::string, signal::Records> records = {};
  bool stream = false;  ///< [observe] whose readings come later: data.file is not looked at
};

/// A study that was read: its task, or the problems that prevent it.
struct LoadedStudy {
  std::string task;  ///< table of the task, "simulate", ...; "" if even that is unknown
  std::unique_ptr<TaskStudy> study;          ///< set if there are no problems and files were read
  std::vector<Problem> problems;             ///< first those of single keys, then of the whole
  Place place;                               ///< of the task's table: for what only a run shows
  std::vector<std::filesystem::path> files;  ///< that were read, the study among them
  std::string author;                        ///< of the study, for the report; "" if not given
  std::string customer;                      ///< for whom it was made; "" if not given

  /// The study of one task as its own struct, such as SimulateStudy; nullptr if it is another's or
  /// there are problems.
  template <typename Study>
  [[nodiscard]] const Study* as() const {
    const auto* held = dynamic_cast<const StudyOf<Study>*>(study.get());
    return held == nullptr ? nullptr : &held->study;
  }
  template <typename Study>
  [[nodiscard]] Study* as() {
    return const_cast<Study*>(std::as_const(*this).template as<Study>());
  }
};

/// What traces the results of a study back; names of files are below `folder`.
[[nodiscard]] StudyTrace trace_of(const LoadedStudy& loaded, const std::filesystem::path& folder);

/// The place of an error, or that of the study's task where it names the whole study only.
[[nodiscard]] Place known_place(const Place& place, const LoadedStudy& loaded);

/// Reads and checks a study; broken rules are returned, not thrown.
[[nodiscard]] LoadedStudy load_study(const std::filesystem::path& file,
                                     const LoadOptions& options = {});
/// The same for a text in memory; other files are sought beside `file`.
[[nodiscard]] LoadedStudy load_study_text(const std::string& text,
                                          const std::filesystem::path& file,
                                          const LoadOptions& options = {});

/// Checks all that needs no other file. @throws StudyError or DataError with the first problem.
void check_text(const std::string& text, const std::filesystem::path& file);

}  // namespace alembert::study
