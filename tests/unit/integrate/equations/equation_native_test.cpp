#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <random>

#include "support/data.hpp"
#include "unit/integrate/equations/equation_runs.hpp"

namespace alembert::integrate {
namespace equation_native_test {

using namespace model;

using test::cache_folder;
using test::interpreted;
using test::native;
using test::same_bits;
using testing::HasSubstr;

// Where there is no slope, both engines give 0, by the rule for kinks.
TEST(EquationNative, BothGiveNoSlopeWhereThereIsNone) {
  EquationSetup setup;
  setup.inputs = {{"a", ""}, {"b", ""}};
  setup.outputs = {{"y1", ""}, {"y2", ""}, {"y3", ""}, {"y4", ""}, {"y5", ""}, {"y6", ""}};
  const EquationModel model = parse_equations(
      "y1 = atan2(a, b)\ny2 = a^b\ny3 = smooth_sign(a, b)\ny4 = a/b\ny5 = a^-2\ny6 = log(a)",
      setup);
  struct Point {
    std::size_t output;
    double a, b, da, db;
  };
  const double log_part = std::pow(2.0, -1.5) * std::log(2.0);
  for (const CompiledEquations& compiled : {interpreted(model), native(model)}) {
    EquationSimulator evaluator(compiled);
    for (const Point& at :
         std::initializer_list<Point>{{0, 0, 0, 0, 0},
                                      {0, 0, 1e-160, 1e160, 0},
                                      {1, -2, 3, 12, 0},
                                      {1, 0, -2, 0, 0},
                                      {1, 0, -0.5, 0, 0},
                                      {1, 2, -1.5, -1.5 * std::pow(2, -2.5), log_part},
                                      {2, 0, 0, 0, 0},
                                      {2, 0, 0.5, 2, 0},
                                      {3, 0, 0, 0, 0},
                                      {3, 1, 0, 0, 0},
                                      {4, 0, 0, 0, 0},
                                      {5, 0, 0, 0, 0}}) {
      auto result = evaluator.output_jacobians();
      const std::vector<double> u{at.a, at.b};
      evaluator.outputs(0.0, nullptr, u.data(), result);
      const double da = result.by_input[at.output], db = result.by_input[6 + at.output];
      // A few roundings; squares of 1e-160 are subnormal, with four digits left.
      const double rounding = at.b == 1e-160 ? 1e-3 : 2e-15;
      EXPECT_NEAR(da, at.da, rounding * std::fabs(at.da)) << at.output << " " << at.a;
      EXPECT_NEAR(db, at.db, rounding * std::fabs(at.db)) << at.output << " " << at.a;
    }
    const std::vector<double> origin{0.0, 0.0};
    std::vector<double> y(6);
    evaluator.outputs(0.0, nullptr, origin.data(), y.data());
    EXPECT_EQ(y[2], 0.0);  // smooth_sign(0, 0), as sign(0)
  }
}

// Compilers like to replace pow(2, x) by exp2(x), whose last bit differs now and then.
TEST(EquationNative, PowersOfTwoAreTheSameBitsWithAnyCompiler) {
  EquationSetup setup;
  setup.inputs = {{"a", ""}};
  setup.outputs = {{"y1", ""}, {"y2", ""}, {"y3", ""}};
  const EquationModel model = parse_equations("y1 = 2^a\ny2 = 10^a\ny3 = 0.5^a", setup);
  EquationSimulator one(interpreted(model));
  int compared = 0;
  for (const std::string compiler : {"/usr/bin/gcc", "/usr/bin/clang", "/usr/bin/cc"}) {
    if (!std::filesystem::exists(compiler)) continue;
    EquationSimulator two(CompiledEquations(
        model, {.kind = EngineKind::Native, .cache_folder = cache_folder(), .compiler = compiler}));
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> exponent(-30.0, 30.0);
    std::vector<double> y1(3), y2(3);
    bool same = true;
    for (int k = 0; k < 20000; ++k) {
      const double a = exponent(random);
      one.outputs(0.0, nullptr, &a, y1.data());
      two.outputs(0.0, nullptr, &a, y2.data());
      same = same && same_bits(y1, y2);
    }
    EXPECT_TRUE(same) << compiler;
    ++compared;
  }
  if (compared == 0) GTEST_SKIP() << "there is no compiler in /usr/bin";
}

// x_k' = s - x_k with the sum s of all: few operations, but a full Jacobian.
EquationModel coupled(int states) {
  std::string text = "s = 0", equations;
  for (int k = 0; k < states; ++k) {
    const std::string x = "x" + std::to_string(k);
    text += " + " + x;
    equations += "\n" + x + "' = s - " + x;
  }
  return parse_equations(text + equations, {});
}

TEST(EquationNative, LargeJacobiansAreInterpreted) {
  const auto begin = std::chrono::steady_clock::now();
  const CompiledEquations compiled(coupled(300), {.cache_folder = cache_folder(), .timeout = 1.0});
  EXPECT_EQ(compiled.engine(), EngineKind::Interpreter);
  EXPECT_THAT(compiled.note(), HasSubstr("89700 entries of Jacobians"));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(spent.count(), 0.9);  // no compiler was started
  EquationSimulator evaluator(compiled);
  auto f = evaluator.derivative_jacobians();
  const std::vector<double> x(300, 1.0);
  evaluator.derivatives(0.0, x.data(), nullptr, f);
  EXPECT_EQ(f.values[7], 299.0);
  EXPECT_EQ(f.by_state[7 * 300 + 7], 0.0);
  EXPECT_EQ(std::accumulate(f.by_state.begin(), f.by_state.end(), 0.0), 300.0 * 299.0);
}

}  // namespace equation_native_test
}  // namespace alembert::integrate
