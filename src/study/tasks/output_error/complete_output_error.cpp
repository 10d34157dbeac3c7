#include <algorithm>

#include "alembert/study/output_error.hpp"
#include "study/result/fit_sizes.hpp"

namespace alembert::study {
namespace {

void complete_statistics(optimize::EstimateStatistics& statistics) {
  const auto count = static_cast<Eigen::Index>(statistics.names.size());
  fit_size(statistics.parameters, count);
  fit_size(statistics.relative_deviations, count);
  fit_size(statistics.covariance, count, count);
  fit_size(statistics.correlation, count, count);
}

void complete_estimate(const OutputErrorStudy& study, identify::OutputErrorResult& estimate) {
  fit_size(estimate.parameters, static_cast<Eigen::Index>(study.parameters.size()));
  fit_size(estimate.weights, static_cast<Eigen::Index>(study.outputs.size()));
  complete_statistics(estimate.statistics);
  complete_statistics(estimate.robust);
  // Start states are there for all experiments or not at all.
  for (Eigen::MatrixXd* one : {&estimate.prediction.starts, &estimate.start_deviations}) {
    const bool whole = one->rows() == static_cast<Eigen::Index>(study.model.states().size()) &&
                       one->cols() == static_cast<Eigen::Index>(study.data.experiments.size());
    if (!whole) one->resize(0, 0);
  }
  if (static_cast<Eigen::Index>(estimate.coloured.knowledge_of.size()) !=
      estimate.coloured.freedom.size()) {
    estimate.coloured.freedom.resize(0);
  }
}

// Signals, their residuals and the verdict on them are there as a whole or not at all.
bool is_whole(const identify::EquationPrediction& prediction, const MeasuredData& data) {
  return prediction.ok() && fits(prediction.outputs, data) && fits(prediction.residuals, data);
}

void complete_signals(OutputErrorOutcome& result) {
  const std::size_t outputs = result.study.outputs.size();
  identify::OutputErrorResult& estimate = result.estimate;
  if (!is_whole(estimate.prediction, result.study.data) || !fits(estimate.outputs, outputs)) {
    estimate.prediction.outputs.clear();
    estimate.prediction.residuals.clear();
    estimate.outputs.clear();
    result.inputs.clear();
  }
  const Eigen::Index lags = result.inputs.empty() ? 0 : result.inputs.front().values.size();
  std::erase_if(result.inputs, [&](const identify::InputCorrelation& one) {
    return one.output >= outputs || one.input >= result.study.inputs.size() || one.lag < 0 ||
           one.lag >= one.values.size() || one.values.size() != lags;
  });
  if (!result.validation || !result.validation->prediction.ok()) return;
  if (!is_whole(result.validation->prediction, result.study.validation) ||
      result.validation->outputs.size() != outputs || result.study.validation.empty()) {
    result.validation.reset();
  }
}

// Outliers lie in the data.
void complete_outliers(OutputErrorOutcome& result) {
  const identify::Experiments& data = result.study.data.experiments;
  std::erase_if(result.estimate.outliers, [&](const identify::Outlier& one) {
    return one.experiment >= data.size() || one.output >= result.study.outputs.size() ||
           one.sample < 0 || one.sample >= data[one.experiment].samples();
  });
}

}  // namespace

void complete(OutputErrorOutcome& result) {
  if (result.parameters.size() != result.study.parameters.size()) {
    result.parameters = result.study.parameters;
  }
  complete_estimate(result.study, result.estimate);
  complete_signals(result);
  complete_outliers(result);
  std::erase_if(result.profiles, [&](const identify::ParameterProfile& profile) {
    const auto& parameters = result.study.parameters;
    return std::none_of(parameters.begin(), parameters.end(),
                        [&](const optimize::Parameter& one) { return one.name == profile.name; });
  });
}

}  // namespace alembert::study
