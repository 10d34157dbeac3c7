#include "alembert/optimize/estimate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/random.hpp"
#include "core/algebra/dense.hpp"
#include "tests/support/matrices_near.hpp"
#include "tests/support/message_of.hpp"

namespace alembert::optimize {
namespace estimate_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::kEps;
using test::matrices_near;
using testing::ElementsAre;
using testing::HasSubstr;

// Straight line over t = 0..N-1.
MatrixXd line_jacobian(Index N) {
  MatrixXd J(N, 2);
  J << VectorXd::Ones(N), VectorXd::LinSpaced(N, 0.0, static_cast<double>(N - 1));
  return J;
}

// var(slope) = σ²/Σ(t - mean)² = 12 σ²/(N (N² - 1)); var(offset) = σ² (4N - 2)/(N (N + 1));
// ρ = -√3 √((N - 1)/(2 (2N - 1)))·√... from the same sums: -mean/√(Σt²/N).
TEST(EstimateStatistics, OfALineAreThoseOfTheTextbook) {
  for (const Index count : {3, 10, 200}) {
    const double N = static_cast<double>(count);
    const MatrixXd J = line_jacobian(count);
    const double sum = 7.0;
    const EstimateStatistics result = estimate_statistics(
        {"offset", "slope"}, Eigen::Vector2d(2.0, -0.5), J.transpose() * J, sum, count);
    EXPECT_TRUE(result.ok()) << result.message;
    const double variance = sum / (N - 2.0);
    EXPECT_DOUBLE_EQ(result.noise_variance, variance);
    // The eigenvalues of the scaled matrix are O(1); their inverse has the condition number.
    const double rounding = 100.0 * kEps * result.condition * result.condition;
    EXPECT_NEAR(result.deviations(1), std::sqrt(12.0 * variance / (N * (N * N - 1.0))),
                rounding * result.deviations(1));
    EXPECT_NEAR(result.deviations(0), std::sqrt(variance * (4.0 * N - 2.0) / (N * (N + 1.0))),
                rounding * result.deviations(0));
    const double rho = -std::sqrt(1.5 * (N - 1.0) / (2.0 * N - 1.0));
    EXPECT_NEAR(result.correlation(0, 1), rho, rounding);
    // The scaled matrix is [1 -rho; -rho 1], with eigenvalues 1 ± |rho|.
    EXPECT_NEAR(result.condition, std::sqrt((1.0 - rho) / (1.0 + rho)), rounding);
    EXPECT_DOUBLE_EQ(result.relative_deviations(1), result.deviations(1) / 0.5);
    EXPECT_EQ(result.rank, 2);
    EXPECT_EQ(result.freedom, count - 2);
  }
}

// J = [1 1; 0 e; 0 0]: (JᵀJ)⁻¹ = [1 + 1/e², -1/e²; -1/e², 1/e²]. At e = 1e-9 the normal equations
// have lost it, the factor has not.
TEST(EstimateStatistics, OfAFactorKnowSmallSingularValues) {
  for (const double e : {1e-3, 1e-6, 1e-9}) {
    const MatrixXd R = (MatrixXd(2, 2) << 1.0, 1.0, 0.0, e).finished();
    const EstimateStatistics result =
        estimate_statistics_by_factor({"a", "b"}, Eigen::Vector2d(1.0, 2.0), R, 8e-18, 10);
    ASSERT_TRUE(result.ok()) << result.message;
    // The noise has the variance 8e-18/(10 - 2); columns that are scaled lose eps/e.
    EXPECT_NEAR(result.deviations(1) * e * 1e9, 1.0, 10.0 * kEps / e);
    EXPECT_NEAR(result.correlation(0, 1), -1.0 / std::sqrt(1.0 + e * e), 10.0 * kEps / e);
  }
  const MatrixXd R = (MatrixXd(2, 2) << 1.0, 1.0, 0.0, 1e-9).finished();
  EXPECT_EQ(estimate_statistics({"a", "b"}, Eigen::Vector2d(1.0, 2.0), R.transpose() * R, 8e-18, 10)
                .status,
            Status::NotIdentifiable);
  // A thousand and more times the parameters: not seen.
  EXPECT_EQ(estimate_statistics_by_factor({"a", "b"}, Eigen::Vector2d(1.0, 2.0), R, 8e-10, 10).rank,
            1);
  EXPECT_EQ(estimate_statistics_by_factor({"a", "b"}, Eigen::Vector2d(1.0, 2.0), R, 8e-18, 10).rank,
            2);
  const EstimateStatistics lost =
      estimate_statistics_by_factor({"a", "b"}, Eigen::Vector2d(1.0, 2.0),
                                    (MatrixXd(2, 2) << 1.0, 1.0, 0.0, 0.0).finished(), 8.0, 10);
  EXPECT_EQ(lost.status, Status::NotIdentifiable);
  EXPECT_TRUE(std::isinf(lost.deviations(0)));
}

// The line again, with a covariance of its own.
TEST(EstimateStatistics, TakeAnotherCovariance) {
  const MatrixXd J = line_jacobian(10);
  const EstimateStatistics white = estimate_statistics(
      {"offset", "slope"}, Eigen::Vector2d(2.0, -0.5), J.transpose() * J, 7.0, 10);
  const MatrixXd P = (MatrixXd(2, 2) << 4.0, -1.98, -1.98, 1.0).finished();
  const EstimateStatistics other = with_covariance(white, P);
  EXPECT_DOUBLE_EQ(other.deviations(0), 2.0);
  EXPECT_DOUBLE_EQ(other.relative_deviations(1), 2.0);
  EXPECT_DOUBLE_EQ(other.correlation(0, 1), -0.99);
  ASSERT_EQ(other.correlated.size(), 1U);
  EXPECT_EQ(other.correlated[0].first, "offset");
  EXPECT_THAT(test::message_of([&] { (void)with_covariance(white, MatrixXd::Ones(3, 3)); }),
              HasSubstr("covariance"));
}

// An exact fit has no variance; its parameters hang together as those of any other.
TEST(EstimateStatistics, OfAnExactFitHaveCorrelations) {
  const MatrixXd J = line_jacobian(10);
  const EstimateStatistics exact = estimate_statistics(
      {"offset", "slope"}, Eigen::Vector2d(2.0, -0.5), J.transpose() * J, 0.0, 10);
  EXPECT_EQ(exact.deviations(0), 0.0);
  EXPECT_NEAR(exact.correlation(0, 1), -std::sqrt(1.5 * 9.0 / 19.0), 100.0 * kEps);
}

TEST(EstimateStatistics, SaysThatDerivativesAreNoNumbers) {
  Problem problem{{{.name = "a", .guess = 2.0}}, {}};
  problem.objective.sums = [](const VectorXd&, NormalEquations& sums) {
    sums.add(VectorXd::Ones(3), MatrixXd::Constant(3, 1, std::nan("")));
  };
  Minimum minimum;
  minimum.parameters = VectorXd::Constant(1, 2.0);
  const EstimateStatistics result = estimate_statistics(problem, minimum);
  EXPECT_EQ(result.status, Status::NotFinite);
  EXPECT_THAT(result.message, HasSubstr("derivatives"));
}

TEST(EstimateStatistics, UnitsChangeNothing) {
  MatrixXd J = line_jacobian(12);
  const EstimateStatistics plain =
      estimate_statistics({"a", "b"}, Eigen::Vector2d(1.0, 2.0), J.transpose() * J, 1.0, 12);
  J.col(1) *= 1e9;
  const EstimateStatistics scaled =
      estimate_statistics({"a", "b"}, Eigen::Vector2d(1.0, 2e-9), J.transpose() * J, 1.0, 12);
  EXPECT_EQ(scaled.rank, 2);
  EXPECT_NEAR(scaled.condition, plain.condition, 1e-12 * plain.condition);
  EXPECT_TRUE(matrices_near(scaled.relative_deviations, plain.relative_deviations, {.rel = 1e-12}));
  EXPECT_EQ(scaled.weakest.words, plain.weakest.words);
}

TEST(EstimateStatistics, NamesCorrelatedPairs) {
  // Information with correlation -0.99 between a and b, none with c.
  MatrixXd H = MatrixXd::Identity(3, 3);
  H(1, 0) = H(0, 1) = 0.99;
  const EstimateStatistics result =
      estimate_statistics({"a", "b", "c"}, Eigen::Vector3d(1.0, 1.0, 1.0), H, 1.0, 10);
  ASSERT_EQ(result.correlated.size(), 1U);
  EXPECT_EQ(result.correlated[0].first, "a");
  EXPECT_EQ(result.correlated[0].second, "b");
  EXPECT_NEAR(result.correlated[0].correlation, -0.99, 1e-12);
  EXPECT_EQ(result.weakest.words, "a up, b down in proportion");
}

// 600 lines with noise: the spread of the estimates is the reported one. The relative error of a
// standard deviation from n runs is 1/√(2 n) = 2.9 %; four of them.
TEST(EstimateStatistics, AgreeWithMonteCarlo) {
  constexpr int kRuns = 600;
  const MatrixXd J = line_jacobian(25);
  const MatrixXd H = J.transpose() * J;
  const MatrixXd inverse = (MatrixXd(2, 2) << H(1, 1), -H(0, 1), -H(0, 1), H(0, 0)).finished() /
                           (H(0, 0) * H(1, 1) - H(0, 1) * H(0, 1));
  const Eigen::Vector2d truth(1.0, 0.3);
  Eigen::Vector2d squares(0.0, 0.0);
  VectorXd reported = VectorXd::Zero(2);
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    const VectorXd noise = 0.2 * RandomStream(404, run).normal_vector(25);
    const VectorXd estimate = inverse * (J.transpose() * (J * truth + noise));
    const VectorXd r = J * (estimate - truth) - noise;
    const EstimateStatistics result =
        estimate_statistics({"a", "b"}, estimate, H, r.squaredNorm(), 25);
    squares += (estimate - truth).cwiseAbs2();
    reported += result.deviations.cwiseAbs2();
  }
  for (Index i = 0; i < 2; ++i) {
    EXPECT_NEAR(std::sqrt(reported(i) / squares(i)), 1.0, 4.0 / std::sqrt(2.0 * kRuns));
  }
}

