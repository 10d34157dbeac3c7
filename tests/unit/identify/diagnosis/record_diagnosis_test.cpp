#include "alembert/identify/record_diagnosis.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "identify/diagnosis/spectral_peaks.hpp"
#include "unit/identify/free_decay/decay_records.hpp"

namespace alembert::identify::record_diagnosis_test {
namespace {

using Eigen::VectorXd;
using test::Decay;
using test::noisy;

constexpr double kStep = 1e-3;

// A record of 3 m/s² and 10 cycles with the noise of a good sensor, rounded to 12 bit of ±5 m/s².
VectorXd good_record(std::uint64_t seed = 1) {
  const Decay decay{.amplitude = 3.0, .frequency_hz = 0.96, .ratio = 9e-4};
  VectorXd values = noisy(decay.samples(10401, kStep), 1e-3, seed);
  const double q = 10.0 / 4096.0;
  for (double& value : values) value = q * std::round(value / q);
  return values;
}

std::string text_of(const RecordDiagnosis& diagnosis, RecordFault fault) {
  for (const RecordFinding& one : diagnosis.findings) {
    if (one.fault == fault) return one.text;
  }
  return "";
}

TEST(RecordDiagnosis, HasNothingAgainstAGoodRecord) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RecordDiagnosis diagnosis = diagnose_record(good_record(seed), kStep);
    EXPECT_TRUE(diagnosis.findings.empty()) << diagnosis.findings.front().text;
  }
}

TEST(RecordDiagnosis, HasNothingAgainstNoisyOrFastDecays) {
  for (const double ratio : {0.0, 0.01, 0.03}) {
    for (const double sigma : {1e-3, 0.03, 0.3}) {
      const Decay decay{.amplitude = 3.0, .frequency_hz = 0.96, .ratio = ratio};
      const VectorXd values = noisy(decay.samples(10401, kStep), sigma, 7);
      const RecordDiagnosis diagnosis = diagnose_record(values, kStep);
      EXPECT_TRUE(diagnosis.findings.empty())
          << ratio << ' ' << sigma << ' ' << diagnosis.findings.front().text;
    }
  }
}

// Third and fifth harmonics as of a cubic spring.
TEST(RecordDiagnosis, TakesOddHarmonicsForNonlinearity) {
  VectorXd values = good_record();
  const Decay third{.amplitude = 0.15, .frequency_hz = 3 * 0.96, .ratio = 9e-4, .phase = 0.9};
  values += third.samples(values.size(), kStep);
  EXPECT_TRUE(diagnose_record(values, kStep).findings.empty());
}

TEST(RecordDiagnosis, NamesARecordOfLessThanOneCycle) {
  const RecordDiagnosis diagnosis = diagnose_record(good_record().head(700), kStep);
  ASSERT_TRUE(diagnosis.has(RecordFault::TooShort));
  ASSERT_NE(diagnosis.fatal(), nullptr);
  EXPECT_NE(text_of(diagnosis, RecordFault::TooShort).find("less than one cycle"),
            std::string::npos);
  EXPECT_TRUE(diagnose_record(good_record().head(1700), kStep).has(RecordFault::FewCycles));
}

// A rest of 1 to 20 s before a decay of 10 cycles, which is then a part of the record that shrinks.
TEST(RecordDiagnosis, NamesARestBeforeTheMotion) {
  const VectorXd decay = good_record();
  for (const Eigen::Index rest : {1000, 5000, 20000}) {
    VectorXd values(rest + decay.size());
    values << noisy(VectorXd::Zero(rest), 1e-3, 3), decay;
    const RecordDiagnosis diagnosis = diagnose_record(values, kStep);
    const std::string begin = std::to_string(rest / 1000) + " s after the first sample";
    EXPECT_NE(text_of(diagnosis, RecordFault::LateStart).find(begin), std::string::npos) << rest;
    // A driven motion may rest as long as it likes.
    EXPECT_FALSE(diagnose_record(values, kStep, {.free_decay = false}).has(RecordFault::LateStart));
  }
  // At any phase the decay itself begins at once.
  for (double phase = 0.0; phase < 6.3; phase += 0.3) {
    const Decay one{.amplitude = 3.0, .frequency_hz = 0.96, .ratio = 0.02, .phase = phase};
    const VectorXd values = noisy(one.samples(10401, kStep), 0.05, 5);
    EXPECT_FALSE(diagnose_record(values, kStep).has(RecordFault::LateStart)) << phase;
  }
}

