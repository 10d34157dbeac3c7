#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alembert/study/acceleration.hpp"
#include "alembert/study/detail/problem.hpp"
#include "alembert/study/detail/toml.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "alembert/study/observe.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/simulate.hpp"

/// Reading and checking a whole study.
namespace alembert::study {

/// How to read a study.
struct LoadOptions {
  std::vector<Override> overrides = {};  ///< applied in this order
  /// Then the seed of [monte-carlo], or without it of [simulate], or of an [identify] that draws.
  std::optional<long long> seed = {};
  bool read_files = true;  ///< false: check only what needs no other file
  bool stream = false;     ///< [observe] whose readings come later: data.file is not looked at
};

/// A study that was read: the task's own struct, or the problems that prevent it.
struct LoadedStudy {
  std::string task;                       ///< "simulate", ...; "" if even that is unknown
  std::optional<SimulateStudy> simulate;  ///< set if there are no problems and files were read
  std::optional<IdentifyStudy> identify;  ///< the same for its task
  std::optional<OutputErrorStudy> output_error;   ///< [identify] of a model given as equations
  std::optional<AccelerationStudy> acceleration;  ///< [identify] with method = "acceleration"
  std::optional<MonteCarloStudy> monte_carlo;
  std::optional<ObserveStudy> observe;
  std::vector<Problem> problems;  ///< first those of single keys, then of the whole
};

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
