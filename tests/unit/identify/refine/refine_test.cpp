#include "alembert/identify/refine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "alembert/core/random.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/signal/spline.hpp"
#include "core/algebra/dense.hpp"
#include "support/matrices_near.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"
#include "unit/identify/identify_records.hpp"
#include "unit/identify/refine/refine_cases.hpp"

namespace alembert::identify {
namespace refine_test {

using integrate::Method;
using test::all_sensed;
using test::matrices_near;
using test::simulated_experiment;
using testing::HasSubstr;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kNoNoise = std::numeric_limits<double>::infinity();

// 108 unknowns and 16 start values, SNR 20 dB, start 10 % off. The error of one run over the bound
// scatters: 0.6 to 1.6 in 240 published runs.
TEST(Refine, FrameReachesTheBound) {
  std::mt19937_64 engine(31);
  const model::SecondOrder system = test::frame_8dof();
  const LinearProblem problem = free_problem(system);
  const Experiments data{simulated_experiment(system, problem.outputs, {}, 41)};
  const Refinement fit = refine(problem, data, perturbed(matrices_of(system), 0.1, engine));
  ASSERT_TRUE(fit.ok()) << fit.message;
  EXPECT_LE(fit.iterations, 50);  // 12 to 56 in the published study of this start
  const Bound bound = cramer_rao_bound(problem, data, matrices_of(system), fit.noise);
  const Eigen::MatrixXd* found[] = {&fit.system.M, &fit.system.D, &fit.system.K};
  const Eigen::MatrixXd* truth[] = {&system.M, &system.D, &system.K};
  for (int part = 0; part < 3; ++part) {
    const double expected = predicted_error(bound.matrix_covariance, part, *truth[part]);
    EXPECT_LT(relative_error(*found[part], *truth[part]) / expected, 1.6) << part;
    EXPECT_GT(relative_error(*found[part], *truth[part]) / expected, 0.5) << part;
    // The covariance at the estimate is that at the truth but for the error of the estimate.
    EXPECT_NEAR(predicted_error(fit.matrix_covariance, part, *truth[part]) / expected, 1.0, 0.1);
  }
  // The noise made is 10 % of the rms of each output; 3300 samples tell it to 1.2 %.
  for (Eigen::Index i = 0; i < 8; ++i) {
    const double rms = data[0].output.col(i).norm() / std::sqrt(3300.0);
    EXPECT_NEAR(fit.noise(i) / (0.1 * rms / std::sqrt(1.01)), 1.0, 0.06);
  }
  // J = Σ N_i - P by the definition of σ̂.
  EXPECT_NEAR(fit.cost, 8 * 3300 - 124, 1e-3);
}

// Data made by the same rule are explained exactly.
TEST(Refine, RecoversTheTruthWithoutNoise) {
  std::mt19937_64 engine(32);
  const RefineOptions rules[] = {{.method = Method::Exact, .hold = signal::BetweenSamples::Cubic},
                                 {.method = Method::Exact, .hold = signal::BetweenSamples::Linear},
                                 {.method = Method::Exact, .hold = signal::BetweenSamples::Held},
                                 {.method = Method::Variational},
                                 {.method = Method::Gauss, .gauss_stages = 1},
                                 {.method = Method::Gauss, .gauss_stages = 2},
                                 {.method = Method::Gauss, .gauss_stages = 3}};
  for (const RefineOptions& options : rules) {
    const model::SecondOrder system = test::random_system(3, 3, engine);
    const LinearProblem problem = free_problem(system);
    Experiment e{test::random_matrix(400, 3, engine), {}, 0.05};
    const Eigen::VectorXd q0 = test::random_matrix(3, 1, engine);
    const Eigen::VectorXd v0 = test::random_matrix(3, 1, engine);
    e.output = integrate::apply(problem.outputs,
                                integrate::simulate(system, e.input, e.step, q0, v0,
                                                    {.method = options.method,
                                                     .hold = options.hold,
                                                     .gauss_stages = options.gauss_stages}));
    const Refinement fit =
        refine(problem, {e}, perturbed(matrices_of(system), 0.003, engine), options);
    ASSERT_TRUE(fit.ok()) << fit.message;
    // Rounding 1e-13 of the outputs times the condition number of J, below 1e4.
    EXPECT_LT(worst_error(fit.system, system), 1e-8);
    EXPECT_TRUE(matrices_near(fit.start.col(0).head(3), q0, {.rel = 1e-8}));
    EXPECT_TRUE(matrices_near(fit.start.col(0).tail(3), v0, {.rel = 1e-8}));
  }
}

// Published bias of the midpoint rule on M: (ω h)²/5, that is .0083 at 10 ms; it grows with h². The
// published figures are for 1500 samples; one input realisation moves them by a few per cent.
TEST(Refine, MidpointBiasIsAsPublished) {
  const model::SecondOrder system = test::frame_8dof();
  const LinearProblem problem = free_problem(system);
  const auto bias = [&](double step) {
    const Experiments data{simulated_experiment(
        system, problem.outputs, {.samples = 1500, .step = step, .snr_db = kNoNoise}, 43)};
    const Refinement fit =
        refine(problem, data, matrices_of(system), {.method = Method::Variational});
    EXPECT_TRUE(fit.ok()) << fit.message;
    return relative_error(fit.system.M, system.M);
  };
  const double coarse = bias(0.01);
  EXPECT_NEAR(coarse, 0.0083, 0.1 * 0.0083);
  EXPECT_NEAR(coarse / bias(0.005), 4.0, 0.2);
}

// Fewer unknowns: the truth is still found, and no variance grows.
TEST(Refine, StructureLowersTheBound) {
  std::mt19937_64 engine(33);
  const model::SecondOrder system = two_masses();
  const LinearProblem full = free_problem(system);
  const Experiments data{
      simulated_experiment(system, full.outputs, {.samples = 800, .step = 0.05}, 44)};
  const Eigen::VectorXd noise = Eigen::VectorXd::Constant(2, 0.01);
  const Eigen::VectorXd free_variance =
      cramer_rao_bound(full, data, matrices_of(system), noise).matrix_covariance.diagonal();
  const Eigen::Vector2d one(1, 0), two(0, 1), between(1, -1);
  using Kind = Element::Kind;
  const Parametrisation families[] = {
      structured_matrices(2, {.diagonal_mass = true}),
      structured_matrices(2, {.diagonal_mass = true, .proportional_damping = true}),
      structured_matrices(2, {.rules = {{.kind = EntryRule::Kind::Tied,
                                         .matrix = 'M',
                                         .row = 1,
                                         .column = 1,
                                         .value = 2.0,
                                         .other_matrix = 'M'}}}),
      lumped_elements(2, {{.kind = Kind::Mass, .name = "m1", .direction = one},
                          {.kind = Kind::Mass, .name = "m2", .direction = two},
                          {.kind = Kind::Spring, .name = "k1", .direction = one},
                          {.kind = Kind::Spring, .name = "k2", .direction = two},
                          {.kind = Kind::Spring, .name = "k12", .direction = between},
                          {.kind = Kind::Damper, .name = "c1", .direction = one},
                          {.kind = Kind::Damper, .name = "c2", .direction = two},
                          {.kind = Kind::Damper, .name = "c12", .direction = between}})};
  for (const Parametrisation& unknowns : families) {
    const LinearProblem problem{system.L, full.outputs, unknowns};
    const Bound bound = cramer_rao_bound(problem, data, matrices_of(system), noise);
    ASSERT_TRUE(bound.ok()) << bound.message;
    const Eigen::VectorXd variance = bound.matrix_covariance.diagonal();
    EXPECT_LT((variance - free_variance).maxCoeff(), 1e-9 * free_variance.maxCoeff());
    EXPECT_LT(variance.cwiseQuotient(free_variance).minCoeff(), 0.9);
    const Refinement fit = refine(problem, data, perturbed(matrices_of(system), 0.05, engine));
    ASSERT_TRUE(fit.ok()) << fit.message;
    // Each unknown within 4.5 standard deviations of the truth.
    const Eigen::VectorXd truth = nearest_parameters(unknowns, matrices_of(system));
    const Eigen::VectorXd sigmas = fit.covariance.diagonal().cwiseSqrt();
    EXPECT_LT((fit.theta - truth).cwiseAbs().cwiseQuotient(sigmas).maxCoeff(), 4.5);
  }
}

// The information of independent records adds up, and missing samples give none: a record cut in
// half by missing samples equals the shorter record.
TEST(Refine, RecordsAndMissingSamplesCountAsTheyShould) {
  const model::SecondOrder system = two_masses();
  const LinearProblem problem = free_problem(system);
  const Experiment whole =
      simulated_experiment(system, problem.outputs, {.samples = 600, .step = 0.05}, 45);
  Experiment cut = whole;
  cut.output.bottomRows(300).setConstant(kNaN);
  const Experiment half{whole.input.topRows(300), whole.output.topRows(300), whole.step};
  const Matrices truth = matrices_of(system);
  // Linear hold: the spline through the shorter input would differ near its end.
  const RefineOptions options{.hold = signal::BetweenSamples::Linear};
  const Refinement from_cut = refine(problem, {cut}, truth, options);
  const Refinement from_half = refine(problem, {half}, truth, options);
  ASSERT_TRUE(from_cut.ok()) << from_cut.message;
  // Both end at a relative cost decrease of 1e-9, which leaves 1e-4 of a standard deviation.
  const Eigen::VectorXd sigma = from_half.covariance.diagonal().cwiseSqrt();
  EXPECT_LT((from_cut.theta - from_half.theta).cwiseQuotient(sigma).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_TRUE(matrices_near(from_cut.white_covariance, from_half.white_covariance, {.rel = 1e-4}));
  EXPECT_TRUE(from_cut.residuals[0].bottomRows(300).array().isNaN().all());
  EXPECT_TRUE(from_cut.predictions[0].allFinite());

  const Eigen::VectorXd noise = Eigen::VectorXd::Constant(2, 0.01);
  const RefineOptions at_rest{.free_start = false};
  const Eigen::MatrixXd one = cramer_rao_bound(problem, {whole}, truth, noise, at_rest).covariance;
  const Eigen::MatrixXd three =
      cramer_rao_bound(problem, {whole, whole, whole}, truth, noise, at_rest).covariance;
  EXPECT_TRUE(matrices_near(3.0 * three, one, {.rel = 1e-8}));
  const Refinement both = refine(problem, {whole, cut}, truth);
  ASSERT_TRUE(both.ok()) << both.message;
  EXPECT_EQ(both.start.cols(), 2);
  EXPECT_EQ(both.start_covariance.rows(), 9 + 8);
}

// Start states over their covariance, by chance: (x̂ - x)ᵀ P⁻¹ (x̂ - x) of 4 start states over 40
// records has the mean 4 and the standard deviation √(2·4/40); the bounds are 3.3 of these. The
// covariance for coloured residuals and that for white ones come from programs of their own.
void expect_scatter_of_start_states(bool coloured) {
  const model::SecondOrder system = two_masses();
  const LinearProblem problem{system.L, all_sensed(2), free_matrices(2)};
  const Eigen::Vector2d q0(0.05, -0.02), v0(0.3, 0.4);
  const Eigen::Vector4d truth(q0(0), q0(1), v0(0), v0(1));
  constexpr int kRuns = 40;
  double nees = 0.0;
  Eigen::Vector4d squares = Eigen::Vector4d::Zero();
  for (int run = 0; run < kRuns; ++run) {
    RandomStream random(5100, static_cast<std::uint64_t>(run));
    Experiment record;
    record.step = 0.05;
    record.input = test::random_forces(2, {.samples = 300, .step = 0.05, .knot_step = 0.2}, random);
    record.output = integrate::simulate(system, record.input, record.step, q0, v0, {}).displacement;
    for (Eigen::Index c = 0; c < 2; ++c) {
      record.output.col(c) += 0.005 * random.normal_vector(record.output.rows());
    }
    const Refinement fit = refine(problem, {record}, matrices_of(system), {.coloured = coloured});
    ASSERT_TRUE(fit.ok()) << fit.message;
    const Eigen::MatrixXd P = fit.start_covariance.bottomRightCorner(4, 4);
    const Eigen::Vector4d error = fit.start.col(0) - truth;
    nees += error.dot(Eigen::Vector4d(dense::solve(P, Eigen::MatrixXd(error)))) / kRuns;
    squares += error.cwiseAbs2().cwiseQuotient(P.diagonal()) / kRuns;
  }
  EXPECT_NEAR(nees, 4.0, 3.3 * std::sqrt(8.0 / kRuns));
  for (const double square : squares) EXPECT_NEAR(square, 1.0, 3.5 * std::sqrt(2.0 / kRuns));
}

TEST(Refine, StartStatesScatterAsTheirCovarianceSays) { expect_scatter_of_start_states(true); }

TEST(Refine, StartStatesScatterAsTheCovarianceForWhiteResidualsSays) {
  expect_scatter_of_start_states(false);
}

TEST(Refine, AcceptsEveryKindOfSensor) {
  std::mt19937_64 engine(34);
  const model::SecondOrder system = two_masses();
  using model::Motion;
  const model::OutputMap maps[] = {
      all_sensed(2, Motion::Velocity), all_sensed(2, Motion::Acceleration),
      model::output_map(2, {{Motion::Displacement, 0}, {Motion::Acceleration, 1}})};
  for (const model::OutputMap& outputs : maps) {
    const LinearProblem problem{system.L, outputs, free_matrices(2)};
    const Experiments data{simulated_experiment(
        system, outputs, {.samples = 800, .step = 0.05, .knot_step = 0.2}, 46)};
    const Refinement fit = refine(problem, data, perturbed(matrices_of(system), 0.05, engine));
    ASSERT_TRUE(fit.ok()) << fit.message;
    const Eigen::VectorXd sigmas = fit.covariance.diagonal().cwiseSqrt();
    EXPECT_LT(
        (fit.theta - stacked(matrices_of(system))).cwiseQuotient(sigmas).cwiseAbs().maxCoeff(),
        4.5);
  }
}

// The equation of motion differentiated twice, M a'' + D a' + K a = L u'', sees the accelerations
// as displacements; u'' of a cubic spline is a polygon. Two ways to the same estimate.
TEST(Refine, AccelerationsAreDisplacementsUnderTheForcesSecondDerivative) {
  const model::SecondOrder system = two_masses();
  const LinearProblem direct{system.L, all_sensed(2, model::Motion::Acceleration),
                             free_matrices(2)};
  const Experiment e = simulated_experiment(system, direct.outputs,
                                            {.samples = 500, .step = 0.05, .knot_step = 0.2}, 53);
  const double h = e.step;
  const Eigen::MatrixXd slopes = h * signal::cubic_slopes(h, e.input);
  const Eigen::MatrixXd rise = e.input.bottomRows(499) - e.input.topRows(499);
  Experiment bent{Eigen::MatrixXd(500, 2), e.output, h};
  bent.input.topRows(499) =
      (6.0 * rise - 4.0 * slopes.topRows(499) - 2.0 * slopes.bottomRows(499)) / (h * h);
  bent.input.row(499) =
      (2.0 * slopes.row(498) + 4.0 * slopes.row(499) - 6.0 * rise.row(498)) / (h * h);
  const Matrices truth = matrices_of(system);
  const Refinement one = refine(direct, {e}, truth);
  const Refinement two =
      refine(free_problem(system), {bent}, truth, {.hold = signal::BetweenSamples::Linear});
  ASSERT_TRUE(one.ok() && two.ok()) << one.message << two.message;
  // Their start states are other unknowns for the same family of motions: the same minimum,
  // reached to 1e-9 of the cost.
  const Eigen::VectorXd sigma = one.covariance.diagonal().cwiseSqrt();
  EXPECT_LT((one.theta - two.theta).cwiseQuotient(sigma).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_TRUE(matrices_near(one.covariance, two.covariance, {.rel = 1e-4}));
}

// Real poles, and poles that coincide at the truth.
TEST(Refine, RecoversOverdampedAndRepeatedPoles) {
  std::mt19937_64 engine(35);
  model::SecondOrder overdamped = two_masses();
  overdamped.D = Eigen::Vector2d(30.0, 40.0).asDiagonal();
  model::SecondOrder repeated = two_masses();
  repeated.M.setIdentity();
  repeated.K = 40.0 * Eigen::Matrix2d::Identity();
  repeated.D = 0.4 * Eigen::Matrix2d::Identity();
  for (const model::SecondOrder& system : {overdamped, repeated}) {
    const LinearProblem problem = free_problem(system);
    const Experiments data{simulated_experiment(
        system, problem.outputs, {.samples = 600, .step = 0.05, .snr_db = kNoNoise}, 47)};
    const Refinement fit = refine(problem, data, perturbed(matrices_of(system), 0.03, engine));
    ASSERT_TRUE(fit.ok()) << fit.message;
    EXPECT_LT(worst_error(fit.system, system), 1e-8);
  }
}

// Nothing is known of a coordinate that is neither moved nor seen: scaling it changes nothing.
TEST(Refine, SaysWhatTheDataCannotTell) {
  std::mt19937_64 engine(36);
  model::SecondOrder system = test::fixed_chain(3, 1.0, 30.0);
  system.D = 0.01 * system.K;
  system.L = Eigen::MatrixXd::Identity(3, 2);
  const LinearProblem problem{system.L, test::sensed(3, {0, 1}), free_matrices(3)};
  const Experiments data{
      simulated_experiment(system, problem.outputs, {.samples = 600, .step = 0.05}, 48)};
  const Refinement fit = refine(problem, data, matrices_of(system));
  EXPECT_EQ(fit.status, Status::NotIdentifiable);
  EXPECT_THAT(fit.message, HasSubstr("3"));  // M33, M32, K33 ...
  const Bound bound =
      cramer_rao_bound(problem, data, matrices_of(system), Eigen::VectorXd::Constant(2, 0.01));
  EXPECT_EQ(bound.status, Status::NotIdentifiable);
  EXPECT_GT(bound.condition, 1e8);
  EXPECT_TRUE(std::isinf(bound.matrix_covariance(5, 5)));  // M33
}

// 95 % intervals of 9 unknowns in 100 runs: 900 intervals, correlated within a run. Binomial
// standard deviation of one unknown's count is 2.2; the band allows 3.5 of them for the mean.
TEST(Refine, IntervalsCoverTheTruth) {
  const model::SecondOrder system = two_masses();
  const LinearProblem problem = free_problem(system);
  const Eigen::VectorXd truth = stacked(matrices_of(system));
  int inside = 0;
  const int runs = 100;
  for (int run = 0; run < runs; ++run) {
    const Experiments data{simulated_experiment(system, problem.outputs,
                                                {.samples = 300, .step = 0.05, .snr_db = 20.0},
                                                1000 + static_cast<std::uint64_t>(run))};
    const Refinement fit = refine(problem, data, matrices_of(system), {.compute_residuals = false});
    ASSERT_TRUE(fit.ok()) << fit.message;
    const Eigen::VectorXd limit = 1.96 * fit.covariance.diagonal().cwiseSqrt();
    inside += static_cast<int>(((fit.theta - truth).cwiseAbs().array() <= limit.array()).count());
  }
  const double coverage = inside / (9.0 * runs);
  EXPECT_NEAR(coverage, 0.95, 0.04);
}

}  // namespace refine_test
}  // namespace alembert::identify
