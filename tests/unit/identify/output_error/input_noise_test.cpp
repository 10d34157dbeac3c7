#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <regex>

#include "alembert/core/random.hpp"
#include "alembert/identify/equation_fit.hpp"
#include "alembert/identify/output_error.hpp"

// Noise on the measured input of equations: an oscillator driven by a white force, held.
namespace alembert::identify {
namespace input_noise_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::Contains;
using testing::HasSubstr;

constexpr const char* kOscillator = "x'' = (u - d*x' - k*x)/m";
constexpr double kNoise = 0.4;  // of a force of variance 1
constexpr Index kSamples = 2400;
const Eigen::Vector3d kTruth(1.0, 0.6, 40.0);

model::EquationSetup setup() {
  model::EquationSetup result;
  result.inputs = {{"u", ""}};
  result.outputs = {{"x", ""}};
  result.parameters = {{"m", ""}, {"d", ""}, {"k", ""}};
  return result;
}

std::vector<optimize::Parameter> guesses() {
  return {{.name = "m", .guess = 1.0}, {.name = "d", .guess = 0.6}, {.name = "k", .guess = 40.0}};
}

model::CompiledEquations oscillator() {
  return model::CompiledEquations(model::parse_equations(kOscillator, setup()),
                                  {.kind = model::EngineKind::Interpreter});
}

// The response to the true force with 1 % noise of its own, and the force as it is measured.
Experiment record(double input_noise, std::uint64_t seed) {
  RandomStream random(20261118, seed);
  Experiment result{
      .input = random.normal_vector(kSamples), .output = MatrixXd::Zero(kSamples, 1), .step = 0.05};
  result.output = simulate_equations(oscillator(), kTruth, {result}).outputs.front();
  const double size = 0.01 * result.output.norm() / std::sqrt(static_cast<double>(kSamples));
  result.output += size * random.normal_vector(kSamples);
  result.input += input_noise * random.normal_vector(kSamples);
  return result;
}

OutputErrorResult fitted(const Experiment& data) {
  const OutputErrorResult found =
      output_error(oscillator(), guesses(), {data}, {.strategy = StartStrategy::Plain});
  EXPECT_TRUE(found.ok()) << found.message;
  return found;
}

// "m too large by 15 %": 15; NaN if it is not said.
double excess_in(const std::string& note, const std::string& name) {
  std::smatch found;
  const std::regex words(name + " too large by ([0-9.]+) %");
  return std::regex_search(note, found, words) ? std::stod(found[1]) : std::nan("");
}

// White noise on a white force makes m, d and k too large by r = 16 % of the truth, r/(1 + r) =
// 13.8 % of themselves. The residuals show φ = r of the measured variance s = 1 + r
// (force_noise_test derives it); as much again makes J'J (s + φ s)/s⁴ and the gradient φ/s², so
// that the step is φ/(1 + φ) of the estimate: the bias. Mean of twelve records, and t(11) = 4.44,
// which chance exceeds in one of 1000.
TEST(InputNoise, SaysInWhichDirectionAndByHowMuch) {
  VectorXd excess(12);
  for (Index run = 0; run < excess.size(); ++run) {
    const OutputErrorResult found = fitted(record(kNoise, 10 + static_cast<std::uint64_t>(run)));
    EXPECT_THAT(found.note, HasSubstr("noise of the sensors of the inputs"));
    excess(run) = excess_in(found.note, "m");
  }
  ASSERT_TRUE(excess.allFinite()) << excess.transpose();
  const double scatter = std::sqrt((excess.array() - excess.mean()).square().sum() / 11.0);
  const double chance = 4.44 * scatter / std::sqrt(12.0);
  EXPECT_NEAR(excess.mean(), 100.0 * 0.16 / 1.16, chance);
  EXPECT_LT(chance, 6.0);  // of use at all
}

TEST(InputNoise, IsAReasonForCaution) {
  const EquationFit fit = fit_equations(kOscillator, setup(), guesses(), {record(kNoise, 40)},
                                        {.output_error = {.strategy = StartStrategy::Plain},
                                         .engine = model::EngineKind::Interpreter});
  EXPECT_EQ(fit.verdict.level, TrustLevel::Caution);
  EXPECT_THAT(fit.verdict.reasons, Contains(HasSubstr("noise of the sensors of the inputs")));
}

// Noise of the output with a resonance at three times the frequency of the oscillator.
TEST(InputNoise, IsNotSeenInOtherResiduals) {
  for (std::uint64_t seed = 50; seed < 54; ++seed) {
    Experiment exact = record(0.0, seed);
    EXPECT_EQ(fitted(exact).note, "");
    RandomStream random(31, seed);
    VectorXd noise = random.normal_vector(kSamples);
    const double turn = 3.0 * std::sqrt(kTruth(2)) * exact.step;
    for (Index k = 2; k < kSamples; ++k) {
      noise(k) += 2.0 * 0.98 * std::cos(turn) * noise(k - 1) - 0.98 * 0.98 * noise(k - 2);
    }
    exact.output += 0.1 * exact.output.norm() / noise.norm() * noise;
    EXPECT_EQ(fitted(exact).note, "") << seed;
  }
}

}  // namespace input_noise_test
}  // namespace alembert::identify
