#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "alembert/core/dual.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "unit/model/planar/planar_random.hpp"

namespace alembert::test::planar_forward_test {

using model::planar::Force;
using model::planar::ForceKind;
using model::planar::PassiveForce;
using model::planar::PassiveKind;
using model::planar::ReducedDynamics;

// A random mechanism with forces, springs, dampers and friction on it, in motion.
struct Moving {
  MechanismDescription description;
  Eigen::VectorXd z, zd, zdd;
  std::vector<double> forces;
};

Moving random_moving(unsigned seed) {
  RandomMechanism random(seed);
  Moving made;
  made.description = random.made(1 + static_cast<int>(seed % 4), static_cast<int>(seed % 3));
  MechanismDescription& d = made.description;
  const std::string first = d.bodies.front().name;
  const std::string last =
      d.bodies[d.bodies.size() - (d.bodies.back().name == "ground" ? 2 : 1)].name;
  d.forces = {{.name = "T", .of = first, .relative_to = "ground"},
              {.name = "P", .kind = ForceKind::Point, .of = last + ".B", .axis = {0.6, 0.8}},
              {.name = "N",
               .kind = ForceKind::Point,
               .of = last + ".A",
               .axis = {1.0, -2.0},
               .on_body = true,
               .known = false}};
  made.forces = {1.3, -4.0, 2.2};
  d.passive = {{.name = "spring",
                .a = "ground",
                .b = last + ".B",
                .stiffness = 30.0,
                .free = 0.2,
                .preload = 1.5,
                .damping = 0.7},
               {.name = "pin",
                .kind = PassiveKind::Angle,
                .a = "ground",
                .b = first,
                .stiffness = 4.0,
                .free = 0.3,
                .damping = 0.2,
                .coulomb = 0.4,
                .breakaway = 0.9,
                .stribeck_rate = 0.8,
                .smooth_rate = 0.5},
               {.name = "slide",
                .kind = PassiveKind::Slide,
                .a = first,
                .b = last + ".A",
                .axis = {0.3, 1.0},
                .damping = 0.5,
                .coulomb = 0.2,
                .smooth_rate = 0.3}};
  made.z = random.start();
  made.zd = made.zdd = Eigen::VectorXd::Zero(made.z.size());
  for (Eigen::Index j = 0; j < made.z.size(); ++j) {
    made.zd(j) = std::sin(static_cast<double>(j) + seed);
    made.zdd(j) = std::cos(2.0 * static_cast<double>(j) + seed);
  }
  return made;
}

// The same mechanism with the frame of every body moved: points and centre stand elsewhere in it.
MechanismDescription with_moved_frames(MechanismDescription d) {
  double k = 1.0;
  for (Body& body : d.bodies) {
    if (body.name == "ground") continue;
    const Eigen::Vector2d shift(0.11 * k, -0.07 * k);
    for (auto& point : body.points) point.at += shift;
    body.centre += shift;
    if (body.start) {
      const double c = std::cos((*body.start)(2)), s = std::sin((*body.start)(2));
      body.start->head(2) -=
          Eigen::Vector2d(c * shift.x() - s * shift.y(), s * shift.x() + c * shift.y());
    }
    k += 0.5;
  }
  return d;
}

// Generalised forces of everything but inertia, by virtual work: Q_i = Σ F ∂(place)/∂q_i, with
// places written out here and differentiated by central differences.
Eigen::VectorXd applied_forces(const Moving& moving, const Mechanism& mechanism,
                               const MechanismState& state) {
  const MechanismDescription& d = moving.description;
  const auto body_index = [&](const std::string& name) -> Eigen::Index {
    for (std::size_t i = 0; i < mechanism.bodies().size(); ++i) {
      if (mechanism.bodies()[i] == name) return static_cast<Eigen::Index>(i);
    }
    return -1;
  };
  const auto place = [&](const Eigen::VectorXd& q, const std::string& of) -> Eigen::Vector2d {
    const std::size_t dot = of.find('.');
    const std::string name = of.substr(0, dot);
    const Eigen::Index b = body_index(name);
    Eigen::Vector2d at = Eigen::Vector2d::Zero();
    for (const Body& body : d.bodies) {
      if (body.name != name || dot == std::string::npos) continue;
      for (const auto& point : body.points) {
        if (point.name == of.substr(dot + 1)) at = point.at;
      }
    }
    if (b < 0) return at;
    const double c = std::cos(q(3 * b + 2)), s = std::sin(q(3 * b + 2));
    return {q(3 * b) + c * at.x() - s * at.y(), q(3 * b + 1) + s * at.x() + c * at.y()};
  };
  const auto angle = [&](const Eigen::VectorXd& q, const std::string& of) {
    const Eigen::Index b = body_index(of.substr(0, of.find('.')));
    return b < 0 ? 0.0 : q(3 * b + 2);
  };
  const auto turned = [](const Eigen::Vector2d& v, double a) -> Eigen::Vector2d {
    return {std::cos(a) * v.x() - std::sin(a) * v.y(), std::sin(a) * v.x() + std::cos(a) * v.y()};
  };
  const auto resisted = [&](const PassiveForce& p, const Eigen::VectorXd& q) {
    if (p.kind == PassiveKind::Angle) return angle(q, p.b) - angle(q, p.a);
    const Eigen::Vector2d way = place(q, p.b) - place(q, p.a);
    return p.kind == PassiveKind::Length ? way.norm()
                                         : way.dot(turned(p.axis.normalized(), angle(q, p.a)));
  };
  const auto power = [&](const Eigen::VectorXd& from, const Eigen::VectorXd& to) {
    double work = 0.0;
    for (std::size_t i = 0; i < d.forces.size(); ++i) {
      const Force& f = d.forces[i];
      if (f.kind == ForceKind::Torque) {
        work += moving.forces[i] * (angle(to, f.of) - angle(from, f.of));
      } else {
        const Eigen::Vector2d e =
            turned(f.axis.normalized(), f.on_body ? angle(state.q, f.of) : 0.0);
        work += moving.forces[i] * e.dot(place(to, f.of) - place(from, f.of));
      }
    }
    for (const PassiveForce& p : d.passive) {
      const double h = 1e-6;
      const double s = resisted(p, state.q);
      const double v =
          (resisted(p, state.q + h * state.qd) - resisted(p, state.q - h * state.qd)) / (2.0 * h);
      const double level = p.coulomb + (p.breakaway.value_or(p.coulomb) - p.coulomb) *
                                           std::exp(-std::pow(v / p.stribeck_rate, 2));
      const double T = p.preload + p.stiffness * (s - p.free) + p.damping * v +
                       level * std::tanh(v / p.smooth_rate);
      work -= T * (resisted(p, to) - resisted(p, from));
    }
    return work;
  };
  Eigen::VectorXd Q(state.q.size());
  const double h = 1e-6;
  for (Eigen::Index i = 0; i < Q.size(); ++i) {
    const Eigen::VectorXd step = h * Eigen::VectorXd::Unit(Q.size(), i);
    Q(i) = power(state.q - step, state.q + step) / (2.0 * h);
    const auto& body = *std::find_if(d.bodies.begin(), d.bodies.end(), [&](const Body& b) {
      return b.name == mechanism.bodies()[static_cast<std::size_t>(i / 3)];
    });
    if (i % 3 < 2) Q(i) += body.mass * d.gravity(i % 3);
  }
  return Q;
}

// Maximal coordinates with Lagrange multipliers: [M Cᵀ; C 0](q'', −λ) = (Q, γ), solved as a whole.
TEST(PlanarForward, RandomMechanismsAgreeWithLagrangeMultipliers) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Moving moving = random_moving(seed);
    const Mechanism mechanism(moving.description);
    MechanismState state = mechanism.make_state();
    ASSERT_TRUE(mechanism.assemble(moving.z, state).ok()) << seed;
    ReducedDynamics dynamics = mechanism.make_dynamics();
    mechanism.solve_velocity(as_span(moving.zd), state);
    ASSERT_TRUE(mechanism.forward_dynamics(moving.forces, state, dynamics)) << seed;

