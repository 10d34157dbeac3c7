#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "alembert/model/planar/mechanism.hpp"
#include "unit/model/planar/planar_examples.hpp"
#include "unit/model/planar/planar_random.hpp"

namespace alembert::test::planar_assemblies_test {

using Eigen::Vector2d;
using model::planar::Assemblies;
using model::planar::Assembly;
using model::planar::FindingKind;
using model::planar::OtherAssembly;
using testing::HasSubstr;

// Joints are closed to 1e-10 of the size of the mechanism; positions follow with the condition of
// the loop, which is below 100 in these.
constexpr double kClosed = 1e-7;

/// A mechanism put together at z.
struct PutTogether {
  Mechanism mechanism;
  MechanismState state;
  Assemblies found;

  PutTogether(const MechanismDescription& description, const Eigen::VectorXd& z)
      : mechanism(description), state(mechanism.make_state()) {
    const Assembly assembly = mechanism.assemble(z, state);
    EXPECT_TRUE(assembly.ok()) << assembly.message;
    found = mechanism.assemblies(state);
  }
};

// The two places of pin C by the intersection of circles around B and D.
std::vector<Vector2d> circle_intersections(const Vector2d& B, double b, const Vector2d& D,
                                           double c) {
  const Vector2d way = D - B;
  const double d = way.norm();
  const double along = (b * b - c * c + d * d) / (2.0 * d);
  const double across = std::sqrt(b * b - along * along);
  const Vector2d foot = B + along * way / d;
  const Vector2d normal(-way.y() / d, way.x() / d);
  return {foot + across * normal, foot - across * normal};
}

TEST(PlanarAssemblies, FourBarHasTheTwoOfTheCircles) {
  for (const double angle : {0.3, 1.1, 2.5, -1.7, -0.4}) {
    const PutTogether put(four_bar(0.3, 0.8, 0.7, 0.9), numbers({angle}));
    ASSERT_EQ(put.found.others.size(), 1U) << angle;
    const Vector2d taken = put.mechanism.position_of("rocker.B", put.state);
    const std::vector<Vector2d> both = circle_intersections(
        0.3 * Vector2d(std::cos(angle), std::sin(angle)), 0.8, Vector2d(0.9, 0.0), 0.7);
    const Vector2d& other = (both[0] - taken).norm() < (both[1] - taken).norm() ? both[1] : both[0];
    // Middle of the rocker, which is body 2.
    const Vector2d middle = 0.5 * (other + Vector2d(0.9, 0.0));
    EXPECT_NEAR((put.found.others[0].q.segment<2>(6) - middle).norm(), 0.0, kClosed) << angle;
  }
}

TEST(PlanarAssemblies, SaysOnWhichSideThePinLies) {
  const PutTogether put(four_bar(0.3, 0.8, 0.7, 0.9), numbers({0.5}));
  ASSERT_EQ(put.found.others.size(), 1U);
  EXPECT_GT(put.mechanism.position_of("rocker.B", put.state).y(), 0.0);
  EXPECT_THAT(put.found.taken, HasSubstr("coupler.B above the line from coupler.A to rocker.A"));
  EXPECT_THAT(put.found.others[0].words,
              HasSubstr("coupler.B below the line from coupler.A to rocker.A"));
  EXPECT_THAT(put.found.others[0].words, HasSubstr("rocker at ("));
}

// Slider on y = h: x = a cos θ ± √(b² − (a sin θ − h)²).
TEST(PlanarAssemblies, SliderCrankHasTheSliderOnBothSides) {
  const double a = 0.2;
  const double b = 0.5;
  const double h = 0.05;
  for (const double angle : {0.0, 0.7, 2.0, -2.6}) {
    const PutTogether put(slider_crank(a, b, h), numbers({angle}));
    ASSERT_EQ(put.found.others.size(), 1U) << angle;
    const double reach = std::sqrt(b * b - std::pow(a * std::sin(angle) - h, 2));
    const double here = put.mechanism.position_of("slider", put.state).x();
    const double middle = a * std::cos(angle);
    const double there = here > middle ? middle - reach : middle + reach;
    EXPECT_NEAR(put.found.others[0].q(6), there, kClosed) << angle;
  }
}

// An open chain has no choice.
TEST(PlanarAssemblies, OpenChainHasNoOther) {
  const PutTogether put(two_link(0.5, 0.4, 0.2, 0.2), numbers({0.4, -0.8}));
  EXPECT_TRUE(put.found.others.empty());
  EXPECT_EQ(put.found.taken, "");
}

/// A plate on three cylinders (3-RPR) and all its poses at their lengths: real roots of the
/// polynomial of degree six in tan(φ/2), found by NumPy (polyroots) when this test was written.
struct Platform {
  Vector2d ground[3], plate[3];
  double length[3];
  std::vector<Eigen::Vector3d> poses;
};

const std::vector<Platform>& platforms() {
  static const std::vector<Platform> all = {
      {{{0.886, 0.023}, {0.952, -0.838}, {0.215, -0.247}},
       {{0.362, -0.391}, {0.446, 0.053}, {0.483, -0.027}},
       {1.4608, 1.9305, 1.0572},
       {{-0.246363701, 1.213985810, -1.050326745},
        {-0.899544096, -0.817814988, 1.499654875},
        {-0.349993734, -0.114056617, 2.736222660},
        {-0.083740096, 0.346278361, 2.904591320}}},
      {{{0.044, 0.282}, {0.878, 0.164}, {-0.464, 0.86}},
       {{-0.01, 0.211}, {-0.029, -0.34}, {0.231, 0.325}},
       {0.3215, 1.5764, 0.9881},
       {{-0.415698085, 0.268408008, -2.254665385}, {-0.371044906, -0.048137523, -0.828897992}}},
      {{{-0.273, 0.797}, {0.199, 0.397}, {0.175, 0.351}},
       {{-0.076, -0.002}, {-0.472, 0.596}, {-0.397, 0.381}},
       {0.6245, 0.7321, 0.5367},
       {{-0.550575421, 0.191119754, -2.964829122},
        {0.184655766, 0.430189501, -2.740656611},
        {0.161908126, 0.360613285, -2.433771359},
        {0.313516637, 0.438564308, -0.009588805},
        {0.161507778, 0.302263123, 0.179031921},
        {0.400599947, 0.797686102, 0.799476496}}},
      {{{-0.693, 0.79}, {0.12, -0.603}, {0.62, 0.168}},
       {{0.333, -0.147}, {-0.225, -0.468}, {-0.447, 0.02}},
       {1.6293, 0.7573, 0.6561},
       {{0.600117942, -0.535489668, -2.690781321},
        {-0.124553865, -0.529501688, -1.865966765},
        {-0.070890374, -0.459322279, -1.663155525},
        {0.591666449, 0.440678291, -0.536155639},
        {0.562799644, 0.593759432, 0.059064143},
        {0.544542585, -0.028207442, 1.100423229}}}};
  return all;
}

MechanismDescription described(const Platform& platform) {
  MechanismDescription d;
  Body plate{.name = "plate", .mass = 1.0, .inertia = 0.1};
  Body ground{.name = "ground"};
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i + 1);
    plate.points.push_back({"C" + n, platform.plate[i]});
    ground.points.push_back({"G" + n, platform.ground[i]});
    d.joints.push_back(
        {.name = "leg" + n, .kind = JointKind::Cylinder, .a = "ground.G" + n, .b = "plate.C" + n});
    d.coordinates.push_back(model::planar::parse_coordinate("length(leg" + n + ")"));
  }
  d.bodies = {plate, ground};
  return d;
}

