#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/core/random.hpp"
#include "alembert/identify/state_space/state_space.hpp"

namespace alembert::identify::state_space_coverage_test {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;

constexpr double kStep = 0.01;
constexpr int kRuns = 60;

// Three modes, two outputs, noise with a memory that is the same in part in both outputs.
Experiment noisy_record(const std::array<Complex, 3>& poles, std::uint64_t seed) {
  const Index samples = 3000;
  RandomStream random(seed);
  Experiment data{
      .input = random.normal_vector(samples), .output = Eigen::MatrixXd(samples, 2), .step = kStep};
  std::array<Complex, 3> x{};
  double common = 0.0;
  for (Index k = 0; k < samples; ++k) {
    common = 0.8 * common + random.normal();
    for (Index o = 0; o < 2; ++o) {
      double y = 0.3 * common + 0.5 * random.normal();
      for (std::size_t r = 0; r < 3; ++r)
        y += (o == 0 ? 1.0 : 0.6 - 0.5 * static_cast<double>(r)) * x[r].imag();
      data.output(k, o) = y;
    }
    for (std::size_t r = 0; r < 3; ++r) x[r] = poles[r] * x[r] + data.input(k, 0);
  }
  return data;
}

// 180 modes: at 95 % the share inside has a deviation of 1.6 points; 30 parts widen the tails of
// the normal law by about one point. 88 to 99.5 % are four deviations about 94.
TEST(StateSpaceDeviations, CoverTheTruthUnderColouredNoise) {
  std::array<Complex, 3> poles;
  const std::array<double, 3> f = {6.0, 14.0, 31.0};
  const std::array<double, 3> zeta = {0.01, 0.006, 0.015};
  for (std::size_t r = 0; r < 3; ++r) {
    const double omega = 2.0 * std::numbers::pi * f[r];
    poles[r] = std::exp(kStep * omega * Complex(-zeta[r], std::sqrt(1.0 - zeta[r] * zeta[r])));
  }
  int inside_f = 0;
  int inside_zeta = 0;
  for (int run = 0; run < kRuns; ++run) {
    const StateSpace found =
        identify_state_space({noisy_record(poles, 100 + static_cast<std::uint64_t>(run))}, {},
                             {.order = 6, .form = StateSpaceForm::OutputError});
    ASSERT_EQ(found.poles.size(), 3U) << run;
    for (std::size_t r = 0; r < 3; ++r) {
      const StatePole& pole = found.poles[r];
      inside_f += std::abs(pole.frequency_hz - f[r]) < 1.96 * pole.frequency_deviation ? 1 : 0;
      inside_zeta += std::abs(pole.damping_ratio - zeta[r]) < 1.96 * pole.damping_deviation ? 1 : 0;
    }
  }
  const double all = 3.0 * kRuns;
  EXPECT_GT(inside_f / all, 0.88);
  EXPECT_LT(inside_f / all, 0.995);
  EXPECT_GT(inside_zeta / all, 0.88);
  EXPECT_LT(inside_zeta / all, 0.995);
}

}  // namespace
}  // namespace alembert::identify::state_space_coverage_test
