#include "identify/acceleration/fit/acceleration_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "identify/acceleration/fit/acceleration_warnings.hpp"
#include "identify/verdict/fit_evidence.hpp"
#include "identify/verdict/residual_evidence.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Deviations for coloured over those for white residuals, from which on colour matters.
constexpr double kColourMatters = 1.5;
constexpr double kHardlyKnown = 0.5;  // relative standard deviation
// The second half of a record: as held-back data elsewhere, and a tenth of the motion for bad.
constexpr double kWorseHalf = 1.25;
constexpr double kOtherHalf = 3.0;
constexpr double kLargeHalf = 0.1;
// Change of a parameter from the largest to the smallest windows: a line through the windows whose
// slope is four of its deviations, with overlap counted, and a change that matters.
constexpr double kTrendSeen = 4.0;
constexpr double kTrendMatters = 0.05;

// A shift of half a deviation leaves 92 of 100 intervals of 95 % right.
constexpr double kShiftMatters = 0.5;

constexpr const char* kOtherEquation =
    "compare other equations ([identify.compare]); look at the residuals over time";

// A finding that was taken care of is none against the result.
bool is_settled(const RecordFinding& finding, const RecordFit& record,
                const AccelerationOptions& options) {
  switch (finding.fault) {
    case RecordFault::Offset:
      return record.refined ? record.refined->offset_fitted : record.regression.offset_fitted;
    case RecordFault::Drift:
      return options.regression.fit.drift;
    default:
      return finding.fatal;  // the status says so
  }
}

void judge_findings(const std::string& prefix, const RecordFit& record,
                    const AccelerationOptions& options, bool unit_matters, Evidence& evidence) {
  for (const RecordFinding& finding : record.diagnosis.findings) {
    if (is_settled(finding, record, options)) continue;
    const bool unit = finding.fault == RecordFault::Unit;
    const bool bad = unit && finding.contradicted && unit_matters;
    evidence.add(bad ? TrustLevel::Bad : TrustLevel::Caution, prefix + finding.text,
                 unit ? "say the unit with data.unit" : "");
  }
}

void judge_unit(const AccelerationOptions& options, const AccelerationFit& fit,
                Evidence& evidence) {
  if (fit.unit_dependence.empty()) return;
  const std::string question = static_unit_question(options, fit);
  if (!question.empty()) evidence.add(TrustLevel::Bad, question, "say the unit with data.unit");
  if (options.unit_known) return;
  std::vector<std::string> changes;
  for (const UnitDependence& one : fit.unit_dependence) {
    changes.push_back(fmt::format("{} would be {:.3g} times as large", one.name, one.in_g));
  }
  evidence.add(TrustLevel::Caution,
               fmt::format("the unit of the acceleration is not given: it is taken as m/s2, and "
                           "the motion alone cannot tell; if it is g, {}",
                           fmt::join(changes, ", ")),
               "say the unit with data.unit or in the file");
}

// Fit and colour of what is left.
void judge_residual(const std::string& prefix, const AccelerationRecord& record,
                    const RecordFit& fit, Evidence& evidence) {
  if (!fit.refined || !fit.refined->ok() || !fit.motion.ok()) return;
  const Experiments data = {{.input = Eigen::MatrixXd(record.samples(), 0),
                             .output = fit.fitted + fit.residual,
                             .step = record.step}};
  const std::vector<std::string> name = {prefix + "the acceleration"};
  const std::vector<ResidualVerdict> verdicts = residual_verdicts(data, {fit.residual});
  judge_fit(name, verdicts, {}, evidence);
  judge_outliers(name, data, {fit.residual}, evidence);
  const optimize::ColouredCovariance& coloured = fit.refined->search.coloured;
  if (coloured.deviations.size() == 0) return;
  if ((coloured.deviations.array() / coloured.white.array() >= kColourMatters).any()) {
    judge_colour(name, verdicts, true, evidence);
  }
  const std::string doubt = optimize::doubt_of(coloured);
  if (!doubt.empty()) evidence.add(TrustLevel::Caution, prefix + doubt, "record longer");
}

void judge_second_half(const std::string& prefix, const RecordFit& fit, Evidence& evidence) {
  if (!fit.second_half) return;
  const HalfPrediction& half = *fit.second_half;
  // The rms of n samples has the deviation 1/√(2n), their ratio √2 of it.
  const double chance = 1.0 + 4.0 / std::sqrt(std::max(half.effective_samples, 1.0));
  const double ratio = half.predicted / half.fitted;
  // A first half that leaves more than a tenth of the motion open is no excuse: it says nothing.
  const double open = std::min(half.unsure, kLargeHalf * half.motion);
  const double limit = std::hypot(std::max(kWorseHalf, chance) * half.fitted, open);
  if (!(half.predicted >= limit)) return;
  const bool bad = ratio >= kOtherHalf && half.predicted >= kLargeHalf * half.motion;
  evidence.add(bad ? TrustLevel::Bad : TrustLevel::Caution,
               fmt::format("{}a fit of the first half predicts the second with {:.2g} times its "
                           "residuals, {:.2g} % of the motion there",
                           prefix, ratio, 100.0 * half.predicted / half.motion),
               kOtherEquation);
}

