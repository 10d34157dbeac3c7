#include "alembert/integrate/flexible_simulation.hpp"

#include <gtest/gtest.h>

#include "alembert/model/flexible/equilibrium.hpp"
#include "alembert/model/modes.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/model/flexible/flexible_examples.hpp"

namespace alembert::test::flexible_simulation_test {

using namespace flexible_examples;
using Eigen::Index;
using Eigen::VectorXd;
using integrate::FlexibleMethod;
using integrate::FlexibleSimulation;
using integrate::simulate_flexible;

VectorXd start_of(const FlexibleMechanism& mechanism, const VectorXd& q, const VectorXd& rates) {
  VectorXd x = VectorXd::Zero(2 * mechanism.unknowns());
  x.segment(mechanism.elastic(), q.size()) = q;
  x.tail(rates.size()) = rates;
  return x;
}

VectorXd balance(const FlexibleSimulation& run) {
  return run.kinetic + run.elastic + run.potential - run.work + run.loss;
}

// Released under gravity, with a spring, damping and a torque: what the energies do, the work and
// the loss account for. Tolerance: 100 times that of the integrator.
TEST(FlexibleSimulation, CompleteFormAccountsForItsEnergy) {
  FlexibleDescription description = slider_crank();
  description.mass_damping = 1.0;
  description.stiffness_damping = 1e-5;
  const VectorXd q = VectorXd::Constant(1, 0.9);
  const FlexibleMechanism mechanism(description, q);
  const FlexibleSimulation run =
      simulate_flexible(mechanism, start_of(mechanism, q, VectorXd::Constant(1, 8.0)),
                        {model::TimeFormula("0.3*sin(20*t)")}, {.step = 0.002, .count = 26},
                        {.method = FlexibleMethod::DormandPrince, .relative_tolerance = 1e-9});
  ASSERT_TRUE(run.ok()) << run.message;
  EXPECT_GT(run.loss.tail<1>()(0), 0.0);
  EXPECT_GT(std::abs(run.work.tail<1>()(0)), 1e-3);
  const VectorXd error = balance(run).array() - balance(run)(0);
  EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-7 * run.kinetic.maxCoeff());
}

// The same motion by two methods; the midpoint rule comes nearer with the square of its step.
TEST(FlexibleSimulation, MidpointRuleIsOfSecondOrder) {
  FlexibleDescription description = four_bar_with_arm();
  description.stiffness_damping = 2e-5;  // what is fast dies out, and the order shows
  const Eigen::Vector2d q(1.1, 0.9);
  const FlexibleMechanism mechanism(description, q);
  const std::vector<model::TimeFormula> laws = {model::TimeFormula("2*sin(30*t)^2"),
                                                model::TimeFormula("0.5*sin(30*t)^2")};
  const VectorXd x = start_of(mechanism, q, Eigen::Vector2d(1.0, -2.0));
  const auto end_of = [&](FlexibleMethod method, int substeps) -> VectorXd {
    const FlexibleSimulation run = simulate_flexible(mechanism, x, laws, {.step = 0.02, .count = 2},
                                                     {.method = method, .substeps = substeps});
    EXPECT_TRUE(run.ok()) << run.message;
    return run.states.row(1).segment(mechanism.elastic(), 2);
  };
  const VectorXd exact = end_of(FlexibleMethod::DormandPrince, 1);
  const double coarse = (end_of(FlexibleMethod::Midpoint, 200) - exact).norm();
  const double fine = (end_of(FlexibleMethod::Midpoint, 400) - exact).norm();
  EXPECT_NEAR(coarse / fine, 4.0, 0.4);
}

// Steps 40 times longer than an explicit method could make: the vibration of a bent arm neither
// grows nor dies.
TEST(FlexibleSimulation, MidpointRuleIsStableForLongSteps) {
  const VectorXd q = VectorXd::Constant(1, 0.4);
  const FlexibleMechanism mechanism(arm(0.8, steel(0.02, 0.01), 6), q);
  const double step = 40.0 * integrate::longest_explicit_step(mechanism);
  VectorXd x = start_of(mechanism, q, VectorXd::Zero(1));
  const auto small = model::flexible::linearise(mechanism, x);
  x.head(mechanism.unknowns()) += 1e-5 * model::undamped_modes(small).shapes.col(1);
  const FlexibleSimulation run = simulate_flexible(mechanism, x, {model::TimeFormula("0*t")},
                                                   {.step = step, .count = 400}, {.substeps = 1});
  ASSERT_TRUE(run.ok()) << run.message;
  EXPECT_LT(run.energy_drift, 1e-2);
  // Small motions are linear, and the rule keeps their energy.
  EXPECT_LT((balance(run).array() - balance(run)(0)).abs().maxCoeff(), 1e-2 * balance(run)(0));
}