TEST(PlanarAssemblies, PlatformOnThreeLegsHasAllRootsOfItsPolynomial) {
  for (const Platform& platform : platforms()) {
    const PutTogether put(described(platform),
                          numbers({platform.length[0], platform.length[1], platform.length[2]}));
    std::vector<Eigen::VectorXd> all = {put.state.q};
    for (const OtherAssembly& one : put.found.others) all.push_back(one.q);
    ASSERT_EQ(all.size(), platform.poses.size());
    for (const Eigen::Vector3d& pose : platform.poses) {
      double nearest = 1e9;
      for (const Eigen::VectorXd& q : all) {
        const double turn = std::remainder(q(2) - pose(2), 2.0 * std::numbers::pi);
        nearest = std::min(nearest, std::hypot(q(0) - pose(0), q(1) - pose(1), turn));
      }
      EXPECT_LT(nearest, 1e-6);  // nine decimals, and the condition of the root
    }
  }
}

// Each way closes the joints, the coordinates are those asked for, and no two are the same.
TEST(PlanarAssemblies, EachWayClosesRandomMechanisms) {
  std::size_t several = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    RandomMechanism random(seed);
    const MechanismDescription description = random.made(3, 1);
    const Mechanism mechanism(description);
    MechanismState state = mechanism.make_state();
    if (!mechanism.assemble(random.start(), state).ok()) continue;
    const Assemblies found = mechanism.assemblies(state);
    several += found.others.empty() ? 0 : 1;
    for (const OtherAssembly& one : found.others) {
      MechanismDescription posed = description;
      int index = 0;
      for (Body& body : posed.bodies) {
        if (body.name != "ground") body.start = one.q.segment<3>(3 * index++);
      }
      const Mechanism again(posed);
      MechanismState other = again.make_state();
      ASSERT_TRUE(again.assemble(random.start(), other).ok()) << seed;
      EXPECT_LT((other.q - one.q).cwiseAbs().maxCoeff(), 1e-6) << seed;
      EXPECT_GT((other.q - state.q).cwiseAbs().maxCoeff(), 1e-4 * mechanism.size()) << seed;
    }
  }
  EXPECT_GE(several, 6U);  // a loop of two bars has two ways
}

