#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "model/equations/graph/derivative.hpp"
#include "support/data.hpp"
#include "support/equation_support.hpp"

namespace alembert::model {
namespace equation_derivatives_test {

using test::evaluated;
using test::NamedValues;
using testing::ElementsAre;

constexpr double kEps = 2.2e-16;

struct ClosedForm {
  std::string text;
  double da;
  double db;
};

TEST(EquationDerivatives, AgreeWithClosedForms) {
  const double a = 0.6, b = 1.7;
  const std::vector<ClosedForm> cases{
      {"a + b - 3", 1, 1},
      {"a * b", b, a},
      {"a / b", 1 / b, -a / (b * b)},
      {"-a^2", -2 * a, 0},
      {"b^5", 0, 5 * std::pow(b, 4)},
      {"b^-2", 0, -2 * std::pow(b, -3)},
      {"b^a", std::pow(b, a) * std::log(b), a * std::pow(b, a - 1)},
      {"sqrt(a*b)", 0.5 * std::sqrt(b / a), 0.5 * std::sqrt(a / b)},
      {"exp(2*a)", 2 * std::exp(2 * a), 0},
      {"log(b)", 0, 1 / b},
      {"sin(a*b)", b * std::cos(a * b), a * std::cos(a * b)},
      {"cos(a)", -std::sin(a), 0},
      {"tan(a)", 1 / std::pow(std::cos(a), 2), 0},
      {"asin(a)", 1 / std::sqrt(1 - a * a), 0},
      {"acos(a)", -1 / std::sqrt(1 - a * a), 0},
      {"atan(b)", 0, 1 / (1 + b * b)},
      {"sinh(a)", std::cosh(a), 0},
      {"cosh(a)", std::sinh(a), 0},
      {"tanh(a)", 1 - std::pow(std::tanh(a), 2), 0},
      {"atan2(a, b)", b / (a * a + b * b), -a / (a * a + b * b)},
      {"min(a, b)", 1, 0},
      {"max(a, b)", 0, 1},
      {"abs(-a)", 1, 0},
      {"if(a < b, a*a, b)", 2 * a, 0},
      // a*b is one part of the graph, whose derivative is needed again as the last argument.
      {"sin(a*b) + if(a > b, a, a*b)", b * std::cos(a * b) + b, a * std::cos(a * b) + a},
      {"sign(a) + floor(b) + (a < b)", 0, 0},
      {"smooth_abs(a, b)", a / std::hypot(a, b), b / std::hypot(a, b)},
  };
  for (const ClosedForm& entry : cases) {
    const auto result = evaluated(entry.text, {{"a", a}, {"b", b}});
    // Below ten roundings of numbers below 30.
    EXPECT_NEAR(result.by_parameter[0], entry.da, 300 * kEps) << entry.text;
    EXPECT_NEAR(result.by_parameter[1], entry.db, 300 * kEps) << entry.text;
  }
}

// The documented rule: the branch of the value, the first argument at a tie, right limits, and 0
// where the slope is infinite.
// (x0 x1)(x2 x3): while the product is differentiated, the gradients of both factors (2 entries
// each) and its own (4) are kept. The result has 4.
TEST(EquationDerivatives, LimitCountsAllGradientsThatAreKept) {
  using equations::Op;
  const auto entries = [](std::size_t limit) {
    equations::Graph graph;
    std::vector<equations::NodeId> x;
    for (std::size_t i = 0; i < 4; ++i) x.push_back(graph.leaf(Op::State, i));
    const auto root =
        graph.make(Op::Mul, graph.make(Op::Mul, x[0], x[1]), graph.make(Op::Mul, x[2], x[3]));
    return equations::differentiate(graph, {root}, x, {.nodes = 1000, .entries = limit}).size();
  };
  EXPECT_EQ(entries(8), 4U);
  EXPECT_THROW((void)entries(7), std::length_error);
}

TEST(EquationDerivatives, AtKinksFollowTheRule) {
  const auto slopes = [](const std::string& text, double a, double b) {
    return evaluated(text, {{"a", a}, {"b", b}}).by_parameter;
  };
  EXPECT_THAT(slopes("max(a, b)", 2.0, 2.0), ElementsAre(1.0, 0.0));
  EXPECT_THAT(slopes("min(a, b)", 2.0, 2.0), ElementsAre(1.0, 0.0));
  EXPECT_THAT(slopes("max(b, a)", 2.0, 2.0), ElementsAre(0.0, 1.0));
  EXPECT_THAT(slopes("max(a, 0)", 0.0, 0.0), ElementsAre(1.0, 0.0));
  EXPECT_THAT(slopes("max(0, a)", 0.0, 0.0), ElementsAre(0.0, 0.0));
  EXPECT_THAT(slopes("abs(a)", 0.0, 0.0), ElementsAre(1.0, 0.0));
  EXPECT_THAT(slopes("sign(a)", 0.0, 0.0), ElementsAre(0.0, 0.0));
  EXPECT_THAT(slopes("floor(a)", 2.0, 0.0), ElementsAre(0.0, 0.0));
  EXPECT_THAT(slopes("sqrt(a)", 0.0, 0.0), ElementsAre(0.0, 0.0));
  EXPECT_THAT(slopes("asin(a)", 1.0, 0.0), ElementsAre(0.0, 0.0));
  EXPECT_THAT(slopes("a^b", 0.0, 1.0), ElementsAre(1.0, 0.0));
  EXPECT_THAT(slopes("a^b", 0.0, 2.0), ElementsAre(0.0, 0.0));
  EXPECT_THAT(slopes("a^b", 0.0, 0.5), ElementsAre(0.0, 0.0));
  // Hysteresis at rest: |z|^(n-1) z and its derivatives vanish, also for n = 1.5 and n = 1.
  EXPECT_THAT(slopes("abs(a)^(b - 1)*a", 0.0, 1.5), ElementsAre(0.0, 0.0));
  EXPECT_THAT(slopes("abs(a)^(b - 1)*a", 0.0, 1.0), ElementsAre(1.0, 0.0));
}

// Random expressions of a, b, c in which every function keeps to its domain.
class RandomExpression {
 public:
  explicit RandomExpression(std::uint64_t seed) : random_(seed) {}