// The data see the products beta·gamma and beta·delta only, as in a Bouc-Wen model, and alpha.
MatrixXd product_jacobian(const VectorXd& theta) {
  MatrixXd J(40, 4);
  for (Index t = 0; t < 40; ++t) {
    const double u = std::sin(0.3 * static_cast<double>(t));
    const double v = std::cos(0.7 * static_cast<double>(t));
    const double w = std::sin(0.11 * static_cast<double>(t)) + 0.3 * v;
    J.row(t) << w, theta(2) * u + theta(3) * v, theta(1) * u, theta(1) * v;
  }
  return J;
}

TEST(EstimateStatistics, WritesOutWhatTheDataCannotSee) {
  const Eigen::Vector4d theta(3.0, 1e3, 0.8, -1.1);
  const MatrixXd J = product_jacobian(theta);
  const std::vector<std::string> names = {"alpha", "beta", "gamma", "delta"};
  const EstimateStatistics result = estimate_statistics(names, theta, J.transpose() * J, 2.0, 40);
  EXPECT_EQ(result.status, Status::NotIdentifiable);
  EXPECT_EQ(result.rank, 3);
  EXPECT_TRUE(std::isinf(result.condition));
  ASSERT_EQ(result.null_directions.size(), 1U);
  EXPECT_EQ(result.null_directions[0].words, "beta up, gamma and delta down in proportion");
  EXPECT_THAT(result.message, HasSubstr("beta up, gamma and delta down in proportion"));
  // Along the direction the residuals do not move.
  const VectorXd& change = result.null_directions[0].change;
  EXPECT_LT((J * change).norm(), 1e-7 * J.norm() * change.norm());
  // No standard deviation from a singular J; alpha has that of the model with beta fixed.
  EXPECT_TRUE(std::isinf(result.deviations(1)));
  EXPECT_TRUE(std::isinf(result.deviations(2)));
  EXPECT_TRUE(std::isinf(result.deviations(3)));
  MatrixXd fixed(40, 3);
  fixed << J.col(0), J.col(2), J.col(3);
  const EstimateStatistics reduced =
      estimate_statistics({"alpha", "gamma", "delta"}, Eigen::Vector3d(3.0, 0.8, -1.1),
                          fixed.transpose() * fixed, 2.0, 40);
  EXPECT_TRUE(reduced.ok());
  // The null space is found to the square root of rounding: JᵀJ is all that is known.
  EXPECT_NEAR(result.deviations(0), reduced.deviations(0), 1e-6 * reduced.deviations(0));
}