TEST(PlanarAssemblies, AreTheSameInEveryRun) {
  const PutTogether one(three_arms(), three_arms_start());
  const PutTogether two(three_arms(), three_arms_start());
  ASSERT_EQ(one.found.others.size(), two.found.others.size());
  EXPECT_GE(one.found.others.size(), 1U);
  for (std::size_t i = 0; i < one.found.others.size(); ++i) {
    EXPECT_EQ(one.found.others[i].q, two.found.others[i].q);
  }
}

// Four bars of one length also close folded: the rocker on the crank, and then it can turn freely.
// Only the open rhombus has one freedom; without poses it is to be found, whatever the angle.
TEST(PlanarAssemblies, RhombusIsPutTogetherOpen) {
  for (const double angle : {0.2, 0.6, 1.0, 1.5707963267948966, 2.2, -0.9}) {
    MechanismDescription d = four_bar(0.4, 0.4, 0.4, 0.4);
    for (Body& body : d.bodies) body.start.reset();
    const Mechanism mechanism(d);
    MechanismState state = mechanism.make_state();
    const Assembly assembly = mechanism.assemble(numbers({angle}), state);
    EXPECT_TRUE(assembly.ok()) << angle << ": " << assembly.message;
    EXPECT_EQ(assembly.degrees_of_freedom, 1);
  }
}

// With crank and ground in one line a parallelogram is at its change point: it is not redundant,
// since elsewhere every joint counts.
TEST(PlanarAssemblies, ParallelogramInLineIsAtItsChangePoint) {
  for (const double angle : {0.0, std::numbers::pi}) {
    MechanismDescription d = four_bar(0.3, 0.9, 0.3, 0.9);
    d.bodies[1].start = Eigen::Vector3d(angle == 0.0 ? 0.75 : 0.15, 0.0, 0.0);
    d.bodies[2].start = Eigen::Vector3d(angle == 0.0 ? 1.05 : 0.75, 0.0, angle);
    const Mechanism mechanism(d);
    MechanismState state = mechanism.make_state();
    const Assembly assembly = mechanism.assemble(numbers({angle}), state);
    ASSERT_FALSE(assembly.ok());
    EXPECT_EQ(assembly.findings[0].kind, FindingKind::SingularConfiguration) << assembly.message;
    EXPECT_EQ(assembly.degrees_of_freedom, 1);
  }
}

// A symmetric double parallelogram in line: several ways to move meet, and each single direction
// may lead along one on which the rank stays low.
TEST(PlanarAssemblies, TwoParallelogramsInLineAreNotRedundant) {
  MechanismDescription d = four_bar(0.3, 0.9, 0.3, 0.9);
  d.bodies[1].start = Eigen::Vector3d(0.75, 0.0, 0.0);
  d.bodies[2].start = Eigen::Vector3d(1.05, 0.0, 0.0);
  d.bodies.push_back(bar("coupler2", 0.9));
  d.bodies.push_back(bar("rocker2", 0.3));
  d.bodies[4].start = Eigen::Vector3d(1.65, 0.0, 0.0);
  d.bodies[5].start = Eigen::Vector3d(1.95, 0.0, 0.0);
  d.bodies[3].points.push_back({"E", {1.8, 0.0}});
  d.joints.push_back({.name = "C2", .a = "rocker.B", .b = "coupler2.A"});
  d.joints.push_back({.name = "F", .a = "coupler2.B", .b = "rocker2.B"});
  d.joints.push_back({.name = "E", .a = "ground.E", .b = "rocker2.A"});
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  const Assembly assembly = mechanism.assemble(numbers({0.0}), state);
  ASSERT_FALSE(assembly.ok());
  EXPECT_EQ(assembly.findings[0].kind, FindingKind::SingularConfiguration) << assembly.message;
  EXPECT_EQ(assembly.degrees_of_freedom, 1);
}

}  // namespace alembert::test::planar_assemblies_test
