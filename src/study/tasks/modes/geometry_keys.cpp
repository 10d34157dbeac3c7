#include "study/tasks/modes/geometry_keys.hpp"

#include "study/tasks/modes/modes_keys.hpp"

namespace alembert::study {
namespace {

const TableSpec& geometry_nodes_table() {
  static const KeySpec place{.name = "NAME",
                             .forms = kNumbers,
                             .help = "coordinates x, y, z of the node NAME, z upwards",
                             .size = 3};
  static const TableSpec table{.path = "geometry.nodes",
                               .help = "Places of the nodes, in any one unit of length.",
                               .any_name = &place,
                               .model = kForModes};
  return table;
}

const TableSpec& geometry_sensors_table() {
  static const KeySpec place{
      .name = "NAME",
      .forms = kText,
      .help =
          "node and direction of the response NAME: \"3 +x\", \"3 -z\" or, for a skew "
          "direction, \"3 0.6 0.8 0\""};
  static const TableSpec table{
      .path = "geometry.sensors",
      .help =
          "Where each response is measured. Names of universal files, such as \"12:+X\", need "
          "no entry.",
      .any_name = &place,
      .model = kForModes};
  return table;
}

}  // namespace

const TableSpec& geometry_table() {
  static const TableSpec table{
      .path = "geometry",
      .help =
          "Form of the structure: with it the report shows moving shapes, and modes.unv holds "
          "them for other programs.",
      .keys = {{.name = "file",
                .forms = kText,
                .help = "universal file with nodes (dataset 15, 781 or 2411), trace lines (82) and "
                        "elements (2412)"},
               {.name = "nodes",
                .forms = kText | kTable,
                .help = "name = [x, y, z], or a file with one row per node: number, x, y, z",
                .table = &geometry_nodes_table()},
               {.name = "lines",
                .forms = kTexts,
                .help = "polylines, each a text of node names: \"1 2 3\"",
                .fallback_note = "those of the file"},
               {.name = "surfaces",
                .forms = kTexts,
                .help = "polygons, each a text of node names: \"1 2 6 5\"",
                .fallback_note = "those of the file"},
               {.name = "rigid",
                .forms = kTexts,
                .help =
                    "nodes that move as one rigid body, such as a floor: \"5 6 7 8\"; their motion "
                    "follows from the sensors at any of them",
                .fallback_note = "none"},
               {.name = "sensors",
                .forms = kTable,
                .help = "response = node and direction",
                .fallback_note = "from the names of a universal file",
                .table = &geometry_sensors_table()}},
      .rules = {{.kind = KeyRule::Kind::ExactlyOne, .keys = {"file", "nodes"}}},
      .model = kForModes};
  return table;
}

}  // namespace alembert::study
