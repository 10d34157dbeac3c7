#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "alembert/study/identify.hpp"

/// The steps of [identify], each usable alone by the comparison of methods.
namespace alembert::study {

/// Seconds since its making.
class StepClock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// A start; partial sensing refines on its way and may leave nothing to do.
struct FoundStart {
  StartEstimate estimate;
  std::optional<identify::Refinement> refinement;  ///< of all outputs and free matrices
};

/// Finds the first estimate by a method that suits the study.
/// @throws InvalidInput as the methods do.
[[nodiscard]] FoundStart find_start(const IdentifyStudy& study, StartMethod method,
                                    const RunOptions& options);

/// Refines from matrices with the study's problem and data.
[[nodiscard]] identify::Refinement refined(const IdentifyStudy& study,
                                           const identify::Matrices& start,
                                           const identify::RefineOptions& options);

/// Whether all three matrices are there and finite.
[[nodiscard]] bool usable(const identify::Matrices& matrices);

/// Relative differences |X - R|/|R| of M, D and K in the Frobenius norm.
[[nodiscard]] Eigen::Vector3d relative_differences(const identify::Matrices& matrices,
                                                   const identify::Matrices& reference);

using identify::matrices_of;

/// Runs the methods of settings.compare and fills result.comparison, the main method first.
void compare_methods(const RunOptions& options, IdentifyResult& result);

/// Adds what may surprise to result.warnings.
void warn_about_result(IdentifyResult& result);

/// The method of the refinement in words: "exact, cubic hold".
[[nodiscard]] std::string refine_words(const identify::RefineOptions& options);

}  // namespace alembert::study
