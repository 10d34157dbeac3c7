#include "report/output_error_plots.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/signal_section.hpp"
#include "report/words.hpp"

namespace alembert::report {
namespace {

constexpr double kNormalBound95 = 1.959963984540054;
constexpr Eigen::Index kMostPointsOneByOne = 5000;

std::string output_unit(const study::ColumnUse& column) {
  return column.unit.empty() ? column.column_unit : column.unit;
}

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
              .y_label = with_unit(output.name, output_unit(output)),
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
                  .y_label = with_unit("residual", output_unit(output)),
                  .curves = {}};
    residual.curves.push_back(
        signal_of("residual", times, prediction.residuals.front().col(column)));
    plots.push_back(std::move(residual));
  }
  return plots;
}

Plot output_error_correlation(const study::OutputErrorOutcome& result) {
  const std::vector<identify::ResidualVerdict>& outputs = result.estimate.outputs;
  Plot plot{.id = "residual-correlation",
            .title = "Autocorrelation of the residuals",
            .x_label = "lag [samples]",
            .y_label = "correlation",
            .curves = {},
            .caption = "Dashed: 95 % of the values of white noise lie between these lines"};
  const Eigen::Index lags = outputs.front().correlation.size() - 1;
  const Eigen::VectorXd axis = Eigen::VectorXd::LinSpaced(lags, 1.0, static_cast<double>(lags));
  const auto samples =
      static_cast<double>(identify::measured_samples(result.study.data.experiments));
  const double bound = kNormalBound95 / std::sqrt(samples / static_cast<double>(outputs.size()));
  for (const double sign : {1.0, -1.0}) {
    plot.curves.push_back({.name = sign > 0.0 ? "upper" : "lower",
                           .x = axis,
                           .y = Eigen::VectorXd::Constant(lags, sign * bound),
                           .style = Curve::Style::Dashed,
                           .group = "95 % bounds"});
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    plot.curves.push_back({.name = "correlation",
                           .x = axis,
                           .y = outputs[i].correlation.tail(lags),
                           .style = Curve::Style::Points,
                           .group = result.study.outputs[i].name});
  }
  return plot;
}

}  // namespace alembert::report
