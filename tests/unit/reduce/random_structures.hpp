#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "alembert/model/structure/assembly.hpp"

namespace alembert::test {

/// A structure made of copies of one body, which may hang together by weak springs: clusters and
/// repeated frequencies, free bodies, massless coordinates.
struct RandomStructure {
  model::Structure structure;
  int copies = 1;
  bool massless = false;
};

inline RandomStructure random_structure(std::uint64_t seed) {
  using model::Direction;
  std::mt19937_64 engine(seed);
  const auto pick = [&](int from, int to) {
    return std::uniform_int_distribution<int>(from, to)(engine);
  };
  const auto uniform = [&](double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(engine);
  };
  RandomStructure made;
  made.copies = pick(1, 8);
  made.massless = pick(0, 3) == 0;
  const bool free_bodies = pick(0, 2) == 0;
  const bool solid = pick(0, 1) == 0;
  // Exactly equal copies, or ones whose stiffness differs by parts of 1e-12 to 1e-6.
  const double split = pick(0, 1) == 0 ? 0.0 : std::pow(10.0, uniform(-12.0, -6.0));
  const int length = pick(3, 8);
  model::StructureBuilder builder;
  for (int copy = 0; copy < made.copies; ++copy) {
    model::Material material{};
    material.young *= 1.0 + split * copy;
    const Eigen::Index first = builder.nodes();
    if (solid) {
      std::vector<double> x;
      for (int i = 0; i <= length; ++i) x.push_back(0.1 * i);
      // A square section: bending frequencies come in pairs.
      model::add_block({.x = x, .y = {0, 0.05, 0.1}, .z = {0, 0.05, 0.1}, .material = material},
                       builder);
      for (int node = 0; node < 9 && !free_bodies; ++node) {
        for (const Direction d : {Direction::X, Direction::Y, Direction::Z}) {
          builder.fix(first + node, d);
        }
      }
    } else {
      const int elements = 6 * length;
      for (int i = 0; i <= elements; ++i) (void)builder.add_node({0.05 * i, 0.0, 0.0});
      for (int i = 0; i < elements; ++i) {
        builder.add_plane_beam({first + i, first + i + 1}, material,
                               {.area = 1e-4, .inertia = 1e-9});
      }
      for (const Direction d : {Direction::X, Direction::Y, Direction::RZ}) {
        if (!free_bodies) builder.fix(first, d);
      }
    }
    if (made.massless) {
      // A point without mass between two springs.
      const Eigen::Index point = builder.add_node({0.0, 1.0, 0.0});
      builder.add_spring(point, first + 1, Direction::Y, 1e5);
      builder.add_ground_spring(point, Direction::Y, 1e5);
    }
  }
  made.structure = builder.build();
  return made;
}

}  // namespace alembert::test
