#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "alembert/signal/spectrum.hpp"
#include "report/tasks/modes/modes_sections.hpp"

namespace alembert::report {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using study::ModesOutcome;

constexpr Index kMostResponses = 24;
constexpr std::size_t kMostModeShapes = 24;
constexpr Index kMostResponseNames = 24;  // of responses that fit side by side

std::string mode_name(const ModesOutcome& result, std::size_t r) {
  return fmt::format("mode {}, {} Hz", r + 1, significant(result.modes[r].frequency_hz, 4));
}

std::vector<Marker> mode_lines(const ModesOutcome& result) {
  std::vector<Marker> markers;
  for (const identify::Mode& mode : result.modes) {
    markers.push_back({mode.frequency_hz, significant(mode.frequency_hz, 4)});
  }
  return markers;
}

Curve poles_curve(const ModesOutcome& result, bool stable) {
  std::vector<double> x, y;
  for (const identify::StabilityPoint& one : result.diagram) {
    if (one.stable != stable) continue;
    x.push_back(one.frequency_hz);
    y.push_back(one.order);
  }
  const auto size = static_cast<Index>(x.size());
  return {.name = stable ? "followed over orders" : "not followed",
          .x = Eigen::Map<const VectorXd>(x.data(), size),
          .y = Eigen::Map<const VectorXd>(y.data(), size),
          .style = Curve::Style::Points};
}

// The rms of all entries on every line of frequency responses, or of the spectra of a decay.
std::pair<VectorXd, VectorXd> response_sizes(const ModesOutcome& result) {
  if (result.responses() != nullptr) {
    const identify::FrfData& data = result.responses()->data;
    return {data.frequencies_hz, data.values.rowwise().norm()};
  }
  if (!result.taps || result.taps->measured.empty()) return {};
  const Eigen::MatrixXd& decay = result.taps->measured.front();
  const signal::Spectrum spectrum =
      signal::amplitude_spectrum(decay, result.taps->step, {.segment_samples = decay.rows()});
  return {spectrum.frequencies_hz, spectrum.values.rowwise().norm()};
}

// The modes with the windows of the study.
WindowChoice window_choice(const ModesOutcome& result) {
  WindowChoice choice{.table = "identify.poles", .what = "mode"};
  for (const identify::Mode& mode : result.modes) choice.found.push_back(mode.frequency_hz);
  for (const identify::ModeWindow& one : result.study.settings.forced.modes.windows) {
    (one.keep ? choice.keep : choice.drop).emplace_back(one.from_hz, one.to_hz);
  }
  return choice;
}

// log of the size, drawn between the lowest and the highest order.
std::optional<Curve> size_curve(const ModesOutcome& result) {
  const auto [f, size] = response_sizes(result);
  if (f.size() < 2 || result.diagram.empty() || !(size.maxCoeff() > 0.0)) return {};
  const auto [low, high] =
      std::minmax_element(result.diagram.begin(), result.diagram.end(),
                          [](const auto& a, const auto& b) { return a.order < b.order; });
  const VectorXd levels = size.array().max(1e-12 * size.maxCoeff()).log();
  const double least = levels.minCoeff();
  const double range = std::max(levels.maxCoeff() - least, 1e-12);
  const double orders = high->order - low->order;
  return Curve{.name = "responses",
               .x = f,
               .y = low->order + orders / range * (levels.array() - least),
               .style = Curve::Style::Faint};
}

// Nothing is left out without a word.
void note_cut(Index count, const char* of_what, Plot& plot) {
  if (count <= kMostResponses) return;
  plot.caption += fmt::format(". The first {} of {} {}", kMostResponses, count, of_what);
}

// Outputs of the first input first.
std::vector<std::pair<Index, Index>> shown_responses(const identify::FrfData& data) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index j = 0; j < data.inputs; ++j) {
    for (Index o = 0; o < data.outputs; ++o) pairs.emplace_back(o, j);
  }
  if (static_cast<Index>(pairs.size()) > kMostResponses) pairs.resize(kMostResponses);
  return pairs;
}

std::string measured_words(const ModesOutcome& result) {
  if (!result.forced) return "as measured";
  const signal::Averaging& averaging = result.forced->measured.averaging;
  return fmt::format("H1 of {} segments with Hann window, resolution {} Hz", averaging.segments,
                     significant(averaging.resolution_hz, 3));
}

