#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/random.hpp"
#include "alembert/identify/output_error.hpp"
#include "unit/identify/output_error/equation_texts.hpp"

namespace alembert::identify {
namespace output_error_chaos_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::HasSubstr;
using namespace test_texts;

Truth lorenz() {
  return {"x' = s*(y - x)\ny' = x*(r - z) - y\nz' = x*y - b*z",
          {},
          {"x", "z"},
          {{"s", 10.0}, {"r", 28.0}, {"b", 8.0 / 3.0}},
          {{"x", "1"}, {"y", "2"}, {"z", "20"}}};
}

// Samples of both outputs each 0.02 s, with noise of given standard deviations.
Experiments noisy(const Truth& truth, Index samples, double of_x, double of_z, std::uint64_t seed) {
  Experiment record = measured(truth, MatrixXd(samples, 0), 0.02, 0.0, 1);
  record.output.col(0) += of_x * RandomStream(seed, 0).normal_vector(samples);
  record.output.col(1) += of_z * RandomStream(seed, 1).normal_vector(samples);
  return {record};
}

// Noise that is a small part of one output and a large part of the other: the weights must be those
// of the noise, or the deviations are wrong.
TEST(OutputErrorChaos, WeightsAreThoseOfTheNoise) {
  const Truth truth = lorenz();
  const model::CompiledEquations model = compiled(truth);
  double squares = 0.0;
  constexpr int kRecords = 6;
  for (int r = 0; r < kRecords; ++r) {
    const OutputErrorResult found =
        output_error(model, off_by(truth, {0.8, 1.1, 0.9}),
                     noisy(truth, 1000, 0.05, 2.0, 30 + static_cast<std::uint64_t>(r)),
                     {.strategy = StartStrategy::Windows});
    ASSERT_TRUE(found.ok()) << found.message;
    ASSERT_GT(found.windows, 1);
    // Residuals of 1000 samples with some states fitted to them: 10 % of the noise.
    EXPECT_NEAR(found.weights(0) * 0.05, 1.0, 0.1);
    EXPECT_NEAR(found.weights(1) * 2.0, 1.0, 0.1);
    squares += (found.parameters - values_of(truth))
                   .cwiseQuotient(found.statistics.deviations)
                   .squaredNorm();
  }
  // Mean of 18 squares with expectation 1, 4 standard deviations √(2/18) to both sides.
  EXPECT_NEAR(squares / (3.0 * kRecords), 1.0, 4.0 * std::sqrt(2.0 / 18.0));
}

// 40 s are 36 Lyapunov times: no double holds a start from which the record could be followed.
// Windows have start states of their own: parameters of the start of the model are left out.
TEST(OutputErrorChaos, StartOfTheModelIsNotEstimated) {
  Truth truth = lorenz();
  truth.parameters.insert(truth.parameters.end(), {{"x0", 1.0}, {"y0", 2.0}, {"z0", 20.0}});
  truth.starts = {{"x", "x0"}, {"y", "y0"}, {"z", "z0"}};
  const OutputErrorResult found =
      output_error(compiled(truth), off_by(truth, {0.8, 1.1, 0.9, 1.0, 1.0, 1.0}),
                   noisy(truth, 2000, 0.05, 0.05, 40), {.strategy = StartStrategy::Windows});
  ASSERT_TRUE(found.ok()) << found.message;
  ASSERT_GT(found.windows, 1);
  EXPECT_TRUE(found.statistics.ok()) << found.statistics.message;
  EXPECT_THAT(found.statistics.names, testing::ElementsAre("s", "r", "b"));
  EXPECT_THAT(found.note, HasSubstr("x0, y0, z0 act at the start of the records alone"));
}

}  // namespace output_error_chaos_test
}  // namespace alembert::identify
