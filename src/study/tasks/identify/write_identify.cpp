#include <utility>

#include "alembert/io/table.hpp"
#include "alembert/study/identify.hpp"
#include "study/result/json.hpp"
#include "study/tasks/identify/covariance_file.hpp"

namespace alembert::study {
namespace {

// NAME, NAME_predicted and NAME_residual of every output.
signal::Record prediction_record(const IdentifyStudy& study, const identify::Experiment& experiment,
                                 double start, const Eigen::MatrixXd& prediction) {
  std::vector<signal::Channel> channels;
  Eigen::MatrixXd samples(experiment.samples(), 3 * experiment.output.cols());
  for (Eigen::Index i = 0; i < experiment.output.cols(); ++i) {
    const ColumnUse& column = study.outputs[static_cast<std::size_t>(i)].column;
    channels.push_back({.name = column.name, .unit = column.unit});
    channels.push_back({.name = column.name + "_predicted", .unit = column.unit});
    channels.push_back({.name = column.name + "_residual", .unit = column.unit});
    samples.col(3 * i) = experiment.output.col(i);
    samples.col(3 * i + 1) = prediction.col(i);
    samples.col(3 * i + 2) = experiment.output.col(i) - prediction.col(i);
  }
  return {signal::TimeAxis::uniform(experiment.samples(), experiment.step, start),
          std::move(channels), std::move(samples), study.title};
}

void write_predictions(const IdentifyStudy& study, const MeasuredData& data,
                       const std::vector<Eigen::MatrixXd>& predictions, const std::string& stem,
                       const std::filesystem::path& folder) {
  for (std::size_t e = 0; e < predictions.size(); ++e) {
    io::write_record(
        folder / record_file_name(stem, e + 1, data.experiments.size()),
        prediction_record(study, data.experiments[e], data.sources[e].start_time, predictions[e]));
  }
}

}  // namespace

void write_identify_result(const IdentifyResult& result, const std::filesystem::path& folder) {
  const IdentifyStudy& study = result.study;
  if (result.has_system()) {
    io::write_matrix(folder / "mass.csv", result.refinement.system.M);
    io::write_matrix(folder / "damping.csv", result.refinement.system.D);
    io::write_matrix(folder / "stiffness.csv", result.refinement.system.K);
  }
  if (has_covariance_file(result)) {
    io::write_matrix(folder / kCovarianceFile, result.refinement.covariance);
  }
  write_predictions(study, study.data, result.refinement.predictions, "prediction", folder);
  if (result.validation) {
    write_predictions(study, study.validation, result.validation->prediction.predictions,
                      "validation", folder);
  }
  write_result(describe(result), folder);
}

}  // namespace alembert::study
