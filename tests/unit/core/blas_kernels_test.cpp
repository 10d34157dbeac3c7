#include "core/algebra/blas_kernels.hpp"

#include <cblas.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "alembert/core/random.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/lapack.hpp"
#include "support/matrices_near.hpp"

namespace alembert {
namespace blas_kernels_test {

using test::kEps;

// What the kernel of the operating system says of the first processor.
bool has_flag(const std::string& flag) {
  std::ifstream file("/proc/cpuinfo");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::string flags = text.substr(std::min(text.size(), text.find("\nflags")));
  return flags.substr(0, flags.find('\n', 1)).find(" " + flag) != std::string::npos;
}

Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  RandomStream random(seed);
  Eigen::MatrixXd matrix(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j) matrix.col(j) = random.normal_vector(rows);
  return matrix;
}

TEST(BlasKernels, AChoiceByOpenBlasStands) {
  EXPECT_EQ(better_kernels("Haswell"), nullptr);
  EXPECT_EQ(better_kernels("armv8"), nullptr);
}

TEST(BlasKernels, TheFallbackIsReplacedByWhatTheProcessorHas) {
  const char* better = better_kernels("Prescott");
  const std::string name = better == nullptr ? "" : better;
  if (name == "SkylakeX") {
    EXPECT_TRUE(has_flag("avx512f") && has_flag("avx512vl"));
  } else if (name == "Haswell") {
    EXPECT_TRUE(has_flag("avx2") && has_flag("fma"));
  } else {
    EXPECT_EQ(name, "");
    EXPECT_FALSE(has_flag("avx2") && has_flag("fma"));
  }
}

// The product of the chosen kernels against plain sums.
TEST(BlasKernels, AreInUseAndRight) {
  const Eigen::MatrixXd A = random_matrix(37, 53, 1);
  const Eigen::MatrixXd B = random_matrix(53, 29, 2);
  const Eigen::MatrixXd found = product(A, B);
  if (std::getenv("OPENBLAS_CORETYPE") == nullptr) {
    EXPECT_EQ(better_kernels(openblas_get_corename()), nullptr);
  }
  for (Eigen::Index i = 0; i < 37; ++i) {
    for (Eigen::Index j = 0; j < 29; ++j) {
      double sum = 0.0;
      double size = 0.0;
      for (Eigen::Index k = 0; k < 53; ++k) {
        sum += A(i, k) * B(k, j);
        size += std::abs(A(i, k) * B(k, j));
      }
      EXPECT_NEAR(found(i, j), sum, 53 * kEps * size);
    }
  }
}

// U diag(s)² Uᵀ = A Aᵀ whatever V is; rounding of 40 products and of the factorisations.
TEST(Lapack, LeftSingularPartsOfWideAndTallMatrices) {
  for (const Eigen::Index columns : {5, 12, 40}) {
    const Eigen::MatrixXd A = random_matrix(12, columns, 3);
    const SingularParts parts = left_singular_parts(A);
    const Eigen::MatrixXd squares =
        parts.left * parts.values.cwiseAbs2().asDiagonal() * parts.left.transpose();
    EXPECT_TRUE(test::matrices_near(squares, A * A.transpose(), {.rel = 100 * kEps})) << columns;
  }
}

// The second difference with fixed ends has the eigenvalues 2 - 2 cos(j π/(n + 1)).
TEST(Lapack, EigenvaluesAscend) {
  const Eigen::Index n = 150;
  Eigen::MatrixXd second = 2.0 * Eigen::MatrixXd::Identity(n, n);
  second.diagonal(-1).setConstant(-1.0);  // only the lower triangle is read
  const Eigen::VectorXd values = eigenvalues(second);
  for (Eigen::Index j = 0; j < n; ++j) {
    const double angle = static_cast<double>(j + 1) * 3.14159265358979323846 / (n + 1.0);
    EXPECT_NEAR(values(j), 2.0 - 2.0 * std::cos(angle), 100 * kEps) << j;
  }
  EXPECT_EQ(eigenvalues(Eigen::MatrixXd(0, 0)).size(), 0);
}

}  // namespace blas_kernels_test
}  // namespace alembert
