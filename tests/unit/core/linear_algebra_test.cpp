#include "alembert/core/linear_algebra.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"

namespace alembert {
namespace linear_algebra_test {

using test::kEps;

// [2 1; 1 2] has the eigenvalues 1 and 3.
TEST(Definiteness, KnowsTheEigenvaluesOfATwoByTwo) {
  const Definiteness result = definiteness(Eigen::Matrix2d{{2.0, 1.0}, {1.0, 2.0}});
  EXPECT_NEAR(result.smallest, 1.0, 8 * kEps);
  EXPECT_NEAR(result.largest, 3.0, 8 * kEps);
  EXPECT_TRUE(result.positive_definite);
  EXPECT_NEAR(result.condition(), 3.0, 32 * kEps);
}

// The stiffness of a free chain k[1 -1; -1 1] has a rigid-body mode: semidefinite, not definite.
TEST(Definiteness, TellsSemidefiniteFromDefinite) {
  const Definiteness chain = definiteness(1e6 * Eigen::Matrix2d{{1.0, -1.0}, {-1.0, 1.0}});
  EXPECT_FALSE(chain.positive_definite);
  EXPECT_TRUE(chain.positive_semidefinite);
  EXPECT_TRUE(std::isinf(chain.condition()));

  const Definiteness saddle = definiteness(Eigen::Matrix2d{{1.0, 2.0}, {2.0, 1.0}});
  EXPECT_FALSE(saddle.positive_semidefinite);
}

// Property: AᵀA of a tall random matrix is positive definite, its negative is not.
TEST(Definiteness, GramMatricesArePositiveDefinite) {
  RandomStream random(7);
  for (Eigen::Index n = 1; n <= 30; ++n) {
    Eigen::MatrixXd tall(3 * n, n);
    for (Eigen::Index j = 0; j < n; ++j) {
      tall.col(j) = random.normal_vector(3 * n);
    }
    const Eigen::MatrixXd gram = tall.transpose() * tall;
    EXPECT_TRUE(definiteness(gram).positive_definite) << n;
    EXPECT_FALSE(definiteness(-gram).positive_semidefinite) << n;
  }
}

TEST(Definiteness, RejectsWhatHasNone) {
  EXPECT_THROW((void)definiteness(Eigen::MatrixXd(0, 0)), InvalidInput);
  EXPECT_THROW((void)definiteness(Eigen::MatrixXd::Zero(2, 3)), InvalidInput);
  EXPECT_THROW((void)definiteness(Eigen::MatrixXd::Constant(1, 1, NAN)), InvalidInput);
}

TEST(Symmetrised, IsTheMeanWithTheTranspose) {
  const Eigen::MatrixXd result = symmetrised(Eigen::Matrix2d{{1.0, 4.0}, {2.0, 5.0}});
  EXPECT_TRUE(test::matrices_near(result, Eigen::Matrix2d{{1.0, 3.0}, {3.0, 5.0}}, {.abs = 0.0}));
  EXPECT_THROW((void)symmetrised(Eigen::MatrixXd::Zero(2, 3)), InvalidInput);
}

}  // namespace linear_algebra_test
}  // namespace alembert
