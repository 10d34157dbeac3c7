#include <fmt/format.h>

#include <cmath>

#include "alembert/core/chi_square.hpp"
#include "alembert/core/text.hpp"
#include "report/page/text.hpp"
#include "report/tasks/repeat/repeat_sections.hpp"

namespace alembert::report {
namespace {

using study::RepeatResult;
using study::RepeatRun;

constexpr double kTwoSided95 = 1.959963984540054;

std::string words_of_point(const study::RepeatStudy& study, std::size_t point) {
  std::vector<std::string> words;
  const std::vector<std::size_t>& values = study.points[point].values;
  for (std::size_t k = 0; k < values.size(); ++k) {
    words.push_back(fmt::format("{} = {}", study.sweep[k].key, study.sweep[k].labels[values[k]]));
  }
  return words.empty() ? "" : ", " + join(words, ", ");
}

Eigen::VectorXd values_vector(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

void add_level(const std::string& name, double level, double last, Plot& plot) {
  plot.curves.push_back({.name = name,
                         .x = Eigen::Vector2d(1.0, last),
                         .y = Eigen::Vector2d(level, level),
                         .style = Curve::Style::Dashed,
                         .group = "95 % of honest ones"});
}

Plot estimate_plot(const RepeatResult& result, std::size_t point) {
  Plot plot{.id = fmt::format("runs-{}", point + 1),
            .title = "Error over reported standard deviation" + words_of_point(result.study, point),
            .x_label = "run",
            .y_label = "error / std",
            .curves = {},
            .caption =
                "A point for each run; 95 % lie between the dashed lines if the "
                "deviations are honest and there is no bias"};
  for (const study::EstimateStatistics& one : result.points[point].estimates) {
    std::vector<double> x;
    std::vector<double> y;
    for (const RepeatRun& run : result.runs) {
      if (run.point != point || !run.ok()) continue;
      for (const study::RunEstimate& found : run.estimates) {
        const double error = (found.value - found.truth) / found.deviation;
        if (found.name != one.name || !std::isfinite(error)) continue;
        x.push_back(static_cast<double>(run.run + 1));
        y.push_back(error);
      }
    }
    if (x.empty()) continue;
    plot.curves.push_back({.name = one.name,
                           .x = values_vector(x),
                           .y = values_vector(y),
                           .style = Curve::Style::Points,
                           .group = one.name});
  }
  if (plot.curves.empty()) return plot;
  const auto last = static_cast<double>(result.study.runs);
  add_level("upper", kTwoSided95, last, plot);
  add_level("lower", -kTwoSided95, last, plot);
  return plot;
}

Plot nees_plot(const RepeatResult& result, std::size_t point) {
  Plot plot{.id = fmt::format("nees-{}", point + 1),
            .title = "Joint NEES of each run" + words_of_point(result.study, point),
            .x_label = "run",
            .y_label = "mean NEES",
            .curves = {},
            .caption =
                "Dashed: the 95 % band of each run by the \u03c7\u00b2 distribution and "
                "its number of independent samples"};
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> lower;
  std::vector<double> upper;
  for (const RepeatRun& run : result.runs) {
    if (run.point != point || !run.ok() || !run.nees) continue;
    const double freedom = run.nees->expected * run.nees->effective;
    x.push_back(static_cast<double>(run.run + 1));
    y.push_back(run.nees->mean);
    lower.push_back(chi_square_quantile(0.025, freedom) / run.nees->effective);
    upper.push_back(chi_square_quantile(0.975, freedom) / run.nees->effective);
  }
  if (x.empty()) return plot;
  plot.curves.push_back({.name = "NEES",
                         .x = values_vector(x),
                         .y = values_vector(y),
                         .style = Curve::Style::Points});
  plot.curves.push_back({.name = "lower",
                         .x = values_vector(x),
                         .y = values_vector(lower),
                         .style = Curve::Style::Dashed,
                         .group = "95 % band"});
  plot.curves.push_back({.name = "upper",
                         .x = values_vector(x),
                         .y = values_vector(upper),
                         .style = Curve::Style::Dashed,
                         .group = "95 % band"});
  return plot;
}

std::vector<Plot> plots_of_points(const RepeatResult& result,
                                  Plot (*made)(const RepeatResult&, std::size_t)) {
  constexpr std::size_t kMostPlots = 12;
  std::vector<Plot> plots;
  std::size_t count = 0;
  for (std::size_t p = 0; p < result.points.size(); ++p) {
    Plot plot = made(result, p);
    if (plot.curves.empty() || ++count > kMostPlots) continue;
    plots.push_back(std::move(plot));
  }
  if (count > kMostPlots) {
    std::string& caption = plots.back().caption;
    caption += fmt::format("{}The first {} of {} points are drawn", caption.empty() ? "" : ". ",
                           kMostPlots, count);
  }
  return plots;
}

}  // namespace

std::vector<Plot> estimate_plots(const RepeatResult& result) {
  return plots_of_points(result, estimate_plot);
}

std::vector<Plot> nees_plots(const RepeatResult& result) {
  return plots_of_points(result, nees_plot);
}

}  // namespace alembert::report
