#include "identify/linear/evidence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "identify/verdict/fit_evidence.hpp"
#include "identify/verdict/residual_evidence.hpp"
#include "linear_cases.hpp"

// What must not pass as good, each found for its own reason.
namespace alembert::identify::evidence_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

// Records of one system whose sensors have the same noise in all.
Experiments joined(std::initializer_list<std::uint64_t> seeds) {
  Experiments all;
  for (const std::uint64_t seed : seeds) {
    Experiment one =
        test::simulated_experiment(test::two_masses(), test::all_sensed(2),
                                   {.samples = 1000, .step = 0.01, .snr_db = HUGE_VAL}, seed);
    RandomStream random(100 + seed);
    for (Eigen::Index c = 0; c < 2; ++c) one.output.col(c) += 1e-4 * random.normal_vector(1000);
    all.push_back(one);
  }
  return all;
}

TEST(LinearEvidence, SoundExperimentsAreGood) {
  const LinearIdentification fit = identify_linear(joined({1, 2, 3}));
  EXPECT_EQ(fit.verdict.level, TrustLevel::Good) << testing::PrintToString(fit.verdict.reasons);
}

TEST(LinearEvidence, AnExperimentThatDiffersIsNamed) {
  Experiments data = joined({1, 2, 3});
  data[1].output.col(0) *= -1.0;
  const LinearIdentification fit = identify_linear(data);
  EXPECT_EQ(fit.verdict.level, TrustLevel::Bad);
  EXPECT_THAT(fit.verdict.reasons, Contains(HasSubstr("experiment 2")));
}

TEST(LinearEvidence, ARecordInMotionThatIsTakenForRestIsSaid) {
  Experiments data = test::two_mass_records();
  Experiment& one = data.front();
  const Eigen::Index kept = one.samples() - 300;
  one.input = Eigen::MatrixXd(one.input.bottomRows(kept));
  one.output = Eigen::MatrixXd(one.output.bottomRows(kept));
  const LinearIdentification rest = identify_linear(data, {.refinement = {.free_start = false}});
  EXPECT_NE(rest.verdict.level, TrustLevel::Good);
  EXPECT_EQ(identify_linear(data).verdict.level, TrustLevel::Good);
}

TEST(LinearEvidence, FirstSamplesThatAreMissedAreSaid) {
  RandomStream random(3);
  std::vector<Eigen::MatrixXd> residuals(2, Eigen::MatrixXd(1000, 1));
  for (Eigen::MatrixXd& one : residuals) one.col(0) = random.normal_vector(1000);
  const Eigen::VectorXd noise = Eigen::VectorXd::Ones(1);
  Evidence sound, offset;
  judge_beginnings(residuals, noise, sound);
  EXPECT_EQ(sound.verdict().level, TrustLevel::Good);
  residuals[1].topRows(20).array() += 4.0;  // a fiftieth
  judge_beginnings(residuals, noise, offset);
  EXPECT_THAT(offset.verdict().reasons,
              testing::ElementsAre(HasSubstr("the first 20 samples of experiment 2")));
}

// A real system that changes by 1 % of its motion is five times the noise of a good sensor: no
// reason to throw the model away. A tenth of the motion is.
TEST(LinearEvidence, HeldBackDataAreBadOnlyWhereTheErrorIsALargePartToo) {
  const Eigen::VectorXd noise = Eigen::VectorXd::Ones(1);
  const auto level = [&](double rms, double fit) {
    Evidence evidence;
    ResidualVerdict one;
    one.rms = rms;
    one.fit = fit;
    judge_held_back({"y"}, {one}, noise, evidence);
    return evidence.verdict().level;
  };
  EXPECT_EQ(level(1.1, 99.0), TrustLevel::Good);
  EXPECT_EQ(level(5.0, 99.0), TrustLevel::Caution);
  EXPECT_EQ(level(2.0, 80.0), TrustLevel::Caution);
  EXPECT_EQ(level(5.0, 80.0), TrustLevel::Bad);
  EXPECT_EQ(level(0.5, -1.0), TrustLevel::Bad);
}

