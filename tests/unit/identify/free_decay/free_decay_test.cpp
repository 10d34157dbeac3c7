#include "alembert/identify/free_decay.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "support/message_of.hpp"
#include "unit/identify/free_decay/decay_records.hpp"

namespace alembert::identify::free_decay_test {
namespace {

using Eigen::VectorXd;
using test::Decay;
using test::noisy;

constexpr double kStep = 1e-3;

TEST(FindCycles, CountsAnExactDecay) {
  for (const double ratio : {0.0, 0.01, 0.05}) {
    const Decay decay{.frequency_hz = 0.96, .ratio = ratio};
    const Cycles cycles = find_cycles(decay.samples(10001, kStep), kStep);
    ASSERT_TRUE(cycles.ok());
    // Crossings by lines between samples smoothed over a tenth of a cycle: the smoothing shifts
    // all crossings alike, and the baseline, wrong by ζ² A, some more than others.
    EXPECT_NEAR(cycles.period, decay.period(), (1e-5 + ratio * ratio) * decay.period());
    EXPECT_NEAR(cycles.count, 10.0 / decay.period(), 0.02);
    EXPECT_EQ(cycles.crossings.size(), 19u) << ratio;
  }
}

TEST(FindCycles, StandsNoiseAndOffset) {
  const Decay decay{.amplitude = 3.0, .frequency_hz = 0.96, .ratio = 2e-3};
  for (const double sigma : {1e-3, 0.03, 0.3}) {  // 66, 37 and 17 dB
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      VectorXd values = noisy(decay.samples(10001, kStep), sigma, seed);
      values.array() += 0.7;
      const Cycles cycles = find_cycles(values, kStep);
      // Each of 19 crossings has a deviation of σ/(A ω √108), the slope less by √570.
      const double bound = 5.0 * 2.0 * sigma / (3.0 * decay.omega() * std::sqrt(108.0 * 570.0));
      EXPECT_NEAR(cycles.period, decay.period(), bound + 2e-5) << sigma;
      EXPECT_NEAR(cycles.offset, 0.7, 5.0 * sigma / 100.0 + 1e-4);
      EXPECT_NEAR(cycles.noise, sigma, 0.05 * sigma);
    }
  }
}

TEST(FindCycles, KnowsShortRecords) {
  const Decay decay{.frequency_hz = 1.0, .ratio = 5e-3};
  for (const double cycles : {0.4, 0.6, 0.8, 1.3, 1.7, 2.5}) {
    const auto count = static_cast<Eigen::Index>(std::lround(cycles / kStep)) + 1;
    const Cycles found = find_cycles(decay.samples(count, kStep), kStep);
    // Below one cycle a sine with an offset fits within a tenth.
    EXPECT_NEAR(found.count, cycles, 0.12 * cycles) << cycles;
  }
}

TEST(FindCycles, SeesTheOscillationOnASlowDrift) {
  const Decay decay{.frequency_hz = 1.0, .ratio = 5e-3};
  VectorXd values = decay.samples(8001, kStep);
  for (Eigen::Index k = 0; k < values.size(); ++k) values(k) += 4e-4 * static_cast<double>(k);
  EXPECT_NEAR(find_cycles(values, kStep).period, 1.0, 2e-3);
}

TEST(FindCycles, SaysThatNoiseDoesNotOscillate) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Cycles cycles = find_cycles(noisy(VectorXd::Zero(2000), 1.0, seed), kStep);
    EXPECT_EQ(cycles.status, Status::NotIdentifiable) << seed;
    EXPECT_NE(cycles.message.find("no oscillation"), std::string::npos);
  }
  EXPECT_FALSE(find_cycles(VectorXd::Constant(100, 2.5), kStep).ok());
}

TEST(FindCycles, RefusesWhatItCannotUse) {
  const VectorXd few = VectorXd::Zero(7);
  EXPECT_NE(test::message_of([&] { (void)find_cycles(few, 1.0); }).find("size of values"),
            std::string::npos);
  VectorXd gap = VectorXd::Zero(20);
  gap(3) = std::nan("");
  EXPECT_THROW((void)find_cycles(gap, 1.0), InvalidInput);
  EXPECT_THROW((void)find_cycles(VectorXd::Zero(20), 0.0), InvalidInput);
}

