#include "alembert/reduce/components.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "alembert/model/structure/assembly.hpp"
#include "support/message_of.hpp"

namespace alembert::reduce {
namespace components_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::Direction;
using testing::HasSubstr;

// A cantilever of beams from one node to another; parts of it have the same nodes.
model::Structure beam(Index from, Index to, bool clamped) {
  model::StructureBuilder builder;
  for (Index i = from; i <= to; ++i) {
    (void)builder.add_node({0.1 * static_cast<double>(i), 0.0, 0.0});
  }
  for (Index i = 0; i < to - from; ++i) {
    builder.add_plane_beam({i, i + 1}, {}, {.area = 1e-4, .inertia = 1e-9});
  }
  if (clamped) {
    for (const Direction d : {Direction::X, Direction::Y, Direction::RZ}) builder.fix(0, d);
  }
  return builder.build();
}

// The rows of the first or last node; x, y, rz.
std::vector<Index> end_rows(const model::Structure& structure, bool last) {
  const Index from = last ? structure.size() - 3 : 0;
  return {from, from + 1, from + 2};
}

Component component(const model::Structure& structure, const std::vector<Index>& masters,
                    std::vector<Index> places, Index interior) {
  const Substructure split = split_structure(structure, masters);
  const StructureModes modes = interior_modes(split, interior);
  return {hybrid_basis(structure, split, modes.shapes, modes.eigenvalue), std::move(places)};
}

VectorXd dense_eigenvalues(const MatrixXd& K, const MatrixXd& M) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd>(K, M).eigenvalues();
}

// Two halves of a cantilever, joined at three coordinates, with all interior modes.
std::vector<Component> halves(Index first, Index second) {
  const model::Structure left = beam(0, 6, true);
  const model::Structure right = beam(6, 12, false);
  return {component(left, end_rows(left, true), {0, 1, 2}, first),
          component(right, end_rows(right, false), {0, 1, 2}, second)};
}

TEST(Assemble, WithAllInteriorModesHasTheModesOfTheWhole) {
  const model::Structure whole = beam(0, 12, true);
  const VectorXd expected = dense_eigenvalues(whole.K, whole.M);
  const ComponentAssembly assembly = assemble(halves(15, 18));
  ASSERT_EQ(assembly.size(), whole.size());
  const VectorXd found = dense_eigenvalues(assembly.K, assembly.M);
  for (Index i = 0; i < found.size(); ++i) {
    // Rounding of matrices whose largest eigenvalue is 1e9 times the lowest.
    EXPECT_NEAR(found(i), expected(i), 1e-9 * expected(i) + 1e-14 * expected.maxCoeff());
  }
}

// Rayleigh: from above, and nearer with more modes.
TEST(Assemble, FewInteriorModesAreNearFromAbove) {
  const model::Structure whole = beam(0, 12, true);
  const VectorXd expected = dense_eigenvalues(whole.K, whole.M);
  const ComponentAssembly assembly = assemble(halves(5, 5));
  const VectorXd found = dense_eigenvalues(assembly.K, assembly.M);
  for (Index i = 0; i < 3; ++i) {
    EXPECT_GT(found(i), (1.0 - 1e-9) * expected(i));
    EXPECT_LT(found(i), 1.01 * expected(i));
  }
}

// The motion of a component has the strain energy of its part of the assembly.
TEST(Assemble, TransformationsGiveTheComponents) {
  const std::vector<Component> parts = halves(4, 6);
  const ComponentAssembly assembly = assemble(parts);
  const VectorXd x = VectorXd::LinSpaced(assembly.size(), -1.0, 2.0);
  double energy = 0.0;
  for (std::size_t c = 0; c < parts.size(); ++c) {
    const VectorXd own = assembly.transformations[c] * x;
    energy += own.dot(parts[c].basis.K * own);
  }
  EXPECT_NEAR(energy, x.dot(assembly.K * x), 1e-12 * energy);
  // Both halves have the same motion at their joint.
  const VectorXd left = assembly.transformations[0] * x;
  const VectorXd right = assembly.transformations[1] * x;
  EXPECT_EQ(left.head(3), right.head(3));
}

TEST(ReduceInterface, WithAllItsModesChangesNothing) {
  const ComponentAssembly assembly = assemble(halves(6, 6));
  const ComponentAssembly turned = reduce_interface(assembly, 3);
  const VectorXd before = dense_eigenvalues(assembly.K, assembly.M);
  const VectorXd after = dense_eigenvalues(turned.K, turned.M);
  for (Index i = 0; i < before.size(); ++i) {
    EXPECT_NEAR(after(i), before(i), 1e-9 * before(i) + 1e-14 * before.maxCoeff());
  }
}

// Two free plates share a line of nodes: 16 coordinates, of which few matter.
TEST(ReduceInterface, FewModesOfALineHoldTheLowestFrequencies) {
  const auto plate = [](double from) {
    model::StructureBuilder builder;
    const auto lines = [](double begin, double step, int count) {
      std::vector<double> at;
      for (int i = 0; i <= count; ++i) at.push_back(begin + step * i);
      return at;
    };
    model::add_plate({.x = lines(from, 0.05, 6), .y = lines(0.0, 0.02, 7), .thickness = 0.01},
                     builder);
    return builder.build();
  };
  // Nodes are numbered along y first: the last or the first 8 nodes are the common line.
  const model::Structure left = plate(0.0);
  const model::Structure right = plate(0.3);
  std::vector<Index> line, last, first;
  for (Index i = 0; i < 16; ++i) {
    line.push_back(i);
    first.push_back(i);
    last.push_back(left.size() - 16 + i);
  }
  const ComponentAssembly assembly =
      assemble({component(left, last, line, 20), component(right, first, line, 20)});
  const ComponentAssembly small = reduce_interface(assembly, 8);
  EXPECT_EQ(small.size(), assembly.size() - 8);
  const VectorXd before = dense_eigenvalues(assembly.K, assembly.M);
  const VectorXd after = dense_eigenvalues(small.K, small.M);
  for (Index i = 3; i < 8; ++i) {  // behind three rigid motions
    EXPECT_GT(after(i), (1.0 - 1e-9) * before(i));
    EXPECT_LT(after(i), 1.02 * before(i));
  }
}

TEST(Assemble, NamesPlacesThatCannotBe) {
  std::vector<Component> parts = halves(3, 3);
  const auto message = [&] { return test::message_of([&] { (void)assemble(parts); }); };
  parts[0].places = {0, 1};
  EXPECT_THAT(message(), HasSubstr("one for each of the 3 masters"));
  parts[0].places = {0, 1, 1};
  EXPECT_THAT(message(), HasSubstr("once in a component"));
  parts[0].places = {0, 1, 4};
  EXPECT_THAT(message(), HasSubstr("all numbers from 0 to the highest"));
  parts.clear();
  EXPECT_THAT(message(), HasSubstr("at least one"));
}

TEST(ReduceInterface, NamesANumberOfModesThatCannotBe) {
  const ComponentAssembly assembly = assemble(halves(3, 3));
  EXPECT_THAT(test::message_of([&] { (void)reduce_interface(assembly, 4); }),
              HasSubstr("from 1 to 3"));
}

}  // namespace components_test
}  // namespace alembert::reduce