    const Eigen::Index u = mechanism.unknowns(), m = mechanism.constraints();
    const Eigen::MatrixXd C = mechanism.jacobian(state).topRows(m);
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(u + m, u + m);
    for (Eigen::Index i = 0; i < u; ++i) {
      for (const Body& body : moving.description.bodies) {
        if (body.name != mechanism.bodies()[static_cast<std::size_t>(i / 3)]) continue;
        K(i, i) = i % 3 < 2 ? body.mass : body.inertia;
      }
    }
    K.topRightCorner(u, m) = C.transpose();
    K.bottomLeftCorner(m, u) = C;
    Eigen::VectorXd right(u + m);
    right << applied_forces(moving, mechanism, state), -mechanism.jacobian_rate(state).head(m);
    const Eigen::VectorXd solved = K.fullPivLu().solve(right);
    // The differences of step 1e-6 leave 1e-9 of the forces (up to 100 N), which light bars near
    // a stretched pair turn into accelerations of the size of q''.
    const double size = 1.0 + solved.head(u).cwiseAbs().maxCoeff();
    EXPECT_TRUE(matrices_near(state.qdd, solved.head(u), {.abs = 2e-7 * size})) << seed;

    // The multipliers are the forces of the joints: −λ of this form is what y takes.
    const auto reactions = mechanism.joint_reactions(moving.forces, state, dynamics);
    EXPECT_EQ(reactions.size(), moving.description.joints.size());
    const double load = 1.0 + dynamics.load.cwiseAbs().maxCoeff();
    EXPECT_TRUE(
        matrices_near(dynamics.multipliers.head(m), -solved.tail(m), {.abs = 2e-6 * load * size}))
        << seed;
    // No drive is left in free motion.
    EXPECT_LT(dynamics.multipliers.tail(u - m).cwiseAbs().maxCoeff(), 1e-9 * load * size) << seed;
  }
}

