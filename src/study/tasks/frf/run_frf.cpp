#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/responses/frf.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using signal::FrfResult;

constexpr double kLowCoherence = 0.8;
constexpr double kMostLow = 0.5;  // share of the lines

template <typename Item>
std::vector<Item> picked(const std::vector<Item>& all, const std::vector<Index>& lines) {
  std::vector<Item> kept;
  for (const Index k : lines) kept.push_back(all[static_cast<std::size_t>(k)]);
  return kept;
}

// The lines of the band.
FrfResult banded(FrfResult all, const FrfSettings& settings) {
  std::vector<Index> lines;
  for (Index k = 0; k < all.frequencies_hz.size(); ++k) {
    const double f = all.frequencies_hz(k);
    if (f >= settings.from_hz && f <= settings.to_hz) lines.push_back(k);
  }
  if (lines.empty()) {
    throw InvalidInput(
        {.function = "estimate_frf",
         .argument = "from and to",
         .rule = fmt::format(
             "must hold a line; they are {:.4g} Hz apart",
             all.frequencies_hz.size() > 1 ? all.frequencies_hz(1) - all.frequencies_hz(0) : 0.0)});
  }
  FrfResult part = all;
  part.frequencies_hz = all.frequencies_hz(lines);
  part.response = picked(all.response, lines);
  part.ordinary_coherence = picked(all.ordinary_coherence, lines);
  part.magnitude_deviation = picked(all.magnitude_deviation, lines);
  part.phase_deviation = picked(all.phase_deviation, lines);
  part.multiple_coherence = all.multiple_coherence(lines, Eigen::all);
  part.input_condition = all.input_condition(lines);
  part.singular_lines.clear();
  for (const Index k : all.singular_lines) {
    const auto place = std::find(lines.begin(), lines.end(), k);
    if (place != lines.end()) part.singular_lines.push_back(place - lines.begin());
  }
  if (part.singular_lines.empty()) part.warning.clear();
  return part;
}

FrfResult estimated_frf(const FrfStudy& study) {
  const FrfSettings& settings = study.settings;
  if (settings.average == FrfAverage::Local) {
    return signal::estimate_local_frf(study.experiments, study.step, settings.local);
  }
  signal::FrfOptions options = settings.averaged;
  if (settings.average != FrfAverage::Periods) options.period_samples = 0;
  return banded(signal::estimate_frf(study.experiments, study.step, options), settings);
}

// Responses whose coherence is low over most of the band.
void judge_coherence(const FrfStudy& study, const FrfResult& found, Evidence& evidence) {
  const Eigen::MatrixXd& coherence = found.multiple_coherence;
  for (Index o = 0; o < coherence.cols(); ++o) {
    const auto low = static_cast<double>((coherence.col(o).array() < kLowCoherence).count());
    const auto share = low / static_cast<double>(coherence.rows());
    if (share <= kMostLow) continue;
    evidence.add(
        TrustLevel::Caution,
        fmt::format("the coherence of {} is below {} at {:.0f} % of the lines",
                    study.outputs[static_cast<std::size_t>(o)].name, kLowCoherence, 100.0 * share),
        "drive harder, measure longer, or take longer segments if peaks are narrow");
  }
}

}  // namespace

FrfOutcome run_frf(FrfStudy study, const RunOptions& /*options*/) {
  FrfOutcome result;
  try {
    result.found = estimated_frf(study);
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "identify: " + error.reason());
  }
  result.status = result.found.status;
  result.message = result.found.message;
  Evidence evidence;
  evidence.add(result);
  if (!result.found.warning.empty()) {
    result.warnings.push_back(result.found.warning);
    evidence.add(TrustLevel::Caution, result.found.warning,
                 "take the band where all inputs drive the structure");
  }
  judge_coherence(study, result.found, evidence);
  result.verdict = evidence.verdict();
  result.study = std::move(study);
  return result;
}

}  // namespace alembert::study