double largest_amplitude(const AccelerationRegression& regression, double sign) {
  double extreme = -HUGE_VAL;
  for (const WindowFit& window : regression.windows) {
    if (window.ok()) extreme = std::max(extreme, sign * window.amplitude);
  }
  return sign * extreme;
}

void judge_windows(const std::string& prefix, const RecordFit& fit,
                   const AccelerationOptions& options, Evidence& evidence) {
  const AccelerationRegression& regression = fit.regression;
  const RegressionWindows& windows = options.regression.windows;
  // Overlapping windows are so many times fewer.
  const double overlap =
      windows.shift > 0.0 ? std::max(1.0, std::sqrt(windows.length / windows.shift)) : 1.0;
  const double high = largest_amplitude(regression, 1.0), low = largest_amplitude(regression, -1.0);
  for (std::size_t i = 0; i < regression.trends.size(); ++i) {
    const AmplitudeTrend& trend = regression.trends[i];
    const double from = trend.at_zero + trend.slope * high, to = trend.at_zero + trend.slope * low;
    const bool seen = std::abs(trend.slope) > kTrendSeen * overlap * trend.deviation;
    const double size = std::abs(regression.parameters(static_cast<Index>(i)));
    if (!(trend.deviation > 0.0) || !seen || std::abs(from - to) < kTrendMatters * size) continue;
    evidence.add(TrustLevel::Caution,
                 fmt::format("{}windows disagree: {} is {:.4g} where the motion is large and "
                             "{:.4g} where it is small",
                             prefix, regression.names[i], from, to),
                 kOtherEquation);
  }
}

void judge_terms(const std::string& prefix, const RecordFit& fit, Evidence& evidence) {
  for (const MissingTerm& term : fit.missing_terms) {
    if (!(term.shift >= kShiftMatters)) continue;
    evidence.add(TrustLevel::Caution,
                 fmt::format("{}the residuals show a term that the equation has not: {:.2g}*{}, "
                             "{:.2g} times its deviation; without it a parameter is off by {:.2g} "
                             "of its deviations",
                             prefix, term.coefficient, term.text,
                             std::abs(term.coefficient) / term.deviation, term.shift),
                 kOtherEquation);
  }
}

void judge_knowledge_of(const std::string& prefix, const RecordFit& fit, Evidence& evidence) {
  if (!fit.refined || !fit.refined->ok()) return;
  const RefinedEquation& refined = *fit.refined;
  for (const std::string& name : refined.search.at_bound) {
    evidence.add(TrustLevel::Caution, fmt::format("{}{} ended at its bound", prefix, name),
                 "widen the bound if it is not physical");
  }
  for (std::size_t i = 0; i < refined.names.size(); ++i) {
    const auto k = static_cast<Index>(i);
    const double share = refined.deviations(k) / std::abs(refined.parameters(k));
    if (!(share >= kHardlyKnown) || !std::isfinite(share)) continue;
    evidence.add(
        TrustLevel::Caution,
        fmt::format("{}{} is known to {:.0f} % only", prefix, refined.names[i], 100.0 * share),
        "hold it or leave its term out, or record longer");
  }
}

}  // namespace

void judge_trust(const std::vector<AccelerationRecord>& records, const AccelerationOptions& options,
                 AccelerationFit& fit) {
  Evidence evidence;
  judge_unit(options, fit, evidence);
  for (std::size_t e = 0; e < fit.records.size(); ++e) {
    const RecordFit& record = fit.records[e];
    const std::string prefix = record_prefix(options, records.size(), e);
    judge_findings(prefix, record, options, !fit.unit_dependence.empty(), evidence);
    if (record.regression.windows.empty()) continue;
    judge_residual(prefix, records[e], record, evidence);
    judge_second_half(prefix, record, evidence);
    judge_windows(prefix, record, options, evidence);
    judge_terms(prefix, record, evidence);
    judge_knowledge_of(prefix, record, evidence);
    for (const std::string& text : fit_warnings(record)) {
      evidence.add(TrustLevel::Caution, prefix + text, kOtherEquation);
    }
  }
  for (const std::string& text : repetition_warnings(fit)) {
    evidence.add(TrustLevel::Caution, text);
  }
  // What speaks against the result is among the warnings; these also tell what was taken care of.
  for (const std::string& reason : evidence.verdict().reasons) {
    if (std::find(fit.warnings.begin(), fit.warnings.end(), reason) == fit.warnings.end()) {
      fit.warnings.push_back(reason);
    }
  }
  evidence.add(fit);
  fit.verdict = evidence.verdict();
}

}  // namespace alembert::identify
