#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/io/table.hpp"
#include "alembert/study/observe.hpp"
#include "study/result/json.hpp"
#include "study/result/record_columns.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using estimate::ObserverForm;

void add_states(const ObserveResult& result, RecordColumns& columns) {
  const estimate::KinematicEstimate& estimate = result.estimate;
  for (std::size_t i = 0; i < result.states.size(); ++i) {
    const estimate::StateColumn& state = result.states[i];
    const auto c = static_cast<Index>(i);
    columns.add(state.column, state.unit, estimate.mean.col(c));
    columns.add(state.column + "_std", state.unit, estimate.deviation.col(c));
    if (!result.study.options.smooth) continue;
    columns.add(state.column + "_smoothed", state.unit, estimate.smoothed_mean.col(c));
    columns.add(state.column + "_smoothed_std", state.unit, estimate.smoothed_deviation.col(c));
  }
}

void add_innovations(const ObserveResult& result, RecordColumns& columns) {
  const estimate::KinematicEstimate& estimate = result.estimate;
  for (std::size_t i = 0; i < estimate.outputs.size(); ++i) {
    const auto at = static_cast<std::size_t>(estimate.outputs[i]);
    const model::planar::Sensor& sensor = result.study.mechanism->description().sensors[at];
    const std::string unit = sensor_unit(sensor.kind);
    const auto c = static_cast<Index>(i);
    columns.add("innovation_" + sensor.name, unit, estimate.innovation.col(c));
    columns.add("innovation_" + sensor.name + "_std", unit, estimate.innovation_deviation.col(c));
  }
}

// The upper triangle; the diagonal is known by the standard deviations.
void add_covariances(const ObserveResult& result, RecordColumns& columns) {
  const std::vector<Eigen::MatrixXd>& covariances = result.estimate.covariances;
  const auto samples = static_cast<Index>(covariances.size());
  for (std::size_t i = 0; i < result.states.size() && samples > 0; ++i) {
    for (std::size_t j = i + 1; j < result.states.size(); ++j) {
      Eigen::VectorXd values(samples);
      for (Index k = 0; k < samples; ++k) {
        values(k) =
            covariances[static_cast<std::size_t>(k)](static_cast<Index>(i), static_cast<Index>(j));
      }
      columns.add("cov_" + result.states[i].column + "_" + result.states[j].column,
                  result.states[i].unit + "*" + result.states[j].unit, std::move(values));
    }
  }
}

// 1 while an alarm lasts.
void add_alarms(const ObserveResult& result, RecordColumns& columns) {
  const Index samples = result.estimate.mean.rows();
  for (const estimate::WatchReport& report : result.watch) {
    Eigen::VectorXd on = Eigen::VectorXd::Zero(samples);
    for (const estimate::WatchAlarm& alarm : report.alarms) {
      for (Index k = 0; k < samples; ++k) {
        const double t = result.study.time[k];
        if (t >= alarm.begin && !(t >= alarm.end)) on(k) = 1.0;
      }
    }
    columns.add("alarm_" + report.signal.name, "", std::move(on));
  }
}

signal::Record estimates_record(const ObserveResult& result) {
  const estimate::KinematicEstimate& estimate = result.estimate;
  RecordColumns columns;
  add_states(result, columns);
  add_covariances(result, columns);
  add_innovations(result, columns);
  const Index samples = estimate.mean.rows();
  Eigen::VectorXd used(samples);
  Eigen::VectorXd walk(samples);
  for (Index k = 0; k < samples; ++k) {
    used(k) = estimate.used[static_cast<std::size_t>(k)];
    walk(k) = estimate.random_walk[static_cast<std::size_t>(k)] ? 1.0 : 0.0;
  }
  columns.add("nis", "", estimate.nis);
  columns.add("used", "", std::move(used));
  add_alarms(result, columns);
  if (estimate::motion_form(result.study.options) == ObserverForm::Input) {
    columns.add("random_walk", "", std::move(walk));
  }
  return columns.record(result.study.time, result.study.title);
}

}  // namespace

void write_observe_result(const ObserveResult& result, const std::filesystem::path& folder) {
  check::at_least("write_observe_result", "number of mechanisms", result.study.mechanism ? 1 : 0,
                  1);
  io::write_record(folder / "estimates.csv", estimates_record(result));
  write_result(describe(result), folder);
}

}  // namespace alembert::study