TEST(EstimateStatistics, NamesAParameterWithoutEffectAndSeveralDirections) {
  MatrixXd J = MatrixXd::Zero(30, 5);
  for (Index t = 0; t < 30; ++t) {
    const double a = std::sin(1.0 * static_cast<double>(t));
    const double b = std::cos(2.0 * static_cast<double>(t));
    J.row(t) << a, a, b, 0.0, 2.0 * b;
  }
  VectorXd theta(5);
  theta << 1.0, 1.0, 4.0, 5.0, 1.0;
  const EstimateStatistics result =
      estimate_statistics({"p", "q", "r", "idle", "s"}, theta, J.transpose() * J, 1.0, 30);
  EXPECT_EQ(result.rank, 2);
  std::vector<std::string> words;
  for (const Direction& direction : result.null_directions) words.push_back(direction.words);
  EXPECT_THAT(words, testing::UnorderedElementsAre("p up, q down in proportion", "idle",
                                                   "r up 0.5 %, s down 1 %"));
}

// The judgement is the same for nearly singular problems on both sides of the limit.
TEST(EstimateStatistics, JudgesRankOnScaledColumns) {
  for (const double angle : {1e-3, 1e-5, 1e-6}) {
    MatrixXd J(50, 2);
    J.setZero();
    J(0, 0) = J(0, 1) = 1.0;
    J(1, 1) = angle;
    const EstimateStatistics result =
        estimate_statistics({"a", "b"}, Eigen::Vector2d(1.0, 1.0), J.transpose() * J, 1.0, 50);
    EXPECT_EQ(result.rank, 2) << angle;
    // The columns have the cosine c = 1/√(1 + angle²); the singular values are √(1 ± c). The square
    // of angle in JᵀJ has rounding eps.
    const double condition = (std::sqrt(1.0 + angle * angle) + 1.0) / angle;
    EXPECT_NEAR(result.condition, condition, 8.0 * kEps / (angle * angle) * condition);
  }
  MatrixXd J = MatrixXd::Zero(50, 2);
  J(0, 0) = J(0, 1) = 1.0;
  J(1, 1) = 1e-9;
  const EstimateStatistics result =
      estimate_statistics({"a", "b"}, Eigen::Vector2d(1.0, 1.0), J.transpose() * J, 1.0, 50);
  EXPECT_EQ(result.rank, 1);
  EXPECT_TRUE(std::isinf(result.deviations(0)));
}

