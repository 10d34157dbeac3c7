#include "report/parts/observability_section.hpp"

#include <fmt/format.h>

#include <utility>

#include "report/page/vocabulary.hpp"

namespace alembert::report {
namespace {

using document::ResultTree;

// Kinds of sensors of which there are any.
ResultTree seen_sets(const ResultTree& seen) {
  ResultTree rows = ResultTree::empty_list();
  for (const char* const key : {"position_sensors", "rate_sensors", "acceleration_sensors"}) {
    const ResultTree& set = seen.at(key);
    if (!set.at("sensors").entries().empty()) rows.item(set);
  }
  return rows;
}

}  // namespace

Section observability_section(const ResultTree& seen) {
  Section section{.title = "What the sensors see", .blocks = {}};
  if (seen.at("places").integer() == 0) return section;
  for (const ResultTree& sentence : seen.at("words").entries()) {
    section.blocks.push_back(Paragraph{sentence.text()});
  }
  const ResultTree rows = seen_sets(seen);
  if (rows.entries().empty()) return section;
  const std::int64_t coordinates = seen.at("coordinates").integer();
  Table table{
      .id = "observability",
      .title = "Sensitivity of the sensors to the coordinates over the workspace",
      .header = {},
      .rows = {},
      .caption = fmt::format(
          "{} places, {} of them out of reach; {} coordinates need a rank of {}; there: "
          "coordinates in rad or m",
          seen.at("places").integer(), seen.at("unreachable").integer(), coordinates, coordinates)};
  const std::vector<document::ResultColumn> columns = {
      {.path = "what"},
      {.path = "sensors"},
      {.path = "lowest_rank", .count_text = grouped},
      {.path = "worst_condition", .digits = 3, .unknown = "infinite"},
      {.path = "worst_at", .missing = ""},
      {.path = "singular", .count_text = grouped}};
  table.header = headings_of(rows, columns);
  table.rows = cells_of(rows, columns, significant);
  section.blocks.push_back(std::move(table));
  return section;
}

}  // namespace alembert::report
