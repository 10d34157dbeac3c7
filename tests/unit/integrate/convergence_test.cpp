#include "alembert/integrate/convergence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "support/matrices_near.hpp"

namespace alembert::integrate {
namespace convergence_test {

using testing::HasSubstr;
using testing::ThrowsMessage;

const Eigen::Vector4d kSteps(0.8, 0.4, 0.2, 0.1);

TEST(ObservedOrder, OfAPowerIsItsExponent) {
  for (const double order : {1.0, 2.0, 4.0, 6.5}) {
    const Eigen::VectorXd errors = 3.0 * kSteps.array().pow(order);
    EXPECT_NEAR(observed_order(kSteps, errors), order, 1e-13);
  }
}

TEST(MeasureConvergence, LeavesOutRoundingAndCoarseSteps) {
  // e = h⁴ + 2 h⁶, which hits a floor of 1e-3 at the last step.
  const auto error = [](double h) { return std::pow(h, 4) + 2.0 * std::pow(h, 6); };
  const Convergence all = measure_convergence(kSteps, error);
  EXPECT_GT(all.order, 4.3);
  const Convergence fine = measure_convergence(kSteps, error, {.points = 2});
  EXPECT_NEAR(fine.order, fine.local_order(2), 1e-13);
  EXPECT_LT(fine.order, 4.1);
  const Convergence above = measure_convergence(kSteps, error, {.floor = 1e-3, .points = 2});
  EXPECT_NEAR(above.order, above.local_order(1), 1e-13);
  EXPECT_NEAR(above.local_order(1), std::log2(error(0.4) / error(0.2)), 1e-13);
}

TEST(MeasureConvergence, HasNoOrderWithoutTwoUsableErrors) {
  const Convergence exact = measure_convergence(kSteps, [](double) { return 0.0; });
  EXPECT_TRUE(std::isnan(exact.order));
  const Convergence one =
      measure_convergence(kSteps, [](double h) { return h > 0.5 ? 1.0 : 1e-20; }, {.floor = 1e-15});
  EXPECT_TRUE(std::isnan(one.order));
}

TEST(MeasureConvergence, RejectsBadArguments) {
  const auto error = [](double h) { return h; };
  EXPECT_THAT([&] { (void)measure_convergence(kSteps.reverse(), error); },
              ThrowsMessage<InvalidInput>(HasSubstr("strictly descending")));
  EXPECT_THAT([&] { (void)measure_convergence(kSteps.head(1), error); },
              ThrowsMessage<InvalidInput>(HasSubstr("number of steps must be at least 2")));
  EXPECT_THAT([&] { (void)measure_convergence(kSteps, error, {.floor = -1.0}); },
              ThrowsMessage<InvalidInput>(HasSubstr("floor must not be negative")));
  EXPECT_THAT([&] { (void)observed_order(kSteps, Eigen::Vector4d(1, 1, 0, 1)); },
              ThrowsMessage<InvalidInput>(HasSubstr("errors must be positive")));
  EXPECT_THAT([&] { (void)observed_order(kSteps, Eigen::Vector3d(1, 1, 1)); },
              ThrowsMessage<InvalidInput>(HasSubstr("errors must have size 4")));
  EXPECT_THAT([&] { (void)observed_order(Eigen::Vector2d(1, 1), Eigen::Vector2d(1, 1)); },
              ThrowsMessage<InvalidInput>(HasSubstr("spread of steps")));
}

}  // namespace convergence_test
}  // namespace alembert::integrate
