#include "report/parts/flexible/flexible_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/page/text.hpp"
#include "report/parts/flexible/flexible_drawing.hpp"
#include "report/parts/moved_mechanism_section.hpp"
#include "report/parts/sampled_curve.hpp"

namespace alembert::report {
namespace {

using document::ResultColumn;
using document::ResultTree;

constexpr std::size_t kMostModesOfTable = 40;

Table described_table(const std::string& id, const std::string& title, const ResultTree& rows,
                      const std::vector<ResultColumn>& columns) {
  Table table{.id = id, .title = title, .header = {}, .rows = {}};
  table.header = headings_of(rows, columns);
  table.rows = cells_of(rows, columns, significant);
  return table;
}

// What a damping ratio of 100 % or below zero means; "" where every motion vibrates and decays.
std::string words_of_poles(const std::vector<model::DampedMode>& modes) {
  const auto any = [&](const auto& is) { return std::any_of(modes.begin(), modes.end(), is); };
  std::string words;
  if (any([](const model::DampedMode& mode) { return std::abs(mode.damping_ratio) >= 1.0; })) {
    words += ". A ratio of 100 % is a motion that does not vibrate";
  }
  if (any([](const model::DampedMode& mode) { return mode.pole.real() > 0.0; })) {
    words += ". A negative ratio is a motion that grows: this is no stable rest";
  }
  return words;
}

Table mode_table(const ResultTree& modes, const study::FlexibleOutcome& found) {
  Table table = described_table(
      "modes", "Modes", modes,
      {{.path = "mode"},
       {.path = "frequency_hz", .digits = 5, .unknown = ""},
       {.path = "damping_ratio", .heading = "damping ratio [%]", .factor = 100.0, .unknown = ""}});
  table.caption = found.held ? "Small motions about the start, links bent by what acts there"
                             : "Small motions about the equilibrium that was found from the start";
  table.caption += words_of_poles(found.modes);
  if (table.rows.size() > kMostModesOfTable) {
    table.caption += fmt::format("; the lowest {} of {}", kMostModesOfTable, table.rows.size());
    table.rows.resize(kMostModesOfTable);
  }
  return table;
}

Plot energy_plot(const integrate::FlexibleSimulation& run) {
  Plot plot{.id = "energy",
            .title = "Energies",
            .x_label = "time [s]",
            .y_label = "energy [J]",
            .curves = {sampled_curve("kinetic", run.time, run.kinetic),
                       sampled_curve("elastic", run.time, run.elastic),
                       sampled_curve("gravity and springs", run.time, run.potential),
                       sampled_curve("work of the forces", run.time, run.work),
                       sampled_curve("lost to damping", run.time, run.loss)}};
  plot.caption = fmt::format("{} steps a sample", run.substeps);
  if (std::isfinite(run.energy_drift)) {
    plot.caption +=
        fmt::format(". Of the largest energy {} is not accounted for: how good the steps are",
                    significant(run.energy_drift, 2));
  }
  if (std::isfinite(run.halving_change)) {
    plot.caption += fmt::format(". Halving the steps changed the motion by {} of its size",
                                significant(run.halving_change, 2));
  }
  return plot;
}

}  // namespace

Section flexible_section(const study::SimulateResult& result, const study::MovedFlexible& moved,
                         const ResultTree& tree) {
  Section section{.title = "Mechanism", .blocks = {}};
  if (!result.flexible) return section;
  const study::FlexibleOutcome& found = *result.flexible;
  const ResultTree& model = tree.at("model");
  section.blocks.push_back(flexible_animation(moved, found));
  section.blocks.push_back(motion_table(model.at("coordinates")));
  section.blocks.push_back(mode_table(model.at("modes"), found));
  if (!found.modes.empty()) section.blocks.push_back(flexible_shapes(moved, found));
  section.blocks.push_back(described_table("deflections", "Largest deflections",
                                           model.at("deflections"),
                                           {{.path = "body"},
                                            {.path = "length"},
                                            {.path = "deflection", .digits = 3},
                                            {.path = "time"}}));
  section.blocks.push_back(energy_plot(found.run));
  if (result.experiments.empty()) return section;
  const signal::Record& truth = result.experiments.front().truth;
  add_motion_plots(moved.mechanism->description().mechanism, truth, section);
  add_force_plots(moved.mechanism->description().mechanism, truth, section);
  return section;
}

}  // namespace alembert::report
