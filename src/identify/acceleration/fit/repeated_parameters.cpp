#include "identify/acceleration/fit/repeated_parameters.hpp"

#include <cmath>

namespace alembert::identify {
namespace {

RepeatedParameter without_deviation(const std::string& name, const Eigen::VectorXd& values) {
  RepeatedParameter result;
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
std::vector<RepeatedParameter> repeated_of(const std::vector<std::string>& names,
                                           const Eigen::MatrixXd& values,
                                           const Eigen::MatrixXd& deviations) {
  std::vector<RepeatedParameter> list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    const Eigen::MatrixXd value = values.col(column);
    const Eigen::MatrixXd deviation = deviations.col(column);
    if (!value.allFinite() || !deviation.allFinite() || deviation.minCoeff() <= 0.0) {
      list.push_back(without_deviation(names[i], value));
      continue;
    }
    list.push_back(repeatability({names[i]}, value, deviation).front());
  }
  return list;
}

}  // namespace

void judge_repeatability(AccelerationFit& fit) {
  const auto records = static_cast<Eigen::Index>(fit.records.size());
  const std::vector<std::string>& names = fit.names;
  if (records < 2) return;
  const auto count = static_cast<Eigen::Index>(names.size());
  Eigen::MatrixXd values(records, count), deviations(records, count);
  Eigen::MatrixXd refined(records, count), refined_deviations(records, count);
  bool all_refined = true;
  for (Eigen::Index e = 0; e < records; ++e) {
    const RecordFit& record = fit.records[static_cast<std::size_t>(e)];
    if (record.regression.parameters.size() != count) return;
    values.row(e) = record.regression.parameters.transpose();
    deviations.row(e) = record.regression.deviations.transpose();
    all_refined =
        all_refined && record.refined.has_value() && record.refined->parameters.size() == count;
    if (!all_refined) continue;
    refined.row(e) = record.refined->parameters.transpose();
    refined_deviations.row(e) = record.refined->deviations.transpose();
  }
  fit.repeated_regression = repeated_of(names, values, deviations);
  if (all_refined) fit.repeated_refinement = repeated_of(names, refined, refined_deviations);
}

}  // namespace alembert::identify
