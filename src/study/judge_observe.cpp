#include "study/judge_observe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace alembert::study {
namespace {

using Eigen::Index;

constexpr int kLags = 20;
// Differences that matter to people: the bands of a long record are narrower than any model is
// true.
constexpr double kTooLarge = 1.25;
constexpr double kTooSmall = 2.0 / 3.0;
constexpr double kNearlyWhite = 0.1;
constexpr double kCorrelated = 0.25;

double rms_of(const Eigen::Ref<const Eigen::VectorXd>& values) {
  double sum = 0.0;
  double count = 0.0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value * value;
    count += 1.0;
  }
  return count > 0.0 ? std::sqrt(sum / count) : std::numeric_limits<double>::quiet_NaN();
}

std::string size_words(const estimate::SquaresReport& squares) {
  const double ratio = squares.average / squares.expected;
  const std::string figures =
      fmt::format("mean NIS {:.3g}, expected {:.3g}, 95 % band {:.3g} to {:.3g}", squares.average,
                  squares.expected, squares.lower, squares.upper);
  if (ratio > kTooLarge) {
    return fmt::format(
        "The innovations are larger than the filter expects ({}): the standard deviations are too "
        "small. The noise of the sensors or the density of the motion is set too low, or lengths "
        "or biases are wrong.",
        figures);
  }
  if (ratio < kTooSmall) {
    return fmt::format(
        "The innovations are smaller than the filter expects ({}): the standard deviations are "
        "larger than need be. The density of the motion or the noise of the sensors is set high.",
        figures);
  }
  return fmt::format("The innovations are {} as large as the filter expects ({}).",
                     squares.consistent ? "just" : "about", figures);
}

std::string whiteness_words(const estimate::WhitenessReport& whiteness, double strongest) {
  if (whiteness.white) return "They are white.";
  const std::string figures = fmt::format("correlation up to {:.2g} within {} samples", strongest,
                                          whiteness.autocorrelation.size());
  if (strongest < kNearlyWhite) return fmt::format("They are nearly white ({}).", figures);
  if (strongest < kCorrelated) {
    return fmt::format("They are a little coloured ({}), as a smooth motion makes them.", figures);
  }
  return fmt::format(
      "They are not white ({}): the motion is smoother or rougher than the model of it, or the "
      "geometry or a sensor is not as described.",
      figures);
}

}  // namespace

std::vector<SensorScore> score_sensors(const ObserveResult& result, Index first) {
  const estimate::KinematicEstimate& estimate = result.estimate;
  const Index rest = result.study.readings.rows() - first;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<SensorScore> scores(static_cast<std::size_t>(result.study.mechanism->sensors()),
                                  {.innovation_rms = kNone, .expected_rms = kNone});
  for (std::size_t s = 0; s < scores.size(); ++s) {
    const auto column = result.study.readings.col(static_cast<Index>(s));
    scores[s].readings = column.size() - column.array().isNaN().count();
  }
  for (std::size_t i = 0; i < estimate.outputs.size(); ++i) {
    SensorScore& score = scores[static_cast<std::size_t>(estimate.outputs[i])];
    score.role = SensorScore::Role::Output;
    score.innovation_rms = rms_of(estimate.innovation.col(static_cast<Index>(i)).tail(rest));
    score.expected_rms =
        rms_of(estimate.innovation_deviation.col(static_cast<Index>(i)).tail(rest));
  }
  if (result.study.options.form == estimate::ObserverForm::Input) {
    for (const int sensor : result.study.options.input.inputs) {
      scores[static_cast<std::size_t>(sensor)].role = SensorScore::Role::Input;
    }
  }
  return scores;
}

ConsistencyVerdict judge_consistency(const ObserveResult& result, Index first) {
  const estimate::KinematicEstimate& estimate = result.estimate;
  std::vector<double> squares;
  std::vector<int> freedom;
  for (Index k = first; k < estimate.nis.size(); ++k) {
    if (std::isnan(estimate.nis(k))) continue;
    squares.push_back(estimate.nis(k));
    freedom.push_back(estimate.used[static_cast<std::size_t>(k)]);
  }
  ConsistencyVerdict verdict;
  if (squares.size() <= 2 * kLags) {
    verdict.words = "There are too few samples to judge the innovations.";
    return verdict;
  }
  verdict.judged = true;
  verdict.squares = estimate::judge_squares(squares, freedom);
  const Eigen::MatrixXd whitened =
      estimate.whitened.bottomRows(estimate.whitened.rows() - first).transpose();
  verdict.whiteness = estimate::judge_whiteness(whitened, kLags);
  double strongest = 0.0;
  for (const double value : verdict.whiteness.autocorrelation) {
    strongest = std::max(strongest, std::abs(value));
  }
  const double ratio = verdict.squares.average / verdict.squares.expected;
  verdict.good = ratio <= kTooLarge && (verdict.whiteness.white || strongest < kCorrelated);
  verdict.cautious = ratio < kTooSmall;
  verdict.words = size_words(verdict.squares) + " " + whiteness_words(verdict.whiteness, strongest);
  return verdict;
}

}  // namespace alembert::study
