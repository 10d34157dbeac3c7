#include <fmt/format.h>

#include "report/tasks/modes/modes_sections.hpp"

namespace alembert::report {

ShapeView moving_shapes(const study::ModesOutcome& result) {
  const study::ModesGeometry& geometry = *result.study.geometry;
  ShapeView view{.id = "moving-shapes",
                 .title = "Mode shapes in motion",
                 .names = geometry.structure.nodes,
                 .points = geometry.structure.positions,
                 .lines = geometry.structure.lines,
                 .surfaces = geometry.structure.surfaces,
                 .caption =
                     "Drag the picture to turn it. Dashed: the structure at rest. Arrows: "
                     "the sensors. What no sensor measures stands still"};
  for (std::size_t i = 0; i < geometry.sensors.size(); ++i) {
    const identify::SensorPlace& place = geometry.sensors[i];
    if (place.node < 0) continue;
    view.arrows.push_back(
        {.name = result.study.outputs[i].name, .point = place.node, .direction = place.direction});
  }
  for (std::size_t r = 0; r < result.modes.size(); ++r) {
    const identify::Mode& mode = result.modes[r];
    view.shapes.push_back(
        {.name = fmt::format("mode {}, {} Hz", r + 1, significant(mode.frequency_hz, 4)),
         .motion = identify::node_motion(geometry.structure, geometry.sensors, mode.shape)});
  }
  return view;
}

}  // namespace alembert::report
