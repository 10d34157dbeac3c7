#include "alembert/identify/weak_form.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "alembert/core/random.hpp"
#include "alembert/identify/refine.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "identify/weak_form/weak_equations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"
#include "unit/identify/identify_records.hpp"

namespace alembert::identify {
namespace weak_form_test {

using model::Motion;
using test::all_sensed;
using test::kEps;
using test::relative_error;
using testing::HasSubstr;

constexpr double kNoNoise = std::numeric_limits<double>::infinity();

struct Errors {
  double M = 0.0, D = 0.0, K = 0.0;
};

Errors errors_of(const Matrices& found, const model::SecondOrder& truth) {
  return {relative_error(found.M, truth.M), relative_error(found.D, truth.D),
          relative_error(found.K, truth.K)};
}

// Root mean square errors over seeded runs on the 8-dof frame.
Errors monte_carlo(Motion motion, const test::RecordOptions& records,
                   const WeakFormOptions& options, int runs) {
  const model::SecondOrder frame = test::frame_8dof();
  Errors sum;
  for (int run = 0; run < runs; ++run) {
    const Experiments data = {
        test::simulated_experiment(frame, all_sensed(8, motion), records, 100U + run)};
    const WeakFormEstimate found = weak_form(free_matrices(8), data, frame.L, motion, options);
    EXPECT_TRUE(found.ok()) << found.message;
    const Errors one = errors_of(found.matrices, frame);
    sum = {sum.M + one.M * one.M, sum.D + one.D * one.D, sum.K + one.K * one.K};
  }
  const auto mean = [&](double value) { return std::sqrt(value / runs); };
  return {mean(sum.M), mean(sum.D), mean(sum.K)};
}

// Bound of the frame with 50 ms knots, SNR 20 dB, N = 3300 (the published study): at 5 ms
// .0114/.0398/.0109. The weak form was measured at 1.5 to 2.4 times the bound; the limit is 2.5.
TEST(WeakForm, FrameWithNoiseIsNearTheBound) {
  const Errors errors = monte_carlo(Motion::Displacement, {}, {.window = 0.3}, 4);
  EXPECT_LT(errors.M, 2.5 * 0.0114);
  EXPECT_LT(errors.D, 2.5 * 0.0398);
  EXPECT_LT(errors.K, 2.5 * 0.0109);
  // A limit from below: nothing that uses these records is much better than the bound.
  EXPECT_GT(errors.M, 0.8 * 0.0114);
}

// The automatic window must be as good as the one chosen with knowledge of the modes.
TEST(WeakForm, AutomaticWindowIsAsGood) {
  const Errors errors = monte_carlo(Motion::Displacement, {}, {}, 3);
  EXPECT_LT(errors.M, 2.5 * 0.0114);
  EXPECT_LT(errors.D, 2.5 * 0.0398);
  EXPECT_LT(errors.K, 2.5 * 0.0109);
}

// Large step: no bias of order h², bound at 10 ms .0110/.0370/.0106; least squares alone has 12 %.
TEST(WeakForm, InstrumentsRemoveTheNoiseBias) {
  const test::RecordOptions records{.step = 0.01};
  const Errors plain =
      monte_carlo(Motion::Displacement, records, {.window = 0.3, .instrument_iterations = 0}, 3);
  const Errors errors = monte_carlo(Motion::Displacement, records, {.window = 0.3}, 3);
  EXPECT_GT(plain.M, 0.08);
  EXPECT_LT(errors.M, 2.5 * 0.0110);
  EXPECT_LT(errors.D, 2.5 * 0.0370);
  EXPECT_LT(errors.K, 2.5 * 0.0106);
}

// Study at 5 ms: velocity .015/.053/.013, acceleration .009/.051/.009 (window chosen by hand);
// bounds .007/.033/.007 and .006/.029/.006, of which 2.5 times are allowed.
TEST(WeakForm, VelocityAndAcceleration) {
  const Errors velocity = monte_carlo(Motion::Velocity, {}, {}, 3);
  EXPECT_LT(velocity.M, 2.5 * 0.007);
  EXPECT_LT(velocity.D, 2.5 * 0.033);
  EXPECT_LT(velocity.K, 2.5 * 0.007);
  const Errors acceleration = monte_carlo(Motion::Acceleration, {}, {}, 3);
  EXPECT_LT(acceleration.M, 2.5 * 0.006);
  EXPECT_LT(acceleration.D, 2.5 * 0.029);
  EXPECT_LT(acceleration.K, 2.5 * 0.006);
}

// Without noise only the sums in place of integrals are wrong. The third derivative of the force
// jumps at its knots: order 4, a factor of 16 when the step is halved, within 10 %.
TEST(WeakForm, ExactUpToTheQuadrature) {
  std::mt19937_64 engine(7);
  const model::SecondOrder system = test::random_system(3, 3, engine);
  for (const Motion motion : {Motion::Displacement, Motion::Velocity, Motion::Acceleration}) {
    std::vector<double> errors;
    for (const double step : {0.04, 0.02}) {
      // Knots on the samples of both steps, so that the force is the same function.
      const test::RecordOptions records{.samples = static_cast<Eigen::Index>(40.0 / step),
                                        .step = step,
                                        .knot_step = 0.4,
                                        .snr_db = kNoNoise};
      const Experiments data = {
          test::simulated_experiment(system, all_sensed(3, motion), records, 5)};
      const WeakFormEstimate found = weak_form(free_matrices(3), data, system.L, motion,
                                               {.window = 1.6, .instrument_iterations = 2});
      ASSERT_TRUE(found.ok()) << found.message;
      const Errors one = errors_of(found.matrices, system);
      errors.push_back(std::max({one.M, one.D, one.K}));
    }
    EXPECT_LT(errors[0], 1e-3);
    EXPECT_GT(errors[0] / errors[1], 14.4);
  }
}

// One force on eight coordinates: symmetry couples the rows, and total least squares keeps the
// equations without a force from shrinking. Study: bound .092/.117/.100, of
// which 2.5 times are allowed.
TEST(WeakForm, OneActuator) {
  model::SecondOrder frame = test::frame_8dof();
  frame.L = Eigen::MatrixXd::Identity(8, 8).leftCols(1);
  const Experiments data = {test::simulated_experiment(frame, all_sensed(8), {.step = 0.01}, 100)};
  const WeakFormEstimate found = weak_form(free_matrices(8), data, frame.L, Motion::Displacement);
  ASSERT_TRUE(found.ok()) << found.message;
  const Errors errors = errors_of(found.matrices, frame);
  EXPECT_LT(errors.M, 2.5 * 0.092);
  EXPECT_LT(errors.D, 2.5 * 0.117);
  EXPECT_LT(errors.K, 2.5 * 0.100);
}

// One force at 5 ms, where few windows are good: the refinement must reach the optimum from there.
// Seed 102 had an error of 350 % and ended in another minimum when no window of the plain grid
// explained the responses.
TEST(WeakForm, OneActuatorOnAShortStep) {
  model::SecondOrder frame = test::frame_8dof();
  frame.L = Eigen::MatrixXd::Identity(8, 8).leftCols(1);
  const Experiments data = {test::simulated_experiment(frame, all_sensed(8), {}, 102)};
  const WeakFormEstimate found = weak_form(free_matrices(8), data, frame.L, Motion::Displacement);
  ASSERT_TRUE(found.ok()) << found.message;
  const LinearProblem problem{frame.L, all_sensed(8), free_matrices(8)};
  const Refinement refined = refine(problem, data, clipped(found.matrices));
  const Refinement optimum = refine(problem, data, {frame.M, frame.D, frame.K});
  // The study calls 5e-4 of the cost strict; half of it in the noise.
  EXPECT_NEAR(refined.noise.array().log().mean(), optimum.noise.array().log().mean(), 2.5e-4);
}

// Held forces: the kernel integrates them exactly. Study at 20 ms, SNR 15: .016/.029/.014.
TEST(WeakForm, HeldForces) {
  const model::SecondOrder system = test::coupled_3dof();
  const test::RecordOptions records{
      .step = 0.02, .snr_db = 15.0, .hold = signal::BetweenSamples::Held, .clock = 0.5};
  Errors sum;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Experiments data = {test::simulated_experiment(system, all_sensed(3), records, seed)};
    const WeakFormEstimate found = weak_form(free_matrices(3), data, system.L, Motion::Displacement,
                                             {.hold = signal::BetweenSamples::Held});
    ASSERT_TRUE(found.ok()) << found.message;
    const Errors one = errors_of(found.matrices, system);
    sum = {sum.M + one.M * one.M, sum.D + one.D * one.D, sum.K + one.K * one.K};
  }
  // 4 runs of 6 unknowns each: 1.6 times the study's mean.
  EXPECT_LT(std::sqrt(sum.M / 4.0), 1.6 * 0.016);
  EXPECT_LT(std::sqrt(sum.D / 4.0), 1.6 * 0.029);
  EXPECT_LT(std::sqrt(sum.K / 4.0), 1.6 * 0.014);
}

// Held forces without noise, with each hold against its own simulation: an exact kernel leaves
// only the quadrature of the responses, whose third derivative jumps with a held force.
TEST(WeakForm, KernelsFitTheirHold) {
  const model::SecondOrder system = test::coupled_3dof();
  for (const signal::BetweenSamples hold :
       {signal::BetweenSamples::Held, signal::BetweenSamples::Linear}) {
    test::RecordOptions records{
        .samples = 2000, .step = 0.05, .snr_db = kNoNoise, .hold = signal::BetweenSamples::Held};
    records.clock = 0.5;
    Experiments data = {test::simulated_experiment(system, all_sensed(3), records, 2)};
    integrate::LinearSimulationOptions simulation;
    simulation.hold = hold;
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
    data[0].output =
        integrate::simulate(system, data[0].input, 0.05, zero, zero, simulation).displacement;
    const auto error_with = [&](signal::BetweenSamples used) {
      const WeakFormEstimate found = weak_form(free_matrices(3), data, system.L,
                                               Motion::Displacement, {.window = 2.5, .hold = used});
      return relative_error(found.matrices.D, system.D);
    };
    EXPECT_LT(error_with(hold), 2e-4);
    EXPECT_GT(error_with(hold == signal::BetweenSamples::Held ? signal::BetweenSamples::Linear
                                                              : signal::BetweenSamples::Held),
              20.0 * error_with(hold));
  }
}

// Sums over windows by their definition; window numbers that are no multiple of what is summed
// side by side, windows that overlap by more or less.
TEST(WeakForm, CorrelationsAreSumsOverWindows) {
  std::mt19937_64 engine(33);
  const Eigen::MatrixXd records = test::random_matrix(203, 2, engine);
  for (const double window : {0.08, 0.5, 1.2, 2.02}) {
    const WeakKernels kernels =
        weak_kernels(window, 0.01, Motion::Displacement, signal::BetweenSamples::Cubic);
    const Eigen::MatrixXd found = correlated(kernels, records);
    ASSERT_EQ(found.rows(), kernels.positions(203));
    ASSERT_GT(found.rows(), 0);
    Eigen::MatrixXd expected(found.rows(), 6);
    for (Eigen::Index p = 0; p < found.rows(); ++p) {
      for (Eigen::Index c = 0; c < 2; ++c) {
        const Eigen::VectorXd part =
            records.col(c).segment(p * kernels.stride, 2 * kernels.half + 1);
        for (Eigen::Index b = 0; b < 3; ++b) {
          expected(p, 2 * b + c) = part.dot(kernels.response.col(b));
        }
      }
    }
    for (Eigen::Index b = 0; b < 3; ++b) {
      // Rounding of at most 203 products.
      EXPECT_TRUE(test::matrices_near(found.middleCols(2 * b, 2), expected.middleCols(2 * b, 2),
                                      {.rel = 203 * kEps}));
    }
  }
}

// Cutting samples out of a noise-free record leaves fewer equations, all of them still right; two
// experiments are as good as one.
TEST(WeakForm, MissingSamplesAndSeveralExperiments) {
  const model::SecondOrder system = test::coupled_3dof();
  const test::RecordOptions records{
      .samples = 1500, .step = 0.02, .knot_step = 0.5, .snr_db = kNoNoise};
  Experiments data = {test::simulated_experiment(system, all_sensed(3), records, 1),
                      test::simulated_experiment(system, all_sensed(3), records, 2)};
  const auto solve = [&](const Parametrisation& unknowns) {
    return weak_form(unknowns, data, system.L, Motion::Displacement,
                     {.window = 2.0, .instrument_iterations = 0});
  };
  const Errors whole = errors_of(solve(free_matrices(3)).matrices, system);
  data[0].output.col(1).segment(300, 5).setConstant(std::nan(""));
  data[0].output.col(2).segment(700, 200).setConstant(std::nan(""));
  data[1].output.col(0).segment(100, 1).setConstant(std::nan(""));
  const WeakFormEstimate found = solve(free_matrices(3));
  ASSERT_TRUE(found.ok()) << found.message;
  const Errors holes = errors_of(found.matrices, system);
  // The same order of error as without holes: both are the quadrature.
  EXPECT_LT(whole.D, 1e-5);
  EXPECT_LT(holes.M, 1e-5);
  EXPECT_LT(holes.D, 1e-5);
  EXPECT_LT(holes.K, 1e-5);
}

// With a fifth of all samples missing one window of 9 samples of three coordinates in 400 is whole.
TEST(WeakForm, ScatteredGapsAreBridged) {
  const model::SecondOrder system = test::coupled_3dof();
  const test::RecordOptions records{
      .samples = 3000, .step = 0.02, .knot_step = 0.4, .snr_db = kNoNoise};
  Experiments data = {test::simulated_experiment(system, all_sensed(3), records, 5)};
  RandomStream random(6);
  for (double& value : data[0].output.reshaped()) {
    if (random.uniform(0.0, 1.0) < 0.2) value = std::nan("");
  }
  const WeakFormEstimate found = weak_form(free_matrices(3), data, system.L, Motion::Displacement);
  ASSERT_TRUE(found.ok()) << found.message;
  const Errors errors = errors_of(found.matrices, system);
  // A start for the refinement, which uses the samples as they are: within a tenth it converges.
  EXPECT_LT(errors.M, 0.1);
  EXPECT_LT(errors.D, 0.1);
  EXPECT_LT(errors.K, 0.1);
}

// A channel that is missing throughout spoils only the equations it takes part in: with known
// zeros the chain's first equation does without the third coordinate.
TEST(WeakForm, EquationsNeedOnlyTheirOwnCoordinates) {
  const model::SecondOrder chain = [] {
    model::SecondOrder system = test::fixed_chain(3, 1.0, 10.0);
    system.D = 0.02 * system.K;
    return system;
  }();
  const test::RecordOptions records{
      .samples = 3000, .step = 0.02, .knot_step = 0.4, .snr_db = kNoNoise};
  Experiments data = {test::simulated_experiment(chain, all_sensed(3), records, 4)};
  data[0].output.col(2).setConstant(std::nan(""));
  // One mass, one damper and one spring to the left, the rest known.
  std::vector<Element> elements;
  const auto add = [&](Element::Kind kind, const char* name, Eigen::Vector3d direction,
                       double value, bool fixed) {
    elements.push_back({kind, name, direction, fixed, value});
  };
  using Kind = Element::Kind;
  add(Kind::Mass, "m1", {1, 0, 0}, 0.0, false);
  add(Kind::Mass, "m2", {0, 1, 0}, 1.0, true);
  add(Kind::Mass, "m3", {0, 0, 1}, 1.0, true);
  add(Kind::Spring, "k1", {1, 0, 0}, 0.0, false);
  add(Kind::Spring, "k2", {1, -1, 0}, 0.0, false);
  add(Kind::Spring, "k3", {0, 1, -1}, 10.0, true);
  add(Kind::Spring, "k4", {0, 0, 1}, 10.0, true);
  add(Kind::Damper, "c1", {1, 0, 0}, 0.2, true);
  add(Kind::Damper, "c2", {1, -1, 0}, 0.2, true);
  add(Kind::Damper, "c3", {0, 1, -1}, 0.2, true);
  add(Kind::Damper, "c4", {0, 0, 1}, 0.2, true);
  const WeakFormEstimate found =
      weak_form(lumped_elements(3, elements), data, chain.L, Motion::Displacement,
                {.window = 1.0, .instrument_iterations = 0});
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_LT(relative_error(found.matrices.M, chain.M), 1e-5);
  EXPECT_LT(relative_error(found.matrices.K, chain.K), 1e-5);
}

// Proportional damping: D is found freely.
TEST(WeakForm, ProportionalDampingUsesAFreeD) {
  const model::SecondOrder system = test::coupled_3dof();
  const test::RecordOptions records{
      .samples = 1500, .step = 0.02, .knot_step = 0.5, .snr_db = kNoNoise};
  const Experiments data = {test::simulated_experiment(system, all_sensed(3), records, 1)};
  const WeakFormEstimate found = weak_form(structured_matrices(3, {.proportional_damping = true}),
                                           data, system.L, Motion::Displacement, {.window = 2.0});
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_LT(relative_error(found.matrices.D, system.D), 1e-5);
}

// Property: other units of one coordinate, q1 = s p1, are a congruence of the matrices. The
// automatic window and the estimate follow, up to rounding amplified by the solution.
TEST(WeakForm, UnitsOfCoordinatesDoNotMatter) {
  const model::SecondOrder system = test::coupled_3dof();
  Experiments data = {test::simulated_experiment(
      system, all_sensed(3), {.samples = 1500, .step = 0.05, .knot_step = 0.5}, 1)};
  const WeakFormOptions options{.window = 2.0, .instrument_iterations = 3};
  const WeakFormEstimate first =
      weak_form(free_matrices(3), data, system.L, Motion::Displacement, options);
  const Eigen::MatrixXd S = Eigen::Vector3d(1000.0, 1.0, 1.0).asDiagonal();
  data[0].output = (data[0].output * dense::inverse(S)).eval();
  const WeakFormEstimate second =
      weak_form(free_matrices(3), data, S * system.L, Motion::Displacement, options);
  ASSERT_TRUE(first.ok() && second.ok());
  const Eigen::MatrixXd back = dense::inverse(S) * second.matrices.M * dense::inverse(S);
  EXPECT_LT(relative_error(back, first.matrices.M), 1e-6);
}

TEST(WeakForm, SaysWhenNothingMoves) {
  const model::SecondOrder system = test::coupled_3dof();
  Experiments data = {test::simulated_experiment(system, all_sensed(3), {.samples = 400}, 1)};
  data[0].input.setZero();
  const WeakFormEstimate found = weak_form(free_matrices(3), data, system.L, Motion::Displacement);
  EXPECT_EQ(found.status, Status::NotIdentifiable);
  EXPECT_THAT(found.message, HasSubstr("forces"));
}

TEST(WeakForm, NamesBadArguments) {
  const model::SecondOrder system = test::coupled_3dof();
  const Experiments data = {test::simulated_experiment(system, all_sensed(3), {.samples = 400}, 1)};
  const auto message = [&](Eigen::Index n, const Eigen::MatrixXd& L, const WeakFormOptions& o) {
    return test::message_of(
        [&] { (void)weak_form(free_matrices(n), data, L, Motion::Displacement, o); });
  };
  EXPECT_THAT(message(2, system.L, {}), HasSubstr("number of outputs"));
  EXPECT_THAT(message(3, system.L.leftCols(2), {}), HasSubstr("L"));
  EXPECT_THAT(message(3, system.L, {.window = -1.0}), HasSubstr("window"));
  EXPECT_THAT(message(3, system.L, {.window = 10.0}), HasSubstr("samples"));
  EXPECT_THAT(message(3, system.L, {.instrument_iterations = -1}),
              HasSubstr("instrument_iterations"));
}

TEST(Clipped, RaisesOnlyWhatIsBelow) {
  std::mt19937_64 engine(3);
  const Eigen::MatrixXd Q =
      Eigen::HouseholderQR<Eigen::MatrixXd>(test::random_matrix(3, 3, engine)).householderQ();
  const auto with = [&](const Eigen::Vector3d& values) -> Eigen::MatrixXd {
    return Q * values.asDiagonal() * Q.transpose();
  };
  const Matrices raised =
      clipped({with({1.0, 2.0, -3.0}), with({10.0, 1e-9, -1.0}), with({5.0, 4.0, 1.0})});
  // Rounding of three 3 x 3 products.
  const double rounding = 100 * kEps;
  EXPECT_TRUE(test::matrices_near(raised.M, with({1.0, 2.0, 0.02}), {.rel = rounding}));
  EXPECT_TRUE(test::matrices_near(raised.D, with({10.0, 0.01, 0.01}), {.rel = rounding}));
  EXPECT_EQ(raised.K, with({5.0, 4.0, 1.0}));
}

}  // namespace weak_form_test
}  // namespace alembert::identify
