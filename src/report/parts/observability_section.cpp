#include "report/parts/observability_section.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alembert/core/text.hpp"
#include "report/page/text.hpp"
#include "report/page/vocabulary.hpp"

namespace alembert::report {
namespace {

void add_set_row(const model::planar::Mechanism& mechanism, const std::string& name,
                 const estimate::SensorSetReport& set, Table& table) {
  if (set.sensors.empty()) return;
  std::vector<std::string> sensors, place;
  for (const int sensor : set.sensors) {
    sensors.push_back(mechanism.description().sensors[static_cast<std::size_t>(sensor)].name);
  }
  for (const double z : set.worst_at) place.push_back(significant(z, 3));
  table.rows.push_back(
      {name, join(sensors, ", "), grouped(set.lowest_rank),
       std::isfinite(set.worst_condition) ? significant(set.worst_condition, 3) : "infinite",
       join(place, ", "), grouped(static_cast<long long>(set.singular.size()))});
}

}  // namespace

Section observability_section(const model::planar::Mechanism& mechanism,
                              const estimate::ObservabilityReport& report,
                              const std::vector<std::string>& words) {
  Section section{.title = "What the sensors see", .blocks = {}};
  if (report.positions == 0) return section;
  for (const std::string& sentence : words) section.blocks.push_back(Paragraph{sentence});
  Table table{
      .id = "observability",
      .title = "Sensitivity of the sensors to the coordinates over the workspace",
      .header = {"what", "sensors", "lowest rank", "worst condition", "there", "singular places"},
      .rows = {},
      .caption = fmt::format(
          "{} places, {} of them out of reach; {} coordinates need a rank of {}; there: "
          "coordinates in rad or m",
          report.positions, report.unreachable, report.coordinates, report.coordinates)};
  add_set_row(mechanism, "positions", report.position_sensors, table);
  add_set_row(mechanism, "rates", report.rate_sensors, table);
  add_set_row(mechanism, "accelerations", report.acceleration_sensors, table);
  if (!table.rows.empty()) section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace alembert::report
