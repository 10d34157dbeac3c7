#include <fmt/format.h>

#include <algorithm>

#include "report/page/vocabulary.hpp"
#include "report/tasks/identify/identify_sections.hpp"

namespace alembert::report {
namespace {

using identify::ModeVerdict;

constexpr std::size_t kMostModeRows = 200;
constexpr std::size_t kMostShapes = 24;
constexpr std::size_t kMostNames = 24;  // of coordinates that fit side by side
constexpr int kShapesAtFirst = 4;

Table mode_table(const study::IdentifyResult& result) {
  Table table{.id = "modes",
              .title = "Modes of the identified system",
              .header = {},
              .rows = {},
              .caption = "\u00b1 is one standard deviation, carried over from that of M, D and K"};
  const std::vector<document::ResultColumn> columns = {
      {.path = "mode"},
      {.path = "frequency_hz", .deviation = "frequency_deviation", .unknown = ""},
      {.path = "damping_ratio",
       .heading = "damping ratio [%]",
       .factor = 100.0,
       .deviation = "damping_deviation",
       .unknown = ""},
      {.path = "frequency_share",
       .heading = "relative std of frequency [%]",
       .digits = 2,
       .factor = 100.0},
      {.path = "damping_share",
       .heading = "relative std of damping [%]",
       .digits = 2,
       .factor = 100.0}};
  const document::ResultTree tree = describe(result);
  table.header = headings_of(*tree.find("model/modes"), columns);
  table.rows = cells_of(*tree.find("model/modes"), columns, significant);
  if (table.rows.size() > kMostModeRows) {
    table.caption += fmt::format(". The first {} of {} modes; all are in result.json",
                                 kMostModeRows, table.rows.size());
    table.rows.resize(kMostModeRows);
  }
  return table;
}

// Real part of each shape over the coordinates, with a band of two deviations above and below.
Plot shape_plot(const study::IdentifyResult& result) {
  const std::vector<std::string>& names = result.study.model.coordinates;
  const auto n = static_cast<Eigen::Index>(names.size());
  Plot plot{.id = "mode-shapes",
            .title = "Mode shapes",
            .x_label = "coordinate",
            .y_label = "real part, largest entry 1",
            .curves = {},
            .caption = "Bands: two standard deviations above and below"};
  const Eigen::VectorXd numbers = Eigen::VectorXd::LinSpaced(n, 1.0, static_cast<double>(n));
  const std::size_t count = std::min(result.modes.size(), kMostShapes);
  for (std::size_t i = 0; i < count; ++i) {
    const ModeVerdict& mode = result.modes[i];
    const std::string group =
        fmt::format("mode {}, {} Hz", i + 1, significant(mode.frequency_hz, 4));
    const Eigen::VectorXd shape = mode.shape.real();
    plot.curves.push_back({.name = "shape", .x = numbers, .y = shape, .group = group});
    plot.curves.push_back({.name = "entries",
                           .x = numbers,
                           .y = shape,
                           .style = Curve::Style::Points,
                           .group = group});
    if (!mode.shape_deviation.allFinite() || mode.shape_deviation.size() != n) continue;
    for (const double sign : {-2.0, 2.0}) {
      plot.curves.push_back({.name = sign < 0.0 ? "\u2212 2 std" : "+ 2 std",
                             .x = numbers,
                             .y = shape + sign * mode.shape_deviation,
                             .style = Curve::Style::Faint,
                             .group = group});
    }
  }
  plot.visible = std::min(static_cast<int>(count), kShapesAtFirst);
  if (names.size() <= kMostNames) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      plot.markers.push_back({numbers(static_cast<Eigen::Index>(i)), names[i]});
    }
  } else {
    plot.x_label = fmt::format("number of the coordinate, {} to {}", names.front(), names.back());
  }
  if (count < result.modes.size()) {
    plot.caption += fmt::format(". The first {} of {} modes", count, result.modes.size());
  }
  return plot;
}

}  // namespace

Section identify_mode_section(const study::IdentifyResult& result) {
  Section section{.title = "Modes and frequency responses", .blocks = {}};
  if (result.modes.empty()) return section;
  section.blocks.push_back(mode_table(result));
  if (result.study.model.coordinates.size() > 1) section.blocks.push_back(shape_plot(result));
  for (Plot& plot : identify_response_plots(result)) section.blocks.push_back(std::move(plot));
  return section;
}

}  // namespace alembert::report
