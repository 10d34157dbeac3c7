#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <vector>

#include "alembert/model/structure/assembly.hpp"
#include "alembert/reduce/modes.hpp"
#include "support/matrices_near.hpp"

// Solids and beams of space in meshes: patches that must hold a linear field, and frequencies that
// must converge with the order of theory.
namespace alembert::reduce::convergence_test {

using model::Direction;
using model::Material;
using model::Structure;
using model::StructureBuilder;

const Material kMaterial{.density = 1000.0, .young = 1e9, .poisson = 0.3};
const std::array<Direction, 3> kAxes = {Direction::X, Direction::Y, Direction::Z};

enum class Solid { Hex8, Tet4, Tet10 };

/// A box of cells x cells x cells bricks, or of six tetrahedra in place of each brick (Kuhn). Nodes
/// have integer places on a grid of half cells.
struct Box {
  using Place = std::array<int, 3>;
  StructureBuilder builder;
  std::map<Place, Eigen::Index> nodes;
  std::vector<Place> places;
  int cells = 0;

  Eigen::Index node(const Place& at, const std::function<Eigen::Vector3d(const Place&)>& place) {
    const auto [found, added] = nodes.try_emplace(at, builder.nodes());
    if (added) {
      (void)builder.add_node(place(at));
      places.push_back(at);
    }
    return found->second;
  }

