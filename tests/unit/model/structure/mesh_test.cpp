#include "alembert/model/structure/mesh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::model::mesh_test {

using testing::HasSubstr;

// A bar of two bricks, numbered as add_block does: along z first, then y.
Mesh two_bricks() {
  Mesh mesh;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 2; ++k) {
        mesh.nodes.push_back({100 + static_cast<long long>(mesh.nodes.size()),
                              Eigen::Vector3d(1000.0 * i, 500.0 * j, 400.0 * k)});
      }
    }
  }
  mesh.nodes.push_back({999, Eigen::Vector3d(7, 7, 7)});  // of no element
  for (Eigen::Index i = 0; i < 2; ++i) {
    const Eigen::Index a = 4 * i;
    mesh.cells.push_back(
        {i + 1, CellKind::Hex8, {a, a + 4, a + 6, a + 2, a + 1, a + 5, a + 7, a + 3}});
  }
  mesh.node_sets["end"] = {0, 1, 2, 3, 12};
  return mesh;
}

TEST(AddMesh, IsTheBlockOfTheSameBricks) {
  StructureBuilder one;
  add_mesh(two_bricks(), {.scale = 1e-3}, one);
  StructureBuilder two;
  add_block({.x = {0, 1, 2}, .y = {0, 0.5}, .z = {0, 0.4}}, two);
  const Structure mesh = one.build();
  const Structure block = two.build();
  ASSERT_EQ(mesh.size(), block.size());
  // Rounding of places by the scale.
  EXPECT_TRUE(
      test::matrices_near(Eigen::MatrixXd(mesh.K), Eigen::MatrixXd(block.K), {.rel = 1e-12}));
  EXPECT_TRUE(
      test::matrices_near(Eigen::MatrixXd(mesh.M), Eigen::MatrixXd(block.M), {.rel = 1e-12}));
  EXPECT_EQ(mesh.faces.size(), block.faces.size());
  EXPECT_EQ(mesh.nodes.size(), 12U);
  EXPECT_EQ(mesh.nodes[11].number, 111);
  EXPECT_THAT(mesh.node_sets.at("end"), testing::ElementsAre(0, 1, 2, 3));
}

TEST(AddMesh, NamesElementsThatCannotBe) {
  const auto message = [](const Mesh& mesh) {
    return test::message_of([&] {
      StructureBuilder builder;
      add_mesh(mesh, {}, builder);
    });
  };
  Mesh mesh = two_bricks();
  std::swap(mesh.cells[1].nodes[0], mesh.cells[1].nodes[4]);
  std::swap(mesh.cells[1].nodes[1], mesh.cells[1].nodes[5]);
  std::swap(mesh.cells[1].nodes[2], mesh.cells[1].nodes[6]);
  std::swap(mesh.cells[1].nodes[3], mesh.cells[1].nodes[7]);
  EXPECT_THAT(message(mesh), HasSubstr("element 2 must go counter-clockwise"));
  mesh = two_bricks();
  mesh.cells[0].nodes[3] = 77;
  EXPECT_THAT(message(mesh), HasSubstr("element 1 must have nodes of the mesh"));
  mesh.cells[0].nodes.pop_back();
  EXPECT_THAT(message(mesh), HasSubstr("element 1 must have 8 nodes, got 7"));
  mesh = two_bricks();
  mesh.cells = {{5, CellKind::Quad4, {0, 4, 6, 3}}};
  EXPECT_THAT(message(mesh), HasSubstr("element 5 must lie in a plane z = const"));
  EXPECT_THAT(message({}), HasSubstr("must have at least one element"));
}

}  // namespace alembert::model::mesh_test
