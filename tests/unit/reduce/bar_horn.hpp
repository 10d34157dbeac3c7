#pragma once

#include <vector>

#include "alembert/model/structure/assembly.hpp"

namespace alembert::test {

/// The ultrasonic bar horn of the literature: 104 x 70 x 30 mm, slot 72 x 7 mm, Al7075, 316 rows.
struct BarHorn {
  model::Structure structure;
  std::vector<Eigen::Index> masters;  ///< the three nodes in the middle of a face, x and y
};

inline BarHorn bar_horn() {
  model::PlateGrid grid;
  grid.x = {0.0, 0.008};
  for (int i = 0; i <= 14; ++i) grid.x.push_back(0.016 + 0.072 * i / 14);
  grid.x.push_back(0.096);
  grid.x.push_back(0.104);
  for (const double y : {0.0, 10.5, 21.0, 31.5, 35.0, 38.5, 49.0, 59.5, 70.0}) {
    grid.y.push_back(1e-3 * y);
  }
  grid.cutouts = {{0.016, 0.0315, 0.088, 0.0385}};
  grid.material = {.density = 2810.0, .young = 71.7e9, .poisson = 0.33};
  grid.thickness = 0.03;
  grid.state = model::PlaneState::Strain;
  model::StructureBuilder builder;
  model::add_plate(grid, builder);
  BarHorn horn{builder.build(), {}};
  for (Eigen::Index row = 0; row < horn.structure.size(); ++row) {
    const auto& one = horn.structure.coordinates[static_cast<std::size_t>(row)];
    const Eigen::Vector3d& at = horn.structure.nodes[static_cast<std::size_t>(one.node)].place;
    if (at.x() == 0.0 && at.y() > 0.031 && at.y() < 0.039) horn.masters.push_back(row);
  }
  return horn;
}

}  // namespace alembert::test
