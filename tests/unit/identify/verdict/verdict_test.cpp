#include "alembert/identify/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <numbers>
#include <random>

#include "alembert/core/chi_square.hpp"
#include "alembert/model/modes.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"
#include "unit/identify/identify_records.hpp"

namespace alembert::identify {
namespace verdict_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::all_sensed;
using test::kEps;
using testing::HasSubstr;

// m q'' + d q' + k q: |λ| = √(k/m) and ζ = d/(2 √(km)), so that with independent m, d, k
//   (σ_f/f)² = (σ_k/k)²/4 + (σ_m/m)²/4,   (σ_ζ/ζ)² = (σ_d/d)² + (σ_k/k)²/4 + (σ_m/m)²/4.
TEST(ModeVerdicts, OneMassInClosedForm) {
  const double m = 2.0;
  const double d = 0.7;
  const double k = 50.0;
  const MatrixXd covariance =
      Eigen::Vector3d(0.01 * m * m, 0.04 * d * d, 0.09 * k * k).asDiagonal();
  const std::vector<ModeVerdict> modes = mode_verdicts(test::oscillator(m, d, k), covariance);
  ASSERT_EQ(modes.size(), 1U);
  const double f = std::sqrt(k / m) / (2.0 * std::numbers::pi);
  const double zeta = d / (2.0 * std::sqrt(k * m));
  // Rounding of a few operations.
  EXPECT_NEAR(modes[0].frequency_hz, f, 10 * kEps * f);
  EXPECT_NEAR(modes[0].frequency_deviation, f * std::sqrt((0.09 + 0.01) / 4.0), 50 * kEps * f);
  EXPECT_NEAR(modes[0].damping, zeta, 10 * kEps);
  EXPECT_NEAR(modes[0].damping_deviation, zeta * std::sqrt(0.04 + (0.09 + 0.01) / 4.0),
              50 * kEps * zeta);
  // The one entry of the shape is 1 by convention.
  EXPECT_NEAR(modes[0].shape_deviation(0), 0.0, 10 * kEps);
}

// The same numbers by central differences of the modes along each entry of the stack.
TEST(ModeVerdicts, MatchesFiniteDifferences) {
  std::mt19937_64 engine(11);
  for (const Index n : {2, 3, 5}) {
    const model::SecondOrder system = test::random_system(n, 1, engine);
    const VectorXd stack = stacked({system.M, system.D, system.K});
    const Index size = stack.size();
    const MatrixXd root = test::random_matrix(size, size, engine) * 1e-3;
    const MatrixXd covariance = root * root.transpose();
    const std::vector<ModeVerdict> modes = mode_verdicts(system, covariance);
    ASSERT_EQ(modes.size(), static_cast<std::size_t>(n));
    const auto modes_at = [&](const VectorXd& at) {
      const Matrices matrices = unstacked(at);
      return model::damped_modes({matrices.M, matrices.D, matrices.K, system.L});
    };
    MatrixXd frequency(size, n);
    MatrixXd damping(size, n);
    std::vector<Eigen::MatrixXcd> shape(static_cast<std::size_t>(n), Eigen::MatrixXcd(n, size));
    const double delta = 1e-5;
    for (Index j = 0; j < size; ++j) {
      VectorXd shift = VectorXd::Zero(size);
      shift(j) = delta;
      const auto above = modes_at(stack + shift);
      const auto below = modes_at(stack - shift);
      for (Index r = 0; r < n; ++r) {
        const auto place = static_cast<std::size_t>(r);
        frequency(j, r) = (above[place].frequency_hz - below[place].frequency_hz) / (2 * delta);
        damping(j, r) = (above[place].damping_ratio - below[place].damping_ratio) / (2 * delta);
        shape[place].col(j) = (above[place].shape - below[place].shape) / (2 * delta);
      }
    }
    for (Index r = 0; r < n; ++r) {
      const auto place = static_cast<std::size_t>(r);
      const double f_std = std::sqrt(frequency.col(r).dot(covariance * frequency.col(r)));
      const double z_std = std::sqrt(damping.col(r).dot(covariance * damping.col(r)));
      // Truncation delta² times third derivatives, rounding eps/delta: both near 1e-9; two more
      // digits for close poles.
      EXPECT_NEAR(modes[place].frequency_deviation, f_std, 1e-6 * f_std);
      EXPECT_NEAR(modes[place].damping_deviation, z_std, 1e-6 * z_std);
      for (Index i = 0; i < n; ++i) {
        const VectorXd re = shape[place].row(i).real();
        const VectorXd im = shape[place].row(i).imag();
        const double s = std::sqrt(re.dot(covariance * re) + im.dot(covariance * im));
        EXPECT_NEAR(modes[place].shape_deviation(i), s,
                    1e-6 * (s + modes[place].shape_deviation.maxCoeff()));
      }
    }
  }
}

TEST(ModeVerdicts, LeavesOverdampedPairsOut) {
  EXPECT_TRUE(mode_verdicts(test::oscillator(1.0, 10.0, 1.0), MatrixXd::Identity(3, 3)).empty());
}

// Two equal masses without a link: the shapes of a repeated pole have no derivative.
TEST(ModeVerdicts, RepeatedPolesHaveNoDeviation) {
  model::SecondOrder system;
  system.M = system.K = system.L = MatrixXd::Identity(2, 2);
  system.D = 0.1 * system.M;
  for (const ModeVerdict& mode : mode_verdicts(system, MatrixXd::Identity(9, 9))) {
    EXPECT_TRUE(std::isinf(mode.shape_deviation(0)));
  }
}

TEST(ModeVerdicts, NamesTheWrongSize) {
  EXPECT_THAT(test::message_of(
                  [] { (void)mode_verdicts(test::oscillator(1, 1, 1), MatrixXd::Identity(2, 2)); }),
              HasSubstr("matrix_covariance"));
}

TEST(EntryDeviations, RootsOfTheDiagonal) {
  VectorXd variances = VectorXd::LinSpaced(9, 1.0, 9.0).array().square();
  const Matrices deviations = entry_deviations(MatrixXd(variances.asDiagonal()));
  EXPECT_EQ(deviations.M, (MatrixXd(2, 2) << 1, 2, 2, 3).finished());
  EXPECT_EQ(deviations.D, (MatrixXd(2, 2) << 4, 5, 5, 6).finished());
  EXPECT_EQ(deviations.K, (MatrixXd(2, 2) << 7, 8, 8, 9).finished());
}

Experiments noise_record(Index samples, std::uint64_t seed) {
  RandomStream random(seed);
  Experiment experiment{MatrixXd::Zero(samples, 1), MatrixXd::Zero(samples, 1), 0.01};
  experiment.output.col(0) = random.normal_vector(samples);
  return {experiment};
}

// White residuals pass the 95 % test about 95 times in 100: 200 seeds, binomial 4σ is 6 %.
TEST(ResidualVerdicts, WhiteNoisePassesAsOftenAsItShould) {
  int passed = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Experiments data = noise_record(400, seed);
    const ResidualVerdict verdict = residual_verdicts(data, {data[0].output}, 20).front();
    passed += verdict.whiteness <= 1.0 ? 1 : 0;
    EXPECT_EQ(verdict.whiteness <= 1.0, verdict.whiteness_p >= 0.05);
  }
  EXPECT_NEAR(passed / 200.0, 0.95, 0.062);
}

