#include <fmt/format.h>

#include <cmath>

#include "alembert/core/text.hpp"
#include "study/tasks/identify/identify_steps.hpp"

namespace alembert::study {
namespace {

constexpr double kPoorCondition = 1e6;     // of the scaled sensitivities
constexpr double kPoorlyKnown = 0.5;       // relative standard deviation of a matrix
constexpr double kWorsePrediction = 1.25;  // held-back residual over noise
constexpr std::size_t kMostNames = 6;

std::string listed_names(std::vector<std::string> names) {
  if (names.size() > kMostNames) {
    const std::size_t more = names.size() - kMostNames;
    names.resize(kMostNames);
    names.push_back(fmt::format("{} more", more));
  }
  return join(names, ", ");
}

std::vector<std::string> names_of_coloured(const IdentifyResult& result) {
  std::vector<std::string> names;
  for (const std::size_t i : identify::coloured_outputs(result.outputs)) {
    names.push_back(result.study.outputs[i].column.name);
  }
  return names;
}

void warn_about_fit(IdentifyResult& result) {
  const std::vector<std::string> coloured = names_of_coloured(result);
  if (!coloured.empty()) {
    const bool known = result.deviations.M.size() > 0;
    result.warnings.push_back(fmt::format(
        "the residuals of {} are not white: the noise is coloured, or the model misses something{}",
        listed_names(coloured),
        known ? "; the true uncertainty may be larger than the standard deviations say" : ""));
  }
  if (!result.validation) return;
  std::vector<std::string> worse;
  for (std::size_t i = 0; i < result.validation->outputs.size(); ++i) {
    const double noise = result.refinement.noise(static_cast<Eigen::Index>(i));
    if (result.validation->outputs[i].rms > kWorsePrediction * noise) {
      worse.push_back(fmt::format("{} ({:.2g} x)", result.study.outputs[i].column.name,
                                  result.validation->outputs[i].rms / noise));
    }
  }
  if (worse.empty()) return;
  result.warnings.push_back(
      fmt::format("held-back data are predicted worse than the data used, residual over noise: {}",
                  listed_names(worse)));
}

void warn_about_knowledge(IdentifyResult& result) {
  const identify::Refinement& refinement = result.refinement;
  if (refinement.positive_enforced) {
    result.warnings.push_back(
        "D or K came out indefinite and was moved to the nearest fit that is not; the standard "
        "deviations are those of the free matrices");
  }
  if (refinement.condition > kPoorCondition) {
    result.warnings.push_back(fmt::format(
        "the data hardly tell some unknowns apart: condition {:.1e} of the sensitivities",
        refinement.condition));
  }
  if (!result.expected_error) return;
  const char* const names[] = {"M", "D", "K"};
  for (Eigen::Index i = 0; i < 3; ++i) {
    const double share = (*result.expected_error)(i);
    if (share <= kPoorlyKnown) continue;
    result.warnings.push_back(
        fmt::format("{} is known to {:.0f} % only; record longer, excite more or add sensors",
                    names[i], 100.0 * share));
  }
}

void warn_about_modes(IdentifyResult& result) {
  const double nyquist = 0.5 / result.study.step();
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    if (result.modes[i].frequency <= nyquist) continue;
    result.warnings.push_back(
        fmt::format("mode {} at {:.4g} Hz lies above half the sampling rate, {:.4g} Hz", i + 1,
                    result.modes[i].frequency, nyquist));
    return;
  }
}

}  // namespace

void warn_about_result(IdentifyResult& result) {
  if (!result.has_system()) return;
  warn_about_fit(result);
  warn_about_knowledge(result);
  warn_about_modes(result);
}

std::string refine_words(const identify::RefineOptions& options) {
  switch (options.method) {
    case integrate::Method::Variational:
      return "midpoint";
    case integrate::Method::Gauss:
      return fmt::format("gauss, {} stages, {} hold", options.gauss_stages, name_of(options.hold));
    default:
      return fmt::format("exact, {} hold", name_of(options.hold));
  }
}

}  // namespace alembert::study