  std::string make(int depth) {
    if (depth == 0 || pick(8) == 0) {
      constexpr const char* kLeaves[] = {"a", "b", "c", "0.7", "2", "1.5"};
      return kLeaves[pick(6)];
    }
    const std::string x = make(depth - 1);
    const std::string y = make(depth - 1);
    switch (pick(22)) {
      case 0:
        return "(" + x + " + " + y + ")";
      case 1:
        return "(" + x + " - " + y + ")";
      case 2:
        return "(" + x + ")*(" + y + ")";
      case 3:
        return "(" + x + ")/(1 + (" + y + ")^2)";
      case 4:
        return "(-(" + x + "))";
      case 5:
        return "sin(" + x + ")";
      case 6:
        return "cos(" + x + ")";
      case 7:
        return "tanh(" + x + ")";
      case 8:
        return "exp(sin(" + x + "))";
      case 9:
        return "log(1 + (" + x + ")^2)";
      case 10:
        return "sqrt(0.1 + (" + x + ")^2)";
      case 11:
        return "abs(" + x + ")";
      case 12:
        return "max(" + x + ", " + y + ")";
      case 13:
        return "min(" + x + ", " + y + ")";
      case 14:
        return "if(" + x + " > " + y + ", " + x + ", 2*(" + y + "))";
      case 15:
        return "atan2(" + x + ", 1 + abs(" + y + "))";
      case 16:
        return "(0.2 + abs(" + x + "))^sin(" + y + ")";
      case 17:
        return "smooth_max(" + x + ", " + y + ", 0.3)";
      case 18:
        return "smooth_sign(" + x + ", 0.4)";
      case 19:
        return "sinh(sin(" + x + "))*atan(" + y + ")";
      case 20:
        return "asin(0.9*sin(" + x + "))";
      default:
        return "(sign(" + x + ") + floor(3*(" + y + ")))";
    }
  }

  double number() { return std::uniform_real_distribution<double>(-2.0, 2.0)(random_); }

 private:
  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }

  std::mt19937_64 random_;
};

// Central differences with one Richardson step, at two steps; their difference tells how good
// they are, which rules out points with a kink nearby.
TEST(EquationDerivatives, OfRandomExpressionsAgreeWithDifferences) {
  RandomExpression random(20240611);
  int compared = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const std::string text = random.make(4);
    NamedValues at{{"a", random.number()}, {"b", random.number()}, {"c", random.number()}};
    const auto exact = evaluated(text, at);
    const CompiledEquations compiled(parse_equations("y = " + text, test::setup_with(at)),
                                     {.kind = EngineKind::Interpreter});
    EquationEvaluator evaluator(compiled);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto value = [&](double shift) {
        std::vector<double> p = test::values_of(at);
        p[k] += shift;
        evaluator.set_parameters(p);
        double y = 0.0;
        evaluator.outputs(0.0, nullptr, nullptr, &y);
        return y;
      };
      const auto richardson = [&](double h) {
        const double coarse = (value(h) - value(-h)) / (2 * h);
        const double fine = (value(h / 2) - value(-h / 2)) / h;
        return (4 * fine - coarse) / 3;
      };
      const double one = richardson(2e-3), two = richardson(1e-3);
      const double scale = 1 + std::fabs(two) + std::fabs(exact.values[0]);
      if (std::fabs(one - two) > 1e-6 * scale) {
        continue;
      }
      ++compared;
      // Truncation falls by 16 from `one` to `two`; rounding is kEps/h.
      EXPECT_NEAR(exact.by_parameter[k], two, std::fabs(one - two) + 1e-10 * scale)
          << text << " by " << at[k].first;
    }
  }
  EXPECT_GT(compared, 700);  // of 900: the rest stands near a kink or bends too much
}

