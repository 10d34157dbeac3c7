#include "report/parts/input_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "alembert/signal/statistics.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/sampled_curve.hpp"

namespace alembert::report {
namespace {

using study::InputDescription;

std::string number_list(const std::vector<double>& values) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kMost); ++i) {
    text += fmt::format("{}{:.4g}", i == 0 ? "" : ", ", values[i]);
  }
  return values.size() > kMost ? fmt::format("{}, \u2026 ({})", text, values.size()) : text;
}

// Each kind of input in a few words.
struct Describe {
  double step;

  std::string operator()(const study::ZeroInput&) const { return ""; }
  std::string operator()(const study::FileInput& input) const {
    const std::string factor =
        input.factor == 1.0 ? "" : fmt::format(", times {}", significant(input.factor));
    return fmt::format("column {}{}", with_unit(input.column, input.unit), factor);
  }
  std::string operator()(const signal::SplineNoiseOptions& options) const {
    const std::string knots = options.knot_step > 0.0
                                  ? fmt::format("a knot every {:.4g} s", options.knot_step)
                                  : std::string("a knot on every sample");
    return fmt::format("sigma {:.4g}, {}", options.sigma, knots);
  }
  std::string operator()(const signal::MultisineOptions& options) const {
    if (options.lines.empty()) return fmt::format("rms {:.4g}", options.rms);
    const auto [low, high] = std::minmax_element(options.lines.begin(), options.lines.end());
    const double period = step * static_cast<double>(options.period_samples);
    const std::string band = options.period_samples > 0 ? fmt::format(", {:.4g} to {:.4g} Hz",
                                                                      *low / period, *high / period)
                                                        : std::string();
    return fmt::format(
        "{}{}, rms {:.4g}, {} phases",
        count_of(static_cast<long long>(options.lines.size()), "line"), band, options.rms,
        options.phase == signal::MultisineOptions::Phase::Random ? "random" : "Schroeder");
  }
  std::string operator()(const signal::ChirpOptions& options) const {
    return fmt::format("{:.4g} to {:.4g} Hz, {}, amplitude {:.4g}", options.begin_hz,
                       options.end_hz, options.logarithmic ? "logarithmic" : "linear",
                       options.amplitude);
  }
  std::string operator()(const signal::PrbsOptions& options) const {
    return fmt::format("order {}, clock {:.4g} s, amplitude {:.4g}", options.order,
                       step * static_cast<double>(options.clock_samples), options.amplitude);
  }
  std::string operator()(const signal::StepsOptions& options) const {
    return fmt::format("to {} at {} s", number_list(options.levels), number_list(options.times));
  }
  std::string operator()(const signal::PulsesOptions& options) const {
    return fmt::format("at {} s, {:.4g} s wide, amplitude {:.4g}", number_list(options.times),
                       options.width, options.amplitude);
  }
};

Table inputs_table(const study::SimulateStudy& study, const study::Experiment& experiment) {
  Table table{.id = "inputs",
              .title = "Inputs",
              .header = {"input", "kind", "settings", "unit", "rms", "smallest", "largest"},
              .rows = {}};
  for (std::size_t i = 0; i < study.inputs.size(); ++i) {
    const InputDescription& input = study.inputs[i];
    const signal::ChannelStatistics found =
        signal::statistics(experiment.record.samples().col(static_cast<Eigen::Index>(i)));
    table.rows.push_back({input.name, input.kind, std::visit(Describe{study.step}, input.source),
                          pretty_unit(input.unit), significant(found.rms),
                          significant(found.smallest), significant(found.largest)});
  }
  return table;
}

}  // namespace

Section input_section(const study::SimulateResult& result) {
  Section section{.title = "Inputs", .blocks = {}};
  if (result.experiments.empty() || result.study.inputs.empty()) return section;
  const study::Experiment& experiment = result.experiments.front();
  section.blocks.push_back(inputs_table(result.study, experiment));
  const Eigen::VectorXd times = experiment.record.time().times();
  // One plot for each unit.
  std::map<std::string, Plot> plots;
  for (std::size_t i = 0; i < result.study.inputs.size(); ++i) {
    const InputDescription& input = result.study.inputs[i];
    if (input.kind == "zero") continue;
    Plot& plot = plots[input.unit];
    plot.curves.push_back(sampled_curve(
        input.name, times, experiment.record.samples().col(static_cast<Eigen::Index>(i))));
    plot.id = fmt::format("inputs-{}", plots.size());
    plot.title = "Inputs over time";
    plot.x_label = "time [s]";
    plot.y_label = with_unit("input", input.unit);
  }
  for (auto& [unit, plot] : plots) {
    // More than a few noises at once hide each other.
    plot.visible = plot.curves.size() <= 4 ? static_cast<int>(plot.curves.size()) : 3;
    section.blocks.push_back(std::move(plot));
  }
  return section;
}

}  // namespace alembert::report