TEST(Extrema, AreThoseOfTheClosedForm) {
  const Decay decay{.frequency_hz = 1.0, .ratio = 0.02, .phase = 0.9};
  const Cycles cycles = find_cycles(decay.samples(6001, kStep), kStep);
  ASSERT_GE(cycles.extrema.size(), 10u);
  for (const Extremum& one : cycles.extrema) {
    // x' = 0: tan(ω_d t + φ) = -ζ/√(1-ζ²)
    const double angle = decay.damped() * one.time + decay.phase + std::asin(decay.ratio);
    const double turns = angle / std::numbers::pi;
    // A quartic over ±45 degrees misses a cosine by about 1e-5.
    EXPECT_NEAR(turns, std::round(turns), 1e-4);
    EXPECT_NEAR(one.value, decay.at(one.time), 2e-5);
  }
}

TEST(LogarithmicDecrement, IsExactForViscousDamping) {
  for (const double ratio : {1e-3, 0.01, 0.05}) {
    const Decay decay{.frequency_hz = 2.0, .ratio = ratio};
    const Cycles cycles = find_cycles(decay.samples(6001, kStep), kStep);
    const LogDecrement result = logarithmic_decrement(cycles);
    ASSERT_TRUE(result.ok());
    // The quartic scales with the amplitude, so its error cancels up to the place of the samples.
    EXPECT_NEAR(result.decrement, decay.decrement(), 1e-4 * decay.decrement() + 1e-6);
    EXPECT_NEAR(result.ratio, ratio, 1e-4 * ratio + 2e-7);
    EXPECT_NEAR(result.rate, 2.0 * ratio * decay.omega(), 1e-3 * ratio * decay.omega());
    EXPECT_EQ(result.course.size() + 2, result.amplitudes.size());
    for (const CycleDamping& cycle : result.course) {
      EXPECT_NEAR(cycle.ratio, ratio, 1e-3 * ratio + 1e-6);
    }
  }
}

TEST(LogarithmicDecrement, DoesNotSeeOffsetAndLinearDrift) {
  const Decay decay{.frequency_hz = 1.0, .ratio = 0.01};
  VectorXd values = decay.samples(8001, kStep);
  for (Eigen::Index k = 0; k < values.size(); ++k) values(k) += 0.2 + 2e-5 * static_cast<double>(k);
  const LogDecrement result = logarithmic_decrement(find_cycles(values, kStep));
  // The drift moves the extrema by its slope over the curvature: second order in drift/amplitude.
  EXPECT_NEAR(result.ratio, 0.01, 5e-5);
}

TEST(LogarithmicDecrement, ReportsItsScatter) {
  const Decay decay{.frequency_hz = 1.0, .ratio = 0.01};
  double square = 0.0;
  double cycle_square = 0.0;
  constexpr int kRuns = 60;
  for (int run = 0; run < kRuns; ++run) {
    const VectorXd values =
        noisy(decay.samples(6001, kStep), 0.02, static_cast<std::uint64_t>(100 + run));
    const LogDecrement result = logarithmic_decrement(find_cycles(values, kStep));
    square += std::pow((result.decrement - decay.decrement()) / result.decrement_deviation, 2);
    const CycleDamping& one = result.course[3];
    cycle_square += std::pow((one.decrement - decay.decrement()) / one.decrement_deviation, 2);
  }
  // χ² of 60 over 60 lies in 0.5 .. 1.7 but for 1 in 1000.
  EXPECT_GT(square / kRuns, 0.5);
  EXPECT_LT(square / kRuns, 1.7);
  EXPECT_GT(cycle_square / kRuns, 0.5);
  EXPECT_LT(cycle_square / kRuns, 1.7);
}

