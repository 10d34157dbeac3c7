#include "alembert/reduce/modes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "alembert/model/structure/assembly.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/reduce/backward_error.hpp"
#include "unit/reduce/none_missing.hpp"
#include "unit/reduce/random_structures.hpp"

namespace alembert::reduce::modes_test {

using model::Direction;
using model::SparseMatrix;
using model::Structure;
using model::StructureBuilder;

const ModesOptions kLanczos{.dense_below = 0};

// Springs and masses in a row, fixed at both ends: ω_j² = 4 sin²(j π / 2(n + 1)).
Structure fixed_chain(int n) {
  StructureBuilder builder;
  for (int i = 0; i < n; ++i) {
    (void)builder.add_node({1.0 * i, 0, 0});
    builder.add_mass(i, Direction::X, 1.0);
    if (i > 0) builder.add_spring(i - 1, i, Direction::X, 1.0);
  }
  builder.add_ground_spring(0, Direction::X, 1.0);
  builder.add_ground_spring(n - 1, Direction::X, 1.0);
  return builder.build();
}

double chain_frequency(int n, int j) {
  return 2.0 * std::sin(j * std::numbers::pi / (2.0 * (n + 1))) / (2.0 * std::numbers::pi);
}

TEST(LowestModes, AreThoseOfAChainInClosedForm) {
  const int n = 2000;
  const Structure chain = fixed_chain(n);
  const StructureModes modes = lowest_modes(chain.K, chain.M, 30, kLanczos);
  ASSERT_TRUE(modes.ok()) << modes.message;
  EXPECT_TRUE(modes.proven());
  ASSERT_EQ(modes.count(), 30);
  for (int j = 1; j <= 30; ++j) {
    // ω1² is 2.5e-6 of the largest; Rayleigh quotients carry n eps of the latter at most.
    EXPECT_NEAR(modes.frequency_hz(j - 1), chain_frequency(n, j), 1e-9 * chain_frequency(n, j));
  }
  const double reach = modes.eigenvalue(29) + 1e-6;  // the shift lies below 0 by 1e-7 K_ii/M_ii
  EXPECT_LT(test::residual_over_limit(chain, modes, reach, kLanczos.tolerance), 1.0);
  const Eigen::MatrixXd gram = modes.shapes.transpose() * chain.M * modes.shapes;
  EXPECT_TRUE(test::matrices_near(gram, Eigen::MatrixXd::Identity(30, 30), {.abs = 1e-12}));
}

TEST(LowestModes, DensePathAgreesWithTheClosedForm) {
  const Structure chain = fixed_chain(60);
  const StructureModes modes = lowest_modes(chain.K, chain.M, 60);
  ASSERT_TRUE(modes.ok()) << modes.message;
  EXPECT_TRUE(modes.proven());
  for (int j = 1; j <= 60; ++j) {
    EXPECT_NEAR(modes.frequency_hz(j - 1), chain_frequency(60, j),
                1e-12 * chain_frequency(60, 60));  // 60 eps with a margin of a hundred
  }
}

TEST(ModesInBand, CountsByInertiaAndFindsAll) {
  const int n = 2000;
  const Structure chain = fixed_chain(n);
  const double from = 0.5 * (chain_frequency(n, 100) + chain_frequency(n, 101));
  const double to = 0.5 * (chain_frequency(n, 250) + chain_frequency(n, 251));
  const StructureModes modes = modes_in_band(chain.K, chain.M, from, to, kLanczos);
  ASSERT_TRUE(modes.ok()) << modes.message;
  EXPECT_EQ(modes.counted, 150);
  ASSERT_EQ(modes.count(), 150);
  for (int j = 101; j <= 250; ++j) {
    EXPECT_NEAR(modes.frequency_hz(j - 101), chain_frequency(n, j), 1e-9 * to) << j;
  }
}

TEST(CountModesBelow, IsTheClosedFormCount) {
  const Structure chain = fixed_chain(500);
  for (const int j : {1, 17, 250, 499}) {
    const double between = 0.5 * (chain_frequency(500, j) + chain_frequency(500, j + 1));
    EXPECT_EQ(count_modes_below(chain.K, chain.M, between), j);
  }
}

// A simply supported beam has f_k = k² π/(2 L²) √(EI/ρA); cubic elements converge with order 4 in
// the frequency: halving the element divides the error by 16.
TEST(LowestModes, BeamConvergesWithOrderFour) {
  const model::Material steel{};
  const model::BeamSection section{.area = 1e-4, .inertia = 1e-9};
  const auto error = [&](int elements) {
    StructureBuilder builder;
    for (int i = 0; i <= elements; ++i) (void)builder.add_node({2.0 * i / elements, 0, 0});
    for (int i = 0; i < elements; ++i) builder.add_plane_beam({i, i + 1}, steel, section);
    builder.fix(0, Direction::X);
    builder.fix(0, Direction::Y);
    builder.fix(elements, Direction::Y);
    const Structure beam = builder.build();
    const StructureModes modes = lowest_modes(beam.K, beam.M, 3);
    const double exact = 9.0 * std::numbers::pi / (2.0 * 4.0) *
                         std::sqrt(steel.young * section.inertia / (steel.density * section.area));
    return std::abs(modes.frequency_hz(2) - exact) / exact;
  };
  const double ratio = error(6) / error(12);
  EXPECT_NEAR(std::log2(ratio), 4.0, 0.4);  // order ± 10 %
}

// A square plate in plane strain that slides on all edges: displacement gradients u = ∇ cos cos
// are exact modes; u_x = sin(πx) cos(0): the longitudinal wave ω = π c, c² = E(1-ν)/ρ(1+ν)(1-2ν).
TEST(LowestModes, QuadConvergesWithOrderTwo) {
  const model::Material material{.density = 1000.0, .young = 1e9, .poisson = 0.2};
  const double c = std::sqrt(1e9 * 0.8 / (1000.0 * 1.2 * 0.6));
  const auto error = [&](int cells) {
    std::vector<double> lines;
    for (int i = 0; i <= cells; ++i) lines.push_back(1.0 * i / cells);
    StructureBuilder builder;
    model::add_plate({.x = lines,
                      .y = {0.0, 0.1},
                      .material = material,
                      .thickness = 1.0,
                      .state = model::PlaneState::Strain},
                     builder);
    for (Eigen::Index i = 0; i < builder.nodes(); ++i) builder.fix(i, Direction::Y);
    for (const Eigen::Index i : {0, 1}) builder.fix(i, Direction::X);
    for (const Eigen::Index i : {2 * cells, 2 * cells + 1}) builder.fix(i, Direction::X);
    const Structure strip = builder.build();
    const StructureModes modes = lowest_modes(strip.K, strip.M, 1);
    return std::abs(modes.frequency_hz(0) - c / 2.0) / (c / 2.0);
  };
  EXPECT_NEAR(std::log2(error(8) / error(16)), 2.0, 0.2);  // order ± 10 %
}

TEST(LowestModes, AFreeBlockHasSixRigidModes) {
  StructureBuilder builder;
  model::add_block({.x = {0, 0.1, 0.2, 0.3, 0.4}, .y = {0, 0.1, 0.2}, .z = {0, 0.1}}, builder);
  const Structure block = builder.build();
  for (const ModesOptions& options : {ModesOptions{}, kLanczos}) {
    const StructureModes modes = lowest_modes(block.K, block.M, 10, options);
    ASSERT_TRUE(modes.ok()) << modes.message;
    EXPECT_TRUE(modes.proven());
    EXPECT_EQ((modes.frequency_hz.array() == 0.0).count(), 6);
    EXPECT_GT(modes.frequency_hz(6), 100.0);
  }
}

class RandomStructures : public testing::TestWithParam<std::uint64_t> {};
TEST_P(RandomStructures, NoModeIsMissing) { test::expect_none_missing(GetParam()); }
// More of them in random_modes_test.cpp.
INSTANTIATE_TEST_SUITE_P(Seeds, RandomStructures, testing::Range<std::uint64_t>(1, 13));

TEST(LowestModes, SameSeedSameBits) {
  const Structure s = test::random_structure(3).structure;
  const StructureModes one = lowest_modes(s.K, s.M, 8, kLanczos);
  const StructureModes two = lowest_modes(s.K, s.M, 8, kLanczos);
  EXPECT_EQ(one.shapes, two.shapes);
}

TEST(LowestModes, NamesAnIndefiniteMatrix) {
  Structure chain = fixed_chain(20);
  chain.K.coeffRef(3, 3) = 0.1;
  EXPECT_THAT(test::message_of([&] { (void)lowest_modes(chain.K, chain.M, 3); }),
              testing::HasSubstr("K must be positive semidefinite"));
  chain = fixed_chain(20);
  chain.M.coeffRef(3, 4) = 2.0;
  chain.M.coeffRef(4, 3) = 2.0;
  EXPECT_THAT(test::message_of([&] { (void)lowest_modes(chain.K, chain.M, 3); }),
              testing::HasSubstr("M must be positive semidefinite"));
}

TEST(ModesInBand, NamesABandUpsideDown) {
  const Structure chain = fixed_chain(20);
  EXPECT_THAT(test::message_of([&] { (void)modes_in_band(chain.K, chain.M, 2.0, 1.0); }),
              testing::HasSubstr("to_hz must be above from_hz"));
}

}  // namespace alembert::reduce::modes_test