// One measured and one fitted curve for each output, both made of the columns by `curve`.
template <typename MakeCurve>
void add_decay_curves(const ModesOutcome& result, const MakeCurve& curve, Plot& plot) {
  const identify::DecayModes& found = *result.taps;
  const Index count = std::min<Index>(found.measured.front().cols(), kMostResponses);
  for (Index o = 0; o < count; ++o) {
    const study::ColumnUse& output = result.study.outputs[static_cast<std::size_t>(o)];
    for (const bool fitted : {false, true}) {
      const Eigen::MatrixXd& values = fitted ? found.fitted.front() : found.measured.front();
      Curve one = curve(values.col(o));
      one.name = fitted ? "fitted" : "measured";
      if (!fitted) one.style = Curve::Style::Points;
      one.unit = output.known_unit();
      one.group = output.name;
      plot.curves.push_back(std::move(one));
    }
  }
  note_cut(found.measured.front().cols(), "responses", plot);
}

// Measured and synthesised curves of each pair of response and force.
void add_response_curves(const ModesOutcome& result, const Eigen::MatrixXd& measured,
                         const Eigen::MatrixXd& model, Plot& plot, bool is_phase = false) {
  const identify::FrfData& data = result.responses()->data;
  for (const auto& [o, j] : shown_responses(data)) {
    const study::ColumnUse& output = result.study.outputs[static_cast<std::size_t>(o)];
    const study::ColumnUse& input = result.study.inputs[static_cast<std::size_t>(j)];
    const std::string group = fmt::format("{} / {}", output.name, input.name);
    const std::string unit =
        is_phase ? "deg" : quotient_unit(output.known_unit(), input.known_unit());
    const Index column = j * data.outputs + o;
    plot.curves.push_back({.name = "measured",
                           .x = data.frequencies_hz,
                           .y = measured.col(column),
                           .style = Curve::Style::Points,
                           .unit = unit,
                           .group = group});
    plot.curves.push_back({.name = "synthesised",
                           .x = data.frequencies_hz,
                           .y = model.col(column),
                           .unit = unit,
                           .group = group});
  }
  note_cut(data.inputs * data.outputs, "pairs of response and force", plot);
}

}  // namespace

Plot decay_plot(const ModesOutcome& result) {
  const identify::DecayModes& found = *result.taps;
  const Index rows = found.measured.front().rows();
  const double start = found.windows.front().start;
  const VectorXd times =
      VectorXd::LinSpaced(rows, start, start + static_cast<double>(rows - 1) * found.step);
  Plot plot{.id = "decay",
            .title = "Decay, measured and fitted",
            .x_label = "time [s]",
            .y_label = "response",
            .curves = {},
            .caption = "The first record, the part that was used. Points: measured, line: fitted",
            .visible = 1};
  add_decay_curves(
      result, [&](const VectorXd& y) { return Curve{.name = {}, .x = times, .y = y}; }, plot);
  return plot;
}

Plot decay_spectrum_plot(const ModesOutcome& result) {
  const double step = result.taps->step;
  Plot plot{
      .id = "decay-spectrum",
      .title = "Spectrum of the decay, measured and fitted",
      .x_label = "frequency [Hz]",
      .y_label = "amplitude",
      .log_y = true,
      .curves = {},
      .caption =
          "The first record, Hann window. Points: measured, line: fitted; upright lines: the modes",
      .markers = mode_lines(result),
      .visible = 1};
  const auto curve = [&](const VectorXd& y) {
    const signal::Spectrum spectrum =
        signal::amplitude_spectrum(y, step, {.segment_samples = y.size()});
    return Curve{.name = {}, .x = spectrum.frequencies_hz, .y = spectrum.values.col(0)};
  };
  add_decay_curves(result, curve, plot);
  return plot;
}

Plot stabilisation_plot(const ModesOutcome& result) {
  Plot plot{
      .id = "stabilisation",
      .title = "Stabilisation diagram",
      .x_label = "frequency [Hz]",
      .y_label = "order",
      .curves = {poles_curve(result, true), poles_curve(result, false)},
      .caption = "Stable poles of the models of every order. Lines: the modes that were kept"};
  std::erase_if(plot.curves, [](const Curve& curve) { return curve.y.size() == 0; });
  if (std::optional<Curve> size = size_curve(result)) {
    plot.curves.push_back(std::move(*size));
    plot.caption +=
        ". Curve: rms of all responses, logarithmic, between the lowest and the highest order";
  }
  plot.markers = mode_lines(result);
  plot.choice = window_choice(result);
  return plot;
}

