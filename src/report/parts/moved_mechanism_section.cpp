#include "report/parts/moved_mechanism_section.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"
#include "report/parts/mechanism_drawing.hpp"
#include "report/parts/sampled_curve.hpp"

namespace alembert::report {

Table motion_table(const document::ResultTree& coordinates) {
  Table table{.id = "motion", .title = "Motion of the coordinates", .header = {}, .rows = {}};
  const std::vector<document::ResultColumn> columns = {{.path = "name"}, {.path = "motion"}};
  table.header = headings_of(coordinates, columns);
  table.rows = cells_of(coordinates, columns, significant);
  return table;
}

// One plot of each derivative and unit, all coordinates in it.
void add_motion_plots(const model::planar::MechanismDescription& mechanism,
                      const signal::Record& truth, Section& section) {
  static const std::array<const char*, 3> kNames = {"Position", "Velocity", "Acceleration"};
  const Eigen::VectorXd times = truth.time().times();
  const auto& coordinates = mechanism.coordinates;
  const std::size_t n = coordinates.size();
  for (std::size_t order = 0; order < kNames.size(); ++order) {
    std::vector<Plot> plots;
    for (std::size_t i = 0; i < n; ++i) {
      const signal::Channel& channel = truth.channels()[order * n + i];
      const std::string label = with_unit(kNames[order], pretty_unit(channel.unit));
      if (plots.empty() || plots.back().y_label != label) {
        plots.push_back({.id = fmt::format("motion-{}-{}", order, i + 1),
                         .title = fmt::format("{} of the coordinates", kNames[order]),
                         .x_label = "time [s]",
                         .y_label = label,
                         .curves = {}});
      }
      const auto column = static_cast<Eigen::Index>(order * n + i);
      plots.back().curves.push_back(
          sampled_curve(to_string(coordinates[i]), times, truth.samples().col(column)));
    }
    for (Plot& plot : plots) section.blocks.push_back(std::move(plot));
  }
}

// Forces and torques, where they are known along the motion.
void add_force_plots(const model::planar::MechanismDescription& mechanism,
                     const signal::Record& truth, Section& section) {
  const Eigen::VectorXd times = truth.time().times();
  for (const char* const unit : {"N", "N m"}) {
    Plot plot{.id = std::string("forces-") + (unit[1] == '\0' ? "n" : "nm"),
              .title = unit[1] == '\0' ? "Forces" : "Torques",
              .x_label = "time [s]",
              .y_label = with_unit(unit[1] == '\0' ? "force" : "torque", pretty_unit(unit)),
              .curves = {}};
    for (const model::planar::Force& force : mechanism.forces) {
      const std::optional<Eigen::Index> at = truth.find("force_" + force.name);
      if (!at || truth.channels()[static_cast<std::size_t>(*at)].unit != unit) continue;
      plot.curves.push_back(sampled_curve(force.name, times, truth.samples().col(*at)));
    }
    if (!plot.curves.empty()) section.blocks.push_back(std::move(plot));
  }
}

Section moved_mechanism_section(const study::SimulateResult& result,
                                const study::MovedMechanism& moved,
                                const document::ResultTree& tree) {
  Section section{.title = "Mechanism", .blocks = {}};
  Animation animation = mechanism_animation(result);
  if (animation.times.size() > 0) section.blocks.push_back(std::move(animation));
  section.blocks.push_back(motion_table(tree.at("model/coordinates")));
  if (result.experiments.empty()) return section;
  add_motion_plots(moved.mechanism->description(), result.experiments.front().truth, section);
  if (moved.has_forces()) {
    add_force_plots(moved.mechanism->description(), result.experiments.front().truth, section);
  }
  return section;
}

}  // namespace alembert::report
