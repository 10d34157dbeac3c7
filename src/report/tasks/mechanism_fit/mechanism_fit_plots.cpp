#include "report/tasks/mechanism_fit/mechanism_fit_plots.hpp"

#include <fmt/format.h>

#include <utility>

#include "report/parts/sampled_curve.hpp"

namespace alembert::report {

using study::MechanismFitOutcome;
using study::MechanismFitStudy;

namespace {

Eigen::VectorXd times_of(const identify::Experiment& experiment) {
  return Eigen::VectorXd::LinSpaced(
      experiment.samples(), experiment.start_time,
      experiment.start_time + experiment.step * static_cast<double>(experiment.samples() - 1));
}

}  // namespace

void add_motion_plots(const MechanismFitOutcome& result, const identify::Experiment& experiment,
                      const identify::EquationPrediction& prediction, const std::string& stem,
                      Section& section) {
  const Eigen::VectorXd times = times_of(experiment);
  Eigen::Index column = 0;
  for (int i = 0; i < result.study.mechanism->sensors(); ++i) {
    if (result.study.mechanism->force_read_by(i) >= 0) continue;
    const auto& sensor = result.study.mechanism->description().sensors[static_cast<std::size_t>(i)];
    const std::string unit = model::planar::sensor_unit(sensor.kind);
    const Eigen::VectorXd predicted = prediction.outputs.front().col(column);
    const Eigen::VectorXd residual = prediction.residuals.front().col(column);
    Plot plot{.id = fmt::format("{}-{}", stem, column + 1),
              .title = fmt::format("Measured and simulated {}", sensor.name),
              .x_label = "time [s]",
              .y_label = with_unit(sensor.name, unit),
              .curves = {},
              .caption = "Points: measured; line: simulated from the forces and the start alone"};
    Curve measured = sampled_curve("measured", times, predicted + residual);
    measured.style = Curve::Style::Points;
    plot.curves.push_back(std::move(measured));
    plot.curves.push_back(sampled_curve("simulated", times, predicted));
    section.blocks.push_back(std::move(plot));
    Plot rest{.id = fmt::format("{}-residual-{}", stem, column + 1),
              .title = fmt::format("Residual of {}: measured less simulated", sensor.name),
              .x_label = "time [s]",
              .y_label = with_unit("residual", unit),
              .curves = {}};
    rest.curves.push_back(sampled_curve("residual", times, residual));
    section.blocks.push_back(std::move(rest));
    ++column;
  }
}

Plot measured_forces(const MechanismFitStudy& study) {
  Plot plot{.id = "forces",
            .title = "Measured forces",
            .x_label = "time [s]",
            .y_label = "force [N] or torque [N m]",
            .curves = {}};
  const auto& forces = study.mechanism->description().forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    plot.curves.push_back(sampled_curve(forces[i].name, times_of(study.record),
                                        study.record.input.col(static_cast<Eigen::Index>(i))));
  }
  return plot;
}

}  // namespace alembert::report
