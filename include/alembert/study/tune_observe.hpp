#pragma once

#include <filesystem>
#include <string>

#include "alembert/document/result_tree.hpp"
#include "alembert/estimate/observe/tune_observer.hpp"
#include "alembert/study/observe.hpp"

/// Noise levels for a study with the task [observe], from its record.
namespace alembert::study {

/// Levels that were found, and the study whose record told them.
struct ObserveTuning : estimate::ObserverTuning {
  ObserveStudy study;
  double seconds = 0.0;  ///< that it took
};

/// Finds the levels of greatest likelihood, whatever the study gives, and the best ones where it
/// has [data.truth]. @param sigmas those of the sensors too.
/// @throws StudyError if the observer cannot use what the study asks for, or for the input form.
[[nodiscard]] ObserveTuning tune_observe(const ObserveStudy& study, bool sigmas = false,
                                         const RunOptions& options = {});

/// The lines of the study that give these levels; tables that a study has are to be merged.
[[nodiscard]] std::string tuned_lines(const ObserveTuning& tuning);

/// The same as arguments of the tool: `--set observe.density=[165.2]`.
[[nodiscard]] std::string tuned_arguments(const ObserveTuning& tuning);

/// All of it, for files and tables.
[[nodiscard]] document::ResultTree describe(const ObserveTuning& tuning);

/// Writes result.json into an existing folder. @throws DataError if that fails.
void write_tuning(const ObserveTuning& tuning, const std::filesystem::path& folder);

/// What the tool prints.
[[nodiscard]] std::string tuning_console(const ObserveTuning& tuning);

}  // namespace alembert::study
