#include "identify/linear/output_motion.hpp"

namespace alembert::identify {

std::optional<model::Motion> motion_of_output(const model::OutputMap& map, Eigen::Index output) {
  const bool sees[] = {map.displacement.row(output).any(), map.velocity.row(output).any(),
                       map.acceleration.row(output).any()};
  std::optional<model::Motion> found;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!sees[i]) continue;
    if (found) return std::nullopt;
    found = kMotions[i];
  }
  return found;
}

model::OutputMap selected_map(const model::OutputMap& map,
                              const std::vector<Eigen::Index>& outputs) {
  return {map.displacement(outputs, Eigen::all), map.velocity(outputs, Eigen::all),
          map.acceleration(outputs, Eigen::all)};
}

}  // namespace alembert::identify
