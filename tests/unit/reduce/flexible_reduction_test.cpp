#include "alembert/reduce/flexible_reduction.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "unit/model/flexible/flexible_examples.hpp"

namespace alembert::test::flexible_reduction_test {

using namespace flexible_examples;
using Eigen::VectorXd;
using reduce::CarriedBasis;
using reduce::FlexibleReduction;
using reduce::FlexibleReductionOptions;

const std::vector<std::string> kMasters = {"x(arm.F)", "y(arm.F)"};

FlexibleMechanism linkage() { return {four_bar_with_arm(), Eigen::Vector2d(1.1, 0.9)}; }

FlexibleReductionOptions with(CarriedBasis basis, int interior, int modes) {
  return {.masters = kMasters, .interior = interior, .modes = modes, .basis = basis};
}

// All vectors of the interior, in whatever pose and however carried: nothing is left out.
// Tolerance: half of the digits times the spread of frequencies, 1e4.
TEST(FlexibleReduction, AllVectorsAreExact) {
  const FlexibleMechanism mechanism = linkage();
  const int interior = mechanism.elastic() - static_cast<int>(kMasters.size());
  const Eigen::Vector2d pose(1.5, 0.3);
  for (const CarriedBasis basis :
       {CarriedBasis::Fixed, CarriedBasis::Rotated, CarriedBasis::Recomputed}) {
    const FlexibleReduction reduction(mechanism, Eigen::Vector2d(1.1, 0.9),
                                      with(basis, interior, 5));
    EXPECT_EQ(reduction.size(), mechanism.unknowns());
    const auto found = reduction.accuracy(pose);
    EXPECT_LT(found.frequency_error.maxCoeff(), 1e-5) << static_cast<int>(basis);
    EXPECT_GT(found.orthogonality.minCoeff(), 1.0 - 1e-5);
  }
}

// As many residuals as modes of interest: these are exact in the pose of reference.
TEST(FlexibleReduction, ResidualsAreExactInTheirPose) {
  const Eigen::Vector2d pose(1.1, 0.9);
  const FlexibleReduction reduction(linkage(), pose, with(CarriedBasis::Residual, 4, 4));
  const auto found = reduction.accuracy(pose);
  EXPECT_LT(found.frequency_error.maxCoeff(), 1e-6);
  EXPECT_TRUE(reduction.kept().empty());
}

// An arm of two links turned as a whole is the same arm: vectors that turn with the links have the
// same errors, and stay orthonormal. Vectors that do not turn are wrong.
TEST(FlexibleReduction, TurningTheWholeChangesNothing) {
  FlexibleDescription description = arm(0.5, steel(0.02, 0.01), 2);
  auto& mechanism = description.mechanism;
  mechanism.bodies.push_back({.name = "hand", .points = {{"B", {0.0, 0.0}}, {"C", {0.4, 0.0}}}});
  mechanism.joints.push_back({.a = "arm.B", .b = "hand.B"});
  mechanism.coordinates.push_back(model::planar::parse_coordinate("angle(hand)"));
  description.bodies.push_back({.name = "hand", .section = steel(0.01, 0.008), .elements = 2});
  const Eigen::Vector2d reference(0.3, 1.2);
  const Eigen::Vector2d turned = reference.array() + 0.7;
  const FlexibleMechanism two_links(description, reference);
  const auto reduction_with = [&](CarriedBasis basis) {
    return FlexibleReduction(
        two_links, reference,
        {.masters = {"x(hand.C)", "y(hand.C)"}, .interior = 3, .modes = 3, .basis = basis});
  };
  for (const CarriedBasis basis :
       {CarriedBasis::Rotated, CarriedBasis::Iterated, CarriedBasis::Residual}) {
    const FlexibleReduction reduction = reduction_with(basis);
    const auto before = reduction.accuracy(reference);
    const auto after = reduction.accuracy(turned);
    EXPECT_LT((before.frequency_hz - after.frequency_hz).cwiseAbs().maxCoeff(),
              1e-7 * before.frequency_hz.maxCoeff());
    EXPECT_LT((before.frequency_error - after.frequency_error).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_LT(reduction.at(turned).departure, 1e-8);
  }
  const auto fixed = reduction_with(CarriedBasis::Fixed);
  const auto rotated = reduction_with(CarriedBasis::Rotated);
  EXPECT_GT(fixed.accuracy(turned).frequency_error.maxCoeff(),
            10.0 * rotated.accuracy(turned).frequency_error.maxCoeff());
}

TEST(FlexibleReduction, RefusesByName) {
  const FlexibleMechanism mechanism = linkage();
  const Eigen::Vector2d pose(1.1, 0.9);
  const auto message = [&](const FlexibleReductionOptions& options) {
    return message_of([&] { (void)FlexibleReduction(mechanism, pose, options); });
  };
  EXPECT_NE(message({.masters = {"angle(crank.O)"}}).find("neither held nor zero"),
            std::string::npos);
  EXPECT_NE(message({.masters = {"y(arm.F)", "y(arm.F)"}}).find("twice"), std::string::npos);
  EXPECT_NE(message({.masters = kMasters, .interior = 1000}).find("interior must be"),
            std::string::npos);
  EXPECT_NE(
      message({.masters = kMasters, .interior = 4, .modes = 2, .basis = CarriedBasis::Residual})
          .find("interior must be 2 at most"),
      std::string::npos);
}

}  // namespace alembert::test::flexible_reduction_test