TEST(RecordDiagnosis, NamesClippedSignals) {
  for (const double limit : {2.95, 2.5, 1.0}) {
    const VectorXd values = good_record().cwiseMin(limit);
    const RecordDiagnosis diagnosis = diagnose_record(values, kStep);
    EXPECT_NE(text_of(diagnosis, RecordFault::Clipped).find("clipped"), std::string::npos) << limit;
    const VectorXd below = good_record().cwiseMax(-limit);
    EXPECT_TRUE(diagnose_record(below, kStep).has(RecordFault::Clipped)) << limit;
  }
}

// 20 samples per cycle leave runs of three at a peak that is cut by a tenth.
TEST(RecordDiagnosis, NamesClippedSignalsAtLowRates) {
  const Decay decay{.amplitude = 3.0, .frequency_hz = 1.0, .ratio = 2e-3, .phase = 0.05};
  const VectorXd values = decay.samples(201, 0.05);
  EXPECT_FALSE(diagnose_record(values, 0.05).has(RecordFault::Clipped));
  EXPECT_TRUE(diagnose_record(values.cwiseMin(2.7), 0.05).has(RecordFault::Clipped));
}

// 8 bits: the peaks are flat over 40 samples, and are not clipped.
TEST(RecordDiagnosis, DoesNotTakeCoarseRoundingForClipping) {
  const Decay decay{.amplitude = 3.0, .frequency_hz = 0.96, .ratio = 2e-3};
  for (const double q : {0.2, 0.04, 0.01}) {
    VectorXd values = decay.samples(10401, kStep);
    for (double& value : values) value = q * std::round(value / q);
    EXPECT_FALSE(diagnose_record(values, kStep).has(RecordFault::Clipped)) << q;
  }
}

TEST(RecordDiagnosis, NamesOffsetAndDrift) {
  VectorXd values = good_record();
  values.array() += 0.02;
  const RecordDiagnosis shifted = diagnose_record(values, kStep);
  EXPECT_TRUE(shifted.has(RecordFault::Offset));
  EXPECT_FALSE(shifted.has(RecordFault::Drift));
  EXPECT_NEAR(shifted.offset, 0.02, 2e-4);
  values = good_record();
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    values(k) += 0.06 * static_cast<double>(k) / static_cast<double>(values.size() - 1) - 0.03;
  }
  const RecordDiagnosis drifting = diagnose_record(values, kStep);
  ASSERT_TRUE(drifting.has(RecordFault::Drift));
  EXPECT_FALSE(drifting.has(RecordFault::Offset));
  EXPECT_NEAR(drifting.drift, 0.06, 2e-3);
}

TEST(RecordDiagnosis, NamesASecondMode) {
  VectorXd values = good_record();
  const Decay second{.amplitude = 0.2, .frequency_hz = 2.45, .ratio = 2e-3};
  values += second.samples(values.size(), kStep);
  const RecordDiagnosis diagnosis = diagnose_record(values, kStep);
  const std::string text = text_of(diagnosis, RecordFault::TwoModes);
  EXPECT_NE(text.find("0.96"), std::string::npos) << text;
  EXPECT_NE(text.find("2.4"), std::string::npos) << text;
}

TEST(RecordDiagnosis, NamesBeats) {
  VectorXd values = good_record();
  const Decay close{.amplitude = 1.2, .frequency_hz = 1.15, .ratio = 9e-4};
  values += close.samples(values.size(), kStep);
  EXPECT_TRUE(diagnose_record(values, kStep).has(RecordFault::TwoModes));
  EXPECT_FALSE(diagnose_record(values, kStep, {.free_decay = false}).has(RecordFault::TwoModes));
}

// The acceleration of a strongly softening spring grows while its displacement decays.
TEST(RecordDiagnosis, DoesNotTakeGrowthAloneForBeats) {
  VectorXd values(10001);
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const double t = kStep * static_cast<double>(k);
    values(k) = (1.0 - 0.5 * std::exp(-t / 4.0)) * std::cos(2.0 * std::numbers::pi * t + 0.4);
  }
  EXPECT_FALSE(diagnose_record(values, kStep).has(RecordFault::TwoModes));
}

// The cycle shortens by a third along the record, as of a strongly nonlinear spring.
TEST(RecordDiagnosis, DoesNotTakeAChangingCycleForDrift) {
  VectorXd values(10001);
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const double t = kStep * static_cast<double>(k);
    const double phase = 2.0 * std::numbers::pi * (t + 0.02 * t * t);
    values(k) = std::exp(-0.1 * t) * std::cos(phase + 0.4);
  }
  const RecordDiagnosis diagnosis = diagnose_record(values, kStep);
  EXPECT_FALSE(diagnosis.has(RecordFault::Offset));
  EXPECT_FALSE(diagnosis.has(RecordFault::Drift));
}

