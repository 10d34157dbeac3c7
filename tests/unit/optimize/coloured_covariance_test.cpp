#include "alembert/optimize/coloured_covariance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/linear_algebra.hpp"
#include "alembert/core/not_a_number.hpp"
#include "tests/support/matrices_near.hpp"
#include "tests/support/message_of.hpp"
#include "tests/unit/optimize/coloured_noise.hpp"

namespace alembert::optimize {
namespace coloured_covariance_test {

using namespace coloured_noise;  // NOLINT: the test is about nothing else
using test::kEps;
using test::matrices_near;
using test::message_of;
using testing::HasSubstr;

Fitted fitted_to(const LinearFit& fit, const std::string& noise, std::uint64_t seed) {
  RandomStream random(seed);
  return fitted(fit.J, noise_named(noise, fit, random));
}

// J and residuals that any program can write down: e_t = c1 e_{t-1} + c2 e_{t-2} + sin(1.7 t²).
ColouredBlock written_down(Index N, double c1, double c2) {
  MatrixXd J(N, 3);
  VectorXd e(N);
  for (Index i = 0; i < N; ++i) {
    const double t = static_cast<double>(i);
    const double x = t / static_cast<double>(N);
    J.row(i) << 1.0, x * x, std::sin(40.0 * x);
    e(i) = (i > 0 ? c1 * e(i - 1) : 0.0) + (i > 1 ? c2 * e(i - 2) : 0.0) + std::sin(1.7 * t * t);
  }
  return fitted(J, e).block;
}

// Numbers of a second program, coloured_covariance_reference.py, which follows the recipe line by
// line with J itself. At least eight digits were taken over; the fit is stopped after 150 passes in
// both, so that rounding is all that differs.
TEST(ColouredCovariance, AgreesWithASecondProgramOnFallingSpectra) {
  const ColouredCovariance found = coloured_covariance({written_down(300, 0.9, 0.0)});
  ASSERT_TRUE(found.ok());
  const double tolerance = 1e-6;
  EXPECT_TRUE(matrices_near(found.deviations, Eigen::Vector3d(0.74762673, 1.6566751, 0.34346072),
                            {.rel = tolerance}));
  EXPECT_TRUE(matrices_near(found.freedom, Eigen::Vector3d(6.6400486, 4.8166748, 12.164532),
                            {.rel = tolerance}));
  EXPECT_NEAR(found.covariance(0, 1), -0.90969528, tolerance);
  EXPECT_NEAR(found.slow_share, 0.0050448683, tolerance);
  EXPECT_NEAR(found.effective_samples, 24.158464, 30.0 * tolerance);
  EXPECT_NEAR(found.spectra[0].highest_peak, 2.3548065, 3.0 * tolerance);
  EXPECT_FALSE(found.spectra[0].peaks);
}

// Two outputs, each of which sees parameters of its own and nothing of the other's, are two fits.
TEST(ColouredCovariance, AParameterThatOneOutputAloneSeesHasTheFreedomOfThatOutput) {
  const ColouredBlock first = written_down(300, 0.9, 0.0), second = written_down(300, 0.5, 0.0);
  std::vector<ColouredBlock> both = {first, second};
  for (int c = 0; c < 2; ++c) {
    both[static_cast<std::size_t>(c)].channel = c;
    MatrixXd wide = MatrixXd::Zero(300, 6);
    wide.middleCols(3 * c, 3) = c == 0 ? first.jacobian : second.jacobian;
    both[static_cast<std::size_t>(c)].jacobian = wide;
  }
  const ColouredCovariance found = coloured_covariance(both);
  // The fit stops after 150 passes, or sooner once both outputs stand still.
  EXPECT_TRUE(
      matrices_near(found.freedom.head(3), coloured_covariance({first}).freedom, {.rel = 1e-3}));
  EXPECT_TRUE(
      matrices_near(found.freedom.tail(3), coloured_covariance({second}).freedom, {.rel = 1e-3}));
}

TEST(ColouredCovariance, AgreesWithASecondProgramOnAPeak) {
  const ColouredCovariance found = coloured_covariance({written_down(700, 1.9, -0.98)});
  ASSERT_TRUE(found.ok());
  const double tolerance = 1e-6;
  EXPECT_TRUE(found.spectra[0].peaks);
  EXPECT_EQ(found.spectra[0].order, 2);
  EXPECT_TRUE(matrices_near(found.deviations, Eigen::Vector3d(0.36738856, 0.82145084, 0.46552543),
                            {.rel = tolerance}));
  EXPECT_TRUE(matrices_near(found.freedom, Eigen::Vector3d(5.9989071, 6.1664843, 13.203279),
                            {.rel = tolerance}));
  EXPECT_NEAR(found.effective_samples, 10.460721, 10.0 * tolerance);
}

// One channel of one experiment, again written down: e_t = pole e_{t-1} + sin(1.7 t²) + mix sin(1.3
// t²).
ColouredBlock written_channel(Index N, int channel, int experiment) {
  const double pole = channel == 0 ? 0.9 : 0.8;
  const double mix = channel == 0 ? 0.0 : 0.5;
  const double turn = channel == 0 ? 40.0 : 25.0;
  ColouredBlock block{.jacobian = MatrixXd(N, 3),
                      .residual = VectorXd(N),
                      .channel = channel,
                      .experiment = experiment};
  for (Index i = 0; i < N; ++i) {
    const double t = static_cast<double>(i);
    const double x = t / static_cast<double>(N);
    block.jacobian.row(i) << 1.0, x * x, std::sin(turn * x);
    block.residual(i) = (i > 0 ? pole * block.residual(i - 1) : 0.0) + std::sin(1.7 * t * t) +
                        mix * std::sin(1.3 * t * t);
  }
  return block;
}

// Two channels, two experiments of unequal length, a gap: the second program once more.
TEST(ColouredCovariance, AgreesWithASecondProgramOnSeveralBlocks) {
  std::vector<ColouredBlock> blocks{written_channel(300, 0, 0), written_channel(300, 1, 0),
                                    written_channel(210, 0, 1), written_channel(210, 1, 1)};
  blocks[1].residual.segment(20, 5).setConstant(kNaN);
  const double tolerance = 1e-6;
  const ColouredCovariance found = coloured_covariance(blocks, {.peaks = false});
  EXPECT_TRUE(matrices_near(found.deviations,
                            Eigen::Vector3d(0.386014044, 0.863620296, 0.171792393),
                            {.rel = tolerance}));
  EXPECT_TRUE(matrices_near(found.freedom, Eigen::Vector3d(17.6087489, 12.7223992, 44.8994446),
                            {.rel = tolerance}));
  EXPECT_NEAR(found.covariance(0, 1), -0.247922957, tolerance);
  EXPECT_NEAR(found.effective_samples, 142.013784, 200.0 * tolerance);
  const ColouredCovariance apart =
      coloured_covariance(blocks, {.peaks = false, .cross_terms = false});
  EXPECT_TRUE(matrices_near(apart.deviations, Eigen::Vector3d(0.28932219, 0.645984269, 0.17102702),
                            {.rel = tolerance}));
}

// White noise: σ² (JᵀJ)⁻¹. The spectrum is estimated, so a single deviation scatters; the mean of
// 20 records is within four of its standard errors, and of the order of 1/√(2 ν).
TEST(ColouredCovariance, IsTheUsualOneForWhiteNoise) {
  const LinearFit fit = polynomial_and_sines();
  VectorXd sum = VectorXd::Zero(6);
  VectorXd squares = VectorXd::Zero(6);
  const double runs = 20.0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const ColouredCovariance found = coloured_covariance({fitted_to(fit, "white", seed).block});
    const VectorXd ratio = found.deviations.cwiseQuotient(found.white);
    sum += ratio / runs;
    squares += ratio.cwiseAbs2() / runs;
    EXPECT_TRUE(definiteness(found.covariance).positive_definite);
    EXPECT_GT(found.effective_samples, 0.8 * found.samples);
  }
  const VectorXd scatter = (squares - sum.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt();
  for (Index j = 0; j < 6; ++j) {
    EXPECT_NEAR(sum(j), 1.0, 4.0 * scatter(j) / std::sqrt(runs) + 0.02) << j;
    EXPECT_LT(scatter(j), 0.3) << j;
  }
}

// With J at one sample next to an end, Jᵀ R J is the variance of the noise there, by stationarity
// the mean of S. Cosine bins give up to twice that at the end, the mean of both kinds does not.
TEST(ColouredCovariance, KnowsTheVarianceAtTheEndWithSineBins) {
  const Index N = 400;
  RandomStream random(91);
  MatrixXd J = MatrixXd::Zero(N, 1);
  J(0, 0) = 1.0;
  const Fitted one = fitted(J, first_order(N, 10.0, random));
  const ColouredCovariance cosine = coloured_covariance({one.block});
  const ColouredCovariance both = coloured_covariance({one.block}, {.sine_bins = true});
  const NoiseSpectrum& spectrum = both.spectra[0];
  const double variance = spectrum.noise.dot(spectrum.bins) / spectrum.bins.sum();
  // Bin 0 and bin N have half the weight of the others in one of the transforms: 1/N of S(0).
  const double edge = spectrum.noise(0) / static_cast<double>(N);
  EXPECT_NEAR(both.covariance(0, 0), variance, edge);
  EXPECT_GT(cosine.covariance(0, 0), 1.5 * variance);
}

// The rule of the verdict, at limits that this record is on either side of.
TEST(ColouredCovariance, JudgesByShareAndFreedom) {
  // The first of some records that needs slow noise at all.
  std::vector<ColouredBlock> one;
  ColouredCovariance found;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    one = {fitted_to(damped_sine(), "N/10", seed).block};
    found = coloured_covariance(one, {.unknown_freedom = 0.0});
    if (found.spectra[0].slow_evidence > 1.0 && found.slow_share < 0.9) break;
  }
  const double evidence = found.spectra[0].slow_evidence;
  const double share = found.slow_share;
  ASSERT_GT(evidence, 1.0);
  ASSERT_GT(share, 0.1);
  ASSERT_LT(share, 0.9);
  const auto verdict = [&](double lower, double unknown, double freedom) {
    return coloured_covariance(one, {.slow_evidence = 0.5 * evidence,
                                     .lower_limit_share = lower,
                                     .unknown_share = unknown,
                                     .unknown_freedom = freedom});
  };
  EXPECT_EQ(coloured_covariance(one, {.slow_evidence = 1.01 * evidence,
                                      .lower_limit_share = 0.0,
                                      .unknown_share = 0.0,
                                      .unknown_freedom = 0.0})
                .knowledge,
            Knowledge::Known);
  EXPECT_EQ(verdict(share + 0.01, 1.0, 0.0).knowledge, Knowledge::Known);
  EXPECT_EQ(verdict(share - 0.01, 1.0, 0.0).knowledge, Knowledge::LowerLimit);
  EXPECT_EQ(verdict(share - 0.02, share - 0.01, 0.0).knowledge, Knowledge::Unknown);
  // Few degrees of freedom concern their parameter alone: the offset.
  Index fewest = 0;
  const double least = found.freedom.minCoeff(&fewest);
  const ColouredCovariance few = verdict(share + 0.01, 1.0, least + 0.01);
  EXPECT_EQ(fewest, 3);
  EXPECT_EQ(few.knowledge, Knowledge::Unknown);
  EXPECT_EQ(few.knowledge_of[3], Knowledge::Unknown);
  EXPECT_EQ(few.knowledge_of[0], Knowledge::Known);
}

// θ in other units, and r: the same answer in those units. Factors are powers of two, so that only
// the order of sums differs.
TEST(ColouredCovariance, FollowsUnits) {
  const Fitted one = fitted_to(damped_sine(), "N/20", 5);
  const ColouredCovariance before = coloured_covariance({one.block});
  const Eigen::Vector4d unit(1024.0, 0.125, 1.0, 1.0 / 4096.0);
  ColouredBlock scaled = one.block;
  scaled.jacobian = scaled.jacobian * unit.asDiagonal();
  scaled.residual *= 64.0;
  const ColouredCovariance after = coloured_covariance({scaled});
  const VectorXd expected = 64.0 * before.deviations.cwiseQuotient(unit);
  const double rounding = 1e6 * kEps;  // 600 multiplicative passes
  for (Index j = 0; j < 4; ++j) {
    EXPECT_NEAR(after.deviations(j), expected(j), rounding * expected(j));
    EXPECT_NEAR(after.freedom(j), before.freedom(j), rounding * before.freedom(j));
  }
  EXPECT_NEAR(after.slow_share, before.slow_share, rounding);
}

// θ mixed linearly, θ = T η: V_θ = T V_η Tᵀ.
TEST(ColouredCovariance, FollowsMixedParameters) {
  const Fitted one = fitted_to(polynomial_and_sines(), "10", 6);
  MatrixXd T = MatrixXd::Identity(6, 6);
  T(0, 2) = 0.7;
  T(4, 5) = -0.4;
  T(3, 1) = 0.3;
  ColouredBlock mixed = one.block;
  mixed.jacobian = mixed.jacobian * T;
  const ColouredCovariance before = coloured_covariance({one.block});
  const ColouredCovariance after = coloured_covariance({mixed});
  EXPECT_TRUE(
      matrices_near(T * after.covariance * T.transpose(), before.covariance, {.rel = 1e6 * kEps}));
}

// White noise does not care where a record is cut: two experiments are worth one of both lengths.
TEST(ColouredCovariance, AddsExperiments) {
  const LinearFit fit = damped_sine();
  RandomStream random(21);
  const Index N = fit.J.rows();
  MatrixXd J(2 * N, 4);
  J << fit.J, fit.J;
  const Fitted joined = fitted(J, random.normal_vector(2 * N));
  ColouredBlock first{.jacobian = fit.J, .residual = joined.block.residual.head(N)};
  ColouredBlock second{
      .jacobian = fit.J, .residual = joined.block.residual.tail(N), .experiment = 1};
  const ColouredCovariance apart = coloured_covariance({first, second});
  const ColouredCovariance one = coloured_covariance({joined.block});
  EXPECT_NEAR(apart.samples, one.samples, 1e-9);
  // Amplitude, decay and phase rest on many bins: ν > 20, deviations within 1/√(2ν) = 15 %. The
  // offset rests on the lowest one.
  for (Index j = 0; j < 3; ++j) {
    EXPECT_NEAR(apart.deviations(j) / one.deviations(j), 1.0, 0.15) << j;
  }
  EXPECT_NEAR(apart.deviations(3) / one.deviations(3), 1.0, 0.5);
  // Their order does not matter: nothing reaches over the joint.
  const ColouredCovariance swapped = coloured_covariance({second, first});
  EXPECT_TRUE(matrices_near(swapped.covariance, apart.covariance, {.rel = 1e6 * kEps}));
}

TEST(ColouredCovariance, TakesExperimentsOfUnequalLength) {
  const Fitted longer = fitted_to(damped_sine(1200), "10", 31);
  Fitted shorter = fitted_to(damped_sine(700), "10", 32);
  shorter.block.experiment = 1;
  const ColouredCovariance both = coloured_covariance({longer.block, shorter.block});
  const ColouredCovariance one = coloured_covariance({longer.block});
  ASSERT_TRUE(both.ok());
  EXPECT_NEAR(both.samples, 1900.0, 1e-9);
  // More data, and the residuals of separate fits: the deviations cannot be much larger.
  EXPECT_LT(both.deviations(3), 1.2 * one.deviations(3));
  EXPECT_GT(both.deviations(3), 0.4 * one.deviations(3));
}

// A channel that only a much shorter experiment has leaves most of the bands empty.
TEST(ColouredCovariance, TakesAChannelWithEmptyBands) {
  const Fitted longer = fitted_to(damped_sine(1200), "resonance", 33);
  Fitted shorter = fitted_to(damped_sine(60), "white", 34);
  shorter.block.experiment = 1;
  shorter.block.channel = 1;
  const ColouredCovariance found = coloured_covariance({longer.block, shorter.block});
  ASSERT_TRUE(found.ok());
  EXPECT_TRUE(found.deviations.allFinite());
  EXPECT_TRUE(found.freedom.allFinite());
  EXPECT_TRUE(std::isfinite(found.spectra[1].highest_peak));
}

// A fifth of the samples is missing: as if those rows had never been there.
TEST(ColouredCovariance, LeavesMissingSamplesOut) {
  const LinearFit fit = polynomial_and_sines(1000);
  RandomStream random(41);
  VectorXd noise = random.normal_vector(1000);
  std::vector<Index> kept;
  for (Index t = 0; t < 1000; ++t) {
    if (random.uniform() > 0.2) kept.push_back(t);
  }
  const Fitted dense = fitted(fit.J(kept, Eigen::all), noise(kept));
  ColouredBlock sparse{.jacobian = MatrixXd::Constant(1000, 6, kNaN),
                       .residual = VectorXd::Constant(1000, kNaN)};
  sparse.jacobian(kept, Eigen::all) = dense.block.jacobian;
  sparse.residual(kept) = dense.block.residual;
  const ColouredCovariance found = coloured_covariance({sparse});
  const ColouredCovariance expected = coloured_covariance({dense.block});
  ASSERT_TRUE(found.ok());
  EXPECT_NEAR(found.samples, static_cast<double>(kept.size()), 1e-9);
  // The white formula sees the same numbers; the others scatter as two estimates of one spectrum.
  EXPECT_TRUE(matrices_near(found.white, expected.white, {.rel = 1e4 * kEps}));
  for (Index j = 0; j < 6; ++j) {
    EXPECT_NEAR(found.deviations(j) / expected.deviations(j), 1.0, 0.35) << j;
  }
}

// Two channels with the same noise and the same J tell no more than one. What the fit takes is
// shared by two channels, which changes S by the order of p/N = 0.3 % (in low bands: h_b, hence 15
// %).
TEST(ColouredCovariance, KnowsThatChannelsShareTheirNoise) {
  const Fitted one = fitted_to(damped_sine(), "10", 51);
  ColouredBlock copy = one.block;
  copy.channel = 7;
  const ColouredCovariance single = coloured_covariance({one.block});
  const ColouredCovariance both = coloured_covariance({one.block, copy});
  const ColouredCovariance apart = coloured_covariance({one.block, copy}, {.cross_terms = false});
  ASSERT_EQ(both.spectra.size(), 2U);
  EXPECT_EQ(both.spectra[1].channel, 7);
  for (Index j = 0; j < 4; ++j) {
    EXPECT_NEAR(both.deviations(j) / single.deviations(j), 1.0, 0.15) << j;
    EXPECT_NEAR(apart.deviations(j) / both.deviations(j), std::sqrt(0.5), 1e-6) << j;
  }
}

// Each channel has a spectrum of its own: a quiet one beside a loud one.
TEST(ColouredCovariance, GivesEachChannelItsSpectrum) {
  Fitted quiet = fitted_to(damped_sine(), "white", 61);
  Fitted loud = fitted_to(damped_sine(), "N/20", 62);
  loud.block.residual *= 100.0;
  loud.block.channel = 1;
  const ColouredCovariance found = coloured_covariance({quiet.block, loud.block});
  const VectorXd& high = found.spectra[0].noise;
  // 1200 bins: the level of white noise is known to √(2/1200) = 4 %; four of it.
  EXPECT_NEAR(high.tail(100).mean(), 1.0, 0.16);
  EXPECT_GT(found.spectra[1].noise(1), 1e4);
}

// A column that is twice another one is as if it were not there, but for these two.
TEST(ColouredCovariance, ParametersThatAreNotSeenLeaveTheOthers) {
  const Fitted one = fitted_to(damped_sine(), "10", 71);
  ColouredBlock dependent = one.block;
  dependent.jacobian.conservativeResize(Eigen::NoChange, 5);
  dependent.jacobian.col(4) = 2.0 * dependent.jacobian.col(1);
  const ColouredCovariance without = coloured_covariance({one.block});
  const ColouredCovariance found = coloured_covariance({dependent});
  EXPECT_EQ(found.status, Status::NotIdentifiable);
  EXPECT_THAT(found.message, HasSubstr("depend on each other"));
  for (const Index j : {0, 2, 3}) {
    // Rounding of 150 passes of the moment fit.
    EXPECT_NEAR(found.deviations(j) / without.deviations(j), 1.0, 1e-9) << j;
    EXPECT_NEAR(found.freedom(j) / without.freedom(j), 1.0, 1e-9) << j;
    EXPECT_NEAR(found.covariance(0, j) / without.covariance(0, j), 1.0, 1e-9) << j;
  }
  for (const Index j : {1, 4}) {
    EXPECT_TRUE(std::isinf(found.deviations(j)) && std::isinf(found.covariance(j, j)));
    EXPECT_TRUE(std::isnan(found.covariance(0, j)));
    EXPECT_EQ(found.knowledge_of[static_cast<std::size_t>(j)], Knowledge::Unknown);
  }
}

// The mean of N samples of noise S with a prior of deviation d: G = 1/(N + 1/d²), so that the
// variance is G² (N S + 1/d²), S that of the fit without a prior. What the prior adds is known.
TEST(ColouredCovariance, PriorsAreResidualsOfVarianceOne) {
  RandomStream random(72);
  constexpr Index kSamples = 500;
  const Fitted one = fitted(MatrixXd::Ones(kSamples, 1), random.normal_vector(kSamples));
  const ColouredCovariance without = coloured_covariance({one.block});
  const double noise = std::pow(without.deviations(0), 2) * kSamples;
  for (const double d : {1e-3, 0.02, 1.0}) {
    const ColouredCovariance found =
        coloured_covariance({one.block}, {.prior = MatrixXd::Constant(1, 1, 1.0 / d)});
    ASSERT_TRUE(found.ok());
    const double expected =
        std::sqrt(kSamples * noise + 1.0 / (d * d)) / (kSamples + 1.0 / (d * d));
    // The prior takes less from the residual's first bin, one of 500.
    EXPECT_NEAR(found.deviations(0) / expected, 1.0, 0.05) << d;
    EXPECT_GE(found.freedom(0), without.freedom(0) * (1.0 - 0.05));
  }
}

TEST(ColouredCovariance, TellsWhenThereIsNothingToEstimate) {
  Fitted one = fitted_to(damped_sine(), "white", 71);
  ColouredBlock still = one.block;
  still.jacobian.setZero();
  EXPECT_EQ(coloured_covariance({still}).status, Status::NotIdentifiable);
  one.block.residual.setZero();
  const ColouredCovariance exact = coloured_covariance({one.block});
  EXPECT_EQ(exact.status, Status::NotIdentifiable);
  EXPECT_THAT(exact.message, HasSubstr("channel 0"));
}

TEST(ColouredCovariance, WorksOnTinyRecords) {
  RandomStream random(81);
  for (const Index N : {2, 3, 5, 9}) {
    const Fitted one = fitted(MatrixXd::Ones(N, 1), random.normal_vector(N));
    const ColouredCovariance found = coloured_covariance({one.block});
    EXPECT_TRUE(found.ok());
    EXPECT_TRUE(found.deviations.allFinite() && found.freedom.allFinite()) << N;
    EXPECT_GT(found.deviations(0), 0.0);
  }
}

std::string message_for(const std::vector<ColouredBlock>& blocks,
                        const ColouredOptions& options = {}) {
  return message_of([&] { (void)coloured_covariance(blocks, options); });
}

TEST(ColouredCovariance, NamesWhatIsWrong) {
  const ColouredBlock good = written_down(50, 0.5, 0.0);
  EXPECT_THAT(message_for({}), HasSubstr("coloured_covariance: number of blocks"));
  ColouredBlock bad = good;
  bad.residual.conservativeResize(49);
  EXPECT_THAT(message_for({bad}), HasSubstr("block 1: jacobian must have one row per residual"));
  bad = good;
  bad.experiment = 1;
  bad.jacobian.conservativeResize(50, 2);
  EXPECT_THAT(message_for({good, bad}), HasSubstr("block 2: jacobian must have as many columns"));
  EXPECT_THAT(message_for({good, good}), HasSubstr("channel 0 of experiment 0 again"));
  bad = written_down(40, 0.5, 0.0);
  bad.channel = 1;
  EXPECT_THAT(message_for({good, bad}), HasSubstr("block 2: residual must be as long as"));
  bad = good;
  bad.jacobian(3, 1) = kNaN;
  EXPECT_THAT(message_for({bad}), HasSubstr("block 1: row 4 of the jacobian must be finite"));
  bad.residual(3) = kNaN;  // missing: its row does not matter
  EXPECT_EQ(message_for({bad}), "no InvalidInput");
  bad.residual(5) = HUGE_VAL;
  EXPECT_THAT(message_for({bad}), HasSubstr("block 1: residual 6 must be finite or NaN"));
  bad.residual.setConstant(kNaN);
  EXPECT_THAT(message_for({bad}), HasSubstr("number of samples"));
  bad.residual.resize(0);
  EXPECT_THAT(message_for({bad}), HasSubstr("block 1: residual must not be empty"));
}

TEST(ColouredCovariance, ChecksOptions) {
  const std::vector<ColouredBlock> good{written_down(50, 0.5, 0.0)};
  EXPECT_THAT(message_for(good, {.peak_threshold = 0.0}), HasSubstr("peak_threshold"));
  EXPECT_THAT(message_for(good, {.peak_order = -1}), HasSubstr("peak_order"));
  EXPECT_THAT(message_for(good, {.tolerance = -1.0}), HasSubstr("tolerance"));
  EXPECT_THAT(message_for(good, {.iterations = 0}), HasSubstr("iterations"));
  EXPECT_THAT(message_for(good, {.freedom_factor = 0.0}), HasSubstr("freedom_factor"));
  EXPECT_THAT(message_for(good, {.lower_limit_share = 2.0}), HasSubstr("lower_limit_share"));
  EXPECT_THAT(message_for(good, {.unknown_share = -1.0}), HasSubstr("unknown_share"));
  EXPECT_THAT(message_for(good, {.unknown_freedom = -1.0}), HasSubstr("unknown_freedom"));
  const ColouredCovariance found = coloured_covariance(good);
  EXPECT_THAT(message_of([&] { (void)found.half_widths(1.0); }), HasSubstr("level"));
}

TEST(ColouredCovariance, NamesItsVerdicts) {
  EXPECT_EQ(to_string(Knowledge::Known), "known");
  EXPECT_EQ(to_string(Knowledge::LowerLimit), "lower-limit");
  EXPECT_EQ(to_string(Knowledge::Unknown), "unknown");
}

}  // namespace coloured_covariance_test
}  // namespace alembert::optimize
