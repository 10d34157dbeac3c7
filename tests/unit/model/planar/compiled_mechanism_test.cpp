#include "alembert/model/planar/compiled_mechanism.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/matrices_near.hpp"
#include "unit/model/planar/planar_random.hpp"

namespace alembert::test::compiled_mechanism_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::EngineKind;
using model::planar::CompiledMechanism;
using model::planar::CompiledState;
using model::planar::CompileOptions;
using model::planar::Force;
using model::planar::ForceKind;
using model::planar::PassiveForce;
using model::planar::PassiveKind;
using model::planar::ReducedDynamics;
using model::planar::SensorReading;
using model::planar::StepStatus;

// Both eliminate in their own order, so that they agree but for rounding. Its factor is the
// condition of the loops, up to 1e3 on the ways here, squared in the slopes of accelerations.
constexpr double kRounding = 1e-9;

void expect_near(double actual, double expected, double scale, const std::string& what) {
  EXPECT_NEAR(actual, expected, kRounding * (1.0 + std::abs(scale))) << what;
}

/// A mechanism by itself and compiled, at the same place.
struct Pair {
  std::shared_ptr<const Mechanism> mechanism;
  MechanismState state;
  ReducedDynamics dynamics;
  CompiledMechanism compiled;
  CompiledState fast;

  Pair(const MechanismDescription& description, const VectorXd& z, const CompileOptions& options)
      : mechanism(std::make_shared<const Mechanism>(description)),
        state(assembled(*mechanism, z)),
        dynamics(mechanism->make_dynamics()),
        compiled(mechanism, options),
        fast(compiled.make_state(state)) {}

  static MechanismState assembled(const Mechanism& mechanism, const VectorXd& z) {
    MechanismState state = mechanism.make_state();
    const auto assembly = mechanism.assemble(z, state);
    EXPECT_TRUE(assembly.ok()) << assembly.message;
    return state;
  }

  bool move(const VectorXd& z, const VectorXd& zd, const VectorXd& zdd) {
    const bool there = move_to(*mechanism, state, z, zd, zdd);
    const bool fast_there = compiled.solve_position(as_span(z), fast) == StepStatus::Success;
    EXPECT_EQ(there, fast_there);
    compiled.set_rates(as_span(zd), fast);
    compiled.set_accelerations(as_span(zdd), fast);
    return there && fast_there;
  }
};

void compare_poses(Pair& pair) {
  VectorXd q(pair.mechanism->unknowns());
  pair.compiled.poses(pair.fast, {q.data(), static_cast<std::size_t>(q.size())});
  for (Index i = 0; i < q.size(); ++i) expect_near(q(i), pair.state.q(i), pair.state.q(i), "q");
}

void compare_readings(Pair& pair) {
  const Index n = pair.mechanism->coordinates();
  pair.mechanism->differentiate(pair.state);
  SensorReading reading = pair.mechanism->make_reading();
  pair.compiled.read(pair.fast);
  const VectorXd values = pair.fast.readings.col(0);
  pair.compiled.read_slopes(pair.fast);
  EXPECT_TRUE(
      matrices_near(values, VectorXd(pair.fast.readings.col(0)), {.rel = 1e-12, .abs = 1e-12}));
  for (int s = 0; s < pair.mechanism->sensors(); ++s) {
    if (pair.mechanism->force_read_by(s) >= 0) continue;
    pair.mechanism->read_sensor(s, pair.state, reading);
    const auto row = pair.fast.readings.row(s);
    const double scale = reading.by_z.cwiseAbs().maxCoeff() + reading.by_zd.cwiseAbs().maxCoeff();
    expect_near(row(0), reading.value, reading.value, "value");
    for (Index j = 0; j < n; ++j) {
      expect_near(row(1 + j), reading.by_z(j), scale, "by z");
      expect_near(row(1 + n + j), reading.by_zd(j), scale, "by z'");
      expect_near(row(1 + 2 * n + j), reading.by_zdd(j), scale, "by z''");
    }
    for (Index m = 0; m < reading.by_p.size(); ++m) {
      expect_near(row(1 + 3 * n + m), reading.by_p(m), scale + reading.by_p.cwiseAbs().maxCoeff(),
                  "by p");
    }
  }
}

