#include "report/comparison/comparison_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "report/page/text.hpp"

namespace alembert::report {
namespace {

constexpr std::size_t kMostSignals = 12;
constexpr double kBreak = std::numeric_limits<double>::quiet_NaN();
constexpr double kBeside = 0.12;  // so that the two intervals of a number do not cover each other

Eigen::VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// Points with their intervals as vertical lines.
struct Intervals {
  std::vector<double> x, y, line_x, line_y;

  void add(double place, double value, double margin) {
    x.push_back(place);
    y.push_back(value);
    line_x.insert(line_x.end(), {place, place, place});
    line_y.insert(line_y.end(), {value - margin, value + margin, kBreak});
  }

  void draw(const std::string& name, Plot& plot) const {
    plot.curves.push_back({.name = name,
                           .x = vector_of(x),
                           .y = vector_of(y),
                           .style = Curve::Style::Points,
                           .group = name});
    plot.curves.push_back(
        {.name = "95 % of " + name, .x = vector_of(line_x), .y = vector_of(line_y), .group = name});
  }
};

// Columns that accompany others, or stand in both with the same content.
bool is_companion(const std::string& name) {
  static constexpr std::array kEndings = {"_residual", "_deviation", "_std"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](const char* ending) { return name.ends_with(ending); });
}

// "y1" for "y1_predicted"; nothing for a column that is not compared with a measured one.
std::optional<std::string> measured_name(const std::string& name) {
  for (const std::string ending : {"_predicted", "_fitted"}) {
    if (name.size() > ending.size() && name.ends_with(ending)) {
      return name.substr(0, name.size() - ending.size());
    }
  }
  return std::nullopt;
}

// The columns to draw: those that are compared with measured ones, or all where there are none.
std::vector<std::string> drawn_names(const signal::Record& first, const signal::Record& second) {
  std::vector<std::string> compared, others;
  for (const signal::Channel& channel : first.channels()) {
    if (!second.find(channel.name) || is_companion(channel.name)) continue;
    (measured_name(channel.name) ? compared : others).push_back(channel.name);
  }
  return compared.empty() ? others : compared;
}

Plot signal_plot(const signal::Record& first, const signal::Record& second,
                 const std::string& name) {
  const std::string measured = measured_name(name).value_or("");
  const Eigen::Index column = first.find(name).value();
  const std::string unit = first.channels()[static_cast<std::size_t>(column)].unit;
  Plot plot{.id = "signal-" + slug(name),
            .title = measured.empty() ? name : measured,
            .x_label = "time [s]",
            .y_label = with_unit(measured.empty() ? name : measured, pretty_unit(unit))};
  if (const auto original = first.find(measured); !measured.empty() && original) {
    plot.curves.push_back({.name = "measured",
                           .x = first.time().times(),
                           .y = first.samples().col(*original),
                           .style = Curve::Style::Faint});
  }
  plot.curves.push_back(
      {.name = "first", .x = first.time().times(), .y = first.samples().col(column)});
  plot.curves.push_back({.name = "second",
                         .x = second.time().times(),
                         .y = second.samples().col(second.find(name).value()),
                         .style = Curve::Style::Dashed});
  return plot;
}

}  // namespace

Plot agreement_plot(const study::ResultComparison& comparison) {
  Plot plot{.id = "agreement",
            .title = "Agreement",
            .x_label = "number in the table",
            .y_label = "difference from the first / joint 95 % limit",
            .caption =
                "Points with their 95 % intervals. Estimates agree where the point of the "
                "second lies between -1 and 1."};
  Intervals first, second;
  for (std::size_t k = 0; k < comparison.quantities.size(); ++k) {
    const study::QuantityPair& pair = comparison.quantities[k];
    if (pair.agreement == study::Agreement::Unknown || pair.limit == 0.0) continue;
    const double place = static_cast<double>(k + 1);
    first.add(place - kBeside, 0.0, pair.first.margin / pair.limit);
    second.add(place + kBeside, pair.difference / pair.limit, pair.second.margin / pair.limit);
  }
  if (first.x.empty()) return plot;
  first.draw("first", plot);
  second.draw("second", plot);
  const double end = static_cast<double>(comparison.quantities.size()) + 0.5;
  plot.curves.push_back({.name = "limits of agreement",
                         .x = vector_of({0.5, end, end, 0.5, end}),
                         .y = vector_of({1.0, 1.0, kBreak, -1.0, -1.0}),
                         .style = Curve::Style::Dashed});
  return plot;
}

std::vector<Block> signal_plots(const signal::Record& first, const signal::Record& second) {
  const std::vector<std::string> names = drawn_names(first, second);
  std::vector<Block> blocks;
  blocks.reserve(std::min(names.size(), kMostSignals) + 1);
  for (std::size_t k = 0; k < std::min(names.size(), kMostSignals); ++k) {
    blocks.emplace_back(signal_plot(first, second, names[k]));
  }
  if (names.size() > kMostSignals) {
    blocks.emplace_back(Paragraph{
        .text = fmt::format("The first {} of {} signals are shown.", kMostSignals, names.size())});
  }
  return blocks;
}

}  // namespace alembert::report