// Alternating ±1: ρ_k = (-1)^k (N - k)/N, hence Q = N (N + 2) Σ (N - k)/N².
TEST(ResidualVerdicts, AlternatingSignsInClosedForm) {
  const Index samples = 50;
  Experiments data = noise_record(samples, 1);
  MatrixXd residual(samples, 1);
  for (Index k = 0; k < samples; ++k) residual(k, 0) = k % 2 == 0 ? 1.0 : -1.0;
  const ResidualVerdict verdict = residual_verdicts(data, {residual}, 3).front();
  EXPECT_DOUBLE_EQ(verdict.rms, 1.0);
  EXPECT_TRUE(test::matrices_near(verdict.correlation, Eigen::Vector4d(1.0, -0.98, 0.96, -0.94),
                                  {.rel = 4 * kEps}));
  const double statistic = 50.0 * 52.0 * (49.0 + 48.0 + 47.0) / 2500.0;
  EXPECT_NEAR(verdict.whiteness, statistic / chi_square_quantile(0.95, 3.0), 1e-12 * statistic);
  EXPECT_LT(verdict.whiteness_p, 1e-12);
}

// Residuals of a tenth of the centred output: 90 % fit, also with holes.
TEST(ResidualVerdicts, FitOfAKnownShare) {
  Experiments data = noise_record(300, 4);
  data[0].output(17, 0) = std::nan("");
  double mean = 0.0;
  for (const double y : data[0].output.col(0)) mean += std::isnan(y) ? 0.0 : y / 299.0;
  const MatrixXd residual = 0.1 * (data[0].output.array() - mean);
  EXPECT_NEAR(residual_verdicts(data, {residual}, 5).front().fit, 90.0, 1e-10);
}

