#include "alembert/integrate/gauss.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/integrate/exact.hpp"
#include "alembert/integrate/variational.hpp"
#include "core/algebra/decompositions.hpp"
#include "support/matrices_near.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"

namespace alembert::integrate {
namespace gauss_test {

using test::kEps;
using test::matrices_near;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Diagonal Padé approximants of exp, numerators as known from tables; denominators N(-A).
Eigen::MatrixXd pade(const Eigen::MatrixXd& A, int degree) {
  const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(A.rows(), A.rows());
  const auto numerator = [&](double sign) -> Eigen::MatrixXd {
    const Eigen::MatrixXd B = sign * A;
    if (degree == 1) return I + B / 2.0;
    if (degree == 2) return I + B / 2.0 + B * B / 12.0;
    return I + B / 2.0 + B * B / 10.0 + B * B * B / 120.0;
  };
  return numerator(-1.0).fullPivLu().solve(numerator(1.0));
}

TEST(GaussMap, IsTheDiagonalPadeApproximant) {
  std::mt19937_64 engine(61);
  for (const Eigen::Index n : {1, 3, 10}) {
    const model::SecondOrder system = test::random_system(n, 1, engine);
    const double h = 0.2;
    const model::StateSpace form = model::state_space(system);
    Eigen::MatrixXd A = form.A;
    A.bottomLeftCorner(n, n) *= h * h;
    A.bottomRightCorner(n, n) *= h;
    for (const int stages : {1, 2, 3}) {
      // Condition of the stage matrix: below 100.
      EXPECT_TRUE(matrices_near(gauss_map(system, h, stages).F, pade(A, stages),
                                {.rel = 1e3 * static_cast<double>(n) * kEps}))
          << n << ' ' << stages;
    }
  }
}

TEST(GaussMap, WithOneStageIsTheMidpointRule) {
  const model::SecondOrder frame = test::frame_8dof();
  const OneStepMap gauss = gauss_map(frame, 0.03, 1, signal::BetweenSamples::Linear);
  const OneStepMap midpoint = midpoint_map(frame, 0.03);
  EXPECT_TRUE(matrices_near(gauss.F, midpoint.F, {.rel = 100 * kEps}));
  EXPECT_TRUE(matrices_near(gauss.G, midpoint.G, {.rel = 100 * kEps}));
}

// The error of one step falls with h^(2s+1), for F and for each column block of G.
TEST(GaussMap, ApproachesTheExactMapWithItsOrder) {
  const model::SecondOrder system = test::coupled_3dof();
  for (const int stages : {1, 2, 3}) {
    const auto error = [&](double h) {
      const OneStepMap gauss = gauss_map(system, h, stages);
      const OneStepMap exact = exact_map(system, h);
      // In the units of q for (q, v): undo the scaling of G's coefficients by powers of h.
      Eigen::VectorXd scale = Eigen::VectorXd::Ones(6);
      scale.tail(3) /= h;
      return (scale.asDiagonal() * (gauss.F - exact.F) * scale.cwiseInverse().asDiagonal()).norm();
    };
    const double ratio = error(0.1) / error(0.05);
    // Order measured: within 10 % of 2^(2s+1).
    EXPECT_NEAR(ratio / std::exp2(2 * stages + 1), 1.0, 0.1) << stages;
  }
}

TEST(GaussMap, IsStableForHugeSteps) {
  for (const int stages : {1, 2, 3}) {
    EXPECT_LT(spectral_radius(gauss_map(test::frame_8dof(), 1e3, stages)), 1.0) << stages;
  }
}

// A free mass under a polynomial force: 2 s >= degree + 2 makes the quadrature exact.
TEST(GaussMap, IntegratesPolynomialsExactly) {
  const model::SecondOrder mass = test::oscillator(2.0, 0.0, 0.0);
  const OneStepMap exact = exact_map(mass, 0.5);
  EXPECT_TRUE(matrices_near(gauss_map(mass, 0.5, 3).G, exact.G, {.rel = 8 * kEps}));
  EXPECT_TRUE(
      matrices_near(gauss_map(mass, 0.5, 2).G.leftCols(3), exact.G.leftCols(3), {.rel = 8 * kEps}));
}

TEST(GaussMap, RejectsBadArguments) {
  const model::SecondOrder system = test::coupled_3dof();
  EXPECT_THAT([&] { (void)gauss_map(system, 0.1, 4); },
              ThrowsMessage<InvalidInput>(HasSubstr("stages must be 1, 2 or 3, got 4")));
  EXPECT_THAT([&] { (void)gauss_map(system, -0.1, 2); },
              ThrowsMessage<InvalidInput>(HasSubstr("gauss_map: step must be positive")));
}

}  // namespace gauss_test
}  // namespace alembert::integrate
