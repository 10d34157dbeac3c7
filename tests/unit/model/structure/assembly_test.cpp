#include "alembert/model/structure/assembly.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::model::assembly_test {

using test::matrices_near;

const Material kSteel{};

TEST(StructureBuilder, SpringsAndMassesAreTheMatricesOfAChain) {
  StructureBuilder builder;
  const auto a = builder.add_node({0, 0, 0});
  const auto b = builder.add_node({1, 0, 0});
  builder.add_mass(a, Direction::X, 2.0);
  builder.add_mass(b, Direction::X, 3.0);
  builder.add_ground_spring(a, Direction::X, 10.0);
  builder.add_spring(a, b, Direction::X, 5.0);
  const Structure built = builder.build();
  Eigen::MatrixXd K(2, 2);
  K << 15, -5, -5, 5;
  EXPECT_EQ(Eigen::MatrixXd(built.K), K);
  EXPECT_EQ(Eigen::MatrixXd(built.M).diagonal(), Eigen::Vector2d(2.0, 3.0));
}

TEST(StructureBuilder, WhatIsFixedIsTakenAway) {
  StructureBuilder builder;
  const auto a = builder.add_node({0, 0, 0});
  const auto b = builder.add_node({1, 0, 0});
  builder.add_plane_beam({a, b}, kSteel, {.area = 1e-4, .inertia = 1e-9});
  for (const Direction d : {Direction::X, Direction::Y, Direction::RZ}) builder.fix(a, d);
  const Structure built = builder.build();
  EXPECT_EQ(built.size(), 3);
  EXPECT_EQ(row_words(built, 2), "row 3 (node 2, rz)");
}

// Irregular patch: linear displacements on the outer nodes must give the inner ones the same
// linear field.
TEST(StructureBuilder, AnIrregularPatchOfQuadsHoldsALinearField) {
  StructureBuilder builder;
  const std::vector<Eigen::Vector3d> places = {{0, 0, 0},     {2, 0, 0},     {2, 1.5, 0},
                                               {0, 1.5, 0},   {0.4, 0.3, 0}, {1.5, 0.5, 0},
                                               {1.6, 1.1, 0}, {0.3, 1.0, 0}};
  for (const auto& place : places) (void)builder.add_node(place);
  const std::vector<std::array<Eigen::Index, 4>> quads = {
      {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}};
  for (const auto& quad : quads) builder.add_quad4(quad, kSteel, 0.1, PlaneState::Stress);
  const Structure built = builder.build();
  const auto exact = [&](Eigen::Index node) {
    const Eigen::Vector3d& p = places[static_cast<std::size_t>(node)];
    return Eigen::Vector2d(1e-3 * (1 + 2 * p.x() - p.y()), 1e-3 * (0.5 * p.x() + 3 * p.y()));
  };
  const Eigen::MatrixXd K = built.K;
  Eigen::VectorXd outer(8);
  Eigen::VectorXd inner(8);
  for (Eigen::Index i = 0; i < 4; ++i) {
    outer.segment(2 * i, 2) = exact(i);
    inner.segment(2 * i, 2) = exact(4 + i);
  }
  const Eigen::VectorXd solved =
      K.bottomRightCorner(8, 8).ldlt().solve(-K.bottomLeftCorner(8, 8) * outer);
  EXPECT_TRUE(matrices_near(solved, inner, {.rel = 1e-12}));  // rounding, cond about 1e2
}

TEST(AddPlate, LeavesOutElementsAndNodesOfACutout) {
  StructureBuilder builder;
  add_plate({.x = {0, 1, 2, 3, 4},
             .y = {0, 1, 2, 3, 4},
             .cutouts = {{1, 1, 3, 3}},
             .material = kSteel,
             .thickness = 0.1},
            builder);
  const Structure built = builder.build();
  EXPECT_EQ(built.nodes.size(), 24u);  // 25 less the middle one
  EXPECT_EQ(built.faces.size(), 12u);  // 16 less four
  const Eigen::VectorXd x = [&] {
    Eigen::VectorXd unit = Eigen::VectorXd::Zero(built.size());
    for (Eigen::Index i = 0; i < built.size(); i += 2) unit(i) = 1.0;
    return unit;
  }();
  const double mass = kSteel.density * 0.1 * 12.0;
  EXPECT_NEAR(x.dot(built.M * x), mass, 1e-12 * mass);  // rounding of some hundred terms
}

TEST(AddPlate, NamesLinesThatDoNotRise) {
  StructureBuilder builder;
  EXPECT_THAT(test::message_of([&] {
                add_plate({.x = {0, 1, 1}, .y = {0, 1}}, builder);
              }),
              testing::HasSubstr("add_plate: x must rise, got 1 after 1"));
}

