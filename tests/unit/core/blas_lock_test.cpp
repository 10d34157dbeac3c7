#include "core/algebra/blas_lock.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "alembert/core/parallel.hpp"
#include "alembert/core/random.hpp"
#include "core/algebra/blas.hpp"

namespace alembert {
namespace blas_lock_test {

Eigen::MatrixXd random_matrix(std::size_t stream) {
  RandomStream random(5, stream);
  Eigen::MatrixXd matrix(400, 60);
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) matrix.col(j) = random.normal_vector(400);
  return matrix;
}

// Whether calls meet in a buffer without the lock is rare and up to chance: a pass proves little,
// a failure proves that threads disturb each other.
TEST(BlasLock, ManyThreadsGiveTheBitsOfOne) {
  constexpr std::size_t kCount = 100;
  const auto factor = [](std::size_t stream) {
    Eigen::MatrixXd matrix = random_matrix(stream);
    return triangular_factor(matrix);
  };
  std::vector<Eigen::MatrixXd> alone(kCount), together(kCount);
  // First together: the buffers are made in the first calls.
  parallel_for(kCount, [&](std::size_t i) { together[i] = factor(i); }, {.threads = 4});
  for (std::size_t i = 0; i < kCount; ++i) alone[i] = factor(i);
  for (std::size_t i = 0; i < kCount; ++i) EXPECT_EQ(alone[i], together[i]) << i;
}

}  // namespace blas_lock_test
}  // namespace alembert