// τ(z, z', z''(F), F) = 0, and z'' found from τ = M z'' + bias is the z'' that made it.
TEST(PlanarForward, InverseUndoesForward) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Moving moving = random_moving(seed);
    const Mechanism mechanism(with_moved_frames(moving.description));
    MechanismState state = mechanism.make_state();
    ASSERT_TRUE(mechanism.assemble(moving.z, state).ok()) << seed;
    ReducedDynamics dynamics = mechanism.make_dynamics();
    mechanism.solve_velocity(as_span(moving.zd), state);
    ASSERT_TRUE(mechanism.forward_dynamics(moving.forces, state, dynamics)) << seed;
    const double size =
        1.0 + dynamics.load.cwiseAbs().maxCoeff() + dynamics.bias.cwiseAbs().maxCoeff();
    mechanism.inverse_dynamics(moving.forces, state, dynamics);
    EXPECT_LT(dynamics.tau.cwiseAbs().maxCoeff(), 1e-11 * size) << seed;
    mechanism.solve_acceleration(as_span(moving.zdd), state);
    mechanism.inverse_dynamics(moving.forces, state, dynamics);
    Eigen::VectorXd BF = Eigen::VectorXd::Zero(moving.z.size());
    BF += dynamics.B1 * Eigen::Vector2d(moving.forces[0], moving.forces[1]) +
          dynamics.B2 * Eigen::VectorXd::Constant(1, moving.forces[2]);
    const Eigen::VectorXd back =
        dense::positive_solve(dynamics.M, dynamics.tau - dynamics.bias + BF);
    EXPECT_TRUE(matrices_near(back, moving.zdd, {.abs = 1e-9 * size})) << seed;
  }
}

// Where the frame of a body stands is a matter of writing: nothing that moves depends on it.
TEST(PlanarForward, FramesMayStandAnywhereInTheirBodies) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Moving moving = random_moving(seed);
    const Mechanism one(moving.description);
    const Mechanism other(with_moved_frames(moving.description));
    MechanismState a = one.make_state(), b = other.make_state();
    ASSERT_TRUE(one.assemble(moving.z, a).ok());
    ASSERT_TRUE(other.assemble(moving.z, b).ok());
    one.solve_velocity(as_span(moving.zd), a);
    other.solve_velocity(as_span(moving.zd), b);
    ReducedDynamics left = one.make_dynamics(), right = other.make_dynamics();
    ASSERT_TRUE(one.forward_dynamics(moving.forces, a, left));
    ASSERT_TRUE(other.forward_dynamics(moving.forces, b, right));
    const double size = 1.0 + a.qdd.cwiseAbs().maxCoeff();
    EXPECT_TRUE(matrices_near(left.M, right.M, {.rel = 1e-9})) << seed;
    EXPECT_TRUE(matrices_near(a.zdd, b.zdd, {.abs = 1e-9 * size})) << seed;
    EXPECT_NEAR(one.kinetic_energy(a), other.kinetic_energy(b),
                1e-10 * (1.0 + one.kinetic_energy(a)));
    EXPECT_NEAR(one.potential_energy(a), other.potential_energy(b),
                1e-9 * (1.0 + std::abs(one.potential_energy(a))));
  }
}

