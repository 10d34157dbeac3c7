#include "alembert/update/pairing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "alembert/core/random.hpp"

namespace alembert::update::pairing_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double cost_of(const MatrixXd& cost, const std::vector<Index>& columns) {
  double sum = 0.0;
  for (std::size_t i = 0; i < columns.size(); ++i) sum += cost(static_cast<Index>(i), columns[i]);
  return sum;
}

TEST(CheapestAssignment, IsTheCheapestOfAll) {
  RandomStream random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Index rows = 1 + trial % 4;
    const Index columns = rows + trial % 3;
    MatrixXd cost(rows, columns);
    for (Index i = 0; i < cost.size(); ++i) cost(i) = random.normal();
    const std::vector<Index> found = cheapest_assignment(cost);
    std::vector<Index> order(static_cast<std::size_t>(columns));
    std::iota(order.begin(), order.end(), 0);
    double least = 1e300;
    do {
      least = std::min(least, cost_of(cost, {order.begin(), order.begin() + rows}));
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_NEAR(cost_of(cost, found), least, 1e-12) << trial;  // rounding of a sum
  }
}

TEST(PairModes, CrossedShapesWinOverFrequencies) {
  const VectorXd measured = Eigen::Vector2d(10.0, 11.0);
  const VectorXd model = Eigen::Vector3d(10.2, 10.9, 40.0);
  const MatrixXd mac = (MatrixXd(2, 3) << 0.02, 0.97, 0.0, 0.95, 0.03, 0.0).finished();
  const Pairing found = pair_modes(measured, model, mac);
  ASSERT_EQ(found.pairs.size(), 2U);
  EXPECT_EQ(found.pairs[0].model, 1);
  EXPECT_EQ(found.pairs[1].model, 0);
}

TEST(PairModes, SaysWhyAModeStaysAlone) {
  const VectorXd measured = Eigen::Vector3d(10.0, 20.0, 500.0);
  const VectorXd model = Eigen::Vector2d(10.0, 21.0);
  const MatrixXd mac = (MatrixXd(3, 2) << 0.99, 0.0, 0.0, 0.3, 0.0, 0.0).finished();
  const Pairing found = pair_modes(measured, model, mac);
  ASSERT_EQ(found.pairs.size(), 1U);
  ASSERT_EQ(found.words.size(), 2U);
  EXPECT_THAT(found.words[0],
              testing::HasSubstr("measured mode 2 (20 Hz): the most similar mode of "
                                 "the model, 2 (21 Hz), has a MAC of 0.30"));
  EXPECT_THAT(found.words[1],
              testing::HasSubstr("measured mode 3 (500 Hz): the model has no mode"));
}

// With a weight W = LᵀL the MAC is that of L a and L b.
TEST(WeightedMac, IsThatOfTransformedShapes) {
  RandomStream random(8);
  MatrixXd L(4, 4);
  MatrixXd A(4, 2);
  MatrixXd B(4, 3);
  for (MatrixXd* m : {&L, &A, &B}) {
    for (Index i = 0; i < m->size(); ++i) (*m)(i) = random.normal();
  }
  const MatrixXd mac = weighted_mac(A, B, L.transpose() * L);
  for (Index i = 0; i < 2; ++i) {
    for (Index j = 0; j < 3; ++j) {
      const VectorXd a = L * A.col(i);
      const VectorXd b = L * B.col(j);
      EXPECT_NEAR(mac(i, j), std::pow(a.dot(b), 2) / (a.squaredNorm() * b.squaredNorm()), 1e-12);
    }
  }
  // An entry that was not measured is left out on both sides.
  A(3, 0) = std::nan("");
  const MatrixXd part = weighted_mac(A, B, MatrixXd::Identity(4, 4));
  const double dot = A.col(0).head(3).dot(B.col(0).head(3));
  EXPECT_NEAR(part(0, 0),
              dot * dot / (A.col(0).head(3).squaredNorm() * B.col(0).head(3).squaredNorm()), 1e-12);
}

}  // namespace alembert::update::pairing_test
