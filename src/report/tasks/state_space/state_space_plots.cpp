#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/signal/spectrum.hpp"
#include "report/tasks/state_space/state_space_sections.hpp"

namespace alembert::report {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using study::StateSpaceOutcome;

constexpr Index kMostPairs = 24;  // of output and input
constexpr Index kMostOutputs = 24;
constexpr Index kMostShownSamples = 4000;

void note_cut_pairs(Index count, Index most, const char* of_what, Plot& plot) {
  if (count > most) plot.caption += fmt::format(". The first {} of {} {}", most, count, of_what);
}

// The record that is shown: held back, if there is one.
struct ShownRecord {
  const identify::Experiment& measured;
  const MatrixXd& simulated;
  bool held_back;
};
ShownRecord shown_record(const StateSpaceOutcome& result) {
  const bool held = result.found.validation && !result.study.validation.empty();
  const identify::StateSpaceFit& fit = held ? *result.found.validation : result.found.estimation;
  const study::MeasuredData& data = held ? result.study.validation : result.study.data;
  return {data.experiments.front(), fit.simulated.front(), held};
}

std::string output_unit(const StateSpaceOutcome& result, Index o) {
  return result.study.outputs[static_cast<std::size_t>(o)].known_unit();
}
std::string output_name(const StateSpaceOutcome& result, Index o) {
  return result.study.outputs[static_cast<std::size_t>(o)].name;
}

// One call for each pair of output and input, inputs slow.
template <typename Add>
void for_pairs(const StateSpaceOutcome& result, Plot& plot, const Add& add) {
  const auto outputs = static_cast<Index>(result.study.outputs.size());
  const auto inputs = static_cast<Index>(result.study.inputs.size());
  for (Index c = 0; c < std::min(outputs * inputs, kMostPairs); ++c) {
    const study::ColumnUse& output = result.study.outputs[static_cast<std::size_t>(c % outputs)];
    const study::ColumnUse& input = result.study.inputs[static_cast<std::size_t>(c / outputs)];
    add(c, fmt::format("{} / {}", output.name, input.name),
        quotient_unit(output.known_unit(), input.known_unit()));
  }
  note_cut_pairs(outputs * inputs, kMostPairs, "pairs of output and input", plot);
}

// A line with two pale ones at two deviations.
void add_band(const VectorXd& x, const VectorXd& y, const VectorXd& deviation,
              const std::string& group, const std::string& unit, double least, Plot& plot) {
  plot.curves.push_back({.name = "model", .x = x, .y = y, .unit = unit, .group = group});
  for (const double sign : {2.0, -2.0}) {
    plot.curves.push_back({.name = sign > 0.0 ? "upper" : "lower",
                           .x = x,
                           .y = (y + sign * deviation).cwiseMax(least),
                           .style = Curve::Style::Faint,
                           .unit = unit,
                           .group = group});
  }
}

std::vector<Marker> pole_markers(const StateSpaceOutcome& result) {
  std::vector<Marker> markers;
  for (const identify::StatePole& pole : result.found.poles) {
    if (pole.damping_ratio > 0.0 && pole.damping_ratio < 0.1) {
      markers.push_back({pole.frequency_hz, significant(pole.frequency_hz, 4)});
    }
  }
  return markers;
}

}  // namespace

Plot state_signals_plot(const StateSpaceOutcome& result) {
  const ShownRecord shown = shown_record(result);
  const Index rows = std::min(shown.simulated.rows(), kMostShownSamples);
  const double first = shown.measured.start_time;
  const VectorXd times =
      VectorXd::LinSpaced(rows, first, first + static_cast<double>(rows - 1) * shown.measured.step);
  Plot plot{.id = "signals",
            .title = "Measured and simulated outputs",
            .x_label = "time [s]",
            .y_label = "output",
            .curves = {},
            .caption = fmt::format(
                "{}, simulated from the inputs alone. Points: measured, line: "
                "model",
                shown.held_back ? "The held-back record" : "The record of the estimate"),
            .visible = 1};
  if (rows < shown.simulated.rows()) {
    plot.caption += fmt::format(". The first {} of {} samples", rows, shown.simulated.rows());
  }
  for (Index o = 0; o < std::min(shown.simulated.cols(), kMostOutputs); ++o) {
    plot.curves.push_back({.name = "measured",
                           .x = times,
                           .y = shown.measured.output.col(o).head(rows),
                           .style = Curve::Style::Points,
                           .unit = output_unit(result, o),
                           .group = output_name(result, o)});
    plot.curves.push_back({.name = "model",
                           .x = times,
                           .y = shown.simulated.col(o).head(rows),
                           .unit = output_unit(result, o),
                           .group = output_name(result, o)});
  }
  note_cut_pairs(shown.simulated.cols(), kMostOutputs, "outputs", plot);
  return plot;
}

