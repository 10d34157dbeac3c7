#include "report/tasks/observe/observe_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/chi_square.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/sampled_curve.hpp"

namespace alembert::report {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr Index kRuns = 200;        // means of the NIS along the record
constexpr Index kShortestRun = 10;  // samples
// Deviations this many times the usual band show that the start is not forgotten.
constexpr double kSettledWithin = 2.0;

/// What a plot shows of bands.
struct Limits {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

void add_band(Plot& plot, const std::string& group, const VectorXd& times, const VectorXd& middle,
              const VectorXd& deviation, Curve::Style style, const Limits& limits = {}) {
  for (const double sign : {-2.0, 2.0}) {
    const VectorXd edge = (middle + sign * deviation).cwiseMax(limits.lower).cwiseMin(limits.upper);
    Curve curve = sampled_curve(sign < 0.0 ? "\u2212 2 std" : "+ 2 std", times, edge);
    curve.style = style;
    curve.group = group;
    plot.curves.push_back(std::move(curve));
  }
}

/// Means of the NIS over runs of equal count, and their bounds.
struct NisRuns {
  std::vector<double> times, means, lower, upper;
};

NisRuns runs_of(const study::ObserveResult& result, Index length) {
  NisRuns runs;
  const estimate::KinematicEstimate& estimate = result.estimate;
  for (Index begin = 0; begin + length <= estimate.nis.size(); begin += length) {
    double sum = 0.0;
    double freedom = 0.0;
    double count = 0.0;
    for (Index k = begin; k < begin + length; ++k) {
      if (std::isnan(estimate.nis(k)) || estimate.used[static_cast<std::size_t>(k)] <= 0) continue;
      sum += estimate.nis(k);
      freedom += estimate.used[static_cast<std::size_t>(k)];
      count += 1.0;
    }
    if (count == 0.0) continue;
    runs.times.push_back(0.5 * (result.study.time[begin] + result.study.time[begin + length - 1]));
    runs.means.push_back(sum / count);
    runs.lower.push_back(chi_square_quantile(0.025, freedom) / count);
    runs.upper.push_back(chi_square_quantile(0.975, freedom) / count);
  }
  return runs;
}

VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Index>(values.size()));
}

std::string state_title(const estimate::StateColumn& state) {
  switch (state.derivative) {
    case 0:
      return "Position " + state.name;
    case 1:
      return "Velocity " + state.name;
    case 2:
      return "Acceleration " + state.name;
    case 3:
      return "Jerk " + state.name;
    default:
      return "Estimate of " + state.name;
  }
}

// Before the start is forgotten the bands are so wide, and the estimate may be so far off, that the
// rest would be a flat line: as far as the estimate goes where it is not much less certain than
// later on, and beyond it by the two standard deviations that 95 % of the scored samples stay
// within.
Limits limits_of(const VectorXd& middle, const VectorXd& deviation, Index scored) {
  Limits limits;
  std::vector<double> widths;
  for (Index k = deviation.size() - scored; k < deviation.size(); ++k) {
    if (std::isfinite(deviation(k))) widths.push_back(deviation(k));
  }
  if (widths.empty()) return limits;
  const auto place = static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(widths.size() - 1));
  std::nth_element(widths.begin(), widths.begin() + place, widths.end());
  const double width = 2.0 * widths[static_cast<std::size_t>(place)];
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (Index k = 0; k < middle.size(); ++k) {
    const bool settled = k >= middle.size() - scored || deviation(k) <= kSettledWithin * width;
    if (!settled || !std::isfinite(middle(k))) continue;
    least = std::min(least, middle(k));
    most = std::max(most, middle(k));
  }
  if (!(least <= most)) return limits;
  // A constant estimate needs some room too.
  const double room = std::max(width, 0.05 * (most - least));
  limits.lower = least - room;
  limits.upper = most + room;
  return limits;
}

