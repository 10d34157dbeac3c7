#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/estimate/judge.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;

constexpr int kNeighbours = 20;
constexpr std::size_t kFewestToJudge = 3 * kNeighbours;

double known_rms(const Eigen::Ref<const Eigen::VectorXd>& values) {
  double sum = 0.0;
  double count = 0.0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value * value;
    count += 1.0;
  }
  return count > 0.0 ? std::sqrt(sum / count) : std::numeric_limits<double>::quiet_NaN();
}

// Innovations over their expected deviations, of the readings that were used.
std::vector<double> normalised(const Eigen::Ref<const Eigen::VectorXd>& innovation,
                               const Eigen::Ref<const Eigen::VectorXd>& deviation,
                               const Eigen::Ref<const Eigen::VectorXd>& whitened) {
  std::vector<double> values;
  for (Index k = 0; k < innovation.size(); ++k) {
    const double value = innovation(k) / deviation(k);
    if (std::isfinite(value) && !std::isnan(whitened(k))) values.push_back(value);
  }
  return values;
}

}  // namespace

double limit_probability(std::size_t sensors) {
  constexpr double kChanceOfAll = 0.01;
  constexpr double kLimitsOfOne = 4.0;
  return 1.0 -
         kChanceOfAll / (kLimitsOfOne * static_cast<double>(std::max<std::size_t>(sensors, 1)));
}

std::vector<SensorScore> score_sensors(const KinematicEstimate& estimate,
                                       const Eigen::Ref<const Eigen::MatrixXd>& readings,
                                       const KinematicObserverOptions& options, Index first) {
  const Index rest = readings.rows() - first;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  std::vector<SensorScore> scores(static_cast<std::size_t>(readings.cols()),
                                  {.innovation_rms = kNone, .expected_rms = kNone});
  for (std::size_t s = 0; s < scores.size(); ++s) {
    const auto column = readings.col(static_cast<Index>(s));
    scores[s].readings = column.size() - column.array().isNaN().count();
  }
  const double probability = limit_probability(estimate.outputs.size());
  for (std::size_t i = 0; i < estimate.outputs.size(); ++i) {
    SensorScore& score = scores[static_cast<std::size_t>(estimate.outputs[i])];
    const auto innovation = estimate.innovation.col(static_cast<Index>(i)).tail(rest);
    const auto deviation = estimate.innovation_deviation.col(static_cast<Index>(i)).tail(rest);
    score.role = SensorScore::Role::Output;
    score.rejected = estimate.rejected_readings[i];
    score.innovation_rms = known_rms(innovation);
    score.expected_rms = known_rms(deviation);
    const std::vector<double> values =
        normalised(innovation, deviation, estimate.whitened.col(static_cast<Index>(i)).tail(rest));
    score.judged = values.size() >= kFewestToJudge;
    if (score.judged) score.normalised = judge_sensor(values, kNeighbours, probability);
  }
  if (motion_form(options) == ObserverForm::Input) {
    for (const int sensor : options.input.inputs) {
      scores[static_cast<std::size_t>(sensor)].role = SensorScore::Role::Input;
    }
  }
  return scores;
}

}  // namespace alembert::estimate
