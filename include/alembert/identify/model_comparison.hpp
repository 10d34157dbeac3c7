#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alembert/identify/output_error.hpp"

/// Several models of the same records, of which some contain others: a model that contains another
/// one can do all that the other does, so that its optimum is never worse.
namespace alembert::identify {

/// A candidate of the same comparison that comes before, and what makes the larger model equal to
/// it: the values of the parameters that the smaller one does not have. Parameters of the same name
/// keep their value; others may be given by the name of one of the smaller model.
struct SmallerModel {
  std::size_t index = 0;
  std::vector<std::pair<std::string, double>> values = {};
  std::vector<std::pair<std::string, std::string>> same_as = {};  ///< larger's name, smaller's name
  /// Whether the larger one equals it there. false: it comes near, which makes a good start.
  bool exact = true;
};

struct ModelCandidate {
  std::string name;
  const model::CompiledEquations* equations = nullptr;  ///< must outlive the comparison
  std::vector<optimize::Parameter> parameters;
  std::vector<SmallerModel> inside = {};
};

/// A candidate that was fitted.
struct ComparedModel {
  OutputErrorResult fit;
  /// The smaller candidate from whose optimum the best search began; none: the candidate's guesses.
  std::optional<std::size_t> from = {};
  double misfit = 0.0;  ///< geometric mean over the outputs of the rms of their residuals
  /// Misfit over the least of the smaller candidates that it contains; at most 1 but for rounding.
  /// 1 without any.
  double over_smaller = 1.0;
};

/// Fits all candidates in their order: each from its guesses and from the optimum of every smaller
/// one, and keeps the best. A search never ends above its start, so that a larger model fits at
/// least as well.
/// @throws InvalidInput if a smaller candidate does not come before, if a parameter of the larger
/// one has no value there, or as output_error() does.
[[nodiscard]] std::vector<ComparedModel> compare_models(
    const std::vector<ModelCandidate>& candidates, const Experiments& data,
    const OutputErrorOptions& options = {});

/// True if no candidate fits worse than one that it contains: misfits differ by at most this part.
[[nodiscard]] bool nested_in_order(const std::vector<ComparedModel>& models,
                                   double tolerance = 1e-6);

}  // namespace alembert::identify
