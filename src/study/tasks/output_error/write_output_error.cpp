#include <utility>

#include "alembert/io/table.hpp"
#include "alembert/study/output_error.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

// NAME, NAME_predicted and NAME_residual of every output.
signal::Record simulated_record(const OutputErrorStudy& study, const MeasuredData& data,
                                const identify::EquationPrediction& prediction, std::size_t e) {
  const identify::Experiment& experiment = data.experiments[e];
  std::vector<signal::Channel> channels;
  Eigen::MatrixXd samples(experiment.samples(), 3 * experiment.output.cols());
  for (Eigen::Index i = 0; i < experiment.output.cols(); ++i) {
    const ColumnUse& column = study.outputs[static_cast<std::size_t>(i)];
    for (const char* part : {"", "_predicted", "_residual"}) {
      channels.push_back({.name = column.name + part, .unit = column.known_unit()});
    }
    samples.col(3 * i) = experiment.output.col(i);
    samples.col(3 * i + 1) = prediction.outputs[e].col(i);
    samples.col(3 * i + 2) = prediction.residuals[e].col(i);
  }
  return {
      signal::TimeAxis::uniform(experiment.samples(), experiment.step, data.sources[e].start_time),
      std::move(channels), std::move(samples), study.title};
}

void write_simulated(const OutputErrorStudy& study, const MeasuredData& data,
                     const identify::EquationPrediction& prediction, const std::string& stem,
                     const std::filesystem::path& folder) {
  if (!prediction.ok()) return;
  for (std::size_t e = 0; e < prediction.outputs.size(); ++e) {
    io::write_record(folder / record_file_name(stem, e + 1, data.experiments.size()),
                     simulated_record(study, data, prediction, e));
  }
}

}  // namespace

void write_output_error_result(const OutputErrorOutcome& result,
                               const std::filesystem::path& folder) {
  const OutputErrorStudy& study = result.study;
  write_simulated(study, study.data, result.estimate.prediction, "prediction", folder);
  if (result.validation) {
    write_simulated(study, study.validation, result.validation->prediction, "validation", folder);
  }
  write_result(describe(result), folder);
}

}  // namespace alembert::study
