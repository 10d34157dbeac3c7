#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "alembert/core/error.hpp"
#include "alembert/model/modes.hpp"
#include "alembert/signal/frf.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/response_plots.hpp"
#include "report/tasks/identify/identify_sections.hpp"

namespace alembert::report {
namespace {

using study::IdentifyResult;

constexpr std::size_t kMostPairsDrawn = 24;
constexpr Eigen::Index kLargestForResponses = 200;  // coordinates
constexpr Eigen::Index kShortestSegment = 32;

struct ResponsePair {
  Eigen::Index output = 0, input = 0;
  bool drive_point = false;
};

// Drive points first: there the phase stays within half a turn, and reciprocity can be judged.
std::vector<ResponsePair> response_pairs(const IdentifyResult& result) {
  const Eigen::MatrixXd& L = result.study.model.system.L;
  std::vector<ResponsePair> pairs;
  for (Eigen::Index j = 0; j < L.cols(); ++j) {
    for (std::size_t i = 0; i < result.study.outputs.size(); ++i) {
      const Eigen::Index at = result.study.outputs[i].coordinate;
      pairs.push_back({static_cast<Eigen::Index>(i), j, at >= 0 && L(at, j) != 0.0});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const ResponsePair& a, const ResponsePair& b) {
    return a.drive_point > b.drive_point;
  });
  return pairs;
}

// Cuts a list to what is drawn, and says so in the caption.
void keep_drawn(std::vector<ResponsePair>& pairs, std::string& caption) {
  if (pairs.size() <= kMostPairsDrawn) return;
  caption += fmt::format(". The first {} of {} pairs of output and input, drive points first",
                         kMostPairsDrawn, pairs.size());
  pairs.resize(kMostPairsDrawn);
}

// More segments than inputs are needed to tell the inputs apart.
Eigen::Index segment_length(const IdentifyResult& result) {
  const auto inputs = static_cast<double>(result.study.inputs.size());
  const double segments = std::max(8.0, 2.0 * inputs + 2.0);
  Eigen::Index shortest = std::numeric_limits<Eigen::Index>::max();
  Eigen::Index all = 0;
  for (const identify::Experiment& experiment : result.study.data.experiments) {
    shortest = std::min(shortest, experiment.samples());
    all += experiment.samples();
  }
  const auto wanted = static_cast<Eigen::Index>(static_cast<double>(all) / (1.0 + 0.5 * segments));
  return std::min(shortest, wanted);
}

// Responses estimated from the inputs and measured or predicted outputs.
std::optional<signal::FrfResult> estimated(const IdentifyResult& result, bool predicted) {
  const Eigen::Index segment = segment_length(result);
  if (segment < kShortestSegment) return std::nullopt;
  std::vector<signal::InputOutput> experiments;
  const identify::Experiments& data = result.study.data.experiments;
  for (std::size_t e = 0; e < data.size(); ++e) {
    experiments.push_back(
        {data[e].input, predicted ? result.refinement.predictions[e] : data[e].output});
  }
  signal::FrfOptions options;
  options.welch.segment_samples = segment;
  try {
    signal::FrfResult found = signal::estimate_frf(experiments, result.study.step(), options);
    if (found.ok()) return found;
  } catch (const InvalidInput&) {
    // Too many missing samples for a whole segment.
  }
  return std::nullopt;
}

Eigen::VectorXcd response_of(const std::vector<Eigen::MatrixXcd>& response,
                             const ResponsePair& pair) {
  Eigen::VectorXcd values(static_cast<Eigen::Index>(response.size()));
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    values(k) = response[static_cast<std::size_t>(k)](pair.output, pair.input);
  }
  return values;
}

// One source of responses and how its curves look.
struct ResponseSource {
  std::string name;
  Eigen::VectorXd frequencies;
  std::vector<Eigen::MatrixXcd> response;
  Curve::Style style = Curve::Style::Line;
  Eigen::MatrixXd coherence = {};  ///< lines x outputs; empty: of no measurement
};

// Lines within the band of the model's curve, the one at 0 Hz left out.
ResponseSource cut_source(const signal::FrfResult& found, const Eigen::VectorXd& band,
                          const std::string& name, Curve::Style style) {
  ResponseSource source{.name = name, .frequencies = {}, .response = {}, .style = style};
  std::vector<double> kept;
  std::vector<Eigen::Index> lines;
  for (Eigen::Index k = 0; k < found.frequencies_hz.size(); ++k) {
    const double frequency = found.frequencies_hz(k);
    if (frequency < band(0) || frequency > band(band.size() - 1)) continue;
    kept.push_back(frequency);
    lines.push_back(k);
    source.response.push_back(found.response[static_cast<std::size_t>(k)]);
  }
  source.coherence = found.multiple_coherence(lines, Eigen::all);
  source.frequencies =
      Eigen::Map<Eigen::VectorXd>(kept.data(), static_cast<Eigen::Index>(kept.size()));
  return source;
}

Eigen::VectorXd response_band(const IdentifyResult& result,
                              const std::vector<model::DampedMode>& modes) {
  const Eigen::VectorXd all = response_frequencies(modes);
  const double nyquist = 0.5 / result.study.step();
  const auto count = std::count_if(all.begin(), all.end(), [&](double f) { return f <= nyquist; });
  return all.head(count);
}

std::vector<ResponseSource> response_sources(const IdentifyResult& result,
                                             const Eigen::VectorXd& band, std::string& caption) {
  std::vector<ResponseSource> sources;
  sources.push_back({.name = "model",
                     .frequencies = band,
                     .response = model::frequency_response(result.refinement.system,
                                                           study::output_map(result.study), band),
                     .style = Curve::Style::Line});
  const std::optional<signal::FrfResult> measured = estimated(result, false);
  if (measured) {
    sources.push_back(cut_source(*measured, band, "measured", Curve::Style::Points));
    const std::optional<signal::FrfResult> alike = estimated(result, true);
    if (alike) {
      sources.push_back(
          cut_source(*alike, band, "predicted signals, same estimator", Curve::Style::Dashed));
    }
    caption = fmt::format(
        "Line: the model. Points: H1 of the measured signals, {} segments with Hann window, "
        "resolution {} Hz; resonances narrower than that look blunt. Dashed: the same estimator on "
        "the predicted signals, blunt alike, so that points and dashes can be compared directly",
        measured->averaging.segments, significant(measured->averaging.resolution_hz, 3));
  } else {
    caption = "The model; the records are too short or have too many gaps for a measured response";
  }
  return sources;
}

// How much of each output the inputs explain, line by line.
Plot coherence_plot(const IdentifyResult& result, const ResponseSource& measured,
                    const std::vector<Marker>& markers) {
  Plot plot{.id = "coherence",
            .title = "Multiple coherence of the measured signals",
            .x_label = "frequency [Hz]",
            .y_label = "coherence",
            .log_x = true,
            .curves = {},
            .caption =
                "Share of the power of an output that all inputs together explain linearly. "
                "Low at a resonance: leakage; low elsewhere: noise, or an unmeasured "
                "force",
            .markers = markers};
  for (Eigen::Index i = 0; i < measured.coherence.cols(); ++i) {
    plot.curves.push_back({.name = result.study.outputs[static_cast<std::size_t>(i)].column.name,
                           .x = measured.frequencies,
                           .y = measured.coherence.col(i)});
  }
  plot.visible = std::min(static_cast<int>(plot.curves.size()), 2);
  return plot;
}

}  // namespace