void compare_dynamics(Pair& pair, const VectorXd& forces) {
  const Index n = pair.mechanism->coordinates();
  const Index nf = forces.size();
  const std::span<const double> F = as_span(forces);
  pair.mechanism->differentiate_dynamics(F, pair.state, pair.dynamics);
  pair.mechanism->reduced_dynamics(pair.state, pair.dynamics);
  pair.compiled.inverse_slopes(F, pair.fast);
  const MatrixXd& fast = pair.fast.inverse;
  const double scale = pair.dynamics.tau_z.cwiseAbs().maxCoeff() + pair.dynamics.tau.norm();
  for (Index i = 0; i < n; ++i) {
    expect_near(fast(i, 0), pair.dynamics.tau(i), scale, "tau");
    for (Index j = 0; j < n; ++j) {
      expect_near(fast(i, 1 + j), pair.dynamics.tau_z(i, j), scale, "tau by z");
      expect_near(fast(i, 1 + n + j), pair.dynamics.tau_zd(i, j), scale, "tau by z'");
      expect_near(fast(i, 1 + 2 * n + j), pair.dynamics.M(i, j), scale, "M");
    }
    for (Index m = 0; m < pair.dynamics.tau_p.cols(); ++m) {
      expect_near(fast(i, 1 + 3 * n + nf + m), pair.dynamics.tau_p(i, m),
                  pair.dynamics.tau_p.cwiseAbs().maxCoeff(), "tau by p");
    }
  }
  ASSERT_TRUE(pair.mechanism->forward_dynamics(F, pair.state, pair.dynamics));
  ASSERT_TRUE(pair.compiled.forward_slopes(F, pair.fast));
  for (Index i = 0; i < n; ++i) {
    expect_near(pair.fast.forward(i, 0), pair.state.zdd(i), pair.state.zdd.norm(), "z''");
  }
  // M dz'' = −dτ, at the z'' found
  pair.mechanism->differentiate(pair.state);
  pair.mechanism->differentiate_dynamics(F, pair.state, pair.dynamics);
  const MatrixXd& M = pair.dynamics.M;
  const MatrixXd by_z = -(M * pair.fast.forward.middleCols(2, n));
  const MatrixXd by_zd = -(M * pair.fast.forward.middleCols(2 + n, n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double size = pair.dynamics.tau_z.cwiseAbs().maxCoeff() + M.cwiseAbs().maxCoeff();
      expect_near(by_z(i, j), pair.dynamics.tau_z(i, j), size, "z'' by z");
      expect_near(by_zd(i, j), pair.dynamics.tau_zd(i, j), size, "z'' by z'");
    }
  }
  pair.compiled.powers(pair.fast);
  for (Index f = 0; f < nf; ++f) {
    const double rate = pair.mechanism->force_rate(static_cast<int>(f), pair.state);
    expect_near(pair.fast.powers(f), rate, rate, "rate of a force");
  }
  const double loss = pair.mechanism->dissipated_power(pair.state);
  expect_near(pair.fast.powers(nf), loss, loss, "loss");
}

/// Springs, friction and forces of all kinds.
void add_dynamics(MechanismDescription& description) {
  description.passive.push_back({.name = "hinge",
                                 .kind = PassiveKind::Angle,
                                 .b = description.bodies[0].name,
                                 .stiffness = 2.0,
                                 .free = 0.3,
                                 .damping = 0.1,
                                 .coulomb = 0.2,
                                 .breakaway = 0.35,
                                 .smooth_rate = 0.2});
  const std::string end = description.bodies[1].name + ".B";
  description.passive.push_back(
      {.name = "rope", .a = "ground", .b = end, .stiffness = 30.0, .free = 0.1, .damping = 2.0});
  description.forces = {
      {.name = "torque", .of = description.bodies[0].name},
      {.name = "push", .kind = ForceKind::Point, .of = end, .axis = {0.6, 0.8}, .known = false},
      {.name = "jet", .kind = ForceKind::Point, .of = end, .axis = {0.0, 1.0}, .on_body = true}};
}

