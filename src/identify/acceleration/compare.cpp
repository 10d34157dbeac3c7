#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/chi_square.hpp"
#include "alembert/core/error.hpp"
#include "alembert/identify/acceleration_refine.hpp"
#include "identify/acceleration/nested_equations.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double kNoScore = std::numeric_limits<double>::infinity();
constexpr double kConsistent = 0.01;

AccelerationRecord part_of(const AccelerationRecord& record, Index samples) {
  AccelerationRecord part = record;
  part.acceleration = record.acceleration.head(samples);
  if (record.velocity.size() > 0) part.velocity = record.velocity.head(samples);
  if (record.displacement.size() > 0) part.displacement = record.displacement.head(samples);
  if (record.forcing.size() > 0) part.forcing = record.forcing.topRows(samples);
  return part;
}

bool has_start(const AccelerationRegression& regression) {
  return std::any_of(regression.windows.begin(), regression.windows.end(),
                     [](const WindowFit& window) { return window.ok(); });
}

// Fits the first part and simulates the rest.
void predict(const EquationCandidate& candidate, const AccelerationRecord& record, Index known,
             const EquationComparisonOptions& options, EquationScore& score) {
  score.prediction_error = kNoScore;
  score.relative_prediction_error = kNoScore;
  const AccelerationRecord part = part_of(record, known);
  const AccelerationRegression regression =
      regress_acceleration(candidate.equation, part, options.regression);
  if (!has_start(regression)) return;
  const RefinedEquation fit = refine_equation(candidate.equation, part, regression, options.refine);
  const SimulatedMotion motion =
      simulate_motion(candidate.equation, fit.parameters, fit.x0, fit.v0, record.step,
                      record.samples(), record.forcing, record.start_time);
  if (!motion.ok()) return;
  score.predicted = motion.acceleration;
  double error = 0.0, size = 0.0;
  for (Index k = 0; k < record.samples(); ++k) {
    score.predicted(k) += fit.offset;
    if (k < known) continue;
    const double left = record.acceleration(k) - score.predicted(k);
    error += left * left;
    size += record.acceleration(k) * record.acceleration(k);
  }
  const auto count = static_cast<double>(record.samples() - known);
  score.prediction_error = std::sqrt(error / count);
  score.relative_prediction_error = size > 0.0 ? std::sqrt(error / size) : kNoScore;
}

EquationScore score_of(const EquationCandidate& candidate, const AccelerationRecord& record,
                       Index known, const EquationComparisonOptions& options) {
  EquationScore score;
  score.name = candidate.name;
  score.refined.aic = score.refined.bic = kNoScore;
  score.predicted_from = record.start_time + static_cast<double>(known) * record.step;
  score.regression = regress_acceleration(candidate.equation, record, options.regression);
  if (!has_start(score.regression)) {
    static_cast<Outcome&>(score) = score.regression;
    score.prediction_error = score.relative_prediction_error = kNoScore;
    return score;
  }
  score.refined = refine_equation(candidate.equation, record, score.regression, options.refine);
  static_cast<Outcome&>(score) = score.refined;
  predict(candidate, record, known, options, score);
  return score;
}

// Indices by rising value; what is not finite comes last.
template <typename Value>
std::vector<Index> ranking(const std::vector<EquationScore>& scores, Value value) {
  std::vector<Index> order;
  for (std::size_t k = 0; k < scores.size(); ++k) order.push_back(static_cast<Index>(k));
  const auto key = [&](Index k) {
    const double number = value(scores[static_cast<std::size_t>(k)]);
    return std::isfinite(number) ? number : kNoScore;
  };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
  return order;
}

// The effective samples of the fit that leaves least: what others leave besides is no noise.
double effective_share(const std::vector<EquationScore>& scores) {
  double share = 1.0;
  double least = kNoScore;
  for (const EquationScore& score : scores) {
    const optimize::ColouredCovariance& found = score.refined.search.coloured;
    if (!(score.refined.residual > 0.0) || !(score.refined.residual < least)) continue;
    least = score.refined.residual;
    share = found.samples > 0.0 ? found.effective_samples / found.samples : 1.0;
  }
  return share;
}

// n ln s² + 2 p and n ln s² + p ln n with the same effective n for all.
void put_on_same_samples(std::vector<EquationScore>& scores) {
  Index samples = 0;
  for (const EquationScore& score : scores) samples = std::max(samples, score.refined.samples);
  const double n = effective_share(scores) * static_cast<double>(samples);
  for (EquationScore& score : scores) {
    if (!(score.refined.residual > 0.0)) continue;
    const auto p = static_cast<double>(score.refined.unknowns);
    const double fit = 2.0 * n * std::log(score.refined.residual);
    score.refined.aic = fit + 2.0 * p;
    score.refined.bic = fit + p * std::log(n);
  }
}

