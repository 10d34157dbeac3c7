#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/estimate/judge.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;

constexpr int kLags = 20;
// A standard deviation that is wrong by a tenth serves its purpose; the statistical bands of long
// records are narrower than any model is true.
constexpr double kLargeEnoughToMatter = 1.1;
constexpr double kSmallEnoughToMatter = 0.9;

// "a", "a and b", "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string size_words(const SquaresReport& squares) {
  const double ratio = std::sqrt(squares.average / squares.expected);
  const std::string figures =
      fmt::format("mean NIS {:.3g}, expected {:.3g}, 95 % band {:.3g} to {:.3g}", squares.average,
                  squares.expected, squares.lower, squares.upper);
  if (squares.consistent) {
    return fmt::format("The innovations are as large as the filter expects ({}).", figures);
  }
  const double percent = 100.0 * std::abs(ratio - 1.0);
  const std::string words =
      fmt::format("The innovations are {:.2g} % {} than the filter expects ({})", percent,
                  ratio > 1.0 ? "larger" : "smaller", figures);
  if (ratio > kLargeEnoughToMatter) {
    return words + ": the standard deviations are too small.";
  }
  if (ratio < kSmallEnoughToMatter) {
    return words + ": the standard deviations are on the safe side, larger than need be.";
  }
  return words + ", which is less than matters.";
}

std::string verdict_words(const ConsistencyVerdict& verdict) {
  std::string words;
  if (!verdict.kept_out.empty()) {
    words += fmt::format(
        " The gate kept out {}: the sensor has a wrong sign, scale or sigma, or the estimate lost "
        "the motion.",
        listed(verdict.kept_out));
  }
  if (!verdict.too_large.empty()) {
    words += fmt::format(
        " Those of {} are larger than expected: its sigma or the density of the motion is set too "
        "low, or a length or a bias is wrong.",
        listed(verdict.too_large));
  }
  if (!verdict.too_slow.empty()) {
    words += fmt::format(
        " The estimate strays slowly from {}: another sensor has a bias, or a length, an axis or "
        "gravity is not as described. Velocities are then worse than their standard deviations; "
        "let biases or lengths be states.",
        listed(verdict.too_slow));
  }
  for (const SensorFinding& one : verdict.findings) {
    const bool told = one.fault == SensorFault::TooLarge || one.fault == SensorFault::Strays ||
                      one.fault == SensorFault::KeptOut;
    if (!told) words += fmt::format(" T{}.", one.reason.substr(1));
  }
  return words;
}

// Colour within the limits of the verdict is no fault, and the words must not sound like one.
std::string whiteness_words(const WhitenessReport& whiteness, bool faultless) {
  if (whiteness.white) return " They are white.";
  double strongest = 0.0;
  for (const double value : whiteness.autocorrelation) {
    strongest = std::max(strongest, std::abs(value));
  }
  if (faultless) {
    return fmt::format(
        " Their correlation in time, up to {:.2g} within {} samples, stays within the limits of "
        "the verdict.",
        strongest, whiteness.autocorrelation.size());
  }
  return fmt::format(
      " They are not white (correlation up to {:.2g} within {} samples): a closer model of the "
      "motion would predict them better.",
      strongest, whiteness.autocorrelation.size());
}

void name_sensors(const model::planar::Mechanism& mechanism, const std::vector<SensorScore>& scores,
                  ConsistencyVerdict& verdict) {
  verdict.findings = find_faults(mechanism, scores);
  for (const SensorFinding& one : verdict.findings) {
    const auto i = static_cast<std::size_t>(one.sensor);
    const std::string& name = mechanism.description().sensors[i].name;
    if (one.fault == SensorFault::TooLarge) verdict.too_large.push_back(name);
    if (one.fault == SensorFault::Strays) verdict.too_slow.push_back(name);
    if (one.fault == SensorFault::KeptOut) {
      const double share =
          static_cast<double>(scores[i].rejected) / static_cast<double>(scores[i].readings);
      verdict.kept_out.push_back(fmt::format("{:.2g} % of {}", 100.0 * share, name));
    }
  }
}

// Deviations that are too large are no danger.
bool harmless(const std::vector<SensorFinding>& findings) {
  return std::all_of(findings.begin(), findings.end(),
                     [](const SensorFinding& one) { return one.fault == SensorFault::TooSmall; });
}

}  // namespace

ConsistencyVerdict judge_consistency(const model::planar::Mechanism& mechanism,
                                     const KinematicEstimate& estimate,
                                     const std::vector<SensorScore>& scores, Index first) {
  std::vector<double> squares;
  std::vector<int> freedom;
  for (Index k = first; k < estimate.nis.size(); ++k) {
    if (std::isnan(estimate.nis(k))) continue;
    squares.push_back(estimate.nis(k));
    freedom.push_back(estimate.used[static_cast<std::size_t>(k)]);
  }
  ConsistencyVerdict verdict;
  name_sensors(mechanism, scores, verdict);
  if (squares.size() <= 2 * kLags) {
    verdict.words = "There are too few samples to judge the innovations." + verdict_words(verdict);
    return verdict;
  }
  verdict.judged = true;
  verdict.squares = judge_squares(squares, freedom);
  const Eigen::MatrixXd whitened =
      estimate.whitened.bottomRows(estimate.whitened.rows() - first).transpose();
  verdict.whiteness = judge_whiteness(whitened, kLags);
  const double ratio = std::sqrt(verdict.squares.average / verdict.squares.expected);
  verdict.good = (ratio <= kLargeEnoughToMatter || verdict.squares.consistent) &&
                 harmless(verdict.findings) && estimate.ok();
  verdict.cautious = verdict.good && ratio < kSmallEnoughToMatter && !verdict.squares.consistent;
  verdict.words = size_words(verdict.squares) + verdict_words(verdict) +
                  whiteness_words(verdict.whiteness, verdict.good && !verdict.cautious);
  return verdict;
}

}  // namespace alembert::estimate
