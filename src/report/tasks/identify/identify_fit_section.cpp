#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/model/modes.hpp"
#include "alembert/signal/spectrum.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/response_plots.hpp"
#include "report/parts/sampled_curve.hpp"
#include "report/tasks/identify/identify_sections.hpp"

namespace alembert::report {
namespace {

using document::ResultColumn;
using study::IdentifyResult;
using study::OutputSensor;

constexpr Eigen::Index kMostSinglePoints = 5000;  // samples shown one by one
constexpr Eigen::Index kLongestSpectrum = 65'536;
constexpr Eigen::Index kFewestForSpectrum = 64;
constexpr int kOutputsAtFirst = 2;

// Outputs that can share a y axis.
struct OutputFamily {
  model::Motion motion;
  std::string unit;
  std::vector<Eigen::Index> outputs;
};

std::vector<OutputFamily> output_families(const study::IdentifyStudy& study) {
  std::vector<OutputFamily> found;
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    const OutputSensor& sensor = study.outputs[i];
    auto same = std::find_if(found.begin(), found.end(), [&](const OutputFamily& family) {
      return family.motion == sensor.motion && family.unit == sensor.column.unit;
    });
    if (same == found.end()) {
      same = found.insert(found.end(), {sensor.motion, sensor.column.unit, {}});
    }
    same->outputs.push_back(static_cast<Eigen::Index>(i));
  }
  return found;
}

const std::string& output_name(const study::IdentifyStudy& study, Eigen::Index output) {
  return study.outputs[static_cast<std::size_t>(output)].column.name;
}

Eigen::VectorXd sample_times(const study::MeasuredData& data, std::size_t experiment) {
  const identify::Experiment& one = data.experiments[experiment];
  const double start = data.sources[experiment].start_time;
  return Eigen::VectorXd::LinSpaced(one.samples(), start,
                                    start + one.step * static_cast<double>(one.samples() - 1));
}

// Samples that are there; gaps would break a line of points for nothing.
Curve measured_curve(const Eigen::VectorXd& times, const Eigen::VectorXd& values) {
  std::vector<Eigen::Index> there;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    if (!std::isnan(values(k))) there.push_back(k);
  }
  const Eigen::VectorXd at = times(there);
  const Eigen::VectorXd kept = values(there);
  Curve curve = sampled_curve("measured", at, kept);
  curve.style = kept.size() <= kMostSinglePoints ? Curve::Style::Points : Curve::Style::Faint;
  return curve;
}

int shown_outputs(const OutputFamily& family, int most) {
  return std::min(static_cast<int>(family.outputs.size()), most);
}

// Measured and predicted signals of the first experiment.
Plot history_plot(const study::IdentifyStudy& study, const study::MeasuredData& data,
                  const Eigen::MatrixXd& prediction, const OutputFamily& family,
                  const std::string& id) {
  Plot plot{
      .id = id,
      .title = fmt::format("Measured and predicted {}", name_of(family.motion)),
      .x_label = "time [s]",
      .y_label = with_unit(std::string(name_of(family.motion)), family.unit),
      .curves = {},
      .caption = "Points: measured; line: predicted from the forces and the start state alone"};
  const Eigen::VectorXd times = sample_times(data, 0);
  for (const Eigen::Index i : family.outputs) {
    plot.curves.push_back(measured_curve(times, data.experiments.front().output.col(i)));
    plot.curves.back().group = output_name(study, i);
    plot.curves.push_back(sampled_curve("predicted", times, prediction.col(i)));
    plot.curves.back().group = output_name(study, i);
  }
  plot.visible = shown_outputs(family, 1);
  return plot;
}

