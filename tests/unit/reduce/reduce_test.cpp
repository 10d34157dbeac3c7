#include "alembert/reduce/reduce.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numbers>

#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/reduce/bar_horn.hpp"

namespace alembert::reduce::reduce_test {

using model::Direction;
using model::Structure;
using testing::HasSubstr;

Structure chain(int n) {
  model::StructureBuilder builder;
  for (int i = 0; i < n; ++i) {
    (void)builder.add_node({1.0 * i, 0, 0});
    builder.add_mass(i, Direction::X, 1.0 + 0.1 * i);
    if (i > 0) builder.add_spring(i - 1, i, Direction::X, 100.0 + i);
  }
  builder.add_ground_spring(0, Direction::X, 50.0);
  return builder.build();
}

// With all interior modes the small model is the whole structure in other coordinates.
TEST(HybridBasis, WithAllInteriorModesHasTheModesOfTheStructure) {
  const Structure s = chain(12);
  const Substructure split = split_structure(s, {0, 7});
  const StructureModes interior = interior_modes(split, 10);
  const HybridBasis basis = hybrid_basis(s, split, interior.shapes, interior.eigenvalue);
  const Eigen::MatrixXd M = basis.H.transpose() * s.M * basis.H;
  const Eigen::MatrixXd K = basis.H.transpose() * s.K * basis.H;
  EXPECT_TRUE(test::matrices_near(basis.M, M, {.rel = 1e-12}));  // rounding of 12 terms, cond 1e2
  EXPECT_TRUE(test::matrices_near(basis.K, K, {.rel = 1e-12}));
  const StructureModes full = lowest_modes(s.K, s.M, 12);
  const StructureModes small = lowest_modes(basis.K.sparseView(), basis.M.sparseView(), 12);
  EXPECT_TRUE(test::matrices_near(small.eigenvalue, full.eigenvalue, {.rel = 1e-11}));
}

// Guyan is exact for forces on the masters at rest: x1 = (K11 + K12 B)⁻¹ f is that of K⁻¹ f.
TEST(SplitStructure, StaticModesHoldTheStaticResponse) {
  const Structure s = chain(12);
  const Substructure split = split_structure(s, {3, 9});
  Eigen::VectorXd f = Eigen::VectorXd::Zero(12);
  f(3) = 2.0;
  f(9) = -1.0;
  const Eigen::VectorXd x = Eigen::MatrixXd(s.K).ldlt().solve(f);
  const Eigen::VectorXd x1 = split.stiffness.ldlt().solve(Eigen::Vector2d(2.0, -1.0));
  EXPECT_TRUE(test::matrices_near(x1, Eigen::Vector2d(x(3), x(9)), {.rel = 1e-12}));
}

TEST(SplitStructure, NamesMastersThatLeaveAMechanism) {
  Structure s = chain(4);
  // The last mass hangs on nothing but itself.
  s.K.coeffRef(2, 3) = s.K.coeffRef(3, 2) = 0.0;
  s.K.coeffRef(3, 3) = 0.0;
  EXPECT_THAT(test::message_of([&] { (void)split_structure(s, {0}); }),
              HasSubstr("must hold the interior"));
}

TEST(SplitStructure, TellsAnIndefiniteMatrixFromAMechanism) {
  Structure s = chain(6);
  s.K.coeffRef(4, 4) = 10.0;  // below the 103 and 104 N/m that couple it to its neighbours
  EXPECT_THAT(test::message_of([&] { (void)split_structure(s, {0}); }),
              HasSubstr("K must be positive semidefinite"));
}

TEST(SplitStructure, NamesMastersThatAreNotAllowed) {
  const Structure s = chain(4);
  EXPECT_THAT(test::message_of([&] { (void)split_structure(s, {}); }), HasSubstr("at least one"));
  EXPECT_THAT(test::message_of([&] { (void)split_structure(s, {4}); }), HasSubstr("[0, 3]"));
  EXPECT_THAT(test::message_of([&] { (void)split_structure(s, {1, 1}); }), HasSubstr("once"));
}

// The shares of all interior coordinates and of the masters sum to one: uᵀ M u = 1.
TEST(RankForModes, SharesSumToOneWithTheMasters) {
  const Structure s = chain(12);
  const Substructure split = split_structure(s, {2});
  const StructureModes interior = interior_modes(split, 11);
  const HybridBasis basis = hybrid_basis(s, split, interior.shapes, interior.eigenvalue);
  const StructureModes full = lowest_modes(s.K, s.M, 12);
  const ModeRanking ranking =
      rank_for_modes(s, basis, full.shapes, Eigen::VectorXd::Constant(12, 1.0 / 12));
  for (Eigen::Index i = 0; i < 12; ++i) {
    const Eigen::VectorXd u = full.shapes.col(i);
    const double masters = u.dot(s.M * basis.H.col(0)) * u(2);
    EXPECT_NEAR(ranking.share.row(i).sum() + masters, 1.0, 1e-11) << i;  // rounding
  }
}

// Frequencies of the horn by an independent program (spec of the method): 24.889 and 48.662 kHz at
// modes 8 and 14; all printed digits.
TEST(BarHorn, HasThePublishedModes) {
  const test::BarHorn horn = test::bar_horn();
  ASSERT_EQ(horn.structure.size(), 316);
  ASSERT_EQ(horn.masters.size(), 6u);
  const StructureModes modes = lowest_modes(horn.structure.K, horn.structure.M, 14);
  EXPECT_NEAR(modes.frequency_hz(7), 24889.0, 0.5);
  EXPECT_NEAR(modes.frequency_hz(13), 48662.0, 0.5);
}

// Truncation error for 7 to 15 coordinates and order of the interior modes by an independent
// program, printed with two decimals of a per cent.
TEST(BarHorn, HasTheTruncationErrorsOfTheIndependentProgram) {
  const test::BarHorn horn = test::bar_horn();
  const ReduceResult result = reduce_structure(horn.structure, horn.masters,
                                               {.method = Method::ModeRanking, .modes = {8, 14}});
  const std::vector<double> percent = {71.67, 52.28, 38.00, 27.76, 18.44, 9.26, 3.56, 1.87, 0.77};
  for (std::size_t i = 0; i < percent.size(); ++i) {
    EXPECT_NEAR(100.0 * result.ranking.bound(static_cast<Eigen::Index>(i) + 1), percent[i], 0.006)
        << i;
  }
  const std::vector<Eigen::Index> order(result.ranking.order.begin(),
                                        result.ranking.order.begin() + 12);
  EXPECT_THAT(order, testing::ElementsAre(7, 15, 12, 6, 3, 1, 16, 11, 21, 25, 18, 33));
}

TEST(BarHorn, ModeResidualsAreExactWithEightCoordinates) {
  const test::BarHorn horn = test::bar_horn();
  const ReduceResult result = reduce_structure(horn.structure, horn.masters,
                                               {.method = Method::ModeResiduals, .modes = {8, 14}});
  EXPECT_EQ(result.basis.size(), 8);
  for (const ModeError& one : result.mode_errors) {
    EXPECT_LT(one.frequency_error, 1e-9);  // exact by construction; rounding of ω² 1e-12
    EXPECT_GT(one.nco, 1.0 - 1e-9);
  }
  EXPECT_EQ(result.verdict.level, TrustLevel::Good);
}

TEST(BarHorn, SizesForOnePerCent) {
  const test::BarHorn horn = test::bar_horn();
  const ReduceResult result = reduce_structure(horn.structure, horn.masters, {.modes = {8, 14}});
  const auto size_of = [&](Method method) -> Eigen::Index {
    for (const TradeOff& one : result.smallest) {
      if (one.method == method) return one.size;
    }
    return -1;
  };
  // By an independent program.
  EXPECT_EQ(size_of(Method::ModeRanking), 15);
  EXPECT_EQ(size_of(Method::Frequency), 28);
  EXPECT_EQ(size_of(Method::InterfaceMoments), 27);
  EXPECT_EQ(size_of(Method::ModeResiduals), 8);  // two modes more than six masters
  EXPECT_EQ(result.method, Method::ModeResiduals);
}

// The forced response of the small model of dynamic residuals is that of the whole structure at the
// design frequency.
TEST(ReduceStructure, DynamicResidualsAreExactAtTheirFrequency) {
  const Structure s = chain(60);
  const Eigen::VectorXcd force = Eigen::Vector2cd(1.0, std::complex<double>(0.0, 2.0));
  const ReduceResult result = reduce_structure(
      s, {5, 40},
      {.method = Method::DynamicResiduals, .harmonics = {{.frequency_hz = 0.9, .force = force}}});
  ASSERT_EQ(result.response_errors.size(), 3u);
  EXPECT_TRUE(result.response_errors[0].design);
  EXPECT_LT(result.response_errors[0].gain_error, 1e-8);  // cond(K - ω² M) of 1e4 · eps
  EXPECT_GT(result.response_errors[0].mac, 1.0 - 1e-9);
}

// Over the whole band, also between the frequencies at which responses were taken; the responses of
// the small model are held against those of the structure at frequencies that no grid has.
TEST(ReduceStructure, RationalKrylovIsRightOverItsBand) {
  const Structure s = chain(60);
  const Eigen::VectorXcd force = Eigen::Vector2cd(1.0, 0.5);
  const ReduceResult result = reduce_structure(
      s, {5, 40},
      {.method = Method::RationalKrylov, .harmonics = {{.frequency_hz = 0.9, .force = force}}});
  EXPECT_LT(result.basis.size(), 30);
  for (const double factor : {0.953, 0.987, 1.0, 1.021, 1.047}) {
    const ForcedResponse full = forced_response(s, {5, 40}, 0.9 * factor, force);
    const double omega = 2.0 * std::numbers::pi * full.frequency_hz;
    Eigen::VectorXd f = Eigen::VectorXd::Zero(result.basis.size());
    f.head(2) = force.real();
    const Eigen::VectorXd z =
        (result.basis.K - omega * omega * result.basis.M).partialPivLu().solve(f);
    const Eigen::VectorXd exact = full.response.real();
    // The estimate is asked to be below a tenth of 1 %.
    EXPECT_LT((result.basis.H * z - exact).norm(), 0.01 * exact.norm()) << factor;
  }
}

// With all interior modes the small model has the response of the structure: elsewhere, where
// masters are solved for first, and at an interior frequency, where that would divide by zero.
TEST(ReduceStructure, ResponsesWithAllInteriorModesAreExact) {
  const Structure s = chain(12);
  const StructureModes interior = interior_modes(split_structure(s, {0, 7}), 10);
  for (const double frequency : {0.7, interior.frequency_hz(4)}) {
    const ReduceResult result = reduce_structure(
        s, {0, 7},
        {.method = Method::Frequency,
         .harmonics = {{.frequency_hz = frequency, .force = Eigen::Vector2cd(1.0, -2.0)}},
         .size = 12});
    ASSERT_EQ(result.basis.size(), 12);
    for (const ResponseError& one : result.response_errors) {
      EXPECT_LT(one.gain_error, 1e-9) << frequency;  // rounding times a condition of 1e4
      EXPECT_GT(one.mac, 1.0 - 1e-9) << frequency;
    }
  }
}

// One derivative by ω² after the other.
TEST(ReduceStructure, DynamicResidualsGrowByLevels) {
  const Structure s = chain(60);
  const ReduceOptions options{
      .method = Method::DynamicResiduals,
      .harmonics = {{.frequency_hz = 0.9, .force = Eigen::Vector2cd(1.0, 0.5)}}};
  const ReduceResult result = reduce_structure(s, {5, 40}, options);
  std::vector<Eigen::Index> sizes;
  std::vector<double> off_design;
  for (const TradeOff& one : result.curve) {
    if (one.method != Method::DynamicResiduals) continue;
    sizes.push_back(one.size);
    off_design.push_back(one.off_design_gain);
    EXPECT_LT(one.gain_error, 1e-8);  // cond(K - ω² M) of 1e4 · eps
  }
  EXPECT_THAT(sizes, testing::ElementsAre(3, 4, 5, 6, 7));
  // Four derivatives hold a band of 5 % whose modes one does not.
  EXPECT_LT(off_design.back(), 0.1 * off_design.front());
  // The size asked for is the level that is taken.
  ReduceOptions five = options;
  five.size = 5;
  EXPECT_EQ(reduce_structure(s, {5, 40}, five).basis.size(), 5);
}

// Near a natural frequency all derivatives point along its mode: the basis must still be good.
TEST(ReduceStructure, DynamicResidualsKeepTheirDigitsNearAMode) {
  const Structure s = chain(60);
  const double near = 1.0001 * lowest_modes(s.K, s.M, 12).frequency_hz(9);
  const ReduceResult result =
      reduce_structure(s, {5, 40},
                       {.method = Method::DynamicResiduals,
                        .harmonics = {{.frequency_hz = near, .force = Eigen::Vector2cd(1.0, 0.5)}},
                        .off_design = 0.01});
  EXPECT_EQ(result.verdict.level, TrustLevel::Good);
  for (const ResponseError& one : result.response_errors) EXPECT_LT(one.gain_error, 0.01);
}

TEST(ReduceStructure, WithoutForceTheMastersAreLeft) {
  const ReduceResult result =
      reduce_structure(chain(20), {5, 12},
                       {.method = Method::RationalKrylov,
                        .harmonics = {{.frequency_hz = 0.9, .force = Eigen::Vector2cd(0.0, 0.0)}}});
  EXPECT_EQ(result.basis.size(), 2);
  EXPECT_NE(result.verdict.level, TrustLevel::Good);
}

// A square bar bends in two directions at one frequency: its modes there are known up to a
// rotation, which says nothing against a model that has both.
TEST(ReduceStructure, AModeOfARepeatedFrequencyIsJudgedAmongThem) {
  model::StructureBuilder builder;
  model::add_block({.x = {0.0, 1.0, 2.0, 3.0}, .y = {0.0, 0.5, 1.0}, .z = {0.0, 0.5, 1.0}},
                   builder);
  for (Eigen::Index node = 0; node < 9; ++node) {
    for (const Direction d : {Direction::X, Direction::Y, Direction::Z}) builder.fix(node, d);
  }
  const Structure bar = builder.build();
  const Eigen::Index n = bar.size();
  const ReduceResult result = reduce_structure(
      bar, {n - 3, n - 2, n - 1}, {.method = Method::ModeResiduals, .modes = {1, 2, 3}});
  ASSERT_NEAR(result.modes.frequency_hz(1), result.modes.frequency_hz(0),
              1e-9 * result.modes.frequency_hz(0));
  for (const ModeError& one : result.mode_errors) {
    EXPECT_GT(one.nco, 1.0 - 1e-9);
    EXPECT_LT(one.nco, 1.0 + 1e-9);
    EXPECT_NEAR(one.mac, 1.0, 1e-9);
  }
  EXPECT_EQ(result.verdict.level, TrustLevel::Good);
}

TEST(ReduceStructure, NamesASizeBelowTheMasters) {
  EXPECT_THAT(test::message_of([&] {
                (void)reduce_structure(chain(5), {0, 2}, {.modes = {1}, .size = 1});
              }),
              HasSubstr("size must be 0 or at least 2, the number of masters, got 1"));
}

TEST(ReduceStructure, NamesMissingTargets) {
  const Structure s = chain(5);
  EXPECT_THAT(test::message_of([&] { (void)reduce_structure(s, {0}, {}); }),
              HasSubstr("must say where the small model must be right"));
  EXPECT_THAT(test::message_of([&] {
                (void)reduce_structure(s, {0}, {.method = Method::ForceRanking, .modes = {1}});
              }),
              HasSubstr("must give the forces"));
  EXPECT_THAT(test::message_of([&] { (void)reduce_structure(s, {0}, {.modes = {9}}); }),
              HasSubstr("must be at most 5"));
}

}  // namespace alembert::reduce::reduce_test