void weigh_scores(std::vector<EquationScore>& scores) {
  double aic = kNoScore, bic = kNoScore, sum = 0.0;
  for (const EquationScore& score : scores) {
    aic = std::min(aic, score.refined.aic);
    bic = std::min(bic, score.refined.bic);
  }
  for (EquationScore& score : scores) {
    score.aic_difference = score.refined.aic - aic;
    score.bic_difference = score.refined.bic - bic;
    score.weight =
        std::isfinite(score.aic_difference) ? std::exp(-0.5 * score.aic_difference) : 0.0;
    sum += score.weight;
  }
  for (EquationScore& score : scores) score.weight = sum > 0.0 ? score.weight / sum : 0.0;
}

RepeatedParameter repeated(const std::string& name, const VectorXd& values,
                           const VectorXd& deviations) {
  RepeatedParameter result;
  result.name = name;
  const auto n = static_cast<double>(values.size());
  double weights = 0.0;
  for (Index k = 0; k < values.size(); ++k) {
    const double weight = 1.0 / (deviations(k) * deviations(k));
    result.mean += values(k) / n;
    result.reported += deviations(k) * deviations(k) / n;
    result.weighted_mean += weight * values(k);
    weights += weight;
  }
  result.weighted_mean /= weights;
  result.weighted_deviation = 1.0 / std::sqrt(weights);
  result.reported = std::sqrt(result.reported);
  for (Index k = 0; k < values.size(); ++k) {
    const double part = values(k) - result.mean;
    const double scaled = (values(k) - result.weighted_mean) / deviations(k);
    result.spread += part * part / (n - 1.0);
    result.chi_square += scaled * scaled;
  }
  result.spread = std::sqrt(result.spread);
  result.relative_spread = result.mean != 0.0 ? result.spread / std::abs(result.mean) : kNoScore;
  result.freedom = values.size() - 1;
  result.probability =
      1.0 - chi_square_probability(result.chi_square, static_cast<double>(result.freedom));
  result.consistent = result.probability >= kConsistent;
  return result;
}

}  // namespace

EquationComparison rank_equations(std::vector<EquationScore> scores) {
  check::at_least("rank_equations", "scores", static_cast<long long>(scores.size()), 1);
  EquationComparison result;
  result.scores = std::move(scores);
  put_on_same_samples(result.scores);
  weigh_scores(result.scores);
  result.by_bic =
      ranking(result.scores, [](const EquationScore& score) { return score.refined.bic; });
  result.by_prediction =
      ranking(result.scores, [](const EquationScore& score) { return score.prediction_error; });
  if (std::none_of(result.scores.begin(), result.scores.end(),
                   [](const EquationScore& score) { return score.ok(); })) {
    result.status = result.scores.front().status;
    result.message = "no equation could be fitted: " + result.scores.front().message;
  }
  return result;
}

EquationComparison compare_equations(const std::vector<EquationCandidate>& candidates,
                                     const AccelerationRecord& record,
                                     const EquationComparisonOptions& options) {
  const char* function = "compare_equations";
  check::at_least(function, "candidates", static_cast<long long>(candidates.size()), 1);
  if (!(options.identification_part > 0.0 && options.identification_part < 1.0)) {
    throw InvalidInput({.function = std::string(function),
                        .argument = "identification_part",
                        .rule = "must be in (0, 1)",
                        .value = fmt::format("{}", options.identification_part)});
  }
  const auto known = static_cast<Index>(
      std::lround(options.identification_part * static_cast<double>(record.samples())));
  check::at_least(function, "samples in the identification part", known, 8);
  std::vector<EquationScore> scores;
  for (const EquationCandidate& candidate : candidates) {
    scores.push_back(score_of(candidate, record, known, options));
  }
  static_cast<void>(keep_nested_order(candidates, record, {options.refine}, scores));
  return rank_equations(std::move(scores));
}

std::vector<RepeatedParameter> repeatability(const std::vector<std::string>& names,
                                             const Eigen::MatrixXd& parameters,
                                             const Eigen::MatrixXd& deviations) {
  const char* function = "repeatability";
  const auto count = static_cast<Index>(names.size());
  check::at_least(function, "records", parameters.rows(), 2);
  check::shape(function, "parameters", parameters, parameters.rows(), count);
  check::shape(function, "deviations", deviations, parameters.rows(), count);
  check::all_finite(function, "parameters", parameters);
  std::vector<RepeatedParameter> result;
  for (Index j = 0; j < count; ++j) {
    const std::string& name = names[static_cast<std::size_t>(j)];
    for (Index k = 0; k < parameters.rows(); ++k) {
      check::positive(function, "deviation of " + name, deviations(k, j));
    }
    result.push_back(repeated(name, parameters.col(j), deviations.col(j)));
  }
  return result;
}

}  // namespace alembert::identify