// Slider on y = h, uniform bars, force F on the slider, torque T on the crank:
//   M(θ) α + ½ M'(θ) ω² + U'(θ) = T + F s'(θ)
// with M(θ) and U(θ) from the places of the three centres, written out.
template <typename S>
struct ClosedForm {
  S M, U, s;
};

template <typename S>
ClosedForm<S> slider_crank_by_hand(const S& angle, double L1, double L2, double h) {
  using std::cos, std::sin, std::sqrt;
  const double m1 = 1.8, m2 = 3.7, m3 = 1.2, g = 9.81;
  const S c = cos(angle), n = sin(angle);
  const S sine2 = (h - L1 * n) / L2;  // of the rod
  const S cosine2 = sqrt(1.0 - sine2 * sine2);
  const S turn = -(L1 * c) / (L2 * cosine2);  // dφ₂/dθ
  const S x2 = -(L1 * n) - 0.5 * L2 * (sine2 * turn), y2 = L1 * c + 0.5 * L2 * (cosine2 * turn);
  const S x3 = -(L1 * n) - L2 * (sine2 * turn);
  const S M = m1 * L1 * L1 / 3.0 + m2 * (x2 * x2 + y2 * y2) + m2 * L2 * L2 / 12.0 * (turn * turn) +
              m3 * (x3 * x3);
  return {M, g * (m1 * 0.5 * L1 * n + m2 * 0.5 * (L1 * n + h)), x3};
}

TEST(PlanarForward, SliderCrankMatchesTheEquationByHand) {
  const double L1 = 0.14, L2 = 0.45, h = 0.05, T = 3.0, F = -25.0;
  MechanismDescription d = slider_crank(L1, L2, h);
  d.forces = {{.name = "T", .of = "crank"},
              {.name = "F", .kind = ForceKind::Point, .of = "slider"}};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.3}), state).ok());
  ReducedDynamics dynamics = mechanism.make_dynamics();
  for (double angle = 0.3; angle < 6.5; angle += 0.1) {
    const double w = 4.0 * std::sin(3.0 * angle);
    ASSERT_TRUE(move_to(mechanism, state, numbers({angle}), numbers({w}), numbers({0.0})));
    ASSERT_TRUE(mechanism.forward_dynamics(std::vector<double>{T, F}, state, dynamics));
    const auto at = slider_crank_by_hand(Dual<double, 1>(angle, 1.0), L1, L2, h);
    const double expected =
        (T + F * at.s.value - 0.5 * at.M.slope[0] * w * w - at.U.slope[0]) / at.M.value;
    EXPECT_NEAR(state.zdd(0), expected, 1e-10 * (1.0 + std::abs(expected))) << angle;
  }
}

// Rotor behind a gear: (J₁ + r² J₂) α = T.
TEST(PlanarForward, GearsCarryTheirInertia) {
  MechanismDescription d;
  d.bodies = {{.name = "shaft", .mass = 1.0, .inertia = 0.02},
              {.name = "rotor", .mass = 1.0, .inertia = 1e-4}};
  d.joints = {{.a = "ground", .b = "shaft"},
              {.a = "ground", .b = "rotor"},
              {.kind = JointKind::Gear, .a = "shaft", .b = "rotor", .ratio = -50.0}};
  d.coordinates = {model::planar::parse_coordinate("angle(shaft)")};
  d.forces = {{.name = "motor", .of = "rotor"}};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.0}), state).ok());
  mechanism.solve_velocity(as_span(numbers({2.0})), state);
  ReducedDynamics dynamics = mechanism.make_dynamics();
  ASSERT_TRUE(mechanism.forward_dynamics(std::vector<double>{0.1}, state, dynamics));
  EXPECT_NEAR(state.zdd(0), -50.0 * 0.1 / (0.02 + 2500.0 * 1e-4), 1e-11);
}

