#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/core/random.hpp"
#include "alembert/identify/output_error.hpp"
#include "alembert/io/mat.hpp"
#include "identify/output_error/finer_simulation.hpp"
#include "support/data.hpp"
#include "support/message_of.hpp"

namespace alembert::identify {
namespace integrators_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<Integrator> integrators() {
  std::vector<Integrator> list{Integrator::RungeKutta4, Integrator::Newmark,
                               Integrator::DormandPrince};
  if (integrate::has_stiff_integrator()) list.push_back(Integrator::Stiff);
  return list;
}

model::CompiledEquations oscillator() {
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"y", ""}};
  setup.parameters = {{"c", ""}, {"k", ""}};
  return model::CompiledEquations(model::parse_equations("y'' = u - c*y' - k*y", setup),
                                  {.kind = model::EngineKind::Interpreter});
}

// One period of a force with three lines, and the response of y'' + c y' + k y = u to it.
Experiment steady_state(double c, double k, double sigma) {
  constexpr Index kSamples = 64;
  Experiment experiment{
      .input = MatrixXd::Zero(kSamples, 1), .output = MatrixXd::Zero(kSamples, 1), .step = 0.1};
  RandomStream random(11);
  for (const int line : {1, 3, 6}) {
    const double w = 2 * std::numbers::pi * line / (kSamples * experiment.step);
    const std::complex<double> h = 1.0 / std::complex<double>(k - w * w, c * w);
    for (Index i = 0; i < kSamples; ++i) {
      const std::complex<double> turn =
          std::polar(1.0, w * experiment.step * static_cast<double>(i) + line);
      experiment.input(i, 0) += turn.real();
      experiment.output(i, 0) += (h * turn).real();
    }
  }
  experiment.output += sigma * random.normal_vector(kSamples);
  return experiment;
}

SimulationOptions options_of(Integrator integrator) {
  return {.between = signal::BetweenSamples::BandLimited,
          .start = StartState::Periodic,
          .substeps = 16,
          .integrator = integrator};
}

// The steady state has a closed form. Errors: order 4 and 2 in ωh = 0.04, or the tolerance.
TEST(Integrators, FindThePeriodicMotion) {
  const Experiments data{steady_state(0.3, 4.0, 0.0)};
  for (const Integrator integrator : integrators()) {
    const EquationPrediction found =
        simulate_equations(oscillator(), Eigen::Vector2d(0.3, 4.0), data, options_of(integrator));
    ASSERT_TRUE(found.ok());
    const double bound = integrator == Integrator::Newmark ? 3e-3
                         : integrator == Integrator::Stiff ? 3e-6
                                                           : 1e-6;
    EXPECT_LT(found.residuals[0].cwiseAbs().maxCoeff(), bound) << static_cast<int>(integrator);
  }
}

TEST(Integrators, FindTheParameters) {
  const Experiments data{steady_state(0.3, 4.0, 1e-3)};
  const std::vector<optimize::Parameter> guesses{{.name = "c", .guess = 0.5},
                                                 {.name = "k", .guess = 3.0}};
  for (const Integrator integrator : integrators()) {
    const SimulationOptions options = options_of(integrator);
    const OutputErrorResult found =
        output_error(oscillator(), guesses, data, {.simulation = options});
    ASSERT_TRUE(found.ok()) << found.message;
    for (Index i = 0; i < 2; ++i) {
      const double truth = i == 0 ? 0.3 : 4.0;
      const double bias = integrator == Integrator::Newmark ? 2e-3 : 0.0;  // (ωh)²/12
      EXPECT_NEAR(found.parameters(i), truth, 4 * found.statistics.deviations(i) + bias * truth);
    }
    // How much finer steps change: less than the noise, but for Newmark's.
    EXPECT_LT(found.step_error, integrator == Integrator::Newmark ? 1.0 : 1e-3);
    EXPECT_GT(found.step_error, 0.0);
  }
}

// The Bouc-Wen benchmark's test record is one period in steady state. Its own parameters leave the
// errors of the integrator that made it and of ours: 1.8e-7 m for Newmark's method with 20 steps.
TEST(Integrators, BoucWenTestRecord) {
  ALEMBERT_REQUIRE_DATA(input, "bouc_wen/uval_multisine.mat");
  ALEMBERT_REQUIRE_DATA(output, "bouc_wen/yval_multisine.mat");
  Experiment record{.input = io::read_mat_matrix(input, "uval_multisine").reshaped(),
                    .output = io::read_mat_matrix(output, "yval_multisine").reshaped(),
                    .step = 1.0 / 750.0};
  ASSERT_EQ(record.samples(), 8192);
  model::EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"y", ""}};
  const model::CompiledEquations model(
      model::parse_equations("y'' = (u - 10*y' - 5e4*y - z)/2\n"
                             "z' = 5e4*y' - 1e3*(0.8*abs(y')*z - 1.1*y'*abs(z))",
                             setup),
      {.kind = model::EngineKind::Interpreter});
  const EquationPrediction found =
      simulate_equations(model, VectorXd(0), {record},
                         {.between = signal::BetweenSamples::BandLimited,
                          .start = StartState::Periodic,
                          .substeps = 20,
                          .integrator = Integrator::Newmark});
  ASSERT_TRUE(found.ok());
  EXPECT_LT(found.rms(0), 1.9e-7);
}

TEST(Integrators, FinerMeansShorterStepsOrTighterTolerances) {
  const SimulationOptions fixed = finer(options_of(Integrator::Newmark));
  EXPECT_EQ(fixed.substeps, 32);
  EXPECT_EQ(fixed.tolerance(), 1e-8);
  const SimulationOptions adaptive = finer(options_of(Integrator::DormandPrince));
  EXPECT_EQ(adaptive.substeps, 16);
  EXPECT_DOUBLE_EQ(adaptive.tolerance(), 1e-9);
  EXPECT_DOUBLE_EQ(adaptive.absolute_tolerance, 1e-13);
}

TEST(Integrators, BadOptionsAreNamed) {
  const Experiments data{steady_state(0.3, 4.0, 0.0)};
  const auto message = [&data](const SimulationOptions& options) {
    return test::message_of(
        [&] { (void)simulate_equations(oscillator(), Eigen::Vector2d(0.3, 4.0), data, options); });
  };
  EXPECT_THAT(message({.newton_tolerance = 0.0}), testing::HasSubstr("newton_tolerance"));
  EXPECT_THAT(message({.relative_tolerance = -1.0}), testing::HasSubstr("relative_tolerance"));
  EXPECT_THAT(message({.absolute_tolerance = 0.0}), testing::HasSubstr("absolute_tolerance"));
  EXPECT_THAT(message({.state_scales = VectorXd::Zero(2)}), testing::HasSubstr("state_scales"));
  EXPECT_THAT(message({.state_scales = VectorXd::Ones(3)}), testing::HasSubstr("state_scales"));
  EXPECT_THAT(message({.largest_step = -1.0}), testing::HasSubstr("largest_step"));
  EXPECT_THAT(message({.max_steps = -1}), testing::HasSubstr("max_steps"));
  if (!integrate::has_stiff_integrator()) {
    EXPECT_THAT(message({.integrator = Integrator::Stiff}), testing::HasSubstr("built without"));
  }
}

}  // namespace integrators_test
}  // namespace alembert::identify