TEST(AddBlock, HasItsMassAndItsOuterFaces) {
  StructureBuilder builder;
  add_block({.x = {0, 1, 2}, .y = {0, 1, 3}, .z = {0, 1, 2, 2.5}, .material = kSteel}, builder);
  const Structure built = builder.build();
  EXPECT_EQ(built.size(), 3 * 3 * 3 * 4);
  EXPECT_EQ(built.faces.size(), 2u * (2 * 2 + 2 * 3 + 2 * 3));
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(built.size());
  for (Eigen::Index i = 1; i < built.size(); i += 3) unit(i) = 1.0;
  const double mass = kSteel.density * 2.0 * 3.0 * 2.5;
  EXPECT_NEAR(unit.dot(built.M * unit), mass, 1e-12 * mass);
}

TEST(StructureBuilder, DampersAreTheMatrixOfAChain) {
  StructureBuilder builder;
  const auto a = builder.add_node({0, 0, 0});
  const auto b = builder.add_node({1, 0, 0});
  builder.add_mass(a, Direction::X, 1.0);
  builder.add_mass(b, Direction::X, 1.0);
  builder.add_ground_damper(a, Direction::X, 2.0);
  builder.add_damper(a, b, Direction::X, 3.0);
  Eigen::MatrixXd D(2, 2);
  D << 5, -3, -3, 3;
  EXPECT_EQ(Eigen::MatrixXd(builder.build().D), D);
}

// A mass on a rigid arm is a mass, a first moment and an inertia of the node that carries it.
TEST(StructureBuilder, ARigidLinkCarriesItsMass) {
  StructureBuilder builder;
  const auto a = builder.add_node({0, 0, 0});
  const auto b = builder.add_node({1, 0, 0});
  const auto tip = builder.add_node({1.0, 0.5, 0});
  builder.add_plane_beam({a, b}, kSteel, {.area = 1e-9, .inertia = 1e-9});
  for (const Direction d : {Direction::X, Direction::Y}) builder.add_mass(tip, d, 3.0);
  builder.add_rigid_link(tip, b);
  for (const Direction d : {Direction::X, Direction::Y, Direction::RZ}) builder.fix(a, d);
  const Structure built = builder.build();
  ASSERT_EQ(built.size(), 3);
  // u = u' - θ r: kinetic energy ½ m ((ux - r θ)² + uy²), beside 8e-6 kg of beam.
  Eigen::Matrix3d M;
  M << 3.0, 0.0, -1.5, 0.0, 3.0, 0.0, -1.5, 0.0, 0.75;
  EXPECT_TRUE(matrices_near(Eigen::MatrixXd(built.M), M, {.abs = 1e-5}));
}

TEST(StructureBuilder, NamesLinksThatCannotBe) {
  StructureBuilder builder;
  for (int i = 0; i < 3; ++i) (void)builder.add_node({1.0 * i, 0, 0});
  builder.add_mass(0, Direction::X, 1.0);
  EXPECT_THAT(test::message_of([&] { builder.add_rigid_link(1, 1); }),
              testing::HasSubstr("must not be tied to itself"));
  builder.add_rigid_link(1, 0);
  EXPECT_THAT(test::message_of([&] { builder.add_rigid_link(1, 2); }),
              testing::HasSubstr("must be tied once"));
  builder.add_rigid_link(2, 1);
  EXPECT_THAT(test::message_of([&] { (void)builder.build(); }),
              testing::HasSubstr("must not be tied itself"));
}

// A hole through a block of 3 x 1 x 3 bricks: 32 nodes, all at its rim; outside 4 x 3 faces and
// twice 8, inside 4.
TEST(AddBlock, LeavesOutACutout) {
  StructureBuilder builder;
  add_block({.x = {0, 1, 2, 3}, .y = {0, 1}, .z = {0, 1, 2, 3}, .cutouts = {{1, 0, 1, 2, 1, 2}}},
            builder);
  const Structure built = builder.build();
  EXPECT_EQ(built.nodes.size(), 32U);
  EXPECT_EQ(built.faces.size(), 12U + 16U + 4U);
  // Volume 8 of steel, by a uniform motion.
  Eigen::VectorXd along = Eigen::VectorXd::Zero(built.size());
  for (Eigen::Index i = 0; i < built.size(); i += 3) along(i) = 1.0;
  EXPECT_NEAR(along.dot(built.M * along), 8.0 * 7850.0, 1e-9);
}

}  // namespace alembert::model::assembly_test
