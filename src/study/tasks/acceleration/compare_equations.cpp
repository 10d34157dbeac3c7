#include <cmath>
#include <utility>

#include "study/tasks/acceleration/acceleration_steps.hpp"

namespace alembert::study {
namespace {

identify::RepeatedParameter without_deviation(const std::string& name,
                                              const Eigen::VectorXd& values) {
  identify::RepeatedParameter result;
  result.name = name;
  result.mean = values.mean();
  result.freedom = values.size() - 1;
  result.spread = std::sqrt((values.array() - result.mean).square().sum() /
                            static_cast<double>(result.freedom));
  result.relative_spread = result.spread / std::abs(result.mean);
  result.weighted_mean = result.mean;
  return result;
}

// Parameters that are held have no deviation; the others are tested.
std::vector<identify::RepeatedParameter> repeated_of(const std::vector<std::string>& names,
                                                     const Eigen::MatrixXd& values,
                                                     const Eigen::MatrixXd& deviations) {
  std::vector<identify::RepeatedParameter> list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    const Eigen::MatrixXd value = values.col(column);
    const Eigen::MatrixXd deviation = deviations.col(column);
    if (!value.allFinite() || !deviation.allFinite() || deviation.minCoeff() <= 0.0) {
      list.push_back(without_deviation(names[i], value));
      continue;
    }
    list.push_back(identify::repeatability({names[i]}, value, deviation).front());
  }
  return list;
}

}  // namespace

void compare_equations(AccelerationOutcome& result) {
  const AccelerationStudy& study = result.study;
  if (study.alternatives.empty() || !result.has_fit()) return;
  std::vector<identify::MotionCandidate> candidates = {{"model", *study.equation}};
  for (const identify::MotionCandidate& other : study.alternatives) candidates.push_back(other);
  const identify::MotionRecord record =
      without_drift(study.records.front(), result.records.front().drift_removed);
  // One by one, each with the parameters of its own equation.
  std::vector<identify::MotionScore> scores;
  for (const identify::MotionCandidate& candidate : candidates) {
    identify::MotionComparisonOptions options;
    options.regression = study.options;
    options.regression.reconstruction.cycle = result.records.front().diagnosis.cycles.period;
    options.regression.fit.parameters =
        entries_for(candidate.equation, options.regression.fit.parameters);
    options.refine = study.refinement;
    options.refine.parameters = entries_for(candidate.equation, options.refine.parameters);
    options.identification_part = study.prediction_part;
    scores.push_back(identify::compare_motions({candidate}, record, options).scores.front());
  }
  result.comparison = identify::rank_motions(std::move(scores));
}

void judge_repeatability(AccelerationOutcome& result) {
  const auto records = static_cast<Eigen::Index>(result.records.size());
  const std::vector<std::string>& names = result.study.parameters();
  if (records < 2) return;
  const auto count = static_cast<Eigen::Index>(names.size());
  Eigen::MatrixXd values(records, count), deviations(records, count);
  Eigen::MatrixXd refined(records, count), refined_deviations(records, count);
  bool all_refined = true;
  for (Eigen::Index e = 0; e < records; ++e) {
    const RecordOutcome& record = result.records[static_cast<std::size_t>(e)];
    if (record.regression.parameters.size() != count) return;
    values.row(e) = record.regression.parameters.transpose();
    deviations.row(e) = record.regression.deviations.transpose();
    all_refined =
        all_refined && record.refined.has_value() && record.refined->parameters.size() == count;
    if (!all_refined) continue;
    refined.row(e) = record.refined->parameters.transpose();
    refined_deviations.row(e) = record.refined->deviations.transpose();
  }
  result.repeated_regression = repeated_of(names, values, deviations);
  if (all_refined) result.repeated_refinement = repeated_of(names, refined, refined_deviations);
}

}  // namespace alembert::study
