#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/page/vocabulary.hpp"
#include "report/parts/sampled_curve.hpp"
#include "report/tasks/acceleration/acceleration_sections.hpp"

namespace alembert::report {
namespace {

using Eigen::VectorXd;
using identify::RecordFit;
using identify::WindowFit;
using study::AccelerationOutcome;

VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Curve points_of(const std::string& name, const std::vector<double>& x,
                const std::vector<double>& y) {
  return {.name = name, .x = vector_of(x), .y = vector_of(y), .style = Curve::Style::Points};
}

Curve level(const std::string& name, double from, double to, double value, Curve::Style style) {
  return {.name = name,
          .x = Eigen::Vector2d(from, to),
          .y = Eigen::Vector2d(value, value),
          .style = style};
}

// Times of the rows of the regression, which may be fewer than the samples.
VectorXd row_times(const identify::IntegratedSignals& signals) {
  return VectorXd::LinSpaced(
      signals.samples(), signals.start_time,
      signals.start_time + signals.step * static_cast<double>(signals.samples() - 1));
}

Plot over_time(const std::string& id, const std::string& title, const std::string& label) {
  return {.id = id, .title = title, .x_label = "time [s]", .y_label = label, .curves = {}};
}

struct WindowValues {
  std::vector<double> times, amplitudes, stiffness, damping;
};

WindowValues good_windows(const identify::AccelerationRegression& regression) {
  WindowValues values;
  for (const WindowFit& window : regression.windows) {
    if (!window.ok()) continue;
    values.times.push_back(window.time +
                           0.5 * regression.signals.step * static_cast<double>(window.samples - 1));
    values.amplitudes.push_back(window.amplitude);
    values.stiffness.push_back(window.equivalent_stiffness);
    values.damping.push_back(window.equivalent_damping);
  }
  return values;
}

// One parameter in the windows, with what the whole record says.
Plot window_plot(const AccelerationOutcome& result, std::size_t index) {
  const RecordFit& record = result.records.front();
  const identify::AccelerationRegression& regression = record.regression;
  const auto k = static_cast<Eigen::Index>(index);
  const std::string& name = regression.names[index];
  const WindowValues windows = good_windows(regression);
  std::vector<double> values;
  for (const WindowFit& window : regression.windows) {
    if (window.ok()) values.push_back(window.parameters(k));
  }
  Plot plot = over_time(fmt::format("window-{}", index + 1),
                        fmt::format("Parameter {} window by window", name), name);
  plot.caption = "Points: each window alone, at the time of its middle; lines: the whole record";
  plot.curves.push_back(points_of("windows", windows.times, values));
  const double from = windows.times.front();
  const double to = windows.times.back();
  plot.curves.push_back(
      level("mean of the windows", from, to, regression.parameters(k), Curve::Style::Line));
  if (record.refined && record.refined->parameters.size() > k) {
    plot.curves.push_back(
        level("output error", from, to, record.refined->parameters(k), Curve::Style::Dashed));
  }
  if (const std::optional<double> truth = result.study.options.truth_of(name)) {
    plot.curves.push_back(level("true", from, to, *truth, Curve::Style::Dashed));
  }
  return plot;
}

struct HilbertValues {
  std::vector<double> amplitudes, stiffness, damping;
};

HilbertValues hilbert_values(const RecordFit& record) {
  HilbertValues values;
  const identify::DecayEnvelope& envelope = record.displacement_envelope;
  const Eigen::Index n = envelope.inner_times.size();
  const Eigen::Index stride = std::max<Eigen::Index>(1, n / 300);
  for (Eigen::Index k = 0; envelope.ok() && k < n; k += stride) {
    const double omega = 2.0 * std::numbers::pi * envelope.frequency_hz(k);
    const double rate = envelope.decay_rate(k);
    values.amplitudes.push_back(envelope.amplitude(k));
    values.stiffness.push_back(omega * omega + rate * rate);
    values.damping.push_back(2.0 * rate);
  }
  return values;
}

void add_decrement(const RecordFit& record, Plot& plot) {
  if (!record.displacement_decrement.ok()) return;
  const double period = record.displacement_cycles.period;
  std::vector<double> amplitudes, rates;
  for (const identify::CycleDamping& cycle : record.displacement_decrement.course) {
    amplitudes.push_back(cycle.amplitude);
    rates.push_back(2.0 * cycle.decrement / period);
  }
  plot.curves.push_back(points_of("logarithmic decrement", amplitudes, rates));
}

void add_equivalents(const RecordFit& record, bool stiffness, Plot& plot) {
  std::vector<double> amplitudes, values;
  for (const identify::EquivalentLinear& one : record.equivalents) {
    amplitudes.push_back(one.amplitude);
    values.push_back(stiffness ? one.stiffness : one.damping);
  }
  if (amplitudes.empty()) return;
  plot.curves.push_back(
      {.name = record.refined ? "fitted equation (output error)" : "fitted equation (regression)",
       .x = vector_of(amplitudes),
       .y = vector_of(values)});
}

}  // namespace

Section motion_section(const AccelerationOutcome& result) {
  Section section{.title = "Measured and fitted", .blocks = {}};
  if (!result.has_fit() || result.records.front().fitted.size() == 0) return section;
  const RecordFit& record = result.records.front();
  const identify::AccelerationRecord& data = result.study.records.front();
  const VectorXd times = record_times(data);
  Plot acceleration =
      over_time("acceleration", "Acceleration, measured and fitted", "acceleration [m/s²]");
  acceleration.caption = record.refined
                             ? "Fitted: simulated with the parameters of the output error from its "
                               "start values alone, over the whole record"
                             : "Fitted: simulated with the parameters of the regression from the "
                               "start values of its first window";
  Curve measured = sampled_curve("measured", times, data.acceleration);
  measured.style = Curve::Style::Faint;
  acceleration.curves.push_back(std::move(measured));
  acceleration.curves.push_back(sampled_curve("fitted", times, record.fitted));
  section.blocks.push_back(std::move(acceleration));
  Plot residual = over_time("residual", "Residual: measured less fitted", "residual [m/s²]");
  Curve left = sampled_curve("residual", times, record.residual);
  left.style = Curve::Style::Faint;
  residual.curves.push_back(std::move(left));
  section.blocks.push_back(std::move(residual));
  const VectorXd rows = row_times(record.regression.signals);
  const auto reconstructed = [&](const std::string& id, const std::string& label,
                                 const VectorXd& integrated, const VectorXd& simulated,
                                 const VectorXd& sensor) {
    Plot plot = over_time(id, "Reconstructed " + id, label);
    plot.caption =
        "Integrated: the acceleration integrated through its spline, with the constants that each "
        "window found; fitted: simulated as above";
    Curve first = sampled_curve(sensor.size() > 0 ? "measured" : "integrated", rows, integrated);
    first.style = Curve::Style::Faint;
    plot.curves.push_back(std::move(first));
    plot.curves.push_back(sampled_curve("fitted", times, simulated));
    section.blocks.push_back(std::move(plot));
  };
  reconstructed("displacement", "displacement [m]", record.joined_displacement,
                record.motion.displacement, data.displacement);
  reconstructed("velocity", "velocity [m/s]", record.joined_velocity, record.motion.velocity,
                data.velocity);
  return section;
}

Section window_section(const AccelerationOutcome& result) {
  Section section{.title = "Window by window", .blocks = {}};
  if (!result.has_fit()) return section;
  const identify::AccelerationRegression& regression = result.records.front().regression;
  if (good_windows(regression).times.size() < 2) return section;
  section.blocks.push_back(Paragraph{
      fmt::format("{} of {} cycles, {} apart{}.",
                  count_of(static_cast<long long>(regression.windows.size()), "window"),
                  significant(result.study.options.regression.windows.length, 3),
                  significant(result.study.options.regression.windows.shift, 3),
                  regression.failed == 0 ? "" : fmt::format("; {} failed", regression.failed))});
  for (std::size_t i = 0; i < regression.names.size(); ++i) {
    section.blocks.push_back(window_plot(result, i));
  }
  return section;
}

Section amplitude_section(const AccelerationOutcome& result) {
  Section section{.title = "Stiffness and damping against amplitude", .blocks = {}};
  if (!result.has_fit()) return section;
  const RecordFit& record = result.records.front();
  const WindowValues windows = good_windows(record.regression);
  const HilbertValues hilbert = hilbert_values(record);
  for (const bool stiffness : {true, false}) {
    Plot plot{
        .id = stiffness ? "stiffness-amplitude" : "damping-amplitude",
        .title = stiffness ? "Stiffness against amplitude" : "Damping against amplitude",
        .x_label = "amplitude of the displacement [m]",
        .y_label = stiffness ? "stiffness per mass [1/s²]" : "damping per mass [1/s]",
        .curves = {},
        .caption =
            "Of the linear equation that is nearest to the motion at that amplitude; the classical "
            "tests are those of the reconstructed displacement"};
    plot.curves.push_back(
        points_of("windows", windows.amplitudes, stiffness ? windows.stiffness : windows.damping));
    if (!hilbert.amplitudes.empty()) {
      plot.curves.push_back({.name = "Hilbert transform",
                             .x = vector_of(hilbert.amplitudes),
                             .y = vector_of(stiffness ? hilbert.stiffness : hilbert.damping),
                             .style = Curve::Style::Faint});
    }
    if (!stiffness) add_decrement(record, plot);
    add_equivalents(record, stiffness, plot);
    section.blocks.push_back(std::move(plot));
  }
  return section;
}

}  // namespace alembert::report
