#include "alembert/signal/hilbert.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"

namespace alembert::signal::hilbert_test {
namespace {

// cos becomes exp(i..), for even, odd and prime lengths.
TEST(AnalyticSignal, TurnsACosineIntoACircle) {
  for (const Eigen::Index n : {64, 75, 101}) {
    Eigen::VectorXd values(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      values(k) = 0.5 + 2.0 * std::cos(2.0 * std::numbers::pi * 7.0 * static_cast<double>(k) /
                                           static_cast<double>(n) +
                                       0.4);
    }
    const Eigen::VectorXcd z = analytic_signal(values);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double angle =
          2.0 * std::numbers::pi * 7.0 * static_cast<double>(k) / static_cast<double>(n) + 0.4;
      // Rounding of a transform grows with log n.
      EXPECT_LT(std::abs(z(k) - (0.5 + std::polar(2.0, angle))), 1e-13) << n << ' ' << k;
    }
  }
}

TEST(AnalyticSignal, HasTheRecordAsItsRealPart) {
  RandomStream random(5);
  for (const Eigen::Index n : {1, 2, 17, 256}) {
    const Eigen::VectorXd values = random.normal_vector(n);
    EXPECT_LT((analytic_signal(values).real() - values).cwiseAbs().maxCoeff(), 1e-13) << n;
  }
}

TEST(AnalyticSignal, RefusesNothing) {
  EXPECT_THROW((void)analytic_signal(Eigen::VectorXd()), InvalidInput);
  EXPECT_THROW((void)analytic_signal(Eigen::VectorXd::Constant(3, std::nan(""))), InvalidInput);
}

}  // namespace
}  // namespace alembert::signal::hilbert_test