// Vibration of a pinned arm in its first mode, ω = 3.9266² √(EI/ρA)/L²: after one period it is
// back.
TEST(FlexibleSimulation, ArmSwingsWithThePeriodOfTheClosedForm) {
  const BeamSection section = steel(0.02, 0.01);
  const VectorXd q = VectorXd::Constant(1, 0.0);
  const FlexibleMechanism mechanism(arm(0.8, section, 8), q);
  const double omega =
      std::pow(3.926602312047919, 2) / 0.64 *
      std::sqrt(section.modulus * section.second_moment / (section.density * section.area));
  const double period = 2.0 * std::numbers::pi / omega;
  const auto rest = model::flexible::find_equilibrium(mechanism, q);
  const auto small = model::flexible::linearise(mechanism, rest.x);
  VectorXd shape = VectorXd::Zero(2 * mechanism.unknowns());
  shape.head(mechanism.unknowns()) = 1e-5 * model::undamped_modes(small).shapes.col(1);
  const FlexibleSimulation run = simulate_flexible(
      mechanism, shape, {model::TimeFormula("0*t")}, {.step = 0.5 * period, .count = 3},
      {.method = FlexibleMethod::DormandPrince, .absolute_tolerance = 1e-14});
  ASSERT_TRUE(run.ok()) << run.message;
  const Index tip = mechanism.displacement("y(arm.B)");
  // The tolerance of a step, 1e-8, times 1e4 steps.
  EXPECT_NEAR(run.states(1, tip) / run.states(0, tip), -1.0, 1e-4);
  EXPECT_NEAR(run.states(2, tip) / run.states(0, tip), 1.0, 1e-4);
}

// Fast and bent far: at long steps the energy tells, and chosen steps keep it. The reference is
// another method at tight tolerances.
TEST(FlexibleSimulation, LongStepsAreSaidOrHalved) {
  FlexibleDescription description = slider_crank();
  description.stiffness_damping = 1e-5;
  const VectorXd q = VectorXd::Constant(1, 0.9);
  const FlexibleMechanism mechanism(description, q);
  const VectorXd x = start_of(mechanism, q, VectorXd::Constant(1, 25.0));
  const auto run_with = [&](const integrate::FlexibleSimulationOptions& options) {
    return simulate_flexible(mechanism, x, {model::TimeFormula("0*t")}, {.step = 0.02, .count = 11},
                             options);
  };
  const FlexibleSimulation coarse = run_with({.substeps = 1});
  EXPECT_FALSE(coarse.ok());
  EXPECT_FALSE(coarse.message.empty());
  const FlexibleSimulation chosen = run_with({});
  ASSERT_TRUE(chosen.ok()) << chosen.message;
  EXPECT_GT(chosen.substeps, 8);
  EXPECT_LE(chosen.halving_change, 1e-3);
  const FlexibleSimulation exact =
      run_with({.method = FlexibleMethod::DormandPrince, .relative_tolerance = 1e-9});
  const Index ne = mechanism.elastic();
  // The last halving is a change of 1e-3 at most; what is left is a third of it.
  EXPECT_LT((chosen.states.col(ne) - exact.states.col(ne)).cwiseAbs().maxCoeff(),
            1e-3 * (exact.states.col(ne).array() - 0.9).abs().maxCoeff());
}

// At rest nothing moves but rounding, which neither halves steps without end nor looks like drift.
TEST(FlexibleSimulation, RestStaysAtRest) {
  FlexibleDescription description = arm(0.8, steel(0.02, 0.01), 2);
  description.mechanism.gravity = {0.0, -9.81};
  const VectorXd q = VectorXd::Constant(1, -1.2);
  const FlexibleMechanism mechanism(description, q);
  const auto rest = model::flexible::find_equilibrium(mechanism, q);
  ASSERT_TRUE(rest.ok()) << rest.message;
  const FlexibleSimulation run = simulate_flexible(mechanism, rest.x, {model::TimeFormula("0*t")},
                                                   {.step = 0.001, .count = 20});
  EXPECT_TRUE(run.ok()) << run.message;
  EXPECT_LE(run.substeps, 8);
}

TEST(FlexibleSimulation, RefusesExplicitStepsThatWouldGrow) {
  const VectorXd q = VectorXd::Constant(1, 0.4);
  const FlexibleMechanism mechanism(arm(0.8, steel(0.02, 0.01), 6), q);
  const std::string message = message_of([&] {
    (void)simulate_flexible(mechanism, start_of(mechanism, q, VectorXd::Zero(1)),
                            {model::TimeFormula("0*t")}, {.step = 0.01, .count = 5},
                            {.method = FlexibleMethod::RungeKutta4, .substeps = 1});
  });
  EXPECT_NE(message.find("substeps must make steps of"), std::string::npos) << message;
}

}  // namespace alembert::test::flexible_simulation_test
