#include "identify/refine/force_noise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/identify/linear.hpp"
#include "alembert/identify/refine.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "identify/refine/force_shape.hpp"

// Noise on measured forces: an oscillator driven by white forces, held between samples.
namespace alembert::identify {
namespace force_noise_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;

constexpr double kStep = 0.05;
constexpr double kForceNoise = 0.4;  // of a force of variance 1

model::SecondOrder oscillator() {
  const auto one = [](double value) { return MatrixXd::Constant(1, 1, value); };
  return {one(1.0), one(0.6), one(40.0), one(1.0)};
}

LinearProblem oscillator_problem() {
  return {MatrixXd::Identity(1, 1),
          {MatrixXd::Identity(1, 1), MatrixXd::Zero(1, 1), MatrixXd::Zero(1, 1)},
          free_matrices(1)};
}

MatrixXd response_to(const MatrixXd& force) {
  return integrate::simulate(oscillator(), force, kStep, VectorXd::Zero(1), VectorXd::Zero(1),
                             {.hold = signal::BetweenSamples::Held})
      .displacement;
}

// The response to the true force, with 0.1 % noise of its own, and the force as it is measured.
Experiment record(Index samples, double force_noise, std::uint64_t seed) {
  RandomStream random(20261117, seed);
  const MatrixXd force = random.normal_vector(samples);
  Experiment result{.input = force, .output = response_to(force), .step = kStep};
  const double size = 1e-3 * result.output.norm() / std::sqrt(static_cast<double>(samples));
  result.output += size * random.normal_vector(samples);
  result.input += force_noise * random.normal_vector(samples);
  return result;
}

RefineOptions held(double given = 0.0) {
  RefineOptions options{.hold = signal::BetweenSamples::Held};
  if (given > 0.0) options.input_noise = VectorXd::Constant(1, given);
  return options;
}

Matrices truth() { return matrices_of(oscillator()); }
VectorXd true_theta() { return nearest_parameters(oscillator_problem().unknowns, truth()); }

// White noise on a white force lowers the response to 1/(1 + r) at every frequency, r the ratio of
// the variances: M, D and K are all too large by r = 16 %.
TEST(ForceNoise, MakesMatricesTooLargeByTheRatioOfVariances) {
  const Refinement found =
      refine(oscillator_problem(), {record(8000, kForceNoise, 1)}, truth(), held());
  ASSERT_TRUE(found.ok()) << found.message;
  const double excess = 1.0 + kForceNoise * kForceNoise;
  const VectorXd distance = found.theta - excess * true_theta();
  // 4 deviations of the estimate; the truth itself is further from M and K.
  const VectorXd deviations = found.covariance.diagonal().cwiseSqrt();
  EXPECT_LT(distance.cwiseQuotient(deviations).cwiseAbs().maxCoeff(), 4.0);
  const VectorXd wrong = (found.theta - true_theta()).cwiseQuotient(deviations);
  EXPECT_GT(wrong(0), 4.0);
  EXPECT_GT(wrong(2), 4.0);
}

TEST(ForceNoise, IsTakenOffWhereItIsGiven) {
  const Refinement found =
      refine(oscillator_problem(), {record(8000, kForceNoise, 1)}, truth(), held(kForceNoise));
  ASSERT_TRUE(found.ok()) << found.message;
  const VectorXd deviations = found.covariance.diagonal().cwiseSqrt();
  const VectorXd distance = (found.theta - true_theta()).cwiseQuotient(deviations);
  EXPECT_LT(distance.cwiseAbs().maxCoeff(), 4.0);
  // The deviations are of some use: M is known to better than 8 %, half of the bias.
  EXPECT_LT(deviations(0), 0.08);
}

// Without noise nothing is to be taken off, and a value of 0 takes nothing off.
TEST(ForceNoise, OfZeroChangesNothing) {
  const Experiment data = record(2000, 0.0, 2);
  RefineOptions zero = held();
  zero.input_noise = VectorXd::Zero(1);
  const Refinement plain = refine(oscillator_problem(), {data}, truth(), held());
  const Refinement given = refine(oscillator_problem(), {data}, truth(), zero);
  EXPECT_EQ(plain.theta, given.theta);
  EXPECT_EQ(plain.covariance, given.covariance);
}

// The sum that is taken off is the mean of Σ y² over responses to noise alone. 400 records of 600
// samples whose motion forgets itself in 3.3 s = 67 samples: about 400 · 600/67 independent
// squares, of relative deviation √2 each, so 2.4 %; the stairs of the sum add less.
TEST(ForceNoise, AddsTheMeanSquareOfResponsesToNoise) {
  constexpr Index kSamples = 600;
  const Experiments data{record(kSamples, 0.0, 3)};
  const LinearProblem problem = oscillator_problem();
  const Fit fit("test", data, problem.L, problem.outputs, held());
  const ForceNoise noise(fit, VectorXd::Constant(1, kForceNoise), held());
  double mean = 0.0;
  for (std::uint64_t draw = 0; draw < 400; ++draw) {
    RandomStream random(7, draw);
    mean += response_to(kForceNoise * random.normal_vector(kSamples)).squaredNorm() / 400.0;
  }
  EXPECT_NEAR(noise.response(oscillator()).squares(0) / mean, 1.0, 3.0 * 0.024);
}

// Mean of some numbers and the distance that chance makes in one of 1000: t(9) = 4.78.
struct Chance {
  double mean = 0.0, distance = 0.0;
};

Chance of_ten(const VectorXd& values) {
  const double scatter = std::sqrt((values.array() - values.mean()).square().sum() / 9.0);
  return {values.mean(), 4.78 * scatter / std::sqrt(10.0)};
}

// With the scale s = 1 + r of the biased matrices, r = 0.16, the measured force has the variance s
// and the noise √(r/s) of its rms. The residual (1 - 1/s) f - v/s through G has the power r/s, that
// of noise r s on the force of the biased system, G/s: φ = r of the measured variance, and φ/(1 +
// φ) is r/s again. The white force has no empty band: all of it could be noise. JᵀJ = s/s⁴ and the
// gradient r/s³ of the noise give the shift -r, the whole bias.
TEST(ForceNoise, IsSeenInTheResiduals) {
  VectorXd sizes(10), shifts(10);
  for (Index run = 0; run < 10; ++run) {
    const Experiment data = record(4000, kForceNoise, 40 + static_cast<std::uint64_t>(run));
    const Refinement noisy = refine(oscillator_problem(), {data}, truth(), held());
    ASSERT_EQ(noisy.force_shift.size(), 3);
    sizes(run) = noisy.force_noise / (kForceNoise / std::sqrt(1.16));
    shifts(run) = noisy.force_shift(0) / (kForceNoise * kForceNoise);
  }
  const Chance size = of_ten(sizes);
  EXPECT_NEAR(size.mean, 1.0, size.distance);
  EXPECT_LT(size.distance, 0.2);
  const Chance shift = of_ten(shifts);
  EXPECT_NEAR(shift.mean, -1.0, shift.distance);
  EXPECT_LT(shift.distance, 0.5);
  const Refinement exact = refine(oscillator_problem(), {record(8000, 0.0, 5)}, truth(), held());
  EXPECT_EQ(exact.force_noise, 0.0);
  EXPECT_EQ(exact.force_shift.size(), 0);
}

TEST(ForceNoise, IsAReasonForCaution) {
  LinearOptions options;
  options.refinement = held();
  const LinearIdentification noisy = identify_linear({record(8000, kForceNoise, 6)}, options);
  EXPECT_NE(noisy.verdict.level, TrustLevel::Good);
  EXPECT_THAT(noisy.verdict.reasons, testing::Contains(HasSubstr("noise of the force sensors")));
  const LinearIdentification exact = identify_linear({record(8000, 0.0, 7)}, options);
  EXPECT_THAT(exact.verdict.reasons,
              testing::Not(testing::Contains(HasSubstr("noise of the force sensors"))));
}

// A band that holds the force alone in its lower half leaves the noise alone in the upper one. The
// least median of sixteen sections lies low: NumPy and SciPy gave a mean of 0.903 and a scatter of
// 0.041 over 1000 records like these (dct of type 2). Mean of ten, 3.3 deviations.
TEST(ForceNoise, IsBoundedByTheEmptyBand) {
  constexpr Index kSamples = 4096;
  double mean = 0.0;
  for (std::uint64_t run = 0; run < 10; ++run) {
    RandomStream random(11, run);
    VectorXd force(kSamples);
    for (Index k = 0; k < kSamples; ++k) force(k) = 3.0 * std::sin(0.3 * static_cast<double>(k));
    force += 0.05 * random.normal_vector(kSamples);
    const Experiment data{.input = force, .output = MatrixXd::Zero(kSamples, 1), .step = kStep};
    mean += force_floors({data})(0) / 0.05 / 10.0;
  }
  EXPECT_NEAR(mean, 0.903, 3.3 * 0.041 / std::sqrt(10.0));
}

TEST(ForceNoise, MustFitTheForces) {
  const Experiment data = record(500, 0.0, 8);
  RefineOptions options = held(0.8);
  const auto call = [&] { return refine(oscillator_problem(), {data}, truth(), options); };
  EXPECT_THAT(call,
              testing::ThrowsMessage<InvalidInput>(HasSubstr("input_noise(1) must be in [0, ")));
  options.input_noise = VectorXd::Constant(2, 0.1);
  EXPECT_THROW(static_cast<void>(call()), InvalidInput);
}

}  // namespace force_noise_test
}  // namespace alembert::identify
