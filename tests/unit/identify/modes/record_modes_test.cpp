#include "alembert/identify/modes/record_modes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/model/modes.hpp"
#include "identify/modes/choice/mode_evidence.hpp"
#include "identify/modes/records/forced_lines.hpp"
#include "support/message_of.hpp"
#include "unit/identify/modes/modal_systems.hpp"

namespace alembert::identify::record_modes_test {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using test::KnownMode;

constexpr double kStep = 0.004;

// Modal displacements of unit modal masses under forces that are constant between samples: the
// exact recursion of q'' + 2ζω q' + ω² q = f, from the exponential of its pole.
signal::InputOutput response_of(const std::vector<KnownMode>& modes, Index samples, double sigma,
                                std::uint64_t seed) {
  RandomStream random(seed);
  const Index inputs = modes.front().inputs.size();
  const Index outputs = modes.front().outputs.size();
  signal::InputOutput data{MatrixXd(samples, inputs), MatrixXd::Zero(samples, outputs)};
  for (Index j = 0; j < inputs; ++j) data.inputs.col(j) = random.normal_vector(samples);
  for (const KnownMode& mode : modes) {
    const Complex pole = mode.pole();
    const Complex z = std::exp(pole * kStep);
    // q = Re(x/(i ω_d)), x' = λ x + f.
    const Complex gain = (z - 1.0) / pole;
    Complex x = 0.0;
    for (Index k = 0; k < samples; ++k) {
      const double q = (x / Complex(0.0, mode.pole().imag())).real();
      data.outputs.row(k) += q * mode.outputs.transpose();
      x = z * x + gain * data.inputs.row(k).dot(mode.inputs);
    }
  }
  const double level =
      sigma * std::sqrt(data.outputs.squaredNorm() / static_cast<double>(data.outputs.size()));
  for (Index o = 0; o < outputs; ++o) data.outputs.col(o) += level * random.normal_vector(samples);
  return data;
}

std::vector<KnownMode> three_modes() {
  return test::random_modes({11.0, 24.0, 52.0}, {0.01, 0.004, 0.02}, 4, 2, 31);
}

// The closed forms of the lines against a Fourier transform of the filtered samples, with start
// states and without. Sums of 300 samples of size 1, divided by |W - z| of at least 1e-3: 1e-9 of
// the largest entry leaves a factor of 1000 over rounding.
TEST(ForcedLines, AreTheTransformsOfTheSamples) {
  RandomStream random(17);
  std::vector<signal::InputOutput> experiments;
  for (const Index samples : {240, 300}) {
    signal::InputOutput one{MatrixXd(samples, 2), MatrixXd(samples, 3)};
    for (Index j = 0; j < 2; ++j) one.inputs.col(j) = random.normal_vector(samples);
    for (Index o = 0; o < 3; ++o) one.outputs.col(o) = random.normal_vector(samples);
    experiments.push_back(one);
  }
  const std::vector<FrfPole> poles = {
      {Complex(-2.0, 90.0), Eigen::Vector2cd(1.0, Complex(0.3, -0.2))},
      {Complex(-5.0, 300.0), Eigen::Vector2cd(Complex(-0.4, 0.5), 1.0)}};
  for (const modes::StartStates starts : {modes::StartStates::Free, modes::StartStates::AtRest}) {
    const modes::ForcedSignals signals(experiments, kStep, poles, Eigen::Vector3d(1.0, 2.0, 0.5),
                                       starts);
    Eigen::VectorXcd unknowns = signals.unknowns(poles);
    for (Index i = 0; i < unknowns.size(); ++i) {
      if (unknowns(i) == 0.0) unknowns(i) = Complex(random.normal(), random.normal());
    }
    const modes::BandRows band({240, 300}, kStep, 5.0, 90.0);
    const MatrixXd lines =
        signals.lines(unknowns, modes::band_spectra(experiments, kStep, band, starts));
    const MatrixXd transformed = band.of(signals.signals(unknowns));
    for (Index c = 0; c < lines.cols(); ++c) {
      EXPECT_LT((lines.col(c) - transformed.col(c)).norm(), 1e-9 * transformed.col(c).norm()) << c;
    }
  }
}

// Two shakers, four sensors, 40 dB: the record holds what windows take away. Frequencies and
// damping within 4 of their deviations (6 numbers: beyond by chance with probability 4e-4).
TEST(IdentifyRecordModes, RefinesOnTheRecord) {
  const auto truth = three_modes();
  const std::vector<signal::InputOutput> data = {response_of(truth, 8000, 0.01, 5)};
  const RecordModes found = identify_record_modes(data, kStep);
  ASSERT_TRUE(found.ok()) << found.message;
  ASSERT_TRUE(found.refined);
  ASSERT_EQ(found.modes.size(), truth.size());
  for (std::size_t r = 0; r < truth.size(); ++r) {
    const Mode& mode = found.modes[r];
    EXPECT_NEAR(mode.frequency_hz, truth[r].frequency_hz, 4.0 * mode.frequency_deviation);
    EXPECT_NEAR(mode.damping_ratio, truth[r].damping_ratio, 4.0 * mode.damping_deviation);
    EXPECT_LT(mode.damping_deviation, 0.05 * mode.damping_ratio);
    EXPECT_GT(model::mac(mode.shape, truth[r].outputs.cast<Complex>()), 0.999);
    EXPECT_GT(model::mac(mode.participation, truth[r].inputs.cast<Complex>()), 0.999);
  }
  // What is left is the part of the noise in the band, 1 % of the rms of all responses: four
  // deviations of the rms of 12800 numbers are 2.5 %, and 40 unknowns of 6400 lines 0.3 %.
  const MatrixXd& y = data.front().outputs;
  const Eigen::VectorXd& f = found.frf.data.frequencies_hz;
  const double share = (f(f.size() - 1) - f(0)) / (0.5 / kStep);
  const double noise = 0.01 * std::sqrt(share * y.squaredNorm() / static_cast<double>(y.size()));
  for (const OutputFit& output : found.outputs) {
    EXPECT_NEAR(output.residual, noise, 0.035 * noise);
  }
  EXPECT_EQ(found.verdict.level, TrustLevel::Good);
}

// Several records, the first of which begins in motion: the start state is an unknown.
// The second half of a record from a structure whose frequencies are 1 % higher.
TEST(IdentifyRecordModes, AStructureThatChangesIsNamed) {
  const auto truth = three_modes();
  auto stiffer = truth;
  for (KnownMode& mode : stiffer) mode.frequency_hz *= 1.01;
  signal::InputOutput data = response_of(truth, 6000, 0.02, 5);
  const signal::InputOutput later = response_of(stiffer, 6000, 0.02, 5);
  data.outputs.bottomRows(3000) = later.outputs.bottomRows(3000);
  const RecordModes found = identify_record_modes({data}, kStep);
  EXPECT_EQ(found.verdict.level, TrustLevel::Caution);
  EXPECT_THAT(found.verdict.reasons,
              testing::Contains(testing::HasSubstr("in the second half of the records")));
}

TEST(IdentifyRecordModes, AClippedResponseIsNamed) {
  signal::InputOutput data = response_of(three_modes(), 8192, 0.02, 6);
  const double limit = 0.7 * data.outputs.col(2).cwiseAbs().maxCoeff();
  data.outputs.col(2) = data.outputs.col(2).cwiseMin(limit).cwiseMax(-limit);
  const RecordModes found = identify_record_modes({data}, kStep);
  EXPECT_EQ(found.verdict.level, TrustLevel::Caution);
  EXPECT_THAT(found.verdict.reasons,
              testing::Contains(testing::StartsWith("response 3 is clipped")));
}

// Steps of a converter: 20 of them between the largest and the least value of noise and of a sine,
// which stays at its peaks.
TEST(ClippedSamples, AreNotThoseOfAConverter) {
  RandomStream random(8);
  Eigen::VectorXd noise = random.normal_vector(20000);
  EXPECT_EQ(modes::clipped_samples((noise * 2.5).array().round()), 0);
  const Eigen::VectorXd sine =
      Eigen::VectorXd::LinSpaced(20000, 0.0, 2000.0).array().sin().matrix() * 10.3;
  EXPECT_EQ(modes::clipped_samples(sine.array().round()), 0);
  const Eigen::VectorXd clipped = noise.cwiseMin(2.0);
  EXPECT_EQ(modes::clipped_samples(clipped), (noise.array() >= 2.0).count());
}

TEST(IdentifyRecordModes, TakesSeveralRecordsThatBeginInMotion) {
  const auto truth = three_modes();
  signal::InputOutput first = response_of(truth, 6000, 0.01, 6);
  first.inputs = first.inputs.bottomRows(4000).eval();
  first.outputs = first.outputs.bottomRows(4000).eval();
  const RecordModes found =
      identify_record_modes({first, response_of(truth, 4000, 0.01, 7)}, kStep);
  ASSERT_TRUE(found.refined);
  ASSERT_EQ(found.modes.size(), truth.size());
  for (std::size_t r = 0; r < truth.size(); ++r) {
    EXPECT_NEAR(found.modes[r].damping_ratio, truth[r].damping_ratio,
                4.0 * found.modes[r].damping_deviation);
  }
}

TEST(IdentifyRecordModes, KeepsTheFrfsWhereSamplesAreMissing) {
  signal::InputOutput data = response_of(three_modes(), 8000, 0.01, 8);
  data.outputs(4000, 1) = std::nan("");
  const RecordModes found = identify_record_modes({data}, kStep);
  EXPECT_FALSE(found.refined);
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_NE(found.warnings.front().find("missing"), std::string::npos);
  EXPECT_EQ(found.verdict.level, TrustLevel::Caution);
}

TEST(IdentifyRecordModes, RefusesABandWithoutLines) {
  const std::vector<signal::InputOutput> data = {response_of(three_modes(), 4000, 0.01, 9)};
  EXPECT_NE(test::message_of([&] {
              (void)identify_record_modes(data, kStep, {.from_hz = 30.0, .to_hz = 30.1});
            }).find("the band 30 to 30.1 Hz must hold at least 8 lines"),
            std::string::npos);
}

}  // namespace
}  // namespace alembert::identify::record_modes_test