// ζ = δ/√(4π² + δ²): its deviation is that of δ times dζ/dδ, here by differences. At δ = 1.6 the
// slope is a tenth below 1/2π, its value without damping.
TEST(LogarithmicDecrement, TheDeviationOfTheRatioFollowsFromThatOfTheDecrement) {
  const auto ratio_of = [](double delta) {
    return delta / std::sqrt(4.0 * std::numbers::pi * std::numbers::pi + delta * delta);
  };
  const Decay decay{.frequency_hz = 1.0, .ratio = 0.25};
  const LogDecrement result =
      logarithmic_decrement(find_cycles(noisy(decay.samples(4001, kStep), 1e-3, 7), kStep));
  ASSERT_TRUE(result.ok()) << result.message;
  const auto expected = [&](double delta, double deviation) {
    return deviation * (ratio_of(delta + 1e-5) - ratio_of(delta - 1e-5)) / 2e-5;
  };
  ASSERT_LT(expected(result.decrement, 1.0), 0.93 / (2.0 * std::numbers::pi));
  // The error of central differences is below 1e-9.
  EXPECT_NEAR(result.ratio_deviation / expected(result.decrement, result.decrement_deviation), 1.0,
              1e-6);
  ASSERT_FALSE(result.course.empty());
  for (const CycleDamping& cycle : result.course) {
    EXPECT_NEAR(cycle.ratio_deviation / expected(cycle.decrement, cycle.decrement_deviation), 1.0,
                1e-6);
  }
}

// The deviation of one cycle follows from those of the extrema, each moved alone: neighbouring
// amplitudes share one of them.
TEST(LogarithmicDecrement, TheDeviationOfACycleFollowsFromThoseOfTheExtrema) {
  const Decay decay{.frequency_hz = 1.0, .ratio = 0.03};
  const Cycles cycles = find_cycles(noisy(decay.samples(6001, kStep), 0.01, 17), kStep);
  const LogDecrement result = logarithmic_decrement(cycles);
  ASSERT_GE(result.course.size(), 4u);
  for (const std::size_t k : {std::size_t{0}, std::size_t{3}}) {
    double variance = 0.0;
    for (std::size_t i = 0; i < cycles.extrema.size(); ++i) {
      Cycles up = cycles, down = cycles;
      up.extrema[i].value += 1e-6;
      down.extrema[i].value -= 1e-6;
      const double slope = (logarithmic_decrement(up).course[k].decrement -
                            logarithmic_decrement(down).course[k].decrement) /
                           2e-6;
      variance += std::pow(slope * cycles.extrema[i].deviation, 2);
    }
    // Central differences err by 1e-9, rounding of 1e-16/1e-6 by 1e-10.
    EXPECT_NEAR(result.course[k].decrement_deviation / std::sqrt(variance), 1.0, 1e-5) << k;
  }
}

// The same by chance alone: errors over deviations of the ratio and of the rate.
TEST(LogarithmicDecrement, RatioAndRateReportTheirScatter) {
  const Decay decay{.frequency_hz = 1.0, .ratio = 0.02};
  double ratio_square = 0.0, rate_square = 0.0;
  constexpr int kRuns = 60;
  for (int run = 0; run < kRuns; ++run) {
    const VectorXd values =
        noisy(decay.samples(6001, kStep), 0.02, static_cast<std::uint64_t>(900 + run));
    const LogDecrement result = logarithmic_decrement(find_cycles(values, kStep));
    ratio_square += std::pow((result.ratio - decay.ratio) / result.ratio_deviation, 2);
    rate_square +=
        std::pow((result.rate - 2.0 * decay.ratio * decay.omega()) / result.rate_deviation, 2);
  }
  // χ² of 60 over 60 lies in 0.5 .. 1.7 but for 1 in 1000.
  EXPECT_GT(ratio_square / kRuns, 0.5);
  EXPECT_LT(ratio_square / kRuns, 1.7);
  EXPECT_GT(rate_square / kRuns, 0.5);
  EXPECT_LT(rate_square / kRuns, 1.7);
}

