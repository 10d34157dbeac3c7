#include "alembert/signal/cosine_transform.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"

namespace alembert::signal {
namespace cosine_transform_test {

using Eigen::Index;
using Eigen::MatrixXd;
using test::kEps;
using test::matrices_near;

MatrixXd random_columns(Index rows, Index columns) {
  RandomStream random(11, static_cast<std::uint64_t>(rows));
  MatrixXd result(rows, columns);
  for (Index c = 0; c < columns; ++c) result.col(c) = random.normal_vector(rows);
  return result;
}

MatrixXd by_definition(const MatrixXd& x) {
  const Index n = x.rows();
  const double N = static_cast<double>(n);
  MatrixXd C(n, n);
  for (Index k = 0; k < n; ++k) {
    for (Index j = 0; j < n; ++j) {
      const double odd = static_cast<double>(2 * j + 1);
      C(k, j) = std::sqrt((k == 0 ? 1.0 : 2.0) / N) *
                std::cos(std::numbers::pi * static_cast<double>(k) * odd / (2.0 * N));
    }
  }
  return C * x;
}

// Even, odd, prime (chirp) and tiny lengths. Angles up to π N lose N eps in the direct sum.
TEST(CosineTransform, IsTheSumOfCosines) {
  for (const Index n : {1, 2, 3, 4, 7, 16, 45, 64, 211, 1009}) {
    const MatrixXd x = random_columns(n, 2);
    EXPECT_TRUE(matrices_near(cosine_transform(x), by_definition(x),
                              {.abs = 20.0 * static_cast<double>(n + 8) * kEps}))
        << n;
  }
}

// Parseval, for sums of squares and products. Rounding grows with log N only; 100 eps is ample.
TEST(CosineTransform, KeepsProducts) {
  for (const Index n : {1, 5, 250, 1024, 3001}) {
    const MatrixXd x = random_columns(n, 3);
    const MatrixXd X = cosine_transform(x);
    EXPECT_TRUE(matrices_near(X.transpose() * X, x.transpose() * x,
                              {.abs = 100.0 * static_cast<double>(n) * kEps}))
        << n;
  }
}

TEST(CosineTransform, RejectsEmptyColumns) {
  EXPECT_THROW((void)cosine_transform(MatrixXd(0, 2)), InvalidInput);
}

}  // namespace cosine_transform_test
}  // namespace alembert::signal
