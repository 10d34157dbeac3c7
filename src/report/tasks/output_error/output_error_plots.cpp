#include "report/tasks/output_error/output_error_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/page/vocabulary.hpp"
#include "report/parts/sampled_curve.hpp"

namespace alembert::report {
namespace {

constexpr double kNormalBound95 = 1.959963984540054;
constexpr Eigen::Index kMostPointsOneByOne = 5000;

Eigen::VectorXd times_of(const study::MeasuredData& data) {
  const identify::Experiment& first = data.experiments.front();
  const double start = data.sources.front().start_time;
  return Eigen::VectorXd::LinSpaced(first.samples(), start,
                                    start + first.step * static_cast<double>(first.samples() - 1));
}

// Points where there are few of them; NaN leaves a hole.
Curve signal_of(const std::string& name, const Eigen::VectorXd& times,
                const Eigen::VectorXd& values) {
  Curve curve = sampled_curve(name, times, values);
  curve.style = values.size() <= kMostPointsOneByOne ? Curve::Style::Points : Curve::Style::Faint;
  return curve;
}

// Measured samples of the output that has the fewest.
double fewest_samples(const study::OutputErrorStudy& study) {
  Eigen::Index fewest = study.data.samples();
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    Eigen::Index there = 0;
    for (const identify::Experiment& experiment : study.data.experiments) {
      const auto column = experiment.output.col(static_cast<Eigen::Index>(i));
      there += column.size() - column.array().isNaN().count();
    }
    fewest = std::min(fewest, there);
  }
  return static_cast<double>(fewest);
}

// Axes over lags with the lines between which 95 % of the correlations of white noise lie.
Plot plot_with_bounds(const study::OutputErrorStudy& study, const Eigen::VectorXd& lags) {
  Plot plot{.id = "",
            .title = "",
            .x_label = "lag [samples]",
            .y_label = "correlation",
            .curves = {},
            .caption = fmt::format(
                "Dashed: 95 % of the values of white noise lie between these "
                "lines{}",
                study.outputs.size() == 1 ? "" : ", for the output with the fewest samples")};
  const double bound = kNormalBound95 / std::sqrt(fewest_samples(study));
  for (const double sign : {1.0, -1.0}) {
    plot.curves.push_back({.name = sign > 0.0 ? "upper" : "lower",
                           .x = lags,
                           .y = Eigen::VectorXd::Constant(lags.size(), sign * bound),
                           .style = Curve::Style::Dashed,
                           .group = "95 % bounds"});
  }
  return plot;
}

}  // namespace

std::vector<Plot> simulation_plots(const study::OutputErrorStudy& study,
                                   const study::MeasuredData& data,
                                   const identify::EquationPrediction& prediction,
                                   const std::string& stem) {
  std::vector<Plot> plots;
  const Eigen::VectorXd times = times_of(data);
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    const study::ColumnUse& output = study.outputs[i];
    const auto column = static_cast<Eigen::Index>(i);
    const Eigen::VectorXd measured = data.experiments.front().output.col(column);
    Plot plot{.id = fmt::format("{}-{}", stem, i + 1),
              .title = fmt::format("Measured and simulated {}", output.name),
              .x_label = "time [s]",
              .y_label = with_unit(output.name, output.known_unit()),
              .curves = {},
              .caption =
                  "Points: measured; line: simulated from the inputs and the start values "
                  "alone"};
    plot.curves.push_back(signal_of("measured", times, measured));
    plot.curves.push_back(
        sampled_curve("simulated", times, prediction.outputs.front().col(column)));
    plots.push_back(std::move(plot));
    Plot residual{.id = fmt::format("{}-residual-{}", stem, i + 1),
                  .title = fmt::format("Residual of {}: measured less simulated", output.name),
                  .x_label = "time [s]",
                  .y_label = with_unit("residual", output.known_unit()),
                  .curves = {}};
    residual.curves.push_back(
        signal_of("residual", times, prediction.residuals.front().col(column)));
    plots.push_back(std::move(residual));
  }
  return plots;
}

std::vector<Plot> driving_plots(const study::OutputErrorStudy& study) {
  std::map<std::string, Plot> plots;
  const Eigen::VectorXd times = times_of(study.data);
  for (std::size_t i = 0; i < study.inputs.size(); ++i) {
    const std::string unit = study.inputs[i].known_unit();
    Plot& plot = plots[unit];
    plot.id = fmt::format("driving-{}", plots.size());
    plot.title = "Inputs";
    plot.x_label = "time [s]";
    plot.curves.push_back(
        sampled_curve(study.inputs[i].name, times,
                      study.data.experiments.front().input.col(static_cast<Eigen::Index>(i))));
    plot.y_label = with_unit(plot.curves.size() == 1 ? study.inputs[i].name : "input", unit);
  }
  std::vector<Plot> list;
  for (auto& [unit, plot] : plots) list.push_back(std::move(plot));
  return list;
}

Plot output_error_correlation(const study::OutputErrorOutcome& result) {
  const std::vector<identify::ResidualVerdict>& outputs = result.estimate.outputs;
  const Eigen::Index lags = outputs.front().correlation.size() - 1;
  const Eigen::VectorXd axis = Eigen::VectorXd::LinSpaced(lags, 1.0, static_cast<double>(lags));
  Plot plot = plot_with_bounds(result.study, axis);
  plot.id = "residual-correlation";
  plot.title = "Autocorrelation of the residuals";
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    plot.curves.push_back({.name = "correlation",
                           .x = axis,
                           .y = outputs[i].correlation.tail(lags),
                           .style = Curve::Style::Points,
                           .group = result.study.outputs[i].name});
  }
  return plot;
}

Plot output_error_input_correlation(const study::OutputErrorOutcome& result) {
  if (result.inputs.empty()) return {};
  const Eigen::Index lags = result.inputs.front().values.size();
  const Eigen::VectorXd axis = Eigen::VectorXd::LinSpaced(lags, 0.0, static_cast<double>(lags - 1));
  Plot plot = plot_with_bounds(result.study, axis);
  plot.id = "input-correlation";
  plot.title = "Correlation of the residuals with the inputs, as many samples before";
  for (const identify::InputCorrelation& one : result.inputs) {
    plot.curves.push_back({.name = "correlation",
                           .x = axis,
                           .y = one.values,
                           .style = Curve::Style::Points,
                           .group = fmt::format("{} with {}", result.study.outputs[one.output].name,
                                                result.study.inputs[one.input].name)});
  }
  return plot;
}

}  // namespace alembert::report