// The curve without what lies beyond the limits.
VectorXd within(const VectorXd& values, const Limits& limits) {
  VectorXd kept = values;
  for (double& value : kept) {
    if (value < limits.lower || value > limits.upper) {
      value = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return kept;
}

// Alarms on a state.
std::vector<Marker> markers_of(const study::ObserveResult& result, const std::string& state) {
  std::vector<Marker> markers;
  for (const estimate::WatchReport& report : result.watch) {
    if (report.signal.sensor >= 0 || report.signal.state != state) continue;
    for (Marker& marker : alarm_markers(report)) markers.push_back(std::move(marker));
  }
  return markers;
}

bool is_cut(const VectorXd& middle, const VectorXd& deviation, const Limits& limits) {
  return ((middle + 2.0 * deviation).array() > limits.upper).any() ||
         ((middle - 2.0 * deviation).array() < limits.lower).any();
}

}  // namespace

std::vector<Plot> state_plots(const study::ObserveResult& result) {
  std::vector<Plot> plots;
  const VectorXd times = result.study.time.times();
  const estimate::KinematicEstimate& estimate = result.estimate;
  for (std::size_t i = 0; i < result.states.size(); ++i) {
    const estimate::StateColumn& state = result.states[i];
    const auto c = static_cast<Index>(i);
    Plot plot{.id = fmt::format("state-{}", i + 1),
              .title = state_title(state),
              .x_label = "time [s]",
              .y_label = with_unit(state.name, pretty_unit(state.unit)),
              .curves = {},
              .caption = "Bands: two standard deviations on both sides"};
    const Limits limits = limits_of(estimate.mean.col(c), estimate.deviation.col(c), result.scored);
    if (is_cut(estimate.mean.col(c), estimate.deviation.col(c), limits)) {
      plot.caption += ", cut off where they are far wider than later on";
    }
    plot.markers = markers_of(result, state.name);
    plot.curves.push_back(sampled_curve("value", times, within(estimate.mean.col(c), limits)));
    plot.curves.back().group = "filtered";
    add_band(plot, "filtered", times, estimate.mean.col(c), estimate.deviation.col(c),
             Curve::Style::Faint, limits);
    if (result.study.options.smooth) {
      plot.curves.push_back(sampled_curve("value", times, estimate.smoothed_mean.col(c)));
      plot.curves.back().group = "smoothed";
      add_band(plot, "smoothed", times, estimate.smoothed_mean.col(c),
               estimate.smoothed_deviation.col(c), Curve::Style::Faint, limits);
    }
    plots.push_back(std::move(plot));
  }
  return plots;
}

std::vector<Plot> error_plots(const study::ObserveResult& result) {
  std::vector<Plot> plots;
  if (!result.truth || result.scored == 0) return plots;
  const estimate::KnownMotion& truth = result.study.options.truth;
  const VectorXd times = result.study.time.times().tail(result.scored);
  for (const estimate::StateError& error : result.truth->states) {
    const estimate::StateColumn& state = result.states[static_cast<std::size_t>(error.state)];
    const auto column =
        static_cast<Index>(std::find(truth.columns.begin(), truth.columns.end(), state.column) -
                           truth.columns.begin());
    Plot plot{.id = fmt::format("error-{}", error.state + 1),
              .title = "Error of " + state.name,
              .x_label = "time [s]",
              .y_label = with_unit("estimate less truth", pretty_unit(state.unit)),
              .curves = {},
              .caption = "Dashed: two standard deviations that the filter reports"};
    const VectorXd errors = result.estimate.mean.col(error.state).tail(result.scored) -
                            truth.values.col(column).tail(result.scored);
    plot.curves.push_back(sampled_curve("error", times, errors));
    add_band(plot, "expected", times, VectorXd::Zero(times.size()),
             result.estimate.deviation.col(error.state).tail(result.scored), Curve::Style::Dashed);
    plots.push_back(std::move(plot));
  }
  return plots;
}

std::vector<Plot> innovation_plots(const study::ObserveResult& result) {
  std::vector<Plot> plots;
  // Before the start is forgotten the bounds are so wide that nothing else would be seen.
  const Index scored = result.scored;
  if (scored == 0) return plots;
  const VectorXd times = result.study.time.times().tail(scored);
  const estimate::KinematicEstimate& estimate = result.estimate;
  for (std::size_t i = 0; i < estimate.outputs.size(); ++i) {
    const auto at = static_cast<std::size_t>(estimate.outputs[i]);
    const model::planar::Sensor& sensor = result.study.mechanism->description().sensors[at];
    const auto c = static_cast<Index>(i);
    Plot plot{.id = fmt::format("innovation-{}", i + 1),
              .title = fmt::format("Innovation of {}: reading less prediction", sensor.name),
              .x_label = "time [s]",
              .y_label = with_unit("innovation", pretty_unit(sensor_unit(sensor.kind))),
              .curves = {},
              .caption =
                  "Dashed: two standard deviations that the filter expects; 95 % of the "
                  "innovations lie between them if it is right. From the first scored sample on"};
    plot.curves.push_back(
        sampled_curve("innovation", times, estimate.innovation.col(c).tail(scored)));
    plot.curves.back().style = Curve::Style::Faint;
    const VectorXd zero = VectorXd::Zero(times.size());
    add_band(plot, "expected", times, zero, estimate.innovation_deviation.col(c).tail(scored),
             Curve::Style::Dashed);
    plots.push_back(std::move(plot));
  }
  return plots;
}

Plot nis_plot(const study::ObserveResult& result) {
  const Index length = std::max(kShortestRun, result.estimate.nis.size() / kRuns);
  const NisRuns runs = runs_of(result, length);
  Plot plot{.id = "nis",
            .title = "Normalised innovations squared (NIS)",
            .x_label = "time [s]",
            .y_label = "mean NIS",
            .curves = {},
            .caption = fmt::format("Means over {} samples; dashed: their 95 % band by the "
                                   "\u03c7\u00b2 distribution",
                                   length)};
  if (runs.times.empty()) return plot;
  const VectorXd times = as_vector(runs.times);
  plot.curves.push_back(
      {.name = "mean NIS", .x = times, .y = as_vector(runs.means), .style = Curve::Style::Points});
  for (const auto* bound : {&runs.lower, &runs.upper}) {
    plot.curves.push_back({.name = bound == &runs.lower ? "lower" : "upper",
                           .x = times,
                           .y = as_vector(*bound),
                           .style = Curve::Style::Dashed,
                           .group = "95 % band"});
  }
  return plot;
}

Plot innovation_correlation(const study::ObserveResult& result) {
  const estimate::WhitenessReport& whiteness = result.consistency.whiteness;
  const auto lags = static_cast<Index>(whiteness.autocorrelation.size());
  const VectorXd axis = VectorXd::LinSpaced(lags, 1.0, static_cast<double>(lags));
  Plot plot{.id = "innovation-correlation",
            .title = "Autocorrelation of the innovations",
            .x_label = "lag [samples]",
            .y_label = "correlation",
            .curves = {},
            .caption = "Dashed: 95 % of the values of white noise lie between these lines"};
  plot.curves.push_back({.name = "correlation",
                         .x = axis,
                         .y = as_vector(whiteness.autocorrelation),
                         .style = Curve::Style::Points});
  for (const double sign : {1.0, -1.0}) {
    plot.curves.push_back({.name = sign > 0.0 ? "upper" : "lower",
                           .x = axis,
                           .y = VectorXd::Constant(lags, sign * whiteness.bound),
                           .style = Curve::Style::Dashed,
                           .group = "95 % bounds"});
  }
  return plot;
}

}  // namespace alembert::report
