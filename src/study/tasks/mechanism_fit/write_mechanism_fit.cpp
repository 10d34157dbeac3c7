#include <utility>

#include "alembert/io/table.hpp"
#include "alembert/study/mechanism/mechanism_fit.hpp"
#include "study/result/json.hpp"

namespace alembert::study {
namespace {

// NAME, NAME_predicted and NAME_residual of every motion sensor, in SI.
void write_motion(const MechanismFitOutcome& result, const identify::Experiment& experiment,
                  const identify::EquationPrediction& prediction,
                  const std::filesystem::path& file) {
  if (!prediction.ok() || prediction.outputs.empty()) return;
  const Eigen::MatrixXd& predicted = prediction.outputs.front();
  const Eigen::MatrixXd& residual = prediction.residuals.front();
  std::vector<signal::Channel> channels;
  Eigen::MatrixXd samples(predicted.rows(), 3 * predicted.cols());
  Eigen::Index column = 0;
  for (int i = 0; i < result.study.mechanism->sensors(); ++i) {
    if (result.study.mechanism->force_read_by(i) >= 0) continue;
    const auto& sensor = result.study.mechanism->description().sensors[static_cast<std::size_t>(i)];
    for (const char* part : {"", "_predicted", "_residual"}) {
      channels.push_back(
          {.name = sensor.name + part, .unit = model::planar::sensor_unit(sensor.kind)});
    }
    samples.col(3 * column) = predicted.col(column) + residual.col(column);
    samples.col(3 * column + 1) = predicted.col(column);
    samples.col(3 * column + 2) = residual.col(column);
    ++column;
  }
  io::write_record(
      file, {signal::TimeAxis::uniform(predicted.rows(), experiment.step, experiment.start_time),
             std::move(channels), std::move(samples), result.study.title});
}

}  // namespace

void write_mechanism_fit_result(const MechanismFitOutcome& result,
                                const std::filesystem::path& folder) {
  write_motion(result, result.study.record, result.estimate.prediction, folder / "prediction.csv");
  if (result.validation) {
    write_motion(result, result.study.held_back.front(), result.validation->prediction,
                 folder / "validation.csv");
  }
  write_result(describe(result), folder);
}

}  // namespace alembert::study