// Every fifth sample: the lags that have pairs are those of the series without its holes.
TEST(ResidualVerdicts, ARateOfItsOwnIsJudgedByTheLagsThatArePresent) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd dense(200, 1);
  for (Eigen::Index k = 0; k < dense.rows(); ++k) dense(k, 0) = normal(random);
  Eigen::MatrixXd holed =
      Eigen::MatrixXd::Constant(1000, 1, std::numeric_limits<double>::quiet_NaN());
  for (Eigen::Index k = 0; k < dense.rows(); ++k) holed(5 * k, 0) = dense(k, 0);
  const auto judged = [](const Eigen::MatrixXd& series, Eigen::Index lags) {
    const Experiments data = {
        {.input = Eigen::MatrixXd::Zero(series.rows(), 1), .output = series, .step = 1.0}};
    return residual_verdicts(data, {series}, lags).front();
  };
  const ResidualVerdict expected = judged(dense, 5);
  const ResidualVerdict found = judged(holed, 25);
  // The same sums in another order of 200 summands.
  EXPECT_NEAR(found.whiteness, expected.whiteness, 200.0 * kEps * expected.whiteness);
  EXPECT_NEAR(found.whiteness_p, expected.whiteness_p, 1e-12);
  EXPECT_DOUBLE_EQ(found.correlation(10), expected.correlation(2));
  EXPECT_TRUE(std::isnan(found.correlation(9)));
}

// Fewer than 20 samples cannot tell; with more of them at most a quarter as many lags count.
TEST(ResidualVerdicts, FewSamplesAreNotJudged) {
  const Experiments few = noise_record(19, 4);
  const ResidualVerdict unknown = residual_verdicts(few, {few[0].output}).front();
  EXPECT_TRUE(std::isnan(unknown.whiteness));
  EXPECT_TRUE(std::isnan(unknown.whiteness_p));
  EXPECT_EQ(whiteness_of({unknown}), Whiteness::Unknown);

  const Experiments enough = noise_record(20, 4);
  const ResidualVerdict judged = residual_verdicts(enough, {enough[0].output}).front();
  const ResidualVerdict five = residual_verdicts(enough, {enough[0].output}, 5).front();
  EXPECT_EQ(judged.whiteness_p, five.whiteness_p);
  EXPECT_EQ(judged.correlation.size(), 26);
}

// The limit is 0.01 for all outputs together.
TEST(ResidualVerdicts, OutputsAreJudgedTogether) {
  const auto with = [](double p) {
    ResidualVerdict verdict;
    verdict.whiteness_p = p;
    return verdict;
  };
  EXPECT_EQ(whiteness_of({with(0.002)}), Whiteness::White);
  EXPECT_EQ(whiteness_of({with(0.0009)}), Whiteness::Coloured);
  EXPECT_EQ(whiteness_of({with(0.0009), with(0.0006)}), Whiteness::White);
  const std::vector<ResidualVerdict> three = {with(0.5), with(0.0003), with(std::nan(""))};
  EXPECT_EQ(whiteness_of(three), Whiteness::Coloured);
  EXPECT_EQ(coloured_outputs(three), std::vector<std::size_t>{1});
  EXPECT_EQ(whiteness_of({with(0.5), with(std::nan(""))}), Whiteness::Unknown);
  EXPECT_EQ(to_string(Whiteness::White), "white");
}

TEST(ResidualVerdicts, NamesWrongSizes) {
  const Experiments data = noise_record(30, 4);
  EXPECT_THAT(test::message_of([&] { (void)residual_verdicts(data, {}, 5); }),
              HasSubstr("residuals"));
  EXPECT_THAT(test::message_of([&] { (void)residual_verdicts(data, {data[0].output}, 0); }),
              HasSubstr("lags"));
}

TEST(CorrelatedPairs, NamesThemWorstFirst) {
  Parametrisation unknowns = free_matrices(1);
  MatrixXd covariance(3, 3);
  // Deviations 1, 2, 3; correlations M-D 0.96, M-K -0.99, D-K -0.94.
  covariance << 1.0, 1.92, -2.97, 1.92, 4.0, -5.64, -2.97, -5.64, 9.0;
  const std::vector<CorrelatedPair> pairs = correlated_pairs(unknowns, covariance);
  ASSERT_EQ(pairs.size(), 2U);
  EXPECT_EQ(pairs[0].first, "M11");
  EXPECT_EQ(pairs[0].second, "K11");
  EXPECT_NEAR(pairs[0].correlation, -0.99, 4 * kEps);
  EXPECT_EQ(pairs[1].second, "D11");
  EXPECT_EQ(correlated_pairs(unknowns, covariance, 0.98).size(), 1U);
}

class Examine : public testing::Test {
 protected:
  Examine()
      : data_{test::simulated_experiment(test::coupled_3dof(), all_sensed(3),
                                         {.samples = 2000, .step = 0.1, .knot_step = 0.5}, 1)} {}

