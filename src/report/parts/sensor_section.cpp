#include "report/parts/sensor_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "alembert/core/not_a_number.hpp"
#include "alembert/signal/spectrum.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/response_plots.hpp"
#include "report/parts/sampled_curve.hpp"

namespace alembert::report {
namespace {

using study::Experiment;
using study::SensorDescription;

constexpr Eigen::Index kMostPointsDrawn = 5000;   // samples shown one by one
constexpr Eigen::Index kLongestSegment = 65'536;  // of a spectrum
constexpr Eigen::Index kShortestRecord = 32;      // for a spectrum
constexpr std::size_t kMostTrueSpectra = 16;      // sensors

// Sensors whose signals can share a y axis.
struct Family {
  study::Quantity quantity;
  std::string unit;
  std::vector<std::size_t> sensors;
};

std::vector<Family> families(const study::SimulateStudy& study) {
  std::vector<Family> found;
  for (std::size_t i = 0; i < study.sensors.size(); ++i) {
    const SensorDescription& sensor = study.sensors[i];
    const auto same = std::find_if(found.begin(), found.end(), [&](const Family& family) {
      return family.quantity == sensor.quantity && family.unit == sensor.unit;
    });
    if (same != found.end()) {
      same->sensors.push_back(i);
    } else {
      found.push_back({sensor.quantity, sensor.unit, {i}});
    }
  }
  return found;
}

Eigen::Index column_of(const study::SimulateStudy& study, std::size_t sensor) {
  return static_cast<Eigen::Index>(study.inputs.size() + sensor);
}

// Samples that were taken, without the empty places of a slower sensor.
struct Taken {
  Eigen::VectorXd times, values;
};

Taken taken_samples(const Eigen::VectorXd& times, const Eigen::Ref<const Eigen::VectorXd>& values) {
  std::vector<Eigen::Index> there;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (!std::isnan(values(k))) there.push_back(k);
  }
  return {times(there), values(there)};
}

Curve record_curve(const SensorDescription& sensor, const Eigen::VectorXd& times,
                   const Eigen::Ref<const Eigen::VectorXd>& values) {
  const Taken taken = taken_samples(times, values);
  Curve curve = sampled_curve("recorded", taken.times, taken.values);
  curve.style =
      taken.values.size() <= kMostPointsDrawn ? Curve::Style::Points : Curve::Style::Faint;
  curve.group = sensor.name;
  return curve;
}

// Signals of equations have names of their own.
std::string axis_name(const Family& family, const study::SimulateStudy& study) {
  constexpr std::size_t kMostNames = 3;
  if (family.quantity != study::Quantity::Signal || family.sensors.size() > kMostNames) {
    return std::string(name_of(family.quantity));
  }
  std::vector<std::string> names;
  for (const std::size_t i : family.sensors) names.push_back(study.sensors[i].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string family_name(const Family& family) {
  const char* const ending = family.sensors.size() == 1 ? "" : "s";
  if (family.quantity == study::Quantity::Signal) return fmt::format("sensor{}", ending);
  return fmt::format("{} sensor{}", name_of(family.quantity), ending);
}

// More than a few records at once hide each other.
int shown_at_first(const Family& family) {
  return family.sensors.size() <= 4 ? static_cast<int>(family.sensors.size()) : 3;
}

// A true spectrum far below the noise would only press the recorded one together.
void cut_below(const Eigen::VectorXd& recorded, Eigen::VectorXd& density) {
  constexpr double kShare = 1e-2;
  const double floor = kShare * recorded.minCoeff();
  density = (density.array() < floor).select(kNaN, density);
}

// A true angle is drawn as the sensor would give it, which starts again after a turn.
void start_again(const std::optional<double>& turn, Eigen::VectorXd& values) {
  if (!turn) return;
  values.array() -= *turn * (values.array() / *turn).floor();
}

Plot record_plot(const study::SimulateStudy& study, const Experiment& experiment,
                 const Family& family, std::size_t number) {
  Plot plot{.id = fmt::format("records-{}", number),
            .title = fmt::format("Records of the {}", family_name(family)),
            .x_label = "time [s]",
            .y_label = with_unit(axis_name(family, study), family.unit),
            .curves = {},
            .caption = "What the sensors gave, and the true signal as a line"};
  const Eigen::VectorXd times = experiment.record.time().times();
  for (const std::size_t i : family.sensors) {
    const SensorDescription& sensor = study.sensors[i];
    plot.curves.push_back(
        record_curve(sensor, times, experiment.record.samples().col(column_of(study, i))));
    Eigen::VectorXd truth = true_signal(study, sensor, experiment);
    if (truth.size() != times.size()) continue;
    start_again(sensor.options.turn, truth);
    plot.curves.push_back(sampled_curve("true", times, truth));
    plot.curves.back().group = sensor.name;
  }
  plot.visible = shown_at_first(family);
  return plot;
}

// Frequency 0 has no place on a logarithmic axis.
Curve density_curve(const Eigen::Ref<const Eigen::VectorXd>& values, double step) {
  const Eigen::Index whole = values.size() * 2 / 5;  // four segments that overlap by half
  const signal::Spectrum spectrum = signal::power_spectral_density(
      values, step, {.segment_samples = std::clamp<Eigen::Index>(whole, 16, kLongestSegment)});
  const Eigen::Index lines = spectrum.frequencies_hz.size() - 1;
  return {.name = "recorded",
          .x = spectrum.frequencies_hz.tail(lines),
          .y = spectrum.values.col(0).tail(lines)};
}

Plot spectrum_plot(const study::SimulateStudy& study, const Experiment& experiment,
                   const Family& family, std::size_t number) {
  Plot plot{.id = fmt::format("spectra-{}", number),
            .title = fmt::format("Spectra of the {}", family_name(family)),
            .x_label = "frequency [Hz]",
            .y_label = with_unit("power density", density_unit(family.unit)),
            .log_x = true,
            .log_y = true,
            .curves = {},
            .caption = "Welch's method, four segments or more with Hann window"};
  const Eigen::VectorXd times = experiment.record.time().times();
  for (const std::size_t i : family.sensors) {
    const SensorDescription& sensor = study.sensors[i];
    if (sensor.options.turn) continue;  // its leaps would hide all else
    const Taken taken = taken_samples(times, experiment.record.samples().col(column_of(study, i)));
    if (taken.values.size() < kShortestRecord) continue;
    const double step = sensor.options.rate_hz ? 1.0 / *sensor.options.rate_hz : study.step;
    plot.curves.push_back(density_curve(taken.values, step));
    plot.curves.back().group = sensor.name;
    if (family.sensors.size() > kMostTrueSpectra) continue;
    const Eigen::VectorXd truth = true_signal(study, sensor, experiment);
    if (truth.size() < kShortestRecord) continue;
    Curve curve = density_curve(truth, study.step);
    cut_below(plot.curves.back().y, curve.y);
    curve.name = "true";
    curve.style = Curve::Style::Dashed;
    curve.group = sensor.name;
    plot.curves.push_back(std::move(curve));
  }
  if (plot.curves.size() > family.sensors.size()) {
    plot.caption += "; the true spectrum is cut two decades below the recorded one";
  }
  plot.visible = shown_at_first(family);
  return plot;
}

void add_markers(const std::vector<model::DampedMode>& modes, Plot& plot) {
  plot.markers = mode_markers(modes);
  if (!plot.markers.empty()) plot.caption += "; dotted lines mark the modes";
}

std::string noise_caption(std::size_t experiments) {
  std::string caption =
      "SNR achieved counts bias, quantisation and delay as errors too; missing are the instants at "
      "which a sensor took no sample";
  if (experiments == 1) return caption;
  return fmt::format("{}; over {}: sigma as root mean square, SNR as mean, the rest as sum",
                     caption, count_of(static_cast<long long>(experiments), "experiment"));
}

// The settings stand there only if one sensor has any.
Table noise_table(const document::ResultTree& sensors, std::size_t experiments) {
  Table table{.id = "sensors",
              .title = "Sensors and their noise",
              .header = {},
              .rows = {},
              .caption = noise_caption(experiments)};
  std::vector<document::ResultColumn> columns = {
      {.path = "name"},
      {.path = "measures"},
      {.path = "settings"},
      {.path = "unit"},
      {.path = "sigma", .unknown = ""},
      {.path = "snr_asked", .digits = 2, .number_text = fixed, .unknown = ""},
      {.path = "snr_achieved", .digits = 2, .number_text = fixed, .unknown = ""},
      {.path = "samples"},
      {.path = "missing"},
      {.path = "clipped"}};
  const bool with_settings = std::any_of(
      sensors.entries().begin(), sensors.entries().end(),
      [](const document::ResultTree& sensor) { return !sensor.text("settings").empty(); });
  if (!with_settings) columns.erase(columns.begin() + 2);
  table.header = headings_of(sensors, columns);
  table.rows = cells_of(sensors, columns, significant);
  return table;
}

}  // namespace

Section sensor_section(const study::SimulateResult& result, const document::ResultTree& tree) {
  Section section{.title = "Sensors", .blocks = {}};
  if (result.experiments.empty() || result.study.sensors.empty()) return section;
  const Experiment& experiment = result.experiments.front();
  section.blocks.push_back(noise_table(tree.at("sensors"), result.experiments.size()));
  const std::vector<Family> found = families(result.study);
  for (std::size_t k = 0; k < found.size(); ++k) {
    section.blocks.push_back(record_plot(result.study, experiment, found[k], k + 1));
  }
  for (std::size_t k = 0; k < found.size(); ++k) {
    Plot plot = spectrum_plot(result.study, experiment, found[k], k + 1);
    add_markers(result.modes, plot);
    if (!plot.curves.empty()) section.blocks.push_back(std::move(plot));
  }
  return section;
}

}  // namespace alembert::report
