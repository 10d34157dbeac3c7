#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>

#include "alembert/core/text.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/tasks/monte_carlo/monte_carlo_sections.hpp"

namespace alembert::report {
namespace {

using study::Compared;
using study::ErrorStatistics;
using study::kComparedCount;
using study::MonteCarloResult;
using study::SweepKey;

constexpr double kPercent = 100.0;

/// The points of a curve: abscissae and the points of the study behind them, ascending.
struct SweptAxis {
  Eigen::VectorXd x;
  std::vector<std::size_t> points;
};

// Values of the first key, or their numbers 1, 2, ... where they are texts.
double abscissa(const SweepKey& key, std::size_t value) {
  return key.numbers.size() > 0 ? key.numbers(static_cast<Eigen::Index>(value))
                                : static_cast<double>(value) + 1.0;
}

// Of all points with value `second` of the second key.
SweptAxis swept_axis(const study::MonteCarloStudy& study, std::size_t second) {
  SweptAxis axis;
  for (std::size_t p = 0; p < study.points.size(); ++p) {
    const std::vector<std::size_t>& values = study.points[p].values;
    if (values.size() < 2 || values[1] == second) axis.points.push_back(p);
  }
  const auto at = [&](std::size_t p) {
    return abscissa(study.sweep[0], study.points[p].values[0]);
  };
  std::sort(axis.points.begin(), axis.points.end(),
            [&](std::size_t a, std::size_t b) { return at(a) < at(b); });
  axis.x.resize(static_cast<Eigen::Index>(axis.points.size()));
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    axis.x(static_cast<Eigen::Index>(i)) = at(axis.points[i]);
  }
  return axis;
}

Eigen::VectorXd values_on(const SweptAxis& axis, const MonteCarloResult& result,
                          std::size_t quantity, double ErrorStatistics::*member) {
  Eigen::VectorXd values(axis.x.size());
  for (std::size_t i = 0; i < axis.points.size(); ++i) {
    values(static_cast<Eigen::Index>(i)) =
        kPercent * (result.points[axis.points[i]].errors[quantity].*member);
  }
  return values;
}

struct Band {
  double ErrorStatistics::*middle;
  double ErrorStatistics::*lower;
  double ErrorStatistics::*upper;
  const char* middle_name;
  const char* lower_name;
  const char* upper_name;
};
constexpr Band kErrorBand{
    &ErrorStatistics::median, &ErrorStatistics::p5, &ErrorStatistics::p95, "median", "5 %", "95 %"};
constexpr Band kCoverageBand{&ErrorStatistics::coverage,
                             &ErrorStatistics::coverage_lower,
                             &ErrorStatistics::coverage_upper,
                             "coverage",
                             "lower",
                             "upper"};

// A line with markers and a band.
void add_band(const SweptAxis& axis, const MonteCarloResult& result, std::size_t quantity,
              const Band& band, const std::string& group, Plot& plot) {
  const Eigen::VectorXd middle = values_on(axis, result, quantity, band.middle);
  if (!(middle.array().isFinite().any())) return;
  const auto add = [&](const char* name, const Eigen::VectorXd& y, Curve::Style style) {
    plot.curves.push_back({.name = name, .x = axis.x, .y = y, .style = style, .group = group});
  };
  add(band.middle_name, middle, Curve::Style::Line);
  add("values", middle, Curve::Style::Points);
  add(band.lower_name, values_on(axis, result, quantity, band.lower), Curve::Style::Faint);
  add(band.upper_name, values_on(axis, result, quantity, band.upper), Curve::Style::Faint);
}

Plot swept_plot(const study::MonteCarloStudy& study, const std::string& id) {
  const SweepKey& key = study.sweep.front();
  Plot plot{.id = id, .title = {}, .x_label = key.key, .y_label = {}, .curves = {}};
  plot.log_x = suits_log_axis(key.numbers);
  if (key.numbers.size() == 0) {
    plot.x_label = "value of " + key.key;
    for (std::size_t i = 0; i < key.labels.size(); ++i) {
      plot.markers.push_back({.x = static_cast<double>(i) + 1.0, .label = key.labels[i]});
    }
  }
  return plot;
}

// A curve for each quantity, or with two swept keys one plot a quantity.
std::vector<Plot> banded_plots(const MonteCarloResult& result, const std::string& id,
                               const std::string& title, const Band& band) {
  const study::MonteCarloStudy& study = result.study;
  std::vector<Plot> plots;
  if (study.sweep.empty()) return plots;
  const std::string what = title + " against " + study.sweep[0].key;
  if (study.sweep.size() == 1) {
    Plot plot = swept_plot(study, id);
    plot.title = what;
    plot.title.front() = static_cast<char>(std::toupper(what.front()));
    for (std::size_t q = 0; q < kComparedCount; ++q) {
      add_band(swept_axis(study, 0), result, q, band, compared_words(static_cast<Compared>(q)),
               plot);
    }
    if (!plot.curves.empty()) plots.push_back(std::move(plot));
    return plots;
  }
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    const auto quantity = static_cast<Compared>(q);
    Plot plot = swept_plot(study, id + "-" + slug(to_string(quantity)));
    plot.title = fmt::format("{}: {}", compared_words(quantity), what);
    for (std::size_t j = 0; j < study.sweep[1].labels.size(); ++j) {
      add_band(swept_axis(study, j), result, q, band,
               fmt::format("{} = {}", study.sweep[1].key, study.sweep[1].labels[j]), plot);
    }
    if (!plot.curves.empty()) plots.push_back(std::move(plot));
  }
  return plots;
}