TEST(RecordDiagnosis, AsksForTheUnitOnlyWithAReason) {
  const VectorXd in_g = good_record() / 9.80665;
  EXPECT_FALSE(diagnose_record(in_g, kStep).has(RecordFault::Unit));
  // 3 m/s² at 0.96 Hz are 0.0825 m.
  const DiagnosisOptions known{.displacement = 0.08};
  const std::string text = text_of(diagnose_record(in_g, kStep, known), RecordFault::Unit);
  EXPECT_NE(text.find("is the acceleration in g?"), std::string::npos) << text;
  EXPECT_NE(text.find("0.08"), std::string::npos) << text;
  EXPECT_FALSE(diagnose_record(good_record(), kStep, known).has(RecordFault::Unit));
  // The file says m/s2 or g, and the displacement says the other.
  EXPECT_TRUE(
      diagnose_record(in_g, kStep, {.unit = "m/s^2", .displacement = 0.08}).has(RecordFault::Unit));
  EXPECT_FALSE(
      diagnose_record(in_g, kStep, {.unit = "g", .displacement = 0.08}).has(RecordFault::Unit));
  EXPECT_TRUE(diagnose_record(good_record(), kStep, {.unit = "g", .displacement = 0.08})
                  .has(RecordFault::Unit));
}

// Converted values speak of the numbers that they come from.
TEST(RecordDiagnosis, AsksAboutConvertedNumbers) {
  const VectorXd wrongly = 9.80665 * good_record();  // m/s2 that were declared as g
  DiagnosisOptions options{.unit = "g", .factor = 9.80665, .displacement = 0.08};
  const std::string text = text_of(diagnose_record(wrongly, kStep, options), RecordFault::Unit);
  EXPECT_NE(text.find("is the acceleration in m/s2?"), std::string::npos) << text;
  EXPECT_FALSE(diagnose_record(good_record(), kStep, options).has(RecordFault::Unit));
}

TEST(RecordDiagnosis, KnowsGravityAndTheRangesOfSensors) {
  VectorXd upright = good_record() / 9.80665;
  upright.array() += 1.01;
  EXPECT_NE(text_of(diagnose_record(upright, kStep), RecordFault::Unit).find("one gravity in g"),
            std::string::npos);
  EXPECT_FALSE(diagnose_record(upright, kStep, {.unit = "g"}).has(RecordFault::Unit));
  VectorXd metres = good_record();
  metres.array() -= 9.81;
  EXPECT_FALSE(diagnose_record(metres, kStep).has(RecordFault::Unit));
  EXPECT_TRUE(diagnose_record(metres, kStep, {.unit = "g"}).has(RecordFault::Unit));
  const VectorXd clipped = good_record().cwiseMin(2.0).cwiseMax(-2.0);
  EXPECT_NE(text_of(diagnose_record(clipped, kStep), RecordFault::Unit).find("usual range"),
            std::string::npos);
  EXPECT_FALSE(diagnose_record(clipped, kStep, {.acceleration = false}).has(RecordFault::Unit));
}

TEST(SpectralPeaks, FindLinesAndTheirAmplitudes) {
  VectorXd values(8192);
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const double t = kStep * static_cast<double>(k);
    values(k) = 2.0 * std::cos(2.0 * std::numbers::pi * 20.0 * t) +
                0.1 * std::cos(2.0 * std::numbers::pi * 33.3 * t + 1.0) + 5.0 + 0.3 * t;
  }
  const std::vector<SpectralPeak> peaks = spectral_peaks(values, kStep);
  ASSERT_EQ(peaks.size(), 2u);
  // Half a line of the transform, padded fourfold.
  EXPECT_NEAR(peaks[0].frequency_hz, 20.0, 0.5 / 8.192 / 4.0);
  EXPECT_NEAR(peaks[1].frequency_hz, 33.3, 0.5 / 8.192 / 4.0);
  // Scallop of the window an eighth of a line off: below 1 %.
  EXPECT_NEAR(peaks[0].amplitude, 2.0, 0.02);
  EXPECT_NEAR(peaks[1].amplitude, 0.1, 0.001);
}

}  // namespace
}  // namespace alembert::identify::record_diagnosis_test