// A bar on a pin at its end, turning: the pin carries the weight and the centripetal force.
TEST(PlanarForward, ThePinCarriesWeightAndCentripetalForce) {
  MechanismDescription d;
  d.bodies = {bar("bar", 0.8, 3.0)};
  d.joints = {{.name = "pin", .a = "ground", .b = "bar.A"}};
  d.coordinates = {model::planar::parse_coordinate("angle(bar)")};
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({-std::numbers::pi / 2.0}), state).ok());
  mechanism.solve_velocity(as_span(numbers({2.0})), state);
  ReducedDynamics dynamics = mechanism.make_dynamics();
  ASSERT_TRUE(mechanism.forward_dynamics({}, state, dynamics));
  const auto reactions = mechanism.joint_reactions({}, state, dynamics);
  EXPECT_EQ(reactions[0].joint, "pin");
  // m g + m ω² l/2 upwards, and a pin has no torque
  EXPECT_TRUE(matrices_near(reactions[0].force, Eigen::Vector2d(0.0, 3.0 * 9.81 + 3.0 * 4.0 * 0.4),
                            {.abs = 1e-12}));
  EXPECT_NEAR(reactions[0].torque, 0.0, 1e-12);
  // The same pin written the other way round: what it does to the ground.
  d.joints = {{.name = "pin", .a = "bar.A", .b = "ground"}};
  const Mechanism turned(d);
  MechanismState other = turned.make_state();
  ASSERT_TRUE(turned.assemble(numbers({-std::numbers::pi / 2.0}), other).ok());
  turned.solve_velocity(as_span(numbers({2.0})), other);
  ASSERT_TRUE(turned.forward_dynamics({}, other, dynamics));
  const auto opposite = turned.joint_reactions({}, other, dynamics);
  EXPECT_TRUE(matrices_near(opposite[0].force, -reactions[0].force, {.abs = 1e-12}));
  EXPECT_NEAR(opposite[0].torque, 0.0, 1e-12);
}

// dE/dt = power of the forces − what dampers and friction take.
TEST(PlanarForward, PowerBalances) {
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Moving moving = random_moving(seed);
    const Mechanism mechanism(with_moved_frames(moving.description));
    MechanismState state = mechanism.make_state();
    ASSERT_TRUE(mechanism.assemble(moving.z, state).ok()) << seed;
    ReducedDynamics dynamics = mechanism.make_dynamics();
    mechanism.solve_velocity(as_span(moving.zd), state);
    ASSERT_TRUE(mechanism.forward_dynamics(moving.forces, state, dynamics)) << seed;
    double power = -mechanism.dissipated_power(state);
    EXPECT_LE(power, 0.0);
    for (int i = 0; i < 3; ++i) {
      power += moving.forces[static_cast<std::size_t>(i)] * mechanism.force_rate(i, state);
    }
    const Eigen::VectorXd zdd = state.zdd;
    const double h = 1e-6;
    const auto energy = [&](double t) {
      MechanismState copy = state;
      EXPECT_TRUE(move_to(mechanism, copy, moving.z + t * moving.zd + 0.5 * t * t * zdd,
                          moving.zd + t * zdd, zdd));
      return mechanism.kinetic_energy(copy) + mechanism.potential_energy(copy);
    };
    // h² of a third derivative that grows with accelerations and rates, and rounding of the energy
    // over h.
    const double size =
        (1.0 + state.qdd.cwiseAbs().maxCoeff()) * (1.0 + state.qd.cwiseAbs().maxCoeff());
    EXPECT_NEAR((energy(h) - energy(-h)) / (2.0 * h), power,
                1e-7 * size * (1.0 + std::abs(energy(0.0))))
        << seed;
  }
}