// Amplitudes under dry friction fall linearly, so that the decrement grows; a decay whose rate is
// proportional to the amplitude, A = 1/(1 + bt), is that of drag.
TEST(LogarithmicDecrement, TellsFrictionFromDrag) {
  const double omega = 2.0 * std::numbers::pi;
  VectorXd friction(8001), drag(8001);
  for (Eigen::Index k = 0; k < friction.size(); ++k) {
    const double t = kStep * static_cast<double>(k);
    friction(k) = (1.0 - 0.08 * t) * std::cos(omega * t + 0.3);
    drag(k) = 1.0 / (1.0 + 0.2 * t) * std::cos(omega * t + 0.3);
  }
  const double rubs = logarithmic_decrement(find_cycles(noisy(friction, 1e-3, 1), kStep)).bend;
  const double drags = logarithmic_decrement(find_cycles(noisy(drag, 1e-3, 2), kStep)).bend;
  EXPECT_LT(rubs, -5.0);
  EXPECT_GT(drags, 5.0);
  const Decay viscous{.frequency_hz = 1.0, .ratio = 0.01};
  const VectorXd values = noisy(viscous.samples(8001, kStep), 1e-3, 3);
  EXPECT_LT(std::abs(logarithmic_decrement(find_cycles(values, kStep)).bend), 4.0);
}

TEST(LogarithmicDecrement, NeedsFiveExtrema) {
  const Decay decay{.frequency_hz = 1.0, .ratio = 0.01};
  const LogDecrement result = logarithmic_decrement(find_cycles(decay.samples(2001, kStep), kStep));
  EXPECT_EQ(result.status, Status::NotIdentifiable);
  EXPECT_NE(result.message.find("5 extrema"), std::string::npos);
}

TEST(DecayEnvelope, IsThatOfTheClosedFormUpToTheEnds) {
  for (const double ratio : {0.0, 0.01, 0.03}) {
    const Decay decay{.amplitude = 2.0, .frequency_hz = 1.0, .ratio = ratio};
    const VectorXd values = decay.samples(8001, kStep);
    const DecayEnvelope result = decay_envelope(values, kStep, find_cycles(values, kStep));
    ASSERT_TRUE(result.ok());
    EXPECT_LT(result.times(0), 0.5);
    EXPECT_GT(result.times(result.times.size() - 1), 7.5);
    for (Eigen::Index k = 0; k < result.times.size(); ++k) {
      const double truth = 2.0 * std::exp(-ratio * decay.omega() * result.times(k));
      // The baseline has an error of order ζ² A.
      ASSERT_NEAR(result.envelope(k), truth, (1e-3 + 30.0 * ratio * ratio) * truth)
          << result.times(k);
    }
    for (Eigen::Index k = 0; k < result.inner_times.size(); ++k) {
      ASSERT_NEAR(result.frequency_hz(k), 1.0 / decay.period(), 1e-3);
      ASSERT_NEAR(result.decay_rate(k), ratio * decay.omega(), 1e-3 + 4.0 * ratio * ratio);
    }
    const Eigen::Index middle = result.inner_times.size() / 2;
    EXPECT_NEAR(result.frequency_hz(middle), 1.0 / decay.period(), 2e-4);
    EXPECT_NEAR(result.decay_rate(middle), ratio * decay.omega(), 1e-3);
  }
}

// The frequency of x = cos φ(t), φ' = 2π (1 + 0.01 t), is known at every time.
TEST(DecayEnvelope, FollowsAMovingFrequency) {
  VectorXd values(10001);
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const double t = kStep * static_cast<double>(k);
    values(k) = std::cos(2.0 * std::numbers::pi * (t + 0.005 * t * t) + 0.4);
  }
  const DecayEnvelope result = decay_envelope(values, kStep, find_cycles(values, kStep));
  for (Eigen::Index k = 0; k < result.inner_times.size(); ++k) {
    ASSERT_NEAR(result.frequency_hz(k), 1.0 + 0.01 * result.inner_times(k), 4e-3);
  }
}

TEST(DecayEnvelope, NeedsFourCrossings) {
  const VectorXd values = Decay{}.samples(1201, kStep);
  const DecayEnvelope result = decay_envelope(values, kStep, find_cycles(values, kStep));
  EXPECT_EQ(result.status, Status::NotIdentifiable);
}

}  // namespace
}  // namespace alembert::identify::free_decay_test
