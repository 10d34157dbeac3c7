#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>

#include "alembert/core/random.hpp"
#include "alembert/identify/equation_fit.hpp"

// Terms that are missing in the equations of a fit by output error.
namespace alembert::identify::unmodelled_terms_test {
namespace {

using Eigen::Index;
using Eigen::Vector2d;
using testing::Contains;
using testing::HasSubstr;
using Term = std::function<double(double x, double v)>;

constexpr double kDamping = 0.6, kStiffness = 40.0, kGain = 10.0, kStep = 0.04;

// x'' = b f - c x' - k x - φ(x, x') by the classical Runge-Kutta rule with 40 steps a sample, under
// forces that are held over four samples.
Experiment driven(Index samples, std::uint64_t seed, const Term& term, double noise,
                  double colour = 0.0) {
  RandomStream random(seed);
  Experiment one{
      .input = Eigen::MatrixXd(samples, 1), .output = Eigen::MatrixXd(samples, 1), .step = kStep};
  Vector2d state(0.0, 0.0);
  double f = 0.0, e = 0.0;
  const auto slope = [&](const Vector2d& x) {
    return Vector2d(x(1), kGain * f - kDamping * x(1) - kStiffness * x(0) - term(x(0), x(1)));
  };
  for (Index k = 0; k < samples; ++k) {
    if (k % 4 == 0) f = random.normal();
    e = colour * e + std::sqrt(1.0 - colour * colour) * random.normal();
    one.input(k, 0) = f;
    one.output(k, 0) = state(0) + noise * e;
    const double h = kStep / 40.0;
    for (int i = 0; i < 40; ++i) {
      const Vector2d k1 = slope(state), k2 = slope(state + 0.5 * h * k1);
      const Vector2d k3 = slope(state + 0.5 * h * k2), k4 = slope(state + h * k3);
      state += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
  }
  return one;
}

const Term kNone = [](double, double) { return 0.0; };

EquationFit fit(const Experiments& data, const EquationFitOptions& given = {},
                const std::string& more = "") {
  EquationFitOptions options = given;
  options.engine = model::EngineKind::Interpreter;
  model::EquationSetup setup;
  setup.inputs = {{"f", ""}};
  setup.outputs = {{"x", ""}};
  std::vector<optimize::Parameter> guesses = {
      {.name = "b", .guess = 9.0}, {.name = "c", .guess = 0.5}, {.name = "k", .guess = 38.0}};
  if (!more.empty()) guesses.push_back({.name = "q", .guess = 0.0});
  return fit_equations("x'' = b*f - c*x' - k*x" + more, setup, guesses, data, options);
}

std::string reasons(const EquationFit& found) {
  return testing::PrintToString(found.verdict.reasons);
}

// The fit says that a term is missing, which one and how large, and what that does to c or k.
void expect_found(const EquationFit& found, const std::string& text, double coefficient) {
  EXPECT_EQ(found.verdict.level, TrustLevel::Caution) << reasons(found);
  EXPECT_THAT(found.verdict.reasons, Contains(HasSubstr(text)));
  ASSERT_FALSE(found.estimate.missing_terms.empty());
  const UnmodelledTerm& term = found.estimate.missing_terms.front();
  EXPECT_EQ(term.equation, "x''");
  EXPECT_THAT(term.text, HasSubstr(text));
  // In first order: what the term does to the motion is of second order here, a tenth of a tenth.
  EXPECT_NEAR(term.coefficient, coefficient, 0.25 * std::abs(coefficient) + 4.0 * term.deviation);
  EXPECT_GT(std::abs(term.shift), 0.5);
  const double moved = found.parameter(term.parameter).value + term.moved;
  const double truth = term.parameter == "c"   ? kDamping
                       : term.parameter == "k" ? kStiffness
                                               : kGain;
  EXPECT_LT(std::abs(moved - truth), 0.5 * std::abs(found.parameter(term.parameter).value - truth) +
                                         4.0 * found.parameter(term.parameter).deviation);
}

TEST(UnmodelledTerms, DryFrictionOfAFewPerCentIsNamed) {
  // The force has the size 10: 4 % of it.
  const auto friction = [](double, double v) {
    return 0.4 * (v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0);
  };
  for (const std::uint64_t seed : {1U, 2U}) {
    expect_found(fit({driven(800, seed, friction, 0.004)}), "smooth_sign(x'", -0.4);
  }
}

TEST(UnmodelledTerms, DragHardeningAndOffsetAreNamed) {
  const auto drag = [](double, double v) { return 0.15 * v * std::abs(v); };
  expect_found(fit({driven(800, 3, drag, 0.004)}), "x'*abs(x')", -0.15);
  const auto hardening = [](double x, double) { return 8.0 * x * x * x; };
  expect_found(fit({driven(800, 4, hardening, 0.004)}), "x^3", -8.0);
  const auto uneven = [](double x, double) { return 2.5 * x * x; };
  expect_found(fit({driven(800, 5, uneven, 0.004)}), "x^2", -2.5);
}

TEST(UnmodelledTerms, SoundRecordsHaveNone) {
  // 1 in 1000 each: one or more of 40 in 4 of 100 sets of seeds.
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    const EquationFit found = fit({driven(400, seed, kNone, 0.01)});
    EXPECT_TRUE(found.estimate.missing_terms.empty()) << seed << reasons(found);
  }
}

TEST(UnmodelledTerms, ColouredNoiseLooksLikeNone) {
  for (std::uint64_t seed = 200; seed < 220; ++seed) {
    const EquationFit found = fit({driven(800, seed, kNone, 0.02, 0.95)});
    EXPECT_TRUE(found.estimate.missing_terms.empty()) << seed << reasons(found);
  }
}

// What the equations have already is not missing.
TEST(UnmodelledTerms, ATermThatIsThereIsNotNamed) {
  const auto friction = [](double, double v) { return 0.4 * v / std::sqrt(v * v + 1e-4); };
  const EquationFit found =
      fit({driven(800, 1, friction, 0.004)}, {}, " - q*smooth_sign(x', 0.01)");
  EXPECT_TRUE(found.estimate.missing_terms.empty()) << reasons(found);
  EXPECT_EQ(found.verdict.level, TrustLevel::Good) << reasons(found);
}

// The score test against a fit of the term: both are the same to first order in a small term.
TEST(UnmodelledTerms, AreWhatAFitOfTheTermFinds) {
  const auto hardening = [](double x, double) { return 0.2 * x * x * x; };
  const Experiments data = {driven(1000, 7, hardening, 0.004)};
  const EquationFit without = fit(data);
  ASSERT_FALSE(without.estimate.missing_terms.empty());
  const UnmodelledTerm& term = without.estimate.missing_terms.front();
  ASSERT_EQ(term.text, "x^3");
  const EquationFit with = fit(data, {}, " + q*x^3");
  const ParameterVerdict q = with.parameter("q");
  // First order against a term that changes the motion by a thousandth of itself.
  EXPECT_NEAR(term.coefficient, q.value, 0.3 * q.deviation + 0.05 * std::abs(q.value));
  EXPECT_NEAR(term.deviation, q.deviation, 0.1 * q.deviation);
  // Likelihood-ratio and score statistics are the same in the limit.
  const double ratio = (without.estimate.cost - with.estimate.cost) / with.estimate.cost * 996.0;
  EXPECT_NEAR(std::pow(term.deviations(), 2), ratio, 0.2 * ratio);
  const double moved =
      with.parameter(term.parameter).value - without.parameter(term.parameter).value;
  EXPECT_NEAR(term.moved, moved, 0.1 * std::abs(moved));
}

TEST(UnmodelledTerms, AreFoundWithFreeStartsAndInWindows) {
  const auto friction = [](double, double v) {
    return 0.4 * (v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0);
  };
  const Experiments data = {driven(600, 8, friction, 0.004), driven(500, 9, friction, 0.004)};
  EquationFitOptions options;
  options.output_error.simulation.start = StartState::Free;
  expect_found(fit(data, options), "smooth_sign(x'", -0.4);
  options.output_error.simulation.start = StartState::Model;
  options.output_error.window = 6.0;
  expect_found(fit(data, options), "smooth_sign(x'", -0.4);
}

TEST(UnmodelledTerms, AreNotLookedForUnlessWanted) {
  const auto hardening = [](double x, double) { return 8.0 * x * x * x; };
  EquationFitOptions options;
  options.output_error.missing_terms = false;
  EXPECT_TRUE(fit({driven(400, 4, hardening, 0.004)}, options).estimate.missing_terms.empty());
}

}  // namespace
}  // namespace alembert::identify::unmodelled_terms_test