// Derivatives of τ against central differences.
TEST(PlanarForward, DerivativesMatchDifferences) {
  for (unsigned seed = 1; seed <= 24; ++seed) {
    Moving moving = random_moving(seed);
    moving.description = with_moved_frames(moving.description);
    const Body& first = moving.description.bodies.front();
    moving.description.parameters = {
        model::planar::length_parameter(moving.description, first.name, "A", "B")};
    const Mechanism mechanism(moving.description);
    MechanismState state = mechanism.make_state();
    ASSERT_TRUE(mechanism.assemble(moving.z, state).ok()) << seed;
    ASSERT_TRUE(move_to(mechanism, state, moving.z, moving.zd, moving.zdd));
    ReducedDynamics dynamics = mechanism.make_dynamics();
    mechanism.differentiate(state);
    mechanism.differentiate_dynamics(moving.forces, state, dynamics);
    const auto tau = [&](const Eigen::VectorXd& z, const Eigen::VectorXd& zd, double p) {
      MechanismState copy = state;
      copy.p(0) = p;
      EXPECT_TRUE(move_to(mechanism, copy, z, zd, moving.zdd));
      ReducedDynamics other = mechanism.make_dynamics();
      mechanism.inverse_dynamics(moving.forces, copy, other);
      return other.tau;
    };
    const double h = 1e-6;
    const double rate = 1.0 + state.qd.cwiseAbs().maxCoeff();
    // h² of third derivatives of a motion whose rates grow with those of the loops, and 1e-16/h of
    // the load.
    const double scale =
        1.0 + dynamics.load.cwiseAbs().maxCoeff() + dynamics.tau_z.cwiseAbs().maxCoeff();
    const double tolerance = 2e-8 * scale * rate * rate;
    for (Eigen::Index j = 0; j < moving.z.size(); ++j) {
      const Eigen::VectorXd e = h * Eigen::VectorXd::Unit(moving.z.size(), j);
      EXPECT_TRUE(matrices_near(
          dynamics.tau_z.col(j),
          (tau(moving.z + e, moving.zd, 0.0) - tau(moving.z - e, moving.zd, 0.0)) / (2.0 * h),
          {.abs = tolerance}))
          << seed;
      EXPECT_TRUE(matrices_near(
          dynamics.tau_zd.col(j),
          (tau(moving.z, moving.zd + e, 0.0) - tau(moving.z, moving.zd - e, 0.0)) / (2.0 * h),
          {.abs = tolerance}))
          << seed;
    }
    EXPECT_TRUE(
        matrices_near(dynamics.tau_p.col(0),
                      (tau(moving.z, moving.zd, h) - tau(moving.z, moving.zd, -h)) / (2.0 * h),
                      {.abs = tolerance * (1.0 + dynamics.tau_p.cwiseAbs().maxCoeff())}))
        << seed;
  }
}

TEST(PlanarForward, StepsAllocateNothing) {
  if (!counts_allocations()) GTEST_SKIP();
  const Moving moving = random_moving(5);
  const Mechanism mechanism(moving.description);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(moving.z, state).ok());
  ReducedDynamics dynamics = mechanism.make_dynamics();
  const std::size_t before = allocation_count();
  mechanism.solve_velocity(as_span(moving.zd), state);
  ASSERT_TRUE(mechanism.forward_dynamics(moving.forces, state, dynamics));
  mechanism.differentiate(state);
  mechanism.differentiate_dynamics(moving.forces, state, dynamics);
  EXPECT_EQ(allocation_count(), before);
}

TEST(PlanarForward, BodiesWithoutMassAreNamed) {
  MechanismDescription d = two_link(0.5, 0.4, 0.1, 0.1);
  d.bodies[1].mass = d.bodies[1].inertia = 0.0;
  const Mechanism mechanism(d);
  MechanismState state = mechanism.make_state();
  ASSERT_TRUE(mechanism.assemble(numbers({0.4, 0.9}), state).ok());
  ReducedDynamics dynamics = mechanism.make_dynamics();
  EXPECT_FALSE(mechanism.forward_dynamics({}, state, dynamics));
  EXPECT_EQ(mechanism.explain_masses(state),
            "lower can move without moving any mass: give mass or inertia to it");
  const Mechanism whole(two_link(0.5, 0.4, 0.1, 0.1));
  MechanismState other = whole.make_state();
  ASSERT_TRUE(whole.assemble(numbers({0.4, 0.9}), other).ok());
  EXPECT_EQ(whole.explain_masses(other), "");
}

}  // namespace alembert::test::planar_forward_test