Plot state_residual_plot(const StateSpaceOutcome& result) {
  const ShownRecord shown = shown_record(result);
  const signal::Spectrum measured =
      signal::power_spectral_density(shown.measured.output, shown.measured.step);
  const MatrixXd error = shown.measured.output - shown.simulated;
  const signal::Spectrum left = signal::power_spectral_density(error, shown.measured.step);
  Plot plot{.id = "residual-spectrum",
            .title = "Spectrum of the outputs and of the residual",
            .x_label = "frequency [Hz]",
            .y_label = "density",
            .log_y = true,
            .curves = {},
            .caption =
                "Pale: measured, line: measured less simulated. Where they touch, the model "
                "explains nothing",
            .markers = pole_markers(result),
            .visible = 1};
  for (Index o = 0; o < std::min(error.cols(), kMostOutputs); ++o) {
    const std::string unit = density_unit(output_unit(result, o));
    plot.curves.push_back({.name = "measured",
                           .x = measured.frequencies_hz,
                           .y = measured.values.col(o),
                           .style = Curve::Style::Faint,
                           .unit = unit,
                           .group = output_name(result, o)});
    plot.curves.push_back({.name = "residual",
                           .x = left.frequencies_hz,
                           .y = left.values.col(o),
                           .unit = unit,
                           .group = output_name(result, o)});
  }
  note_cut_pairs(error.cols(), kMostOutputs, "outputs", plot);
  return plot;
}

Plot state_magnitude_plot(const StateSpaceOutcome& result) {
  const identify::StateSpaceResponse& response = result.found.frequency_response;
  Plot plot{.id = "bode-magnitude",
            .title = "Frequency response, magnitude",
            .x_label = "frequency [Hz]",
            .y_label = "magnitude",
            .log_y = true,
            .curves = {},
            .caption =
                "Bands: two standard deviations above and below. Upright lines: poles "
                "of damping below 10 %",
            .markers = pole_markers(result),
            .visible = 1};
  for_pairs(result, plot, [&](Index c, const std::string& group, const std::string& unit) {
    const VectorXd size = response.values.col(c).cwiseAbs();
    add_band(response.at, size, response.deviations.col(c), group, unit, 1e-3 * size.minCoeff(),
             plot);
  });
  return plot;
}

Plot state_phase_plot(const StateSpaceOutcome& result) {
  const identify::StateSpaceResponse& response = result.found.frequency_response;
  Plot plot{.id = "bode-phase",
            .title = "Frequency response, phase",
            .x_label = "frequency [Hz]",
            .y_label = "phase [deg]",
            .curves = {},
            .caption = "Bands: two standard deviations above and below",
            .markers = pole_markers(result),
            .visible = 1};
  for_pairs(result, plot, [&](Index c, const std::string& group, const std::string&) {
    const double degree = 180.0 / std::numbers::pi;
    const VectorXd phase = degree * response.values.col(c).cwiseArg();
    const VectorXd deviation = degree * response.deviations.col(c).array() /
                               response.values.col(c).array().abs().max(1e-300);
    add_band(response.at, phase, deviation.cwiseMin(180.0), group, "deg", -1e300, plot);
  });
  return plot;
}

Plot state_step_plot(const StateSpaceOutcome& result) {
  const identify::StateSpaceResponse& response = result.found.step_response;
  Plot plot{.id = "step",
            .title = "Step response",
            .x_label = "time [s]",
            .y_label = "output over input",
            .curves = {},
            .caption = "Bands: two standard deviations above and below",
            .visible = 1};
  for_pairs(result, plot, [&](Index c, const std::string& group, const std::string& unit) {
    add_band(response.at, response.values.col(c).real(), response.deviations.col(c), group, unit,
             -1e300, plot);
  });
  return plot;
}

Plot state_order_plot(const StateSpaceOutcome& result) {
  const std::vector<identify::OrderTrial>& trials = result.found.trials;
  VectorXd orders(static_cast<Index>(trials.size()));
  VectorXd residuals(orders.size());
  Plot plot{.id = "orders",
            .title = "Residual on the samples held out, over the order",
            .x_label = "order of the start",
            .y_label = "residual over response",
            .log_y = true,
            .curves = {},
            .caption =
                "Each order was fitted to the first part of the record and simulated on over "
                "the rest of it. Upright line: the order that was taken"};
  for (Index i = 0; i < orders.size(); ++i) {
    const identify::OrderTrial& one = trials[static_cast<std::size_t>(i)];
    orders(i) = static_cast<double>(one.order);
    residuals(i) = one.residual;
    if (one.chosen) plot.markers.push_back({orders(i), fmt::format("{}", one.order)});
  }
  plot.curves = {{.name = "residual", .x = orders, .y = residuals},
                 {.name = "orders", .x = orders, .y = residuals, .style = Curve::Style::Points}};
  return plot;
}

Plot state_singular_plot(const StateSpaceOutcome& result) {
  const VectorXd& values = result.found.singular_values;
  const Index count = std::min<Index>(values.size(), 120);
  return {.id = "singular-values",
          .title = "Singular values of the projection",
          .x_label = "number",
          .y_label = "over the largest",
          .log_y = true,
          .curves = {{.name = "singular values",
                      .x = VectorXd::LinSpaced(count, 1.0, static_cast<double>(count)),
                      .y = values.head(count) / values(0),
                      .style = Curve::Style::Points}},
          .caption = "Two for each mode stand above the noise, where there is a gap"};
}

}  // namespace alembert::report