Plot mode_response_plot(const ModesOutcome& result) {
  const identify::FrfModes& frf = *result.responses();
  const identify::FrfData& data = frf.data;
  const Eigen::MatrixXcd model = synthesised(frf.fit, data, data.frequencies_hz);
  Plot plot{.id = "responses",
            .title = "Measured and synthesised frequency responses",
            .x_label = "frequency [Hz]",
            .y_label = "magnitude",
            .log_y = true,
            .curves = {},
            .caption = fmt::format(
                "Points: {}. Line: the modal model fitted to them, {} % of them. Residual over its "
                "deviation: {} (1 if only noise is left)",
                measured_words(result),
                significant(100.0 * (1.0 - (data.values - model).norm() / data.values.norm()), 4),
                significant(std::sqrt(frf.fit.variance), 3)),
            .markers = mode_lines(result),
            .visible = 2};
  add_response_curves(result, data.values.cwiseAbs(), model.cwiseAbs(), plot);
  return plot;
}

Plot mode_phase_plot(const ModesOutcome& result) {
  const identify::FrfModes& frf = *result.responses();
  const identify::FrfData& data = frf.data;
  const auto degrees = [](const Eigen::MatrixXcd& values) -> Eigen::MatrixXd {
    return 180.0 / std::numbers::pi * values.cwiseArg();
  };
  Plot plot{.id = "phases",
            .title = "Phase of the frequency responses",
            .x_label = "frequency [Hz]",
            .y_label = "phase [deg]",
            .curves = {},
            .caption = "Points: measured, line: the modal model",
            .markers = mode_lines(result),
            .visible = 1};
  const Eigen::MatrixXcd model = synthesised(frf.fit, data, data.frequencies_hz);
  add_response_curves(result, degrees(data.values), degrees(model), plot, true);
  return plot;
}

Plot singular_value_plot(const ModesOutcome& result) {
  const VectorXd& values = result.ambient->singular_values;
  const Index count = std::min<Index>(values.size(), 120);
  return {.id = "singular-values",
          .title = "Singular values of the covariances",
          .x_label = "number",
          .y_label = "over the largest",
          .log_y = true,
          .curves = {{.name = "singular values",
                      .x = VectorXd::LinSpaced(count, 1.0, static_cast<double>(count)),
                      .y = values.head(count) / values(0),
                      .style = Curve::Style::Points}},
          .caption = "Two for each mode stand above the noise"};
}

Plot mode_shape_plot(const ModesOutcome& result) {
  const auto n = static_cast<Index>(result.study.outputs.size());
  const VectorXd numbers = VectorXd::LinSpaced(n, 1.0, static_cast<double>(n));
  Plot plot{.id = "mode-shapes",
            .title = "Mode shapes",
            .x_label = "number of the response",
            .y_label = "real part, largest entry 1",
            .curves = {},
            .caption = "Bands: two standard deviations above and below"};
  const std::size_t count = std::min(result.modes.size(), kMostModeShapes);
  for (std::size_t r = 0; r < count; ++r) {
    const identify::Mode& mode = result.modes[r];
    const std::string group = mode_name(result, r);
    const VectorXd shape = mode.shape.real();
    plot.curves.push_back({.name = "shape", .x = numbers, .y = shape, .group = group});
    plot.curves.push_back({.name = "entries",
                           .x = numbers,
                           .y = shape,
                           .style = Curve::Style::Points,
                           .group = group});
    if (mode.shape_deviation.size() != n || !mode.shape_deviation.allFinite()) continue;
    for (const double sign : {-2.0, 2.0}) {
      plot.curves.push_back({.name = sign < 0.0 ? "\u2212 2 std" : "+ 2 std",
                             .x = numbers,
                             .y = shape + sign * mode.shape_deviation,
                             .style = Curve::Style::Faint,
                             .group = group});
    }
  }
  plot.visible = static_cast<int>(std::min<std::size_t>(count, 4));
  if (n <= kMostResponseNames) {
    plot.x_label = "response";
    for (Index o = 0; o < n; ++o) {
      plot.markers.push_back({numbers(o), result.study.outputs[static_cast<std::size_t>(o)].name});
    }
  }
  if (count < result.modes.size()) {
    plot.caption += fmt::format(". The first {} of {} modes", count, result.modes.size());
  }
  return plot;
}

MatrixView mac_view(const ModesOutcome& result) {
  MatrixView view{.id = "mac",
                  .title = "MAC between the modes",
                  .values = identify::mac_matrix(result.modes, result.modes),
                  .row_names = {},
                  .column_names = {},
                  .caption =
                      "1 on the diagonal. Large values elsewhere: the sensors do not tell "
                      "these shapes apart, or one mode was found twice"};
  for (const identify::Mode& mode : result.modes) {
    view.row_names.push_back(significant(mode.frequency_hz, 4) + " Hz");
  }
  view.column_names = view.row_names;
  return view;
}

}  // namespace alembert::report
