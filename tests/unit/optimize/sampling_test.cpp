#include "alembert/optimize/sampling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "alembert/core/random.hpp"
#include "tests/support/message_of.hpp"

namespace alembert::optimize {
namespace sampling_test {

using Eigen::Index;
using Eigen::MatrixXd;
using testing::HasSubstr;

// How many points of a column lie in each of `slices` equal parts of (0, 1).
std::vector<int> counts(const Eigen::VectorXd& column, Index slices) {
  std::vector<int> result(static_cast<std::size_t>(slices), 0);
  for (const double entry : column) {
    ++result.at(static_cast<std::size_t>(entry * static_cast<double>(slices)));
  }
  return result;
}

// Squared L2 star discrepancy by Warnock's formula.
double discrepancy(const MatrixXd& points) {
  const double n = static_cast<double>(points.rows());
  double single = 0.0;
  double pairs = 0.0;
  for (Index i = 0; i < points.rows(); ++i) {
    single += (1.0 - points.row(i).array().square()).prod();
    for (Index k = 0; k < points.rows(); ++k) {
      pairs += (1.0 - points.row(i).cwiseMax(points.row(k)).array()).prod();
    }
  }
  const double d = static_cast<double>(points.cols());
  return std::pow(3.0, -d) - std::pow(2.0, 1.0 - d) / n * single + pairs / (n * n);
}

MatrixXd random_points(Index count, Index dimension, std::uint64_t seed) {
  RandomStream random(seed);
  MatrixXd points(count, dimension);
  for (double& entry : points.reshaped()) entry = random.uniform();
  return points;
}

TEST(LatinHypercube, HasOnePointInEachSlice) {
  for (const Index count : {1, 7, 20, 64}) {
    const MatrixXd points = latin_hypercube(count, 9, 5);
    for (Index j = 0; j < points.cols(); ++j) {
      EXPECT_THAT(counts(points.col(j), count), testing::Each(1)) << count << " " << j;
    }
  }
}

TEST(LatinHypercube, CoordinatesAreIndependent) {
  const MatrixXd points = latin_hypercube(400, 6, 8);
  for (Index j = 0; j < 6; ++j) {
    for (Index i = 0; i < j; ++i) {
      const double correlation =
          12.0 * ((points.col(i).array() - 0.5) * (points.col(j).array() - 0.5)).mean();
      EXPECT_LT(std::abs(correlation), 4.0 / 20.0);  // 4 standard deviations, 1/√400 each
    }
  }
}

TEST(Sobol, HasOnePointInEachSliceOfEveryAlignedBlock) {
  for (const std::uint64_t seed : {0U, 1U, 99U}) {
    const MatrixXd points = sobol(192, kMaxSobolDimension, seed);
    for (Index j = 0; j < points.cols(); ++j) {
      for (const Index first : {0, 64, 128}) {
        EXPECT_THAT(counts(points.col(j).segment(first, 64), 64), testing::Each(1))
            << seed << " " << j;
      }
    }
  }
}

// The first points as tabulated in textbooks (in the order of the Gray code).
TEST(Sobol, BeginsAsTheUnshiftedSequence) {
  const MatrixXd expected = (MatrixXd(8, 3) << 0, 0, 0, .5, .5, .5, .75, .25, .25, .25, .75, .75,
                             .375, .375, .625, .875, .875, .125, .625, .125, .875, .125, .625, .375)
                                .finished();
  EXPECT_LT((sobol(8, 3, 0) - expected).cwiseAbs().maxCoeff(), 1e-9);  // half a cell, 2^-33
}

// 1024 points in 8 x 8 cells for any two of the first coordinates, 4 x 4 for all: the direction
// numbers were chosen for such pairs. A wrong polynomial or number leaves rows of cells empty.
TEST(Sobol, PairsOfCoordinatesFillTheSquare) {
  const MatrixXd points = sobol(1024, kMaxSobolDimension, 3);
  for (Index j = 1; j < points.cols(); ++j) {
    for (Index i = 0; i < j; ++i) {
      const Index side = j < 14 ? 8 : 4;
      std::vector<int> cells(static_cast<std::size_t>(side * side), 0);
      for (Index k = 0; k < points.rows(); ++k) {
        const Index row = static_cast<Index>(points(k, i) * static_cast<double>(side));
        const Index column = static_cast<Index>(points(k, j) * static_cast<double>(side));
        ++cells.at(static_cast<std::size_t>(row * side + column));
      }
      EXPECT_THAT(cells, testing::Each(1024 / (side * side))) << i << " " << j;
    }
  }
}

TEST(Sampling, IsMoreEvenThanChance) {
  for (const Index dimension : {2, 4, 8}) {
    double chance = 0.0;
    for (std::uint64_t seed = 1; seed <= 32; ++seed) {
      chance += discrepancy(random_points(128, dimension, seed)) / 32.0;
    }
    // Random points have (2^-d - 3^-d)/n on average, and scatter by 0.64 of it in 2 dimensions, by
    // less in more: 4 standard deviations of the mean of 32.
    const double d = static_cast<double>(dimension);
    const double expected = (std::pow(2.0, -d) - std::pow(3.0, -d)) / 128.0;
    EXPECT_NEAR(chance, expected, 4.0 * 0.64 / std::sqrt(32.0) * expected);
    // Sobol points fall as (ln n)^(d-1)/n², not as 1/n; in many dimensions 128 points are few, and
    // the gain is small.
    EXPECT_LT(discrepancy(sobol(128, dimension, 1)), (dimension <= 4 ? 0.3 : 1.0) * chance);
    EXPECT_LT(discrepancy(latin_hypercube(128, dimension, 1)), chance) << dimension;
  }
}

TEST(Sampling, SeedsMatterAndRepeat) {
  EXPECT_EQ(sobol(16, 3, 4), sobol(16, 3, 4));
  EXPECT_NE(sobol(16, 3, 4), sobol(16, 3, 5));
  EXPECT_EQ(latin_hypercube(16, 3, 4), latin_hypercube(16, 3, 4));
  EXPECT_NE(latin_hypercube(16, 3, 4), latin_hypercube(16, 3, 5));
}

TEST(Sampling, NamesWhatIsWrong) {
  EXPECT_THAT(test::message_of([] { (void)sobol(4, 22, 1); }), HasSubstr("dimension"));
  EXPECT_THAT(test::message_of([] { (void)sobol(0, 2, 1); }), HasSubstr("count"));
  EXPECT_THAT(test::message_of([] { (void)latin_hypercube(4, 0, 1); }), HasSubstr("dimension"));
}

}  // namespace sampling_test
}  // namespace alembert::optimize
