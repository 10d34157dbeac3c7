#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "alembert/study/output_error.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace equation_residuals_test {

using identify::input_correlations;
using identify::InputCorrelation;
using testing::HasSubstr;

Eigen::MatrixXd noise(Eigen::Index samples, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd values(samples, 1);
  for (Eigen::Index k = 0; k < samples; ++k) values(k, 0) = normal(random);
  return values;
}

identify::Experiments experiment(const Eigen::MatrixXd& input) {
  return {{.input = input, .output = Eigen::MatrixXd::Zero(input.rows(), 1), .step = 1.0}};
}

TEST(InputCorrelations, ADelayedInputIsFoundAtItsLag) {
  Eigen::MatrixXd u = noise(400, 1);
  u.array() += 5.0;  // The mean says nothing.
  Eigen::MatrixXd e = noise(400, 2);
  for (Eigen::Index k = 3; k < 400; ++k) e(k, 0) = -0.2 * (u(k - 3, 0) - u.mean());
  for (Eigen::Index k = 0; k < 3; ++k) e(k, 0) = std::numeric_limits<double>::quiet_NaN();
  const std::vector<InputCorrelation> found = input_correlations(experiment(u), {e}, 10);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].lag, 3);
  // The residual is the input but for a factor; 400 summands.
  EXPECT_NEAR(found[0].values(3), -1.0, 400.0 * 2.3e-16);
  EXPECT_LT(found[0].p_value, 1e-10);
  EXPECT_EQ(found[0].values.size(), 11);
}

// The bound of Bonferroni is on the safe side: p below 5 % in at most 5 % of the cases.
TEST(InputCorrelations, NoiseIsFoundAsSeldomAsItShouldBe) {
  int alarms = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Eigen::MatrixXd u = noise(300, 1000 + seed);
    // The colour of the input does not matter.
    for (Eigen::Index k = 1; k < u.rows(); ++k) u(k, 0) += 0.9 * u(k - 1, 0);
    if (input_correlations(experiment(u), {noise(300, seed)})[0].p_value < 0.05) ++alarms;
  }
  // Of 200 with 5 % at most: 10 and 4 deviations of 3.1. A coloured input has dependent lags, so
  // that there are fewer; none at all would say that the test is dead.
  EXPECT_LE(alarms, 22);
  EXPECT_GE(alarms, 1);
}

TEST(InputCorrelations, AConstantInputHasNone) {
  const Eigen::MatrixXd u = Eigen::MatrixXd::Constant(50, 1, 2.0);
  const std::vector<InputCorrelation> found = input_correlations(experiment(u), {noise(50, 3)});
  EXPECT_EQ(found[0].p_value, 1.0);
  EXPECT_EQ(found[0].values.cwiseAbs().maxCoeff(), 0.0);
}

// Feedthrough that the model does not have, of an input that is white itself.
TEST(InputCorrelations, WhatTheModelMissesIsNamed) {
  const test::TemporaryFolder folder;
  const Eigen::MatrixXd u = noise(600, 4);
  const Eigen::MatrixXd e = noise(600, 5);
  for (const double feedthrough : {0.0, 0.01}) {
    std::string text = "u,y\n";
    double y = 0.0;
    for (Eigen::Index k = 0; k < 600; ++k) {
      text += std::to_string(u(k, 0)) + "," +
              std::to_string(y + feedthrough * u(k, 0) + 0.01 * e(k, 0)) + "\n";
      y = 2.0 * u(k, 0) + (y - 2.0 * u(k, 0)) * std::exp(-0.08);
    }
    (void)folder.write("lag.csv", text);
    const LoadedStudy loaded = load_study_text(R"toml([data]
file = "lag.csv"
step = 0.1
inputs = { u = "u" }
outputs = { y = "y" }
[model]
equations = "y' = a*(b*u - y)"
[identify]
method = "output-error"
engine = "interpreter"
parameters = { a = 1.0, b = 1.0 }
)toml",
                                               folder.path() / "study.toml");
    ASSERT_TRUE(loaded.problems.empty()) << loaded.problems.front().message;
    const OutputErrorOutcome found = run_output_error(*loaded.as<OutputErrorStudy>());
    const auto warning = testing::Contains(HasSubstr("the residuals of y follow the input u"));
    if (feedthrough > 0.0) {
      EXPECT_THAT(found.warnings, warning);
      EXPECT_EQ(found.inputs[0].lag, 0);
    } else {
      EXPECT_THAT(found.warnings, testing::IsEmpty());
    }
  }
}

}  // namespace equation_residuals_test
}  // namespace alembert::study
