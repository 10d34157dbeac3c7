#include "alembert/integrate/one_step_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"

namespace alembert::integrate {
namespace one_step_map_test {

using test::kEps;
using testing::HasSubstr;
using testing::ThrowsMessage;

// A rotation by 0.3 rad, shrunk by 0.9, driven by one number.
OneStepMap spiral() {
  OneStepMap map;
  map.F.resize(2, 2);
  map.F << std::cos(0.3), std::sin(0.3), -std::sin(0.3), std::cos(0.3);
  map.F *= 0.9;
  map.G = Eigen::Vector2d(1.0, -2.0);
  map.step = 0.1;
  return map;
}

TEST(Advance, AppliesTheMapInPlaceWithoutAllocation) {
  const OneStepMap map = spiral();
  StepWorkspace workspace(map);
  const Eigen::VectorXd w = Eigen::VectorXd::Constant(1, 0.5);
  Eigen::VectorXd z = Eigen::Vector2d(3.0, 4.0);
  const Eigen::VectorXd expected = map.F * z + map.G * w;
  const std::size_t before = test::allocation_count();
  advance(map, w, workspace, z);
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_TRUE(test::matrices_near(z, expected, {.rel = 2 * kEps}));
}

TEST(SpectralRadius, OfAShrinkingRotationIsItsFactor) {
  EXPECT_NEAR(spectral_radius(spiral()), 0.9, 4 * kEps);
}

TEST(SpectralRadius, RejectsAMapThatIsNotFinite) {
  OneStepMap map = spiral();
  map.F(0, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THAT([&] { (void)spectral_radius(map); },
              ThrowsMessage<InvalidInput>(HasSubstr("spectral_radius: F must be finite")));
}

// Eigen would read and write behind the arrays.
TEST(OneStepMap, RefusesSizesThatDiffer) {
  EXPECT_THAT([] { (void)spectral_radius(OneStepMap{}); },
              ThrowsMessage<InvalidInput>(HasSubstr("spectral_radius: rows of F must be")));
  EXPECT_THAT([] { (void)spectral_radius({.F = Eigen::MatrixXd::Ones(2, 3), .G = {}}); },
              ThrowsMessage<InvalidInput>(HasSubstr("spectral_radius: F must be 2 x 2")));
  const OneStepMap map{.F = Eigen::MatrixXd::Identity(2, 2), .G = Eigen::MatrixXd::Ones(2, 1)};
  const auto step = [&](Eigen::Index inputs, Eigen::Index states) {
    StepWorkspace workspace(map);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(states);
    advance(map, Eigen::VectorXd::Zero(inputs), workspace, z);
  };
  EXPECT_NO_THROW(step(1, 2));
  EXPECT_THROW(step(2, 2), InvalidInput);
  EXPECT_THROW(step(1, 3), InvalidInput);
}

}  // namespace one_step_map_test
}  // namespace alembert::integrate
