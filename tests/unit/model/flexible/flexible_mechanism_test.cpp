#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <random>

#include "alembert/model/flexible/mechanism.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/model/flexible/flexible_examples.hpp"

namespace alembert::test::flexible_mechanism_test {

using namespace flexible_examples;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A state with random displacements, angles and rates. @param size of the displacements, m and
/// rad.
VectorXd random_state(const FlexibleMechanism& mechanism, const VectorXd& q, double size,
                      std::mt19937_64& engine) {
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  const Index n = mechanism.unknowns();
  const Index ne = mechanism.elastic();
  VectorXd x(2 * n);
  for (Index i = 0; i < 2 * n; ++i) x(i) = size * entry(engine);
  for (Index i = 0; i < q.size(); ++i) {
    x(ne + i) = q(i) + 0.1 * entry(engine);
    x(n + ne + i) = 4.0 * entry(engine);
  }
  return x;
}

struct Case {
  FlexibleDescription description;
  VectorXd q;
};

std::vector<Case> cases() {
  return {{arm(0.8, steel(0.02, 0.01), 4), VectorXd::Constant(1, 0.4)},
          {slider_crank(), VectorXd::Constant(1, 0.9)},
          {four_bar_with_arm(), Eigen::Vector2d(1.1, 0.9)}};
}

// [MultibodyThesis, section 4.1]: rigid motion strains nothing, elements that move as rigid bodies
// have no Coriolis force, and M turns with them. Rounding; truncation of the central difference.
TEST(FlexibleMechanism, KeepsTheIdentitiesOfItsMatrices) {
  std::mt19937_64 engine(20261119);
  for (const Case& one : cases()) {
    const FlexibleMechanism mechanism(one.description, one.q);
    FlexibleState state = mechanism.start();
    const VectorXd x = random_state(mechanism, one.q, 1e-3, engine);
    ASSERT_TRUE(mechanism.move(numbers(x), state));
    const auto nodes = mechanism.matrices(state);
    const VectorXd rates = state.rigid.zd;
    EXPECT_LT((state.S.transpose() * nodes.K).cwiseAbs().maxCoeff(),
              100 * kEps * nodes.K.cwiseAbs().maxCoeff());
    EXPECT_LT((nodes.MG * state.S * rates).cwiseAbs().maxCoeff(),
              1000 * kEps * nodes.MG.cwiseAbs().maxCoeff() * rates.norm());
    const auto mass_at = [&](double time) -> MatrixXd {
      VectorXd moved = x;
      moved.segment(mechanism.elastic(), rates.size()) += time * rates;
      FlexibleState there = mechanism.start();
      EXPECT_TRUE(mechanism.move(numbers(moved), there));
      return mechanism.matrices(there).M;
    };
    // The angles of bodies that follow turn with a rate that changes: a short time.
    constexpr double kTime = 1e-5;
    const MatrixXd slope = (mass_at(kTime) - mass_at(-kTime)) / (2.0 * kTime);
    EXPECT_TRUE(matrices_near(slope, nodes.MG + nodes.MG.transpose(), {.rel = 1e-6}));
  }
}

// Consistent masses carry rigid motion exactly: SᵀMS, SᵀM S'q' and Sᵀ f_g are those of the rigid
// mechanism whose bars have the same masses, which planar::Mechanism finds by other means.
TEST(FlexibleMechanism, CarriesRigidMotionLikeTheRigidMechanism) {
  for (const FlexibleEquations form : {FlexibleEquations::Published, FlexibleEquations::Complete}) {
    FlexibleDescription description = four_bar_with_arm();
    description.equations = form;
    const Eigen::Vector2d q(1.1, 0.9), rates(3.0, -5.0);
    const FlexibleMechanism mechanism(description, q);
    VectorXd x = VectorXd::Zero(2 * mechanism.unknowns());
    x.segment(mechanism.elastic(), 2) = q;
    x.tail(2) = rates;
    FlexibleState state = mechanism.start();
    ASSERT_TRUE(mechanism.move(numbers(x), state));
    model::planar::MechanismDescription rigid = description.mechanism;
    rigid.forces.clear();
    for (auto& body : rigid.bodies) {
      for (const auto& flexible : description.bodies) {
        if (flexible.name != body.name) continue;
        const double length = body.points.back().at.x();
        const double mass = flexible.section.area * flexible.section.density * length;
        double lumps = 0.0, moment = 0.0, inertia = 0.0;
        for (const auto& lump : flexible.lumps) {
          for (const auto& point : body.points) {
            if (point.name != lump.point) continue;
            lumps += lump.mass;
            moment += lump.mass * point.at.x();
            inertia += lump.inertia + lump.mass * point.at.x() * point.at.x();
          }
        }
        body.mass = mass + lumps;
        const double centre = (0.5 * mass * length + moment) / body.mass;
        body.centre = {centre, 0.0};
        body.inertia = mass * length * length / 3.0 + inertia - body.mass * centre * centre;
      }
    }
    const model::planar::Mechanism bars(rigid);
    model::planar::MechanismState at = bars.make_state();
    ASSERT_TRUE(bars.assemble(q, at).ok());
    bars.solve_velocity(numbers(rates), at);
    model::planar::ReducedDynamics dynamics = bars.make_dynamics();
    bars.reduced_dynamics(at, dynamics);
    EXPECT_TRUE(matrices_near(mechanism.mass(state).bottomRightCorner(2, 2), dynamics.M,
                              {.rel = 1e4 * kEps}));
    const auto nodes = mechanism.matrices(state);
    const VectorXd gravity = mechanism.static_forces({}, state);
    // The load of a moving state has −2 MG u' − K u − C u' = 0 here.
    const VectorXd bias = state.S.transpose() * nodes.M * state.Sdot_qd - gravity.tail(2);
    EXPECT_TRUE(matrices_near(bias, dynamics.bias, {.rel = 1e4 * kEps}));
  }
}

// d/dt ∂T/∂x' − ∂T/∂x + ∂V/∂x = 0 along the motion, by differences of the energies alone: an
// oracle that knows nothing of how the equations are solved.
TEST(FlexibleMechanism, CompleteFormIsThatOfLagrange) {
  std::mt19937_64 engine(7);
  for (const Case& one : cases()) {
    const FlexibleMechanism mechanism(one.description, one.q);
    const Index n = mechanism.unknowns();
    FlexibleState state = mechanism.start();
    const VectorXd x = random_state(mechanism, one.q, 1e-3, engine);
    ASSERT_TRUE(mechanism.move(numbers(x), state));
    VectorXd xdd(n);
    ASSERT_TRUE(mechanism.accelerate({}, state, {xdd.data(), static_cast<std::size_t>(n)}));
    FlexibleState there = mechanism.start();
    const auto lagrangian = [&](const VectorXd& y) {
      EXPECT_TRUE(mechanism.move(numbers(y), there));
      return mechanism.kinetic_energy(there) - mechanism.elastic_energy(there) -
             mechanism.potential_energy(there);
    };
    // T is quadratic in x', so that the difference by the rates is exact but for rounding.
    const auto momentum = [&](const VectorXd& y, Index i) {
      const VectorXd step = 1e-2 * VectorXd::Unit(2 * n, n + i);
      return (lagrangian(y + step) - lagrangian(y - step)) / 2e-2;
    };
    constexpr double kTime = 1e-5, kStep = 1e-6;
    VectorXd rate(2 * n);
    rate << x.tail(n), xdd;
    VectorXd left(n), size(n);
    for (Index i = 0; i < n; ++i) {
      const VectorXd step = kStep * VectorXd::Unit(2 * n, i);
      // xdd of stiff directions is 1e5 and more: a shorter time for larger accelerations.
      const double time = kTime / (1.0 + 1e-3 * xdd.cwiseAbs().maxCoeff());
      const double momentum_rate =
          (momentum(x + time * rate, i) - momentum(x - time * rate, i)) / (2.0 * time);
      const double slope = (lagrangian(x + step) - lagrangian(x - step)) / (2.0 * kStep);
      left(i) = momentum_rate - slope;
      size(i) = std::abs(momentum_rate) + std::abs(slope);
    }
    // Rounding of second differences: eps·T/(1e-2·1e-8) over forces of 1e3 and more.
    EXPECT_LT(left.cwiseAbs().maxCoeff(), 1e-5 * size.maxCoeff());
  }
}

// A soft rod that spins at Ω with a heavy hub: EA u'' + ρAΩ²(x + u) = 0 has at its free end
// u(L) = tan(kL)/k − L with k = Ω√(ρ/E). The displacements turn with the rod: u' = Ω ẑ × u and
// u'' = −Ω² u in the world. Linear shapes err by (kL/elements)²/12 of k², here 3e-4.
TEST(FlexibleMechanism, SpunRodStretchesAsInClosedForm) {
  const double length = 0.8, spin = 50.0;
  const BeamSection soft = model::flexible::rectangular_section(0.02, 0.01, 1e7, 7850.0);
  const double k = spin * std::sqrt(soft.density / soft.modulus);
  FlexibleDescription description = arm(length, soft, 20);
  description.bodies[0].lumps = {{"A", 0.0, 1e9}};
  const FlexibleMechanism mechanism(description, VectorXd::Zero(1));
  const Index n = mechanism.unknowns();
  const Index ne = mechanism.elastic();
  VectorXd x = VectorXd::Zero(2 * n), xdd(n), turning = VectorXd::Zero(n);
  x(2 * n - 1) = spin;
  FlexibleState state = mechanism.start();
  const MatrixXd K = mechanism.matrices(state).K.topLeftCorner(ne, ne);
  const MatrixXd M = mechanism.matrices(state).M.topLeftCorner(ne, ne);
  // Each round leaves (2kL/π)², here a half, of the error.
  for (int round = 0; round < 100; ++round) {
    for (Index i = 0; i < ne; ++i) {
      const std::string& name = mechanism.displacements()[static_cast<std::size_t>(i)];
      if (name[0] != 'x') continue;
      x(n + mechanism.displacement("y" + name.substr(1))) = spin * x(i);
      turning(i) = -spin * spin * x(i);
    }
    ASSERT_TRUE(mechanism.move(numbers(x), state));
    ASSERT_TRUE(mechanism.accelerate({}, state, {xdd.data(), static_cast<std::size_t>(n)}));
    x.head(ne) += Eigen::LLT<MatrixXd>(K).solve(M * (xdd - turning).head(ne));
  }
  const double exact = std::tan(k * length) / k - length;
  EXPECT_NEAR(mechanism.deflection_of("arm.B", state).x(), exact, 2e-3 * exact);
}

TEST(FlexibleMechanism, RefusesStatesOfOtherMechanisms) {
  const FlexibleMechanism mechanism(arm(0.8, steel(0.02, 0.01), 2), VectorXd::Zero(1));
  const FlexibleMechanism other(slider_crank(), VectorXd::Constant(1, 0.9));
  FlexibleState wrong = other.start(), empty;
  const VectorXd x = VectorXd::Zero(2 * mechanism.unknowns());
  EXPECT_FALSE(mechanism.move(numbers(x), wrong));
  EXPECT_FALSE(mechanism.move(numbers(x), empty));
  FlexibleState state = mechanism.start();
  EXPECT_FALSE(mechanism.move(numbers(x.head(3)), state));
  EXPECT_NE(message_of([&] { (void)mechanism.kinetic_energy(wrong); }).find("start()"),
            std::string::npos);
}

TEST(FlexibleMechanism, ChoosesTheRotationsOfDrivenBodies) {
  const FlexibleMechanism mechanism(four_bar_with_arm(), Eigen::Vector2d(1.1, 0.9));
  EXPECT_EQ(mechanism.zeroed(), (std::vector<std::string>{"angle(crank.O)", "angle(arm.M)"}));
  EXPECT_EQ(mechanism.elastic(), mechanism.unknowns() - 2);
}

// The coordinate is no angle of a flexible body: the slider's place. Any choice must do, and what
// does not depend on it must stay: here SᵀMS carried to the crank by the ratio of the rates.
TEST(FlexibleMechanism, ChoosesOtherDisplacementsForOtherCoordinates) {
  FlexibleDescription description = slider_crank();
  const FlexibleMechanism by_angle(description, VectorXd::Constant(1, 0.9));
  const double x = by_angle.position_of("slider", by_angle.start()).x();
  description.mechanism.coordinates = {model::planar::parse_coordinate("x(slider)")};
  description.mechanism.bodies[1].start = Eigen::Vector3d(0.0, 0.0, 0.9);
  const FlexibleMechanism by_place(description, VectorXd::Constant(1, x));
  ASSERT_EQ(by_place.zeroed().size(), 1U);
  const double ratio = by_angle.start().rigid.R(6, 0);  // dx of the slider over dφ of the crank
  const double by_x = by_place.mass(by_place.start()).bottomRightCorner(1, 1)(0, 0);
  const double by_phi = by_angle.mass(by_angle.start()).bottomRightCorner(1, 1)(0, 0);
  EXPECT_NEAR(by_x * ratio * ratio, by_phi, 1e-10 * by_phi);
}

TEST(FlexibleMechanism, StepsDoNotAllocate) {
  if (!counts_allocations()) GTEST_SKIP();
  const FlexibleMechanism mechanism(slider_crank(), VectorXd::Constant(1, 0.9));
  FlexibleState state = mechanism.start();
  std::mt19937_64 engine(3);
  const VectorXd x = random_state(mechanism, VectorXd::Constant(1, 0.9), 1e-3, engine);
  VectorXd xdd(mechanism.unknowns());
  const std::vector<double> torque = {1.0};
  const std::size_t before = allocation_count();
  ASSERT_TRUE(mechanism.move(numbers(x), state));
  ASSERT_TRUE(
      mechanism.accelerate(torque, state, {xdd.data(), static_cast<std::size_t>(xdd.size())}));
  EXPECT_EQ(allocation_count(), before);
}

TEST(FlexibleMechanism, NamesWhatIsNotPossible) {
  const VectorXd q = VectorXd::Constant(1, 0.4);
  const auto refused = [&](FlexibleDescription description) {
    return message_of([&] { (void)FlexibleMechanism(std::move(description), q); });
  };
  FlexibleDescription bad = arm(0.8, steel(0.02, 0.01), 2);
  bad.bodies[0].section.area = 0.0;
  EXPECT_NE(refused(bad).find("'arm' section.area"), std::string::npos) << refused(bad);
  bad = arm(0.8, steel(0.02, 0.01), 2);
  bad.bodies[0].section.modulus = std::nan("");
  EXPECT_NE(refused(bad).find("section.modulus"), std::string::npos);
  bad = arm(0.8, steel(0.02, 0.01), 2);
  bad.bodies[0].name = "link";
  EXPECT_NE(refused(bad).find("'link'"), std::string::npos);
  bad = arm(0.8, steel(0.02, 0.01), 2);
  bad.mechanism.bodies[0].points.push_back({"C", {0.3, 0.1}});
  EXPECT_NE(refused(bad).find("\"C\" has y"), std::string::npos);
  bad = arm(0.8, steel(0.02, 0.01), 2);
  bad.bodies[0].lumps = {{"Z", 1.0, 0.0}};
  EXPECT_NE(refused(bad).find("arm.Z"), std::string::npos);
  bad = slider_crank();
  bad.mechanism.joints[2].b = "ground.W";
  EXPECT_NE(refused(bad), "no InvalidInput");
  bad = arm(0.8, steel(0.02, 0.01), 2);
  bad.mechanism.passive = {
      {.name = "brake", .kind = model::planar::PassiveKind::Angle, .b = "arm", .coulomb = 1.0}};
  EXPECT_NE(refused(bad).find("'brake'"), std::string::npos);
  bad = arm(0.8, steel(0.02, 0.01), 2);
  bad.mass_damping = -1.0;
  EXPECT_NE(refused(bad).find("mass_damping"), std::string::npos);
}

// A = b h, I = b h³/12; a round rod: I = A d²/16.
TEST(FlexibleMechanism, SectionsHaveTheirMoments) {
  const BeamSection flat = steel(0.02, 0.01);
  EXPECT_DOUBLE_EQ(flat.second_moment, 0.02 * 1e-6 / 12.0);
  const BeamSection round = model::flexible::round_section(0.03, 69e9, 1.052 / 0.5);
  EXPECT_NEAR(round.second_moment, std::numbers::pi * std::pow(0.03, 4) / 64.0, 1e-22);
  EXPECT_NEAR(round.density * round.area, 2.104, 10 * kEps);
}

}  // namespace alembert::test::flexible_mechanism_test
