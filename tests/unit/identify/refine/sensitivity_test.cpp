#include <gtest/gtest.h>

#include <random>

#include "alembert/identify/refine.hpp"
#include "core/algebra/decompositions.hpp"
#include "support/matrices_near.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"
#include "unit/identify/identify_records.hpp"

namespace alembert::identify {
namespace sensitivity_test {

using integrate::Method;
using test::kEps;
using test::matrices_near;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Case {
  model::SecondOrder system;
  LinearProblem problem;
  Experiments data;
};

// Two records that begin in motion, seen by sensors that mix displacement, velocity and
// acceleration, some samples missing.
Case mixed_case(Eigen::Index n, Eigen::Index m, const RefineOptions& options,
                std::mt19937_64& engine) {
  Case result;
  result.system = test::random_system(n, m, engine);
  model::OutputMap outputs{Eigen::MatrixXd::Identity(n, n), 0.3 * test::random_matrix(n, n, engine),
                           0.1 * test::random_matrix(n, n, engine)};
  outputs.acceleration.row(0).setZero();
  result.problem = {result.system.L, outputs, free_matrices(n)};
  for (const Eigen::Index samples : {150, 220}) {
    Experiment e;
    e.step = 0.05;
    e.input = test::random_matrix(samples, m, engine);
    const Eigen::VectorXd q0 = 0.1 * test::random_matrix(n, 1, engine);
    const Eigen::VectorXd v0 = 0.1 * test::random_matrix(n, 1, engine);
    e.output =
        integrate::apply(outputs, integrate::simulate(result.system, e.input, e.step, q0, v0,
                                                      {.method = options.method,
                                                       .hold = options.hold,
                                                       .gauss_stages = options.gauss_stages}));
    for (Eigen::Index k = 0; k < samples; k += 7) e.output(k, 0) = kNaN;
    for (Eigen::Index k = 0; k < 120; ++k) e.output(k, n - 1) = kNaN;
    result.data.push_back(e);
  }
  return result;
}

// ŷ of all measured samples for stacked matrices and start states (q, q').
Eigen::VectorXd response(const Case& c, const Eigen::VectorXd& unknowns, Eigen::Index size,
                         const RefineOptions& options) {
  const Eigen::Index n = c.system.degrees_of_freedom();
  const Matrices at = unstacked(unknowns.head(size));
  std::vector<double> values;
  for (std::size_t e = 0; e < c.data.size(); ++e) {
    const Eigen::VectorXd start =
        unknowns.segment(size + static_cast<Eigen::Index>(e) * 2 * n, 2 * n);
    const Eigen::MatrixXd y = integrate::apply(
        c.problem.outputs, integrate::simulate({at.M, at.D, at.K, c.system.L}, c.data[e].input,
                                               c.data[e].step, start.head(n), start.tail(n),
                                               {.method = options.method,
                                                .hold = options.hold,
                                                .gauss_stages = options.gauss_stages}));
    for (Eigen::Index i = 0; i < y.cols(); ++i) {
      for (Eigen::Index k = 0; k < y.rows(); ++k) {
        if (!std::isnan(c.data[e].output(k, i))) values.push_back(y(k, i));
      }
    }
  }
  return Eigen::Map<Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

// (JᵀJ)⁻¹ of the matrices from central differences, start states marginalised.
Eigen::MatrixXd covariance_by_differences(const Case& c, const RefineOptions& options) {
  const Matrices truth{c.system.M, c.system.D, c.system.K};
  const Eigen::VectorXd stack = stacked(truth);
  const Prediction fit = predict(c.system, c.problem.outputs, c.data, options);
  Eigen::VectorXd unknowns(stack.size() + fit.start.size());
  unknowns << stack, fit.start.reshaped();
  const Eigen::VectorXd here = response(c, unknowns, stack.size(), options);
  const Eigen::Index columns = options.free_start ? unknowns.size() : stack.size();
  // Five-point differences: truncation h⁴/30 of the fifth derivative.
  constexpr double kStep = 1e-4;
  Eigen::MatrixXd J(here.size(), columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    const auto at = [&](double distance) {
      return response(c, unknowns + distance * Eigen::VectorXd::Unit(unknowns.size(), j),
                      stack.size(), options);
    };
    J.col(j) = (8.0 * (at(kStep) - at(-kStep)) - (at(2 * kStep) - at(-2 * kStep))) / (12 * kStep);
  }
  return (J.transpose() * J).inverse().topLeftCorner(stack.size(), stack.size());
}

// Covariances as correlations, so that all entries count alike.
Eigen::MatrixXd scaled_like(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& reference) {
  const Eigen::VectorXd scale = reference.diagonal().cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * matrix * scale.asDiagonal();
}

const std::vector<RefineOptions>& rules() {
  static const std::vector<RefineOptions> list{
      {.method = Method::Exact, .hold = signal::BetweenSamples::Cubic},
      {.method = Method::Exact, .hold = signal::BetweenSamples::Linear},
      {.method = Method::Exact, .hold = signal::BetweenSamples::Held, .free_start = false},
      {.method = Method::Variational},
      {.method = Method::Gauss, .hold = signal::BetweenSamples::Cubic, .gauss_stages = 2},
      {.method = Method::Gauss, .hold = signal::BetweenSamples::Linear, .gauss_stages = 3},
      {.method = Method::Gauss, .hold = signal::BetweenSamples::Held, .gauss_stages = 1}};
  return list;
}

TEST(Sensitivities, ModalDirectAndDifferencesAgreeForEveryRule) {
  std::mt19937_64 engine(21);
  for (std::size_t r = 0; r < rules().size(); ++r) {
    RefineOptions options = rules()[r];
    const Case c = mixed_case(3, 2, options, engine);
    const Matrices truth{c.system.M, c.system.D, c.system.K};
    const Eigen::VectorXd noise = Eigen::VectorXd::Ones(3);
    const Bound modal = cramer_rao_bound(c.problem, c.data, truth, noise, options);
    options.sensitivities = Sensitivities::Direct;
    const Bound direct = cramer_rao_bound(c.problem, c.data, truth, noise, options);
    ASSERT_TRUE(modal.ok()) << r << ' ' << modal.message;
    // Rounding times the condition numbers of J (below 1e3) and of the eigenvectors.
    EXPECT_TRUE(matrices_near(scaled_like(modal.covariance, direct.covariance),
                              scaled_like(direct.covariance, direct.covariance), {.abs = 1e-8}))
        << "rule " << r;
    // Differences: 1e-10 relative truncation and 1e-12 rounding, amplified by cond(J).
    EXPECT_TRUE(matrices_near(scaled_like(covariance_by_differences(c, options), direct.covariance),
                              scaled_like(direct.covariance, direct.covariance), {.abs = 1e-6}))
        << "rule " << r;
    EXPECT_NEAR(modal.condition / direct.condition, 1.0, 1e-6);
  }
}

// Poles that coincide, nearly coincide, are real, or are defective: both ways must agree where the
// divided differences change their form.
TEST(Sensitivities, AgreeForSpecialPoles) {
  std::mt19937_64 engine(22);
  const Case base = mixed_case(3, 2, {}, engine);
  const Eigen::Matrix3d identity = Eigen::Matrix3d::Identity();
  const auto check = [&](const Eigen::Matrix3d& D, const Eigen::Matrix3d& K, const char* what) {
    const Eigen::VectorXd noise = Eigen::VectorXd::Ones(3);
    const Matrices truth{identity, D, K};
    const Bound modal = cramer_rao_bound(base.problem, base.data, truth, noise, {});
    const Bound direct = cramer_rao_bound(base.problem, base.data, truth, noise,
                                          {.sensitivities = Sensitivities::Direct});
    ASSERT_TRUE(direct.ok()) << what << ' ' << direct.message;
    EXPECT_TRUE(matrices_near(scaled_like(modal.covariance, direct.covariance),
                              scaled_like(direct.covariance, direct.covariance), {.abs = 1e-6}))
        << what;
  };
  for (const double gap : {0.0, 1e-12, 1e-8, 1e-5, 1e-4, 1e-3, 1e-2}) {
    const Eigen::Matrix3d K = Eigen::Vector3d(10.0, 10.0 * (1.0 + gap), 30.0).asDiagonal();
    check(0.02 * K, K, "repeated");
  }
  const Eigen::Matrix3d K = Eigen::Vector3d(10.0, 20.0, 30.0).asDiagonal();
  check(20.0 * identity, K, "overdamped");
  for (const double gap : {0.0, 1e-9, 1e-4, -1e-4}) {
    check(2.0 * std::sqrt(10.0 * (1.0 + gap)) * identity, K, "critical");
  }
}

// The largest system that the tests can afford; checks the many-channel paths.
TEST(Sensitivities, AgreeForTheFrame) {
  const model::SecondOrder system = test::frame_8dof();
  const LinearProblem problem{system.L, test::all_sensed(8), free_matrices(8)};
  const Experiments data{
      test::simulated_experiment(system, problem.outputs, {.samples = 600, .step = 0.02}, 3)};
  const Matrices truth{system.M, system.D, system.K};
  const Eigen::VectorXd noise = Eigen::VectorXd::Constant(8, 1e-4);
  const Bound modal = cramer_rao_bound(problem, data, truth, noise);
  const Bound direct =
      cramer_rao_bound(problem, data, truth, noise, {.sensitivities = Sensitivities::Direct});
  EXPECT_TRUE(matrices_near(scaled_like(modal.covariance, direct.covariance),
                            scaled_like(direct.covariance, direct.covariance), {.abs = 1e-8}));
}

}  // namespace sensitivity_test
}  // namespace alembert::identify