// Square of the coefficient of variation of the steps between sorted numbers.
double unevenness(Eigen::VectorXd numbers) {
  std::sort(numbers.begin(), numbers.end());
  const Eigen::Index n = numbers.size();
  const Eigen::VectorXd steps = numbers.tail(n - 1) - numbers.head(n - 1);
  const double mean = steps.mean();
  return (steps.array() - mean).square().mean() / (mean * mean);
}

std::vector<double> finite_ratios(const MonteCarloResult& result, std::size_t quantity) {
  std::vector<double> ratios;
  for (const study::MonteCarloRun& run : result.runs) {
    const study::RunError& one = run.errors[quantity];
    const double ratio = one.error / one.reported;
    if (run.ok() && std::isfinite(ratio)) ratios.push_back(ratio);
  }
  return ratios;
}

Curve histogram(const std::vector<double>& values, double width, std::size_t bins,
                const std::string& name) {
  const auto count = static_cast<Eigen::Index>(bins);
  Curve curve{.name = name,
              .x = Eigen::VectorXd::LinSpaced(count, 0.5 * width,
                                              (static_cast<double>(bins) - 0.5) * width),
              .y = Eigen::VectorXd::Zero(count),
              .style = Curve::Style::Bars,
              .group = name};
  for (const double value : values) {
    const auto bin = std::min(static_cast<std::size_t>(value / width), bins - 1);
    curve.y(static_cast<Eigen::Index>(bin)) += 1.0;
  }
  return curve;
}

}  // namespace

bool suits_log_axis(const Eigen::Ref<const Eigen::VectorXd>& numbers) {
  if (numbers.size() < 2 || !(numbers.minCoeff() > 0.0)) return false;
  if (numbers.maxCoeff() < 4.0 * numbers.minCoeff()) return false;
  // Two values: one decade decides.
  if (numbers.size() == 2) return numbers.maxCoeff() >= 10.0 * numbers.minCoeff();
  return unevenness(numbers.array().log()) < unevenness(numbers);
}

std::vector<Plot> error_plots(const MonteCarloResult& result) {
  std::vector<Plot> plots = banded_plots(result, "error", "relative error", kErrorBand);
  for (Plot& plot : plots) {
    plot.y_label = "relative error [%]";
    plot.log_y = true;
    plot.caption = "Median over the successful runs; bands: 5 % and 95 % of the runs lie below";
  }
  return plots;
}

std::vector<Plot> coverage_plots(const MonteCarloResult& result) {
  std::vector<Plot> plots = banded_plots(result, "coverage", "coverage", kCoverageBand);
  for (Plot& plot : plots) {
    plot.y_label = "truth inside the 95 % interval [%]";
    plot.caption =
        "Honest intervals lie at 95 %. Bands: 95 % interval of the share (Wilson), for as "
        "many independent trials as the scatter between runs tells";
    const Eigen::VectorXd x = plot.curves.front().x;
    plot.curves.push_back({.name = "95 %",
                           .x = x,
                           .y = Eigen::VectorXd::Constant(x.size(), 95.0),
                           .style = Curve::Style::Dashed,
                           .group = "what they promise"});
  }
  return plots;
}

Plot reported_plot(const MonteCarloResult& result) {
  Plot plot{.id = "reported",
            .title = "Error against reported deviation",
            .x_label = "reported standard deviation [%]",
            .y_label = "relative error [%]",
            .log_x = true,
            .log_y = true,
            .curves = {},
            .caption =
                "A point for each successful run. Honest deviations scatter about the "
                "dashed line, where both are equal"};
  double lowest = std::numeric_limits<double>::infinity();
  double highest = 0.0;
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    std::vector<std::pair<double, double>> pairs;
    for (const study::MonteCarloRun& run : result.runs) {
      const study::RunError& one = run.errors[q];
      if (!run.ok() || !(one.reported > 0.0) || !(one.error > 0.0)) continue;
      pairs.emplace_back(kPercent * one.reported, kPercent * one.error);
      lowest = std::min(lowest, pairs.back().first);
      highest = std::max(highest, pairs.back().first);
    }
    if (pairs.empty()) continue;
    std::sort(pairs.begin(), pairs.end());
    Curve curve{.name = "runs", .x = {}, .y = {}, .style = Curve::Style::Points};
    curve.group = compared_words(static_cast<Compared>(q));
    curve.x.resize(static_cast<Eigen::Index>(pairs.size()));
    curve.y.resize(curve.x.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      curve.x(static_cast<Eigen::Index>(i)) = pairs[i].first;
      curve.y(static_cast<Eigen::Index>(i)) = pairs[i].second;
    }
    plot.curves.push_back(std::move(curve));
  }
  if (plot.curves.empty()) return plot;
  const Eigen::Vector2d ends(lowest, highest);
  plot.curves.push_back(
      {.name = "equal", .x = ends, .y = ends, .style = Curve::Style::Dashed, .group = "equal"});
  return plot;
}

Plot ratio_histogram(const MonteCarloResult& result) {
  Plot plot{.id = "ratio",
            .title = "Error over reported deviation",
            .x_label = "relative error of a run / its reported standard deviation",
            .y_label = "runs",
            .curves = {},
            .caption =
                "All swept values together. About 1 if the deviations are honest; the more "
                "entries or modes, the narrower"};
  constexpr std::size_t kBins = 30;
  double highest = 0.0;
  std::vector<std::vector<double>> all;
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    all.push_back(finite_ratios(result, q));
    for (const double ratio : all.back()) highest = std::max(highest, ratio);
  }
  if (!(highest > 0.0)) return plot;
  for (std::size_t q = 0; q < kComparedCount; ++q) {
    if (all[q].empty()) continue;
    plot.curves.push_back(histogram(all[q], highest / static_cast<double>(kBins), kBins,
                                    compared_words(static_cast<Compared>(q))));
  }
  plot.visible = 1;
  return plot;
}

}  // namespace alembert::report