  // What is said of a channel, all remarks joined.
  [[nodiscard]] std::string said(const std::string& channel, Index unknowns = 18) const {
    std::string text;
    for (const DataRemark& remark :
         examine(data_, {"F1", "F2", "F3"}, {"x1", "x2", "x3"}, unknowns)) {
      if (remark.channel == channel) text += (remark.fatal ? "!" : "") + remark.text + "|";
    }
    return text;
  }

  Experiments data_;
};

TEST_F(Examine, GoodRecordsGetNoRemark) {
  EXPECT_TRUE(examine(data_, {}, {}, 18).empty())
      << examine(data_, {}, {}, 18).front().channel << ": "
      << examine(data_, {}, {}, 18).front().text;
}

TEST_F(Examine, DeadAndConstantChannels) {
  data_[0].output.col(0).setZero();
  data_[0].output.col(1).setConstant(3.0);
  data_[0].input.col(1).setConstant(2.0);
  EXPECT_THAT(said("x1"), HasSubstr("!is zero throughout"));
  EXPECT_THAT(said("x2"), HasSubstr("!is constant at 3"));
  EXPECT_THAT(said("F2"), HasSubstr("does not excite"));
  EXPECT_EQ(said("x3"), "");
}

TEST_F(Examine, EqualChannels) {
  data_[0].output.col(2) = data_[0].output.col(0);
  EXPECT_THAT(said("x3"), HasSubstr("!holds the same samples as x1"));
}

TEST_F(Examine, ClippedButNotCoarse) {
  const double limit = 0.7 * data_[0].output.col(0).maxCoeff();
  data_[0].output.col(0) = data_[0].output.col(0).cwiseMin(limit);
  EXPECT_THAT(said("x1"), HasSubstr("clipped"));
  // Rounding to 40 levels is coarse, but nothing is cut off.
  const double level = data_[0].output.col(1).cwiseAbs().maxCoeff() / 20.0;
  data_[0].output.col(1) = (data_[0].output.col(1) / level).array().round() * level;
  EXPECT_EQ(said("x2"), "");
}

TEST_F(Examine, ForcesThatTellTooLittle) {
  for (Index c = 0; c < 3; ++c) {
    for (Index k = 0; k < 2000; ++k) data_[0].input(k, c) = std::sin(0.2 * static_cast<double>(k));
  }
  EXPECT_THAT(said("", 200), HasSubstr("spectral lines"));
  EXPECT_THAT(said("F2"), HasSubstr("same samples as F1"));
  data_[0].input.setZero();
  EXPECT_THAT(said(""), HasSubstr("!no force moves"));
}

TEST_F(Examine, GrowingResponse) {
  for (Index k = 0; k < 2000; ++k) {
    data_[0].output(k, 1) +=
        std::exp(0.005 * static_cast<double>(k)) * std::sin(0.15 * static_cast<double>(k));
  }
  EXPECT_THAT(said("x2"), HasSubstr("unstable"));
  EXPECT_EQ(said("x1"), "");
}

TEST_F(Examine, PowerAtTheNyquistFrequency) {
  RandomStream random(3);
  data_[0].output.col(0) = random.normal_vector(2000);
  EXPECT_THAT(said("x1"), HasSubstr("aliasing"));
}

TEST_F(Examine, ForceThatIsNotSmooth) {
  RandomStream random(4);
  data_[0].input.col(1) = random.normal_vector(2000);
  EXPECT_EQ(said("F2"), "");  // may be held between samples
  for (const DataRemark& remark : examine(data_, {}, {}, 18, true)) {
    EXPECT_EQ(remark.channel, "input 2");
    EXPECT_THAT(remark.text, HasSubstr("held between samples"));
  }
  EXPECT_EQ(examine(data_, {}, {}, 18, true).size(), 1U);
}

TEST_F(Examine, OddUnitsAndOffsets) {
  data_[0].output.col(1) *= 1e4;
  data_[0].output.col(2).array() += 30.0 * data_[0].output.col(2).cwiseAbs().maxCoeff();
  EXPECT_THAT(said("x2"), HasSubstr("check its unit"));
  EXPECT_THAT(said("x3"), HasSubstr("take the offset off"));
}

TEST_F(Examine, TooShort) {
  EXPECT_THAT(said("", 10000), HasSubstr("!6000 measured samples cannot fix 10000"));
  EXPECT_THAT(said("", 1000), HasSubstr("few"));
  for (Index k = 0; k < 2000; ++k) data_[0].output(k, 0) = std::sin(0.005 * static_cast<double>(k));
  EXPECT_THAT(said("x1"), HasSubstr("fewer than 3 periods"));
}

}  // namespace verdict_test
}  // namespace alembert::identify