// Half sines on both masses, simulated 20 times finer than they are sampled.
Experiments hammered(Eigen::Index pulse) {
  constexpr Eigen::Index kFine = 20;
  const double step = 0.01;
  const Eigen::Index samples = 2000;
  Eigen::MatrixXd fine = Eigen::MatrixXd::Zero(samples * kFine, 2);
  for (Eigen::Index blow = 0; blow < 8; ++blow) {
    const Eigen::Index begin = (50 + 240 * blow) * kFine + 5 * blow;
    for (Eigen::Index k = 0; k <= pulse * kFine; ++k) {
      fine(begin + k, blow % 2) =
          std::sin(std::numbers::pi * static_cast<double>(k) / static_cast<double>(pulse * kFine));
    }
  }
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(2);
  const Eigen::MatrixXd motion = integrate::apply(
      test::all_sensed(2), integrate::simulate(test::two_masses(), fine, step / kFine, zero, zero,
                                               {.hold = signal::BetweenSamples::Linear}));
  RandomStream random(5);
  Experiment one{
      .input = Eigen::MatrixXd(samples, 2), .output = Eigen::MatrixXd(samples, 2), .step = step};
  for (Eigen::Index k = 0; k < samples; ++k) {
    one.input.row(k) = fine.row(k * kFine);
    one.output.row(k) = motion.row(k * kFine);
  }
  const double noise = 1e-3 * one.output.cwiseAbs().maxCoeff();
  for (Eigen::Index c = 0; c < 2; ++c) one.output.col(c) += noise * random.normal_vector(samples);
  return {one};
}

TEST(LinearEvidence, BlowsOfFiveSamplesAreTooShortToBeTrusted) {
  const LinearIdentification fit = identify_linear(hammered(5));
  EXPECT_NE(fit.verdict.level, TrustLevel::Good);
  EXPECT_THAT(fit.verdict.reasons, Contains(HasSubstr("samples long")));
}

// A mass on a negative spring, held up by a force that follows a reference: K = -30 N/m.
Experiments balanced() {
  constexpr Eigen::Index kSamples = 3000;
  const double step = 0.01, m = 1.0, d = 0.5, k = -30.0, gain = 60.0, rate = 4.0;
  RandomStream random(9);
  Experiment one{
      .input = Eigen::MatrixXd(kSamples, 1), .output = Eigen::MatrixXd(kSamples, 1), .step = step};
  const model::SecondOrder plant{
      Eigen::MatrixXd::Constant(1, 1, m), Eigen::MatrixXd::Constant(1, 1, d),
      Eigen::MatrixXd::Constant(1, 1, k), Eigen::MatrixXd::Identity(1, 1)};
  Eigen::VectorXd q = Eigen::VectorXd::Zero(1), v = Eigen::VectorXd::Zero(1);
  double reference = 0.0;
  for (Eigen::Index i = 0; i < kSamples; ++i) {
    if (i % 25 == 0) reference = random.normal();
    const double force = reference - gain * q(0) - rate * v(0);
    one.input(i, 0) = force;
    one.output(i, 0) = q(0) + 2e-4 * random.normal();
    const Eigen::MatrixXd held = Eigen::MatrixXd::Constant(2, 1, force);
    const auto moved =
        integrate::simulate(plant, held, step, q, v, {.hold = signal::BetweenSamples::Held});
    q = moved.displacement.row(1).transpose();
    v = moved.velocity.row(1).transpose();
  }
  return {one};
}

TEST(LinearEvidence, AnUnstablePlantUnderFeedbackIsNotCalledPositive) {
  const LinearIdentification fit =
      identify_linear(balanced(), {.refinement = {.hold = signal::BetweenSamples::Held}});
  EXPECT_EQ(fit.verdict.level, TrustLevel::Bad) << testing::PrintToString(fit.verdict.reasons);
}

}  // namespace
}  // namespace alembert::identify::evidence_test