TEST(DirectionInWords, SizesMustAgree) {
  EXPECT_THROW(direction_in_words({"a"}, Eigen::Vector2d(1.0, 2.0), Eigen::Vector2d(1.0, 2.0)),
               InvalidInput);
  EXPECT_THROW(direction_in_words({"a", "b"}, Eigen::Vector2d(1.0, 2.0), Eigen::VectorXd()),
               InvalidInput);
  EXPECT_EQ(direction_in_words({}, Eigen::VectorXd(), Eigen::VectorXd()), "none");
}

TEST(DirectionInWords, HandlesZeroParametersAndSigns) {
  EXPECT_EQ(direction_in_words({"a", "b"}, Eigen::Vector2d(0.0, 2.0), Eigen::Vector2d(-1.0, 0.5)),
            "a by +1, b by -0.5");
  EXPECT_EQ(direction_in_words({"a", "b"}, Eigen::Vector2d(-1.0, 2.0), Eigen::Vector2d(-1.0, 2.0)),
            "a and b up in proportion");
  EXPECT_EQ(direction_in_words({"a", "b"}, Eigen::Vector2d(1.0, 1.0), Eigen::Vector2d(1e-9, 1.0)),
            "b");
}

// Three parameters, few samples: all entries of (JᵀJ)⁻¹ S (JᵀJ)⁻¹ N/(N - p), by dense inverses.
TEST(EstimateStatistics, TheSandwichOfSeveralParametersIsThatOfItsFormula) {
  constexpr Index kSamples = 12;
  RandomStream random(77);
  MatrixXd J(kSamples, 3);
  VectorXd r(kSamples);
  for (Index t = 0; t < kSamples; ++t) {
    J.row(t) << 1.0, 0.3 * static_cast<double>(t), random.normal();
    r(t) = random.normal() + (t > 0 ? 0.6 * r(t - 1) : 0.0);
  }
  const MatrixXd H = J.transpose() * J;
  for (const Index lag : {Index{0}, Index{2}}) {
    MatrixXd S = MatrixXd::Zero(3, 3);
    for (Index t = 0; t < kSamples; ++t) {
      for (Index s = 0; s < kSamples; ++s) {
        const double weight =
            1.0 - static_cast<double>(std::abs(t - s)) / static_cast<double>(lag + 1);
        if (weight > 0.0) S += weight * r(t) * r(s) * J.row(t).transpose() * J.row(s);
      }
    }
    const EstimateStatistics found = estimate_statistics(
        {"a", "b", "c"}, VectorXd::Ones(3), H, r.squaredNorm(), kSamples, {.score_covariance = S});
    ASSERT_TRUE(found.ok()) << found.message;
    const MatrixXd inverse = dense::inverse(H);
    const MatrixXd expected = inverse * S * inverse * (12.0 / 9.0);
    // Rounding, amplified by the condition of H, about 1e3.
    EXPECT_TRUE(matrices_near(found.covariance, expected, {.rel = 1e5 * kEps})) << lag;
    EXPECT_NEAR(found.correlation(0, 1),
                expected(0, 1) / std::sqrt(expected(0, 0) * expected(1, 1)), 1e5 * kEps);
    EXPECT_TRUE(
        matrices_near(found.deviations, expected.diagonal().cwiseSqrt(), {.rel = 1e5 * kEps}));
  }
}