std::vector<Plot> identify_response_plots(const IdentifyResult& result) {
  const model::SecondOrder& system = result.refinement.system;
  if (system.degrees_of_freedom() > kLargestForResponses) return {};
  const std::vector<model::DampedMode> modes = model::damped_modes(system);
  const Eigen::VectorXd band = response_band(result, modes);
  if (band.size() < 2 || result.refinement.predictions.empty()) return {};
  Plot magnitude{.id = "response-magnitude",
                 .title = "Frequency responses at the sensors, magnitude",
                 .x_label = "frequency [Hz]",
                 .y_label = "magnitude",
                 .log_x = true,
                 .log_y = true,
                 .curves = {},
                 .markers = mode_markers(modes),
                 .visible = 2};
  const std::vector<ResponseSource> sources = response_sources(result, band, magnitude.caption);
  std::vector<ResponsePair> pairs = response_pairs(result);
  keep_drawn(pairs, magnitude.caption);
  Plot phase = magnitude;
  phase.id = "response-phase";
  phase.title = "Frequency responses at the sensors, phase";
  phase.y_label = "phase [deg]";
  phase.log_y = false;
  for (const ResponsePair& pair : pairs) {
    const study::ColumnUse& output =
        result.study.outputs[static_cast<std::size_t>(pair.output)].column;
    const study::ColumnUse& input = result.study.inputs[static_cast<std::size_t>(pair.input)];
    const std::string group = fmt::format("{} / {}", output.name, input.name);
    const ResponseSource& model = sources.front();
    const Eigen::VectorXd model_phase = unwrapped_phase(response_of(model.response, pair));
    for (const ResponseSource& source : sources) {
      const Eigen::VectorXcd response = response_of(source.response, pair);
      Curve curve{.name = source.name,
                  .x = source.frequencies,
                  .y = response.cwiseAbs(),
                  .style = source.style,
                  .unit = quotient_unit(output.unit, input.unit),
                  .group = group};
      magnitude.curves.push_back(curve);
      curve.y = &source == &model
                    ? model_phase
                    : phase_beside(response, source.frequencies, model.frequencies, model_phase);
      curve.unit = "";
      phase.curves.push_back(std::move(curve));
    }
  }
  const std::string unit = magnitude.curves.front().unit;
  const bool shared = std::all_of(magnitude.curves.begin(), magnitude.curves.end(),
                                  [&](const Curve& curve) { return curve.unit == unit; });
  if (shared) {
    magnitude.y_label = with_unit("magnitude", unit);
    for (Curve& curve : magnitude.curves) curve.unit.clear();
  }
  std::vector<Plot> plots = {std::move(magnitude), std::move(phase)};
  for (const ResponseSource& source : sources) {
    if (source.style != Curve::Style::Points || source.coherence.size() == 0) continue;
    plots.push_back(coherence_plot(result, source, mode_markers(modes)));
  }
  return plots;
}

}  // namespace alembert::report
