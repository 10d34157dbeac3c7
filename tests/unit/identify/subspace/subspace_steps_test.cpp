#include <gtest/gtest.h>

#include "identify/subspace/innovation_filter.hpp"
#include "identify/subspace/steps.hpp"
#include "support/matrices_near.hpp"
#include "unit/identify/subspace/subspace_data.hpp"

// The steps of subspace() that have no public header.
namespace alembert::identify {
namespace subspace_steps_test {

using realisation::CompressionWay;
using test::kEps;
using test::random_discrete;
using test::sorted_poles;
using test::transfer_error;
using test::white_record;

TEST(SubspaceSteps, BothCompressionsAgree) {
  std::mt19937_64 engine(7);
  RandomStream random(5);
  const DiscreteModel truth = random_discrete(6, 2, 3, engine);
  const Experiments data{white_record(truth, 800, 0.1, random),
                         white_record(truth, 333, 0.1, random)};
  for (const Eigen::Index stride : {1, 3}) {
    const SubspaceOptions options{.order = 6, .horizon = 7, .stride = stride};
    const auto gram = realisation::prepare("test", data, options, 6, CompressionWay::Gram);
    const auto orthogonal =
        realisation::prepare("test", data, options, 6, CompressionWay::Orthogonal);
    const auto automatic = realisation::prepare("test", data, options, 6);
    EXPECT_TRUE(automatic.compression.by_gram);
    EXPECT_FALSE(orthogonal.compression.by_gram);
    // L Lᵀ is the Gram matrix of the Hankel matrix whatever the way; here by its definition.
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(70, 70);
    for (const auto& part : automatic.parts) {
      Eigen::MatrixXd w(5, part.length);
      realisation::fill_samples(part, automatic.scales, 0, w);
      for (Eigen::Index k = 0; k + 14 <= part.length; ++k) {
        Eigen::VectorXd column(70);
        for (Eigen::Index i = 0; i < 14; ++i) {
          for (Eigen::Index c = 0; c < 5; ++c) {
            column(realisation::hankel_row(i, c, 2, 3, 7)) = w(c, k + i);
          }
        }
        expected += column * column.transpose();
      }
    }
    const Eigen::MatrixXd& L = orthogonal.compression.L;
    // Sums of about 1000 products.
    EXPECT_TRUE(test::matrices_near(L * L.transpose(), expected, {.rel = 1000 * kEps}));
    const Eigen::MatrixXd& C = gram.compression.L;
    EXPECT_TRUE(test::matrices_near(C * C.transpose(), expected, {.rel = 1000 * kEps}));
    const SubspaceModel a = realisation::subspace_by(data, options, CompressionWay::Gram);
    const SubspaceModel b = realisation::subspace_by(data, options, CompressionWay::Orthogonal);
    EXPECT_LT(transfer_error(a.model, b.model), 1e-8);
  }
}

// A smooth input makes the Gram matrix singular to rounding; the regularised factor must not
// change the result by more than a small part of the error that the noise causes (0.01 here).
TEST(SubspaceSteps, SmoothInputKeepsTheFastWay) {
  const Experiments data{test::frame_record(0.01, 0.05, 1500, 30.0, 8)};
  const SubspaceOptions options{.order = 16, .horizon = 12, .innovation = false};
  EXPECT_TRUE(realisation::prepare("test", data, options, 16).compression.by_gram);
  const SubspaceModel fast = realisation::subspace_by(data, options, CompressionWay::Automatic);
  const SubspaceModel sure = realisation::subspace_by(data, options, CompressionWay::Orthogonal);
  EXPECT_LT((sorted_poles(fast.model.F) - sorted_poles(sure.model.F)).norm(), 1e-4);
}

// Products of filtered inputs from the Stein equation against plain sums.
TEST(SubspaceSteps, ProductsFollowFromThoseWithTheInputs) {
  std::mt19937_64 engine(14);
  const DiscreteModel truth = random_discrete(5, 3, 1, engine);
  const realisation::RealModes modes = realisation::real_modes(truth.F);
  realisation::ModalFilter filter(modes, 3);
  const Eigen::Index width = filter.columns().count();
  EXPECT_EQ(width, 5 * 4 + 3);
  Eigen::MatrixXd rows(300, width);
  rows.rightCols(3) = test::random_matrix(300, 3, engine);
  const Eigen::MatrixXd first = filter.states();
  filter.next(rows);
  const Eigen::MatrixXd found = realisation::products_from_inputs(
      modes, filter.columns(), rows.transpose() * rows.rightCols(3), first, filter.states());
  // Rounding of 300 products, amplified by 1/|1 - λ²| < 25.
  EXPECT_TRUE(test::matrices_near(found, rows.transpose() * rows, {.rel = 300 * 25 * kEps}));
  EXPECT_GT(realisation::least_separation(modes), 0.04);
}

// Long records are split: without noise the model is exact whatever the split, and its bits do not
// depend on the threads.
TEST(SubspaceSteps, LongRecordsAreExactForAnyNumberOfThreads) {
  std::mt19937_64 engine(21);
  RandomStream random(9);
  const DiscreteModel truth = random_discrete(4, 2, 2, engine);
  for (const double noise : {0.0, 0.1}) {
    const Experiments data{white_record(truth, 2 * realisation::kLongRecord + 77, noise, random)};
    SubspaceOptions options{.order = 4, .horizon = 5, .threads = 1};
    const SubspaceModel one = subspace(data, options);
    ASSERT_TRUE(one.ok()) << one.message;
    // The triangle has nine digits; statistics: 1/√20000 times a factor for the noise.
    EXPECT_LT(transfer_error(one.model, truth), noise == 0.0 ? 1e-8 : 0.05);
    for (const int threads : {2, 3, 0}) {
      options.threads = threads;
      const SubspaceModel more = subspace(data, options);
      EXPECT_EQ(more.model.F, one.model.F);
      EXPECT_EQ(more.model.G, one.model.G);
      EXPECT_EQ(more.model.J, one.model.J);
      EXPECT_EQ(more.model.start, one.model.start);
      EXPECT_EQ(more.model.noise, one.model.noise);
    }
  }
}

// A state after some samples from that before and the response to the inputs alone.
TEST(SubspaceSteps, FilterStatesAddUp) {
  std::mt19937_64 engine(15);
  const DiscreteModel truth = random_discrete(5, 2, 1, engine);
  const realisation::RealModes modes = realisation::real_modes(truth.F);
  realisation::ModalFilter filter(modes, 2);
  Eigen::MatrixXd rows(40, filter.columns().count());
  rows.rightCols(2) = test::random_matrix(40, 2, engine);
  filter.next(rows.topRows(17));
  const realisation::FilterState middle = filter.state();
  filter.next(rows.bottomRows(23));
  const Eigen::MatrixXd whole = filter.states();
  realisation::FilterState zero = middle;
  zero.real.setZero();
  zero.imaginary.setZero();
  filter.restart(zero);
  filter.next(rows.bottomRows(23));
  const realisation::FilterState joined =
      realisation::later_state(modes, middle, 23, filter.state());
  filter.restart(joined);
  // Rounding of 23 steps that do not grow.
  EXPECT_TRUE(test::matrices_near(filter.states(), whole, {.rel = 100 * kEps}));
}

TEST(SubspaceSteps, HorizonFollowsTheSlowestNeedAndTheRecord) {
  const Experiments data{test::frame_record(0.01, 0.0, 3300, 20.0, 3)};
  const auto parts = realisation::sequences(data, 1);
  const Eigen::Index horizon = realisation::suitable_horizon(data, parts, {}, 16);
  // A quarter period of the fastest mode, 3.25 Hz, is 8 samples; 40 keep 2.5 columns per row.
  EXPECT_GE(horizon, 8);
  EXPECT_LE(horizon, 40);
}

}  // namespace subspace_steps_test
}  // namespace alembert::identify