TEST(EstimateStatistics, OfAProblemFoldTiesAndHoldBounds) {
  Problem problem;
  problem.parameters = {{.name = "a", .guess = 2.0, .logarithmic = true},
                        {.name = "b", .tie = Tie{"a", 3.0}},
                        {.name = "c", .guess = 1.0, .upper = 1.5},
                        {.name = "d", .guess = 9.0, .fixed = true}};
  MatrixXd J(20, 4);
  for (double& entry : J.reshaped()) entry = 0.0;
  RandomStream random(3);
  for (double& entry : J.reshaped()) entry = random.normal();
  const VectorXd data = 5.0 * random.normal_vector(20) + 10.0 * J.col(2) + 7.0 * J.col(0);
  problem.objective.sums = [&](const VectorXd& theta, NormalEquations& sums) {
    sums.add(VectorXd(J * theta - data), J);
  };
  const Minimum fit = minimise(problem, {.solver = Solver::LevenbergMarquardt});
  ASSERT_TRUE(fit.ok()) << fit.message;
  const EstimateStatistics result = estimate_statistics(problem, fit);
  EXPECT_THAT(result.names, ElementsAre("a"));
  EXPECT_THAT(result.held, ElementsAre("c"));
  const double square = (J.col(0) + 3.0 * J.col(1)).squaredNorm();
  EXPECT_NEAR(result.deviations(0), std::sqrt(fit.cost / 19.0 / square),
              1e-12 * result.deviations(0));
  problem.objective = {.cost = [](const VectorXd&) { return 0.0; }};
  EXPECT_THAT(test::message_of([&] { (void)estimate_statistics(problem, fit); }),
              HasSubstr("objective.sums"));
}

TEST(EstimateStatistics, SaysThatNothingIsLeftForTheNoise) {
  const MatrixXd J = line_jacobian(2);
  const EstimateStatistics result =
      estimate_statistics({"a", "b"}, Eigen::Vector2d(1.0, 1.0), J.transpose() * J, 0.0, 2);
  EXPECT_EQ(result.status, Status::NotIdentifiable);
  EXPECT_THAT(result.message, HasSubstr("noise_variance"));
  EXPECT_TRUE(std::isinf(result.deviations(0)));
  const EstimateStatistics known = estimate_statistics(
      {"a", "b"}, Eigen::Vector2d(1.0, 1.0), J.transpose() * J, 0.0, 2, {.noise_variance = 0.04});
  EXPECT_TRUE(known.ok());
  EXPECT_NEAR(known.deviations(0), 0.2, 1e-14);
}

TEST(EstimateStatistics, NamesWhatIsWrong) {
  const auto message = [](const std::vector<std::string>& names, const MatrixXd& H, double sum,
                          Index N) {
    return test::message_of(
        [&] { (void)estimate_statistics(names, Eigen::Vector2d(1.0, 1.0), H, sum, N); });
  };
  const MatrixXd H = MatrixXd::Identity(2, 2);
  EXPECT_THAT(message({"a"}, H, 1.0, 9), HasSubstr("names"));
  EXPECT_THAT(message({"a", "b"}, MatrixXd::Identity(3, 3), 1.0, 9), HasSubstr("information"));
  EXPECT_THAT(message({"a", "b"}, NAN * H, 1.0, 9), HasSubstr("information"));
  EXPECT_THAT(message({"a", "b"}, H, -1.0, 9), HasSubstr("residual_sum"));
  EXPECT_THAT(message({"a", "b"}, H, 1.0, 0), HasSubstr("residuals"));
}

}  // namespace estimate_test
}  // namespace alembert::optimize