Plot residual_plot(const IdentifyResult& result, const OutputFamily& family,
                   const std::string& id) {
  Plot plot{.id = id,
            .title = "Residuals: measured less predicted",
            .x_label = "time [s]",
            .y_label = with_unit("residual", family.unit),
            .curves = {}};
  const Eigen::VectorXd times = sample_times(result.study.data, 0);
  for (const Eigen::Index i : family.outputs) {
    plot.curves.push_back(measured_curve(times, result.refinement.residuals.front().col(i)));
    plot.curves.back().name = "residual";
    plot.curves.back().group = output_name(result.study, i);
  }
  plot.visible = shown_outputs(family, 1);
  return plot;
}

// ±1.96/√N holds 95 % of the correlations of white noise.
Plot correlation_plot(const IdentifyResult& result) {
  Plot plot{.id = "residual-correlation",
            .title = "Autocorrelation of the residuals",
            .x_label = "lag [samples]",
            .y_label = "correlation",
            .curves = {},
            .caption = "Dashed: 95 % of the values of white noise lie between these lines"};
  const Eigen::Index lags = result.outputs.front().correlation.size() - 1;
  const Eigen::VectorXd axis = Eigen::VectorXd::LinSpaced(lags, 1.0, static_cast<double>(lags));
  const auto measured =
      static_cast<double>(identify::measured_samples(result.study.data.experiments));
  const double bound =
      1.959963984540054 / std::sqrt(measured / static_cast<double>(result.outputs.size()));
  for (const double sign : {1.0, -1.0}) {
    plot.curves.push_back({.name = sign > 0.0 ? "upper" : "lower",
                           .x = axis,
                           .y = Eigen::VectorXd::Constant(lags, sign * bound),
                           .style = Curve::Style::Dashed,
                           .group = "95 % bounds"});
  }
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    const std::string& name = result.study.outputs[i].column.name;
    plot.curves.push_back({.name = "correlation",
                           .x = axis,
                           .y = result.outputs[i].correlation.tail(lags),
                           .style = Curve::Style::Points,
                           .group = name});
  }
  plot.visible = std::min(static_cast<int>(result.outputs.size()), 8) + 1;
  return plot;
}

Curve spectrum_curve(const std::string& name, const Eigen::VectorXd& values, double step,
                     const std::string& group) {
  const Eigen::Index segment =
      std::clamp<Eigen::Index>(values.size() * 2 / 9, 16, kLongestSpectrum);
  const signal::Spectrum spectrum =
      signal::power_spectral_density(values, step, {.segment_samples = segment});
  const Eigen::Index lines = spectrum.frequencies_hz.size() - 1;  // 0 Hz has no place on the axis
  return {.name = name,
          .x = spectrum.frequencies_hz.tail(lines),
          .y = spectrum.values.col(0).tail(lines),
          .group = group};
}

Plot residual_spectrum_plot(const IdentifyResult& result, const OutputFamily& family,
                            const std::string& id, const std::vector<Marker>& markers) {
  Plot plot{.id = id,
            .title = "Spectra of measured signals and residuals",
            .x_label = "frequency [Hz]",
            .y_label = with_unit("power density", density_unit(family.unit)),
            .log_x = true,
            .log_y = true,
            .curves = {},
            .caption =
                "Pale: measured; line: residual. A residual that is flat is noise; a hump at "
                "a mode is something that the model misses. Welch's method, Hann window",
            .markers = markers};
  for (const Eigen::Index i : family.outputs) {
    const identify::Experiment& experiment = result.study.data.experiments.front();
    const std::string& group = output_name(result.study, i);
    plot.curves.push_back(
        spectrum_curve("measured", experiment.output.col(i), experiment.step, group));
    plot.curves.back().style = Curve::Style::Faint;
    plot.curves.push_back(spectrum_curve("residual", result.refinement.residuals.front().col(i),
                                         experiment.step, group));
  }
  plot.visible = shown_outputs(family, kOutputsAtFirst);
  return plot;
}