// Both engines on the same random expressions, values and derivatives.
TEST(EquationDerivatives, OfRandomExpressionsAreTheSameBitsInNativeCode) {
  RandomExpression random(7);
  EquationSetup setup;
  setup.inputs = {{"a", ""}, {"b", ""}};
  setup.parameters = {{"c", ""}};
  std::string text;
  for (int k = 0; k < 12; ++k) {
    const std::string name = "y" + std::to_string(k);
    text += name + " = " + random.make(3) + "\n";
    setup.outputs.push_back({name, ""});
  }
  const EquationModel model = parse_equations(text, setup);
  const test::TemporaryFolder folder;
  EquationEvaluator one(CompiledEquations(model, {.kind = EngineKind::Interpreter}));
  EquationEvaluator two(CompiledEquations(
      model, {.kind = EngineKind::Native, .cache_folder = (folder.path() / "cache").string()}));
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<double> p{random.number()}, u{random.number(), random.number()};
    one.set_parameters(p);
    two.set_parameters(p);
    auto first = one.output_jacobians(), second = two.output_jacobians();
    one.outputs(0.0, nullptr, u.data(), first);
    two.outputs(0.0, nullptr, u.data(), second);
    EXPECT_EQ(first.values, second.values);
    EXPECT_EQ(first.by_input, second.by_input);
    EXPECT_EQ(first.by_parameter, second.by_parameter);
  }
}

// All Jacobians of f, g and the start, against differences of the values.
TEST(EquationDerivatives, OfModelsAgreeWithDifferences) {
  EquationSetup setup;
  setup.inputs = {{"u1", ""}, {"u2", ""}};
  setup.outputs = {{"y1", ""}, {"q''", ""}};
  setup.parameters = {{"m", ""}, {"d", ""}, {"k", ""}, {"s", ""}};
  setup.starts = {{"q", "s^2 + m"}, {"z", "sin(k)"}};
  setup.tables = {
      {"spring", {-2, -1, 0, 1, 2.5}, {-3, -1, 0, 1, 4}, TableInterpolation::Cubic, "", ""},
      {"map", {0, 1, 3}, {0, 2, 1}, TableInterpolation::Linear, "", ""}};
  const EquationModel model = parse_equations(
      "F = table(\"spring\", q) + table(\"map\", z)*u2\n"
      "m_ = m + 0.1\n"
      "q'' = (u1 - d*q'*abs(q') - k*F)/m_\n"
      "z' = -z*exp(-q^2) + u1*u2*t + s\n"
      "y1 = q*z + u2^2*d",
      setup);
  EquationEvaluator evaluator(CompiledEquations(model, {.kind = EngineKind::Interpreter}));
  std::vector<double> x{0.37, -0.8, 1.9}, u{0.4, -1.2}, p{1.1, 0.6, 2.0, 0.3};
  evaluator.set_parameters(p);
  auto f = evaluator.derivative_jacobians();
  auto g = evaluator.output_jacobians();
  auto s = evaluator.start_jacobians();
  evaluator.derivatives(0.9, x.data(), u.data(), f);
  evaluator.outputs(0.9, x.data(), u.data(), g);
  evaluator.start(s);
  const auto compare = [&](std::vector<double>& variable, std::size_t k,
                           const std::vector<double>& jf, const std::vector<double>& jg) {
    const double h = 1e-5, before = variable[k];
    std::vector<double> fp(3), fm(3), gp(2), gm(2), sp(3), sm(3);
    const auto all = [&](double value, std::vector<double>& fv, std::vector<double>& gv,
                         std::vector<double>& sv) {
      variable[k] = value;
      evaluator.set_parameters(p);
      evaluator.derivatives(0.9, x.data(), u.data(), fv.data());
      evaluator.outputs(0.9, x.data(), u.data(), gv.data());
      evaluator.start(sv);
    };
    all(before + h, fp, gp, sp);
    all(before - h, fm, gm, sm);
    variable[k] = before;
    const double tolerance = 2e-9;  // h² times third derivatives below 20
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(jf[k * 3 + i], (fp[i] - fm[i]) / (2 * h), tolerance) << i << " " << k;
      if (&variable == &p) {
        EXPECT_NEAR(s.by_parameter[k * 3 + i], (sp[i] - sm[i]) / (2 * h), tolerance) << i << k;
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(jg[k * 2 + i], (gp[i] - gm[i]) / (2 * h), tolerance) << i << " " << k;
    }
  };
  for (std::size_t k = 0; k < 3; ++k) compare(x, k, f.by_state, g.by_state);
  for (std::size_t k = 0; k < 2; ++k) compare(u, k, f.by_input, g.by_input);
  for (std::size_t k = 0; k < 4; ++k) compare(p, k, f.by_parameter, g.by_parameter);
  EXPECT_TRUE(model.state_jacobian_entry(0, 1));
  EXPECT_FALSE(model.state_jacobian_entry(0, 0));
}

}  // namespace equation_derivatives_test
}  // namespace alembert::model