/// Sine paths about a start, in steps of 1/200 of the way.
void compare_along(Pair& pair, const VectorXd& start, double swing, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const Index n = start.size();
  const auto forces = static_cast<Index>(pair.mechanism->description().forces.size());
  VectorXd phase(n), F(forces);
  for (double& one : phase) one = number(engine);
  int reached = 0;
  for (int k = 0; k <= 200; ++k) {
    VectorXd z = start, zd(n), zdd(n);
    for (Index j = 0; j < n; ++j) {
      z(j) += swing * (std::sin(0.03 * k + phase(j)) - std::sin(phase(j)));
      zd(j) = number(engine);
      zdd(j) = 3.0 * number(engine);
    }
    if (!pair.move(z, zd, zdd)) break;
    ++reached;
    if (k % 20 != 0) continue;
    for (double& one : F) one = 5.0 * number(engine);
    compare_poses(pair);
    compare_readings(pair);
    if (forces > 0) compare_dynamics(pair, F);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(reached, 20);
}

class BothEngines : public testing::TestWithParam<EngineKind> {
 protected:
  static CompileOptions all() {
    return {.forward = true, .inverse = true, .engine = {.kind = GetParam()}};
  }
};

TEST_P(BothEngines, SliderCrankIsTheMechanism) {
  MechanismDescription d = slider_crank(0.14, 0.56, 0.05);
  add_dynamics(d);
  d.parameters = {length_parameter(d, "rod", "A", "B")};
  CompileOptions options = all();
  options.parameters = {d.parameters[0].name};
  Pair pair(d, numbers({0.9}), options);
  EXPECT_EQ(pair.compiled.loop_blocks(), std::vector<int>{1});
  compare_along(pair, numbers({0.9}), 2.5, 1);
}

TEST_P(BothEngines, FourBarIsTheMechanism) {
  MechanismDescription d = four_bar(0.1, 0.3, 0.25, 0.35);
  add_dynamics(d);
  Pair pair(d, numbers({1.0}), all());
  EXPECT_EQ(pair.compiled.loop_blocks(), std::vector<int>{2});
  compare_along(pair, numbers({1.0}), 3.0, 2);
}

TEST_P(BothEngines, TreeHasNoLoops) {
  MechanismDescription d = two_link(0.4, 0.3, 0.35, 0.25);
  add_dynamics(d);
  Pair pair(d, numbers({0.5, 0.7}), all());
  EXPECT_TRUE(pair.compiled.loop_unknowns().empty());
  compare_along(pair, numbers({0.5, 0.7}), 1.5, 3);
}

TEST_P(BothEngines, ThreeArmsAreTheMechanism) {
  MechanismDescription d = three_arms();
  add_dynamics(d);
  Pair pair(d, three_arms_start(), all());
  compare_along(pair, three_arms_start(), 0.15, 4);
}

INSTANTIATE_TEST_SUITE_P(Engines, BothEngines,
                         testing::Values(EngineKind::Interpreter, EngineKind::Native),
                         [](const auto& engine) {
                           return engine.param == EngineKind::Native ? "Native" : "Interpreter";
                         });

// Trees with slides and cylinders, and loops of two bars; those that begin near a dead centre are
// left out by the assembly.
TEST(CompiledMechanism, RandomMechanismsAreTheMechanism) {
  int compared = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    RandomMechanism random(seed);
    MechanismDescription d =
        random.made(2 + static_cast<int>(seed % 3), static_cast<int>(seed % 3));
    d.sensors = {{.name = "a", .kind = SensorKind::Acceleration, .of = d.bodies[1].name + ".B"},
                 {.name = "w", .kind = SensorKind::AngularRate, .of = d.bodies[1].name},
                 {.name = "x", .kind = SensorKind::Displacement, .of = d.bodies[0].name + ".B"}};
    add_dynamics(d);
    MechanismState probe = Mechanism(d).make_state();
    if (!Mechanism(d).assemble(random.start(), probe).ok()) continue;
    ++compared;
    Pair pair(d, random.start(),
              {.forward = true, .inverse = true, .engine = {.kind = EngineKind::Interpreter}});
    compare_along(pair, random.start(), 0.1, seed);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(compared, 20);
}

}  // namespace alembert::test::compiled_mechanism_test