Table output_table(const IdentifyResult& result) {
  Table table{.id = "outputs",
              .title = "Outputs",
              .header = {},
              .rows = {},
              .caption =
                  "Noise: standard deviation of the residual. Fit: 100 (1 - |y - \u0177| / |y - "
                  "mean y|). Whiteness: Ljung-Box statistic over its 95 % bound; above 1 "
                  "once in twenty for white noise"};
  const std::vector<ResultColumn> columns = {
      {.path = "name", .heading = "output"},
      {.path = "measures"},
      {.path = "unit"},
      {.path = "noise", .digits = 3, .unknown = ""},
      {.path = "fit", .digits = 2, .number_text = fixed, .unknown = ""},
      {.path = "whiteness", .digits = 2, .number_text = fixed, .unknown = ""},
      {.path = "whiteness_p", .digits = 2, .unknown = ""}};
  const document::ResultTree tree = describe(result);
  table.header = headings_of(*tree.find("outputs"), columns);
  table.rows = cells_of(*tree.find("outputs"), columns, significant);
  return table;
}

void add_family(const IdentifyResult& result, const OutputFamily& family, std::size_t number,
                const std::vector<Marker>& markers, Section& section) {
  const auto id = [&](const char* stem) { return fmt::format("{}-{}", stem, number); };
  section.blocks.push_back(history_plot(result.study, result.study.data,
                                        result.refinement.predictions.front(), family,
                                        id("history")));
  section.blocks.push_back(residual_plot(result, family, id("residuals")));
  if (result.study.data.experiments.front().samples() < kFewestForSpectrum) return;
  section.blocks.push_back(residual_spectrum_plot(result, family, id("residual-spectra"), markers));
}

std::vector<Marker> identified_markers(const IdentifyResult& result) {
  if (!result.definiteness.mass.positive_definite) return {};
  return mode_markers(model::damped_modes(result.refinement.system));
}

}  // namespace

Section identify_fit_section(const IdentifyResult& result) {
  Section section{.title = "Measured and predicted", .blocks = {}};
  if (result.outputs.empty() || result.refinement.predictions.empty()) return section;
  section.blocks.push_back(output_table(result));
  if (result.study.data.experiments.size() > 1) {
    section.blocks.push_back(Paragraph{
        fmt::format("Plots over time and spectra show the first of {} experiments, {}.",
                    result.study.data.experiments.size(), result.study.data.sources.front().file)});
  }
  const std::vector<Marker> markers = identified_markers(result);
  const std::vector<OutputFamily> families = output_families(result.study);
  for (std::size_t k = 0; k < families.size(); ++k) {
    add_family(result, families[k], k + 1, markers, section);
  }
  section.blocks.push_back(correlation_plot(result));
  return section;
}

Section identify_validation_section(const IdentifyResult& result) {
  Section section{.title = "Held-back data", .blocks = {}};
  if (!result.validation) return section;
  Table table{.id = "validation",
              .title = "Prediction of data that took no part in the identification",
              .header = {},
              .rows = {},
              .caption = fmt::format("{} samples; the start state is fitted, nothing else",
                                     grouped(result.study.validation.samples()))};
  const std::vector<ResultColumn> columns = {
      {.path = "name"},
      {.path = "fit", .digits = 2, .number_text = fixed, .unknown = ""},
      {.path = "residual_rms", .digits = 3, .unknown = ""},
      {.path = "noise_ratio", .digits = 3, .number_text = fixed, .unknown = ""},
      {.path = "whiteness", .digits = 2, .number_text = fixed, .unknown = ""}};
  const document::ResultTree tree = describe(result);
  table.header = headings_of(*tree.find("validation/outputs"), columns);
  table.rows = cells_of(*tree.find("validation/outputs"), columns, significant);
  section.blocks.push_back(std::move(table));
  const std::vector<OutputFamily> families = output_families(result.study);
  for (std::size_t k = 0; k < families.size(); ++k) {
    section.blocks.push_back(history_plot(
        result.study, result.study.validation, result.validation->prediction.predictions.front(),
        families[k], fmt::format("validation-history-{}", k + 1)));
  }
  return section;
}

}  // namespace alembert::report
