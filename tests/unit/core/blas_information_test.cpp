#include "alembert/core/blas_information.hpp"

#include <cblas.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "alembert/core/prepare_blas.hpp"

namespace alembert {
namespace blas_information_test {

TEST(BlasInformation, IsWhatTheLibrarySays) {
  const BlasInformation blas = blas_information();
  EXPECT_EQ(blas.library, openblas_get_config());
  EXPECT_EQ(blas.kernels, openblas_get_corename());
  EXPECT_THAT(blas.library, testing::StartsWith("OpenBLAS "));
  EXPECT_EQ(blas.threads, openblas_get_num_threads());
}

// After prepare_blas() there is one thread, and no better choice is left unless one was forced.
TEST(BlasInformation, AfterPreparationNothingIsBetter) {
  prepare_blas();
  EXPECT_EQ(blas_information().threads, 1);
  if (std::getenv("OPENBLAS_CORETYPE") == nullptr) {
    EXPECT_EQ(blas_information().better_kernels, "");
  }
}

}  // namespace blas_information_test
}  // namespace alembert
