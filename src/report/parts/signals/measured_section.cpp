#include "report/parts/signals/measured_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "alembert/signal/spectrum.hpp"
#include "report/parts/sampled_curve.hpp"

namespace alembert::report {
namespace {

using Eigen::Index;

constexpr Index kLongestSegmentOfRecord = 8192;  // of a spectrum
constexpr Index kFewestSamples = 32;             // that make a spectrum
constexpr int kShownAtFirst = 4;                 // channels of a plot

using ByUnit = std::map<std::string, std::vector<const MeasuredSignal*>>;

ByUnit by_unit(const std::vector<MeasuredSignal>& signals) {
  ByUnit groups;
  for (const MeasuredSignal& one : signals) groups[one.unit].push_back(&one);
  return groups;
}

Plot time_plot(double start, double step, const std::vector<const MeasuredSignal*>& signals,
               std::size_t number) {
  const MeasuredSignal& first = *signals.front();
  Plot plot{
      .id = fmt::format("measured-{}", number),
      .title = "Measured signals of the first experiment",
      .x_label = "time [s]",
      .y_label = with_unit(signals.size() == 1 ? first.name : "measured", pretty_unit(first.unit)),
      .curves = {}};
  for (const MeasuredSignal* one : signals) {
    const Index samples = one->values.size();
    const Eigen::VectorXd times =
        Eigen::VectorXd::LinSpaced(samples, start, start + step * static_cast<double>(samples - 1));
    plot.curves.push_back(sampled_curve(one->name, times, one->values));
  }
  plot.visible = std::min(static_cast<int>(signals.size()), kShownAtFirst);
  return plot;
}

// Of channels without gaps.
Plot spectrum_plot(double step, const std::vector<const MeasuredSignal*>& signals,
                   std::size_t number) {
  const std::string unit = signals.front()->unit;
  Plot plot{.id = fmt::format("measured-spectrum-{}", number),
            .title = "Spectra of the measured signals",
            .x_label = "frequency [Hz]",
            .y_label = with_unit("power density", density_unit(unit)),
            .log_x = true,
            .log_y = true,
            .curves = {},
            .caption = "Welch's method, Hann window"};
  for (const MeasuredSignal* one : signals) {
    if (one->values.size() < kFewestSamples || !one->values.allFinite()) continue;
    const Index segment =
        std::clamp<Index>(one->values.size() * 2 / 9, 16, kLongestSegmentOfRecord);
    const signal::Spectrum found =
        signal::power_spectral_density(one->values, step, {.segment_samples = segment});
    const Index lines = found.frequencies_hz.size() - 1;  // 0 Hz has no place on the axis
    plot.curves.push_back({.name = one->name,
                           .x = found.frequencies_hz.tail(lines),
                           .y = found.values.col(0).tail(lines)});
  }
  plot.visible = std::min(static_cast<int>(plot.curves.size()), kShownAtFirst);
  return plot;
}

}  // namespace

Section measured_section(double start, double step, const std::vector<MeasuredSignal>& signals) {
  Section section{.title = "Measured signals", .blocks = {}};
  std::size_t number = 0;
  for (const auto& [unit, group] : by_unit(signals)) {
    ++number;
    section.blocks.push_back(time_plot(start, step, group, number));
    Plot spectra = spectrum_plot(step, group, number);
    if (!spectra.curves.empty()) section.blocks.push_back(std::move(spectra));
  }
  return section;
}

std::vector<MeasuredSignal> measured_signals(const std::vector<study::ColumnUse>& inputs,
                                             const std::vector<study::ColumnUse>& outputs,
                                             const Eigen::MatrixXd& input,
                                             const Eigen::MatrixXd& output) {
  std::vector<MeasuredSignal> signals;
  const auto add = [&](const std::vector<study::ColumnUse>& columns,
                       const Eigen::MatrixXd& values) {
    const Index there = std::min<Index>(values.cols(), static_cast<Index>(columns.size()));
    for (Index j = 0; j < there; ++j) {
      const study::ColumnUse& column = columns[static_cast<std::size_t>(j)];
      signals.push_back({column.name, column.known_unit(), values.col(j)});
    }
  };
  add(inputs, input);
  add(outputs, output);
  return signals;
}

}  // namespace alembert::report