  [[nodiscard]] bool on_face(const Place& at, int axis) const {
    const int i = at[static_cast<std::size_t>(axis)];
    return i == 0 || i == 2 * cells;
  }
  [[nodiscard]] bool outside(const Place& at) const {
    return on_face(at, 0) || on_face(at, 1) || on_face(at, 2);
  }
};

// Corners of the six tetrahedra of a brick: along its edges from one end of a diagonal to the
// other.
std::vector<std::array<Box::Place, 4>> tetrahedra_of(const Box::Place& origin) {
  std::vector<std::array<Box::Place, 4>> all;
  std::array<std::size_t, 3> order = {0, 1, 2};
  do {
    std::array<Box::Place, 4> corners;
    corners[0] = origin;
    for (std::size_t i = 0; i < 3; ++i) {
      corners[i + 1] = corners[i];
      corners[i + 1][order[i]] += 2;
    }
    const bool even = (order[1] == (order[0] + 1) % 3);
    if (!even) std::swap(corners[1], corners[2]);
    all.push_back(corners);
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

Box::Place middle(const Box::Place& a, const Box::Place& b) {
  return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
}

void add_brick(Box& box, const Box::Place& o, Solid kind,
               const std::function<Eigen::Vector3d(const Box::Place&)>& place) {
  const auto at = [&](const Box::Place& p) { return box.node(p, place); };
  if (kind == Solid::Hex8) {
    box.builder.add_hex8(
        {at(o), at({o[0] + 2, o[1], o[2]}), at({o[0] + 2, o[1] + 2, o[2]}),
         at({o[0], o[1] + 2, o[2]}), at({o[0], o[1], o[2] + 2}), at({o[0] + 2, o[1], o[2] + 2}),
         at({o[0] + 2, o[1] + 2, o[2] + 2}), at({o[0], o[1] + 2, o[2] + 2})},
        kMaterial);
    return;
  }
  for (const auto& [a, b, c, d] : tetrahedra_of(o)) {
    if (kind == Solid::Tet4) {
      box.builder.add_tet4({at(a), at(b), at(c), at(d)}, kMaterial);
    } else {
      box.builder.add_tet10(
          {at(a), at(b), at(c), at(d), at(middle(a, b)), at(middle(b, c)), at(middle(c, a)),
           at(middle(a, d)), at(middle(b, d)), at(middle(c, d))},
          kMaterial);
    }
  }
}

Box box_of(Solid kind, int cells, const std::function<Eigen::Vector3d(const Box::Place&)>& place) {
  Box box;
  box.cells = cells;
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      for (int k = 0; k < cells; ++k) add_brick(box, {2 * i, 2 * j, 2 * k}, kind, place);
    }
  }
  return box;
}

// Faces that slide: u = (b sin ax cos by, -a cos ax sin by, 0) with a = π/Lx, b = π/Ly has no
// divergence, no traction along the faces and no motion across them: ω² = (G/ρ) (a² + b²). With
// sides 1, 0.8, 0.6 it is the second lowest mode or lower; the first wave of pressure lies above.
double frequency_error(Solid kind, int cells) {
  const Eigen::Vector3d sides(1.0, 0.8, 0.6);
  Box box = box_of(kind, cells, [&](const Box::Place& at) -> Eigen::Vector3d {
    return sides.cwiseProduct(Eigen::Vector3d(at[0], at[1], at[2])) / (2.0 * cells);
  });
  for (const Box::Place& at : box.places) {
    for (int axis = 0; axis < 3; ++axis) {
      if (box.on_face(at, axis)) {
        box.builder.fix(box.nodes.at(at), kAxes[static_cast<std::size_t>(axis)]);
      }
    }
  }
  const Structure built = box.builder.build();
  const StructureModes modes = lowest_modes(built.K, built.M, 1);
  const double G = kMaterial.young / (2.0 * (1.0 + kMaterial.poisson));
  const double exact =
      0.5 * std::sqrt(G / kMaterial.density * (1.0 / (1.0 * 1.0) + 1.0 / (0.8 * 0.8)));
  return std::abs(modes.frequency_hz(0) - exact) / exact;
}

// Order ± 10 %.
TEST(Hex8, ConvergesWithOrderTwo) {
  EXPECT_NEAR(std::log2(frequency_error(Solid::Hex8, 4) / frequency_error(Solid::Hex8, 8)), 2.0,
              0.2);
}
TEST(Tet4, ConvergesWithOrderTwo) {
  EXPECT_NEAR(std::log2(frequency_error(Solid::Tet4, 4) / frequency_error(Solid::Tet4, 8)), 2.0,
              0.2);
}
TEST(Tet10, ConvergesWithOrderFour) {
  // From 2 to 4 cells it is 3.4 still: half a wave of two cells is coarse.
  EXPECT_NEAR(std::log2(frequency_error(Solid::Tet10, 4) / frequency_error(Solid::Tet10, 8)), 4.0,
              0.4);
}

// The nodes inside of a box are out of place; with a linear field on the outer nodes they must take
// the same field.
TEST(SolidPatches, HoldALinearField) {
  Eigen::Matrix3d A;
  A << 0.3, -0.2, 0.5, 0.1, 0.7, -0.4, 0.2, 0.6, -0.1;
  for (const Solid kind : {Solid::Hex8, Solid::Tet4, Solid::Tet10}) {
    std::vector<Eigen::Vector3d> where;
    // The middle is moved, and with it the middles of the edges that end there.
    Box box = box_of(kind, 2, [&](const Box::Place& at) -> Eigen::Vector3d {
      const Eigen::Vector3d straight(0.5 * at[0], 0.5 * at[1], 0.5 * at[2]);
      const auto near = [](int i) { return 1.0 - 0.5 * std::abs(i - 2); };
      const double share = near(at[0]) * near(at[1]) * near(at[2]) == 1.0       ? 1.0
                           : at[0] % 4 != 0 && at[1] % 4 != 0 && at[2] % 4 != 0 ? 0.5
                                                                                : 0.0;
      where.emplace_back(straight + share * Eigen::Vector3d(0.14, -0.1, 0.08));
      return where.back();
    });
    const Structure built = box.builder.build();
    std::vector<Eigen::Index> inner;
    std::vector<Eigen::Index> outer;
    Eigen::VectorXd field(built.size());
    for (Eigen::Index row = 0; row < built.size(); ++row) {
      const model::StructureCoordinate& one = built.coordinates[static_cast<std::size_t>(row)];
      const auto node = static_cast<std::size_t>(one.node);
      (box.outside(box.places[node]) ? outer : inner).push_back(row);
      field(row) = (A * where[node])(row % 3);
    }
    ASSERT_FALSE(inner.empty());
    const Eigen::MatrixXd K = built.K;
    const Eigen::VectorXd solved = K(inner, inner).ldlt().solve(-(K(inner, outer) * field(outer)));
    // Rounding times a condition of 1e2.
    EXPECT_TRUE(test::matrices_near(solved, field(inner), {.rel = 1e-12}))
        << static_cast<int>(kind);
  }
}

// Simply supported, along an oblique axis. With sections that turn: the lowest ω² of
//   [G As k², -G As k; -G As k, EI k² + G As] - ω² diag(ρA, ρI),  k = π/L.
// Bending alone is cubic, order 4 in the frequency; the shear strain of an element is constant,
// order 2.
double beam_error(double shear_area, int elements) {
  const double L = 0.5;
  const model::SpaceSection section{.area = 2e-3,
                                    .inertia_y = 2e-6,
                                    .inertia_z = 8e-6,
                                    .torsion = 4e-6,
                                    .shear_y = shear_area,
                                    .shear_z = shear_area,
                                    .up = Eigen::Vector3d::UnitY()};
  StructureBuilder builder;
  for (int i = 0; i <= elements; ++i) (void)builder.add_node({L * i / elements, 0, 0});
  for (int i = 0; i < elements; ++i) builder.add_space_beam({i, i + 1}, kMaterial, section);
  for (int i = 0; i <= elements; ++i) {
    // Bending across z alone, with inertia_y.
    for (const Direction d : {Direction::X, Direction::Y, Direction::RX, Direction::RZ}) {
      builder.fix(i, d);
    }
  }
  builder.fix(0, Direction::Z);
  builder.fix(elements, Direction::Z);
  const Structure beam = builder.build();
  const double found = lowest_modes(beam.K, beam.M, 1).eigenvalue(0);
  const double k = std::numbers::pi / L;
  const double EI = kMaterial.young * section.inertia_y;
  const double mass = kMaterial.density * section.area;
  const double rotary = kMaterial.density * section.inertia_y;
  if (shear_area == 0.0) {
    const double exact = EI * std::pow(k, 4) / (mass + rotary * k * k);
    return std::abs(found - exact) / exact;
  }
  const double shear = kMaterial.young / (2.0 * (1.0 + kMaterial.poisson)) * shear_area;
  Eigen::Matrix2d K;
  K << shear * k * k, -shear * k, -shear * k, EI * k * k + shear;
  const Eigen::Matrix2d M = Eigen::Vector2d(mass, rotary).asDiagonal();
  const double exact =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::Matrix2d>(K, M).eigenvalues()(0);
  return std::abs(found - exact) / exact;
}

TEST(SpaceBeam, ConvergesWithOrderFourInBending) {
  EXPECT_NEAR(std::log2(beam_error(0.0, 4) / beam_error(0.0, 8)), 4.0, 0.4);
}
TEST(SpaceBeam, ConvergesWithOrderTwoInShear) {
  EXPECT_NEAR(std::log2(beam_error(1.5e-3, 4) / beam_error(1.5e-3, 8)), 2.0, 0.2);
}

// A bar between a fixed end and a free one: f1 = c/4L, order 2.
TEST(Bar, ConvergesWithOrderTwo) {
  const auto error = [&](int elements) {
    StructureBuilder builder;
    for (int i = 0; i <= elements; ++i) (void)builder.add_node({2.0 * i / elements, 0, 0});
    for (int i = 0; i < elements; ++i) builder.add_bar({i, i + 1}, kMaterial, 1e-4);
    for (int i = 0; i <= elements; ++i) {
      builder.fix(i, Direction::Y);
      builder.fix(i, Direction::Z);
    }
    builder.fix(0, Direction::X);
    const Structure bar = builder.build();
    const double exact = std::sqrt(kMaterial.young / kMaterial.density) / (4.0 * 2.0);
    return std::abs(lowest_modes(bar.K, bar.M, 1).frequency_hz(0) - exact) / exact;
  };
  EXPECT_NEAR(std::log2(error(8) / error(16)), 2.0, 0.2);
}

// A frame in space that touches nothing has its six rigid modes, with rigid links too.
TEST(SpaceBeam, AFreeFrameHasSixRigidModes) {
  const model::SpaceSection section{
      .area = 2e-3, .inertia_y = 2e-6, .inertia_z = 8e-6, .torsion = 4e-6};
  StructureBuilder builder;
  const std::vector<Eigen::Vector3d> places = {
      {0, 0, 0}, {0.5, 0, 0.1}, {1, 0.2, 0}, {1, 0.2, 0.7}, {1.1, 0.3, 0.8}};
  for (const auto& place : places) (void)builder.add_node(place);
  for (int i = 0; i < 3; ++i) builder.add_space_beam({i, i + 1}, kMaterial, section);
  for (const Direction d : kAxes) builder.add_mass(4, d, 2.0);
  builder.add_rigid_link(4, 3);
  const Structure frame = builder.build();
  ASSERT_EQ(frame.size(), 24);
  const StructureModes modes = lowest_modes(frame.K, frame.M, 10);
  ASSERT_TRUE(modes.ok()) << modes.message;
  EXPECT_EQ((modes.frequency_hz.array() == 0.0).count(), 6);
}

}  // namespace alembert::reduce::convergence_test
