#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "support/equation_support.hpp"

namespace alembert::model {
namespace equation_text_test {

using test::equation_error;
using test::evaluated;
using test::NamedValues;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Volatile: the compiler shall call the math library, not fold with roundings of its own.
volatile double kA = 0.7;
volatile double kB = -1.3;
volatile double kC = 2.5;

double value(const std::string& expression) {
  return evaluated(expression, {{"a", kA}, {"b", kB}, {"c", kC}}).values[0];
}

TEST(EquationText, OperatorsBindAsInAlgebra) {
  // The same operations by the C++ compiler: equal to the last bit.
  EXPECT_EQ(value("a - b - c"), kA - kB - kC);
  EXPECT_EQ(value("a / b / c"), kA / kB / kC);
  EXPECT_EQ(value("a + b * c"), kA + kB * kC);
  EXPECT_EQ(value("(a + b) * c"), (kA + kB) * kC);
  EXPECT_EQ(value("-a^2"), -(kA * kA));
  EXPECT_EQ(value("(-a)^2"), kA * kA);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("c^a^c"), std::pow(kC, std::pow(kA, kC)));
  EXPECT_EQ(value("a * -b"), kA * -kB);
  EXPECT_EQ(value("- - a"), kA);
  EXPECT_EQ(value("+a"), kA);
  EXPECT_EQ(value("1.5e2 + .5 + 5."), 155.5);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("a  # a line goes on before or behind an operator\n + b -\n c"), kA + kB - kC);
}

TEST(EquationText, ComparisonsAndLogicBindWeakerThanSums) {
  EXPECT_EQ(value("a + 1 > c - 2"), 1.0);
  EXPECT_EQ(value("a < b"), 0.0);
  EXPECT_EQ(value("a >= a"), 1.0);
  EXPECT_EQ(value("a <= b or c == 2.5"), 1.0);
  EXPECT_EQ(value("a > b and c != 2.5"), 0.0);
  EXPECT_EQ(value("1 or 0 and 0"), 1.0);
  EXPECT_EQ(value("not a > 0"), 0.0);
  EXPECT_EQ(value("not a > 0 or 1"), 1.0);
  EXPECT_EQ(value("if(a > 0, b, c)"), kB);
  EXPECT_EQ(value("if(a < 0, b, c)"), kC);
  EXPECT_EQ(value("if(not (a < 0 or b > 0), 1, 2)"), 1.0);
  EXPECT_EQ(value("(a > 0) / 2"), 0.5);
  EXPECT_EQ(value("a > 0 and\n c > 0"), 1.0);
  EXPECT_EQ(value("a > 0  # a comment\n and b > 0"), 0.0);
  EXPECT_EQ(value("a < 0 or\n\n not\n b > 0"), 1.0);
  EXPECT_EQ(value("a < 0\n or not b > 0\nz = a"), 1.0);
  EXPECT_EQ(value("a\nandy = b\nnotes = c"), kA);  // names that only begin like a word
}

TEST(EquationText, FunctionsAreThoseOfTheMathLibrary) {
  EXPECT_EQ(value("min(a, b) + max(b, c)"), kB + kC);
  EXPECT_EQ(value("abs(b)"), -kB);
  EXPECT_EQ(value("sign(b) + 10*sign(a) + 100*sign(0)"), 9.0);
  EXPECT_EQ(value("floor(b)"), -2.0);
  EXPECT_EQ(value("sqrt(c)"), std::sqrt(kC));
  EXPECT_EQ(value("exp(a)"), std::exp(kA));
  EXPECT_EQ(value("log(c)"), std::log(kC));
  EXPECT_EQ(value("sin(a)"), std::sin(kA));
  EXPECT_EQ(value("cos(a)"), std::cos(kA));
  EXPECT_EQ(value("tan(a)"), std::tan(kA));
  EXPECT_EQ(value("asin(a)"), std::asin(kA));
  EXPECT_EQ(value("acos(a)"), std::acos(kA));
  EXPECT_EQ(value("atan(b)"), std::atan(kB));
  EXPECT_EQ(value("sinh(a)"), std::sinh(kA));
  EXPECT_EQ(value("cosh(a)"), std::cosh(kA));
  EXPECT_EQ(value("tanh(a)"), std::tanh(kA));
  EXPECT_EQ(value("atan2(a, b)"), std::atan2(kA, kB));
  EXPECT_EQ(value("pow(c, a)"), std::pow(kC, kA));
  EXPECT_EQ(value("c^a"), std::pow(kC, kA));
  EXPECT_EQ(value("smooth_abs(b, 0.2)"), std::sqrt(kB * kB + 0.2 * 0.2));
  EXPECT_EQ(value("smooth_sign(b, a)"), kB / std::sqrt(kB * kB + kA * kA));
  const double root = std::sqrt((kA - kB) * (kA - kB) + kC * kC);
  EXPECT_EQ(value("smooth_max(a, b, c)"), 0.5 * ((kA + kB) + root));
  EXPECT_EQ(value("smooth_min(a, b, c)"), 0.5 * ((kA + kB) - root));
}

// Products give whole powers to within one rounding per product.
TEST(EquationText, WholePowersAreProducts) {
  for (int n = -18; n <= 18; ++n) {
    const double expected = std::pow(kB, n);
    EXPECT_NEAR(value("b^" + std::to_string(n)), expected, 20 * 2.3e-16 * std::fabs(expected)) << n;
  }
}

// a^b is taken from a^(b-1) where both occur; both orders, and zero, where a^(b-1) is infinite.
TEST(EquationText, PowersThatDifferByOneShareTheirWork) {
  for (const double base : {1e-3, 0.4, 1.0, 7.5}) {
    for (const double exponent : {0.3, 1.0, 1.7, -2.2}) {
      const NamedValues at{{"a", base}, {"n", exponent}};
      const double expected = std::pow(base, exponent) + 10 * std::pow(base, exponent - 1);
      const double rounding = 8 * 2.3e-16 * expected;
      EXPECT_NEAR(evaluated("a^n + 10*a^(n - 1)", at).values[0], expected, rounding);
      EXPECT_NEAR(evaluated("10*a^(n - 1) + a^n", at).values[0], expected, rounding);
      const double by_base = exponent * std::pow(base, exponent - 1) +
                             10 * (exponent - 1) * std::pow(base, exponent - 2);
      const double by_exponent = std::log(base) * expected;
      const auto slopes = evaluated("a^n + 10*a^(n - 1)", at).by_parameter;
      const double scale = std::fabs(by_base) + std::fabs(by_exponent) + expected / base;
      EXPECT_NEAR(slopes[0], by_base, 40 * 2.3e-16 * scale);
      EXPECT_NEAR(slopes[1], by_exponent, 40 * 2.3e-16 * scale);
    }
  }
  const auto at_zero = evaluated("a^n + if(a > 0, a^(n - 1), 2)", {{"a", 0.0}, {"n", 0.5}});
  EXPECT_EQ(at_zero.values[0], 2.0);
  EXPECT_EQ(at_zero.by_parameter[0], 0.0);
  EXPECT_EQ(at_zero.by_parameter[1], 0.0);
}

EquationSetup tanks() {
  EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"y", ""}};
  setup.parameters = {{"p1", ""}, {"p2", ""}, {"kover", ""}, {"bu", ""}, {"v10", ""}, {"v20", ""}};
  setup.constants = {{"g", 9.81, ""}, {"vmax", 10.0, ""}};
  setup.starts = {{"x1", "v10"}, {"x2", "2*v20 + g"}};
  return setup;
}

constexpr const char* kTanks = R"(
  y   = min(x2, vmax)     # definitions in any order: ä, ω
  x1' = -p1*sqrt(2*g*v1) + p1*p2*(u - bu) - kover*ov
  x2' =  p1*sqrt(2*g)*(sqrt(v1)
                       - sqrt(x2)) +
         kover*ov
  v1  = min(x1, vmax)
  ov  = max(x1 - vmax, 0)
)";

TEST(EquationText, GivesTheModelOfTheText) {
  const EquationModel model = parse_equations(kTanks, tanks());
  EXPECT_THAT(model.states(), ElementsAre("x1", "x2"));
  EXPECT_THAT(model.outputs(), ElementsAre("y"));
  EXPECT_THAT(model.second_order(), IsEmpty());
  EXPECT_THAT(model.unused(), IsEmpty());
  EXPECT_FALSE(model.depends_on_time());
  EquationEvaluator evaluator(CompiledEquations(model, {.kind = EngineKind::Interpreter}));
  const std::vector<double> p{0.01, 5.0, 0.3, 0.7, 4.0, 5.0};
  evaluator.set_parameters(p);
  std::vector<double> x0(2);
  evaluator.start(x0);
  EXPECT_THAT(x0, ElementsAre(4.0, 2 * 5.0 + 9.81));
  const std::vector<double> x{11.0, 6.0}, u{3.0};
  std::vector<double> dx(2), y(1);
  evaluator.derivatives(0.0, x.data(), u.data(), dx.data());
  evaluator.outputs(0.0, x.data(), u.data(), y.data());
  const double eps = 1e-15;  // a few roundings of numbers below 1
  EXPECT_NEAR(dx[0], -0.01 * std::sqrt(2 * 9.81 * 10) + 0.01 * 5 * 2.3 - 0.3 * 1, eps);
  EXPECT_NEAR(dx[1], 0.01 * std::sqrt(2 * 9.81) * (std::sqrt(10) - std::sqrt(6)) + 0.3, eps);
  EXPECT_EQ(y[0], 6.0);
}

TEST(EquationText, KeepsSecondOrderEquations) {
  EquationSetup setup;
  setup.outputs = {{"q''", ""}, {"q'", ""}, {"z", ""}, {"a", ""}};
  setup.starts = {{"q'", "3"}, {"q", "-2"}};
  const EquationModel model =
      parse_equations("z' = q' - z\n q'' = -4*q - 0.5*q' + t\n a = z'", setup);
  EXPECT_THAT(model.states(), ElementsAre("z", "q", "q'"));
  ASSERT_EQ(model.second_order().size(), 1u);
  EXPECT_EQ(model.second_order()[0].position, 1u);
  EXPECT_EQ(model.second_order()[0].velocity, 2u);
  EXPECT_TRUE(model.depends_on_time());
  EquationEvaluator evaluator(CompiledEquations(model, {.kind = EngineKind::Interpreter}));
  evaluator.set_parameters({});
  std::vector<double> x(3), dx(3), y(4);
  evaluator.start(x);
  EXPECT_THAT(x, ElementsAre(0.0, -2.0, 3.0));
  x[0] = 0.25;
  evaluator.derivatives(10.0, x.data(), nullptr, dx.data());
  evaluator.outputs(10.0, x.data(), nullptr, y.data());
  EXPECT_THAT(dx, ElementsAre(2.75, 3.0, 16.5));
  EXPECT_THAT(y, ElementsAre(16.5, 3.0, 0.25, 2.75));
}

TEST(EquationText, NamesWhatIsNotUsed) {
  EquationSetup setup = tanks();
  setup.parameters.push_back({"spare", ""});
  setup.constants.push_back({"rho", 1.0, ""});
  setup.inputs.push_back({"w", ""});
  EXPECT_THAT(parse_equations(kTanks, setup).unused(), ElementsAre("w", "spare", "rho"));
  // A definition that nothing needs makes no use of what it names; through others it does.
  const std::string idle = "\nidle = rho*spare*w\nmore = idle";
  EXPECT_THAT(parse_equations(kTanks + idle, setup).unused(), ElementsAre("w", "spare", "rho"));
  setup.outputs.push_back({"more", ""});
  EXPECT_THAT(parse_equations(kTanks + idle, setup).unused(), IsEmpty());
  setup.outputs.pop_back();
  setup.starts[0].value = "v10*rho";
  EXPECT_THAT(parse_equations(kTanks + idle, setup).unused(), ElementsAre("w", "spare"));
}

struct Broken {
  std::string text;
  std::string message;
};

TEST(EquationText, ErrorsNameThePlace) {
  EquationSetup setup;
  setup.inputs = {{"u", ""}};
  setup.parameters = {{"kover", ""}, {"m", ""}};
  const std::vector<Broken> cases{
      {"x' = u\ny = kovr*x", "equations:2:5: unknown name 'kovr', did you mean 'kover'?"},
      {"x' = u\n  # ä\n x2' = 2*ü",
       "equations:3:10: unexpected 'ü' (U+00FC); but for comments the text is ASCII"},
      {"y = 2*ω", "equations:1:7: unexpected 'ω' (U+03C9); but for comments the text is ASCII"},
      {"y = 2 − u", "equations:1:7: unexpected '−' (U+2212); but for comments the text is ASCII"},
      // What would not be seen, or turn the line round, is named by its number.
      {"y =\xC2\xA0 2", "equations:1:4: unexpected U+00A0; but for comments the text is ASCII"},
      {"y = \xE2\x80\xAE 2",
       "equations:1:5: unexpected U+202E; but for comments the text is ASCII"},
      {"y = \xC2\x9B", "equations:1:5: unexpected U+009B; but for comments the text is ASCII"},
      // No UTF-8: cut off, overlong, beyond the last character.
      {"y = \xC3", "equations:1:5: unexpected '\\xc3'; but for comments the text is ASCII"},
      {"y = \xC0\xAF", "equations:1:5: unexpected '\\xc0'; but for comments the text is ASCII"},
      {"y = \xF8\x90\x80\x80",
       "equations:1:5: unexpected '\\xf8'; but for comments the text is ASCII"},
      {"y = u and", "equations:1:10: a number, a name or '(' is expected, got the end of the line"},
      {"y = sqrt(u, 2)", "equations:1:5: sqrt takes 1 argument, got more"},
      {"y = max(u)", "equations:1:5: max takes 2 arguments, got 1"},
      {"y = max()", "equations:1:5: max takes 2 arguments, got none"},
      {"y = sqr(u)", "equations:1:5: unknown function 'sqr', did you mean 'sqrt'?"},
      {"y = m(u + 1)", "equations:1:5: unknown function 'm'; products need a *"},
      {"y = sin", "equations:1:5: 'sin' is a function and needs an argument in parentheses"},
      {"y = (u + 1", "equations:1:5: '(' is never closed"},
      {"y = (u + 1\nz = 3", "equations:1:5: '(' is never closed"},
      {"y = u + 1)", "equations:1:10: ')' without '('"},
      {"y = 2 u", "equations:1:7: an operator or the end of the line is expected, got 'u'"},
      {"y = 2u", "equations:1:6: an operator is missing after '2'"},
      {"y = u +", "equations:1:8: a number, a name or '(' is expected, got the end of the line"},
      {"y u", "equations:1:3: '=' is expected after 'y', got 'u'"},
      {"3 = u", "equations:1:1: an equation begins with a name, got '3'"},
      {"y = u = 3", "equations:1:7: unexpected '='; comparisons are written with =="},
      {"y = if(u = 3, 1, 2)", "equations:1:10: unexpected '='; comparisons are written with =="},
      {"y = u ** 2", "equations:1:7: unexpected '**'; powers are written with ^"},
      {"y = 1 < u < 2", "equations:1:11: comparisons do not chain; write a < b and b < c"},
      {"y = u && m", "equations:1:7: unexpected sign; write 'and', 'or'"},
      {"y''' = u", "equations:1:1: y''' is of third order; give y'' a name of its own"},
      {"y = u\ny = m", "equations:2:1: 'y' is defined twice, first in line 1"},
      {"y' = u\ny'' = m", "equations:2:1: 'y' is defined twice, first in line 1"},
      {"u = 3", "equations:1:1: 'u' is an input already"},
      {"m' = 3", "equations:1:1: 'm' is a parameter already"},
      {"t = 3", "equations:1:1: 't' is the time already"},
      {"pi = 3", "equations:1:1: 'pi' is a constant already"},
      {"sin = 3", "equations:1:1: 'sin' is a word of the language"},
      {"and = 3", "equations:1:1: 'and' is a word of the language"},
      {"a = b\nb = c\nc = a", "equations:1:1: definitions go round in a circle: a -> b -> c -> a"},
      {"a = a + 1", "equations:1:1: 'a' depends on itself"},
      {"x' = x' + 1", "equations:1:1: 'x'' depends on itself"},
      {"v = u\nx' = v'",
       "equations:2:6: 'v'' is unknown: 'v' is defined by an equation, there is "
       "no equation v' = ..."},
      {"y = 1e999", "equations:1:5: '1e999' is out of the range of numbers"},
      {"y = table(\"a\", u)", "equations:1:5: unknown table 'a'"},
      {"y = table(a, u)",
       "equations:1:11: the name of a table in quotation marks is expected, got 'a'"},
      {"y = \"a", "equations:1:5: the quotation mark is never closed"},
      {"y = u ' ", "equations:1:7: a prime must stand directly behind a name"},
      {"", "equations:1:1: there are no equations"},
      {"# nothing\n\n", "equations:1:1: there are no equations"},
  };
  for (const Broken& broken : cases) {
    EXPECT_EQ(equation_error(broken.text, setup), broken.message) << broken.text;
  }
}

TEST(EquationText, ErrorsNameTheKeyOfWhatTheCallerGave) {
  const auto with = [](auto change) {
    EquationSetup setup;
    change(setup);
    return equation_error("x' = 1", setup);
  };
  EXPECT_EQ(with([](auto& s) { s.outputs = {{"z", ""}}; }), "outputs: output 'z' has no equation");
  const auto output = [&with](const std::string& name) {
    return with([&name](auto& s) {
      s.inputs = {{"u", ""}}, s.parameters = {{"p", ""}}, s.constants = {{"c", 1.0, ""}};
      s.outputs = {{"x", ""}, {"x'", ""}, {name, ""}};
    });
  };
  for (const auto& [name, kind] :
       {std::pair{"u", "an input"}, std::pair{"p", "a parameter"}, std::pair{"c", "a constant"},
        std::pair{"pi", "a constant"}, std::pair{"t", "the time"}}) {
    EXPECT_EQ(output(name), std::string("outputs: output '") + name + "' is " + kind +
                                "; an output is a definition, a state or a derivative");
  }
  EXPECT_EQ(with([](auto& s) {
              s.starts = {{"z", "1"}};
            }),
            "start: 'z' has a start value, but there is no equation z' = ...");
  EXPECT_EQ(with([](auto& s) {
              s.starts = {{"X", "1"}};
            }),
            "start: 'X' has a start value, but there is no equation X' = ...; did you mean 'x'?");
  EXPECT_EQ(with([](auto& s) { s.starts = {{"x", "1 + q"}}; }), "start.x:1:5: unknown name 'q'");
  EXPECT_EQ(
      with([](auto& s) {
        s.starts = {{"x", "t"}};
      }),
      "start.x:1:1: 't' is the time; a start value may use parameters, constants and inputs only");
  EXPECT_EQ(with([](auto& s) { s.starts = {{"x", ""}}; }), "start.x:1:1: an expression is missing");
  EXPECT_EQ(with([](auto& s) {
              s.starts = {{"x", "1"}, {"x", "2"}};
            }),
            "start: the start of 'x' is given twice");
  EXPECT_THAT(with([](auto& s) {
                s.inputs = {{"system(\"rm\")", ""}};
              }),
              HasSubstr("inputs: 'system(\"rm\")' is no name"));
  EXPECT_EQ(with([](auto& s) {
              s.parameters = {{"if", ""}};
            }),
            "parameters.if: 'if' is a word of the language");
  EXPECT_EQ(with([](auto& s) {
              s.inputs = {{"a", ""}}, s.parameters = {{"a", ""}};
            }),
            "parameters.a: 'a' is an input already");
  EXPECT_EQ(with([](auto& s) {
              s.constants = {{"a", std::nan(""), ""}};
            }),
            "constants: 'a' is not finite");
  EXPECT_EQ(with([](auto& s) {
              s.tables = {{"c", {0.0, 0.0}, {1.0, 2.0}, {}, "", ""}};
            }),
            "tables.c: x of a table must increase, but point 2 is 0 after 0");
  EXPECT_EQ(with([](auto& s) {
              s.tables = {{"c", {0.0}, {1.0}, {}, "", ""}};
            }),
            "tables.c: a table needs at least two points, x and y alike; got 1 and 1");
}

// Hostile texts end with an error of their own, fast, whatever they hold.
TEST(EquationText, HostileTextsAreTurnedDown) {
  const auto start = std::chrono::steady_clock::now();
  const std::string many(100000, '(');
  EXPECT_THAT(equation_error("y = " + many), HasSubstr("never closed"));
  const std::string nested = std::string(300, '(') + "1" + std::string(300, ')');
  EXPECT_THAT(equation_error("y = " + nested), HasSubstr("nested deeper than 200 levels"));
  EXPECT_THAT(equation_error("y = " + std::string(50000, '-') + "1"), HasSubstr("nested deeper"));
  std::string powers = "2";
  for (int k = 0; k < 50000; ++k) powers += "^2";
  EXPECT_THAT(equation_error("y = " + powers), HasSubstr("nested deeper"));
  std::string nots;
  for (int k = 0; k < 50000; ++k) nots += "not ";
  EXPECT_THAT(equation_error("y = " + nots + "1"), HasSubstr("nested deeper"));
  EXPECT_THAT(equation_error("y = " + std::string(1U << 20U, '1')), HasSubstr("more than 1048576"));
  EXPECT_THAT(equation_error("y = " + std::string(1000000, '1')), HasSubstr("out of the range"));
  EXPECT_THAT(equation_error(std::string(1000000, 'a') + " = 1"), HasSubstr("at most 64 letters"));
  EXPECT_THAT(equation_error(std::string("y = 1\0 + 2", 10)), HasSubstr("1:6: unexpected '\\x00'"));
  EXPECT_THAT(equation_error("y = system(\"rm\")"), HasSubstr("unknown function 'system'"));
  EXPECT_THAT(equation_error("y = %s%n{}"), HasSubstr("unexpected '%'"));
  EXPECT_THAT(equation_error("y = {}"), HasSubstr("unexpected '{'"));
  EXPECT_THAT(equation_error("y = 1; int z"), HasSubstr("unexpected ';'"));
  EXPECT_THAT(equation_error("y = 1 /* */"), HasSubstr("a number, a name or '(' is expected"));
  EXPECT_THAT(equation_error("\xff\xfe"), HasSubstr("unexpected '\\xff'"));
  // A sum that all states share: hardly an operation, but 36 million derivatives.
  for (const std::string less : {"", " - x"}) {
    std::string shared = "s = 0", states;
    for (int k = 0; k < 6000; ++k) {
      const std::string number = std::to_string(k);
      shared += " + x" + number;
      states += "\nx" + number + "' = s" + (less.empty() ? "" : less + number);
    }
    EXPECT_THAT(equation_error(shared + states), HasSubstr("too many entries of Jacobians"));
  }
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  EXPECT_LT(spent.count(), 5.0);  // normally well below 0.5 s
}

// Long sums and long chains of definitions are not deep: they may be as long as the text.
TEST(EquationText, LongTextsAreNoProblem) {
  std::string sum = "y = 0";
  for (int k = 0; k < 20000; ++k) sum += " + a";
  EXPECT_EQ(equation_error(sum, test::setup_with({{"a", 1.0}})), "");
  std::string chain = "d0 = a\n";
  for (int k = 1; k < 10000; ++k) {
    chain = "d" + std::to_string(k) + " = d" + std::to_string(k - 1) + " + 1\n" + chain;
    if (chain.size() > 200000) break;
  }
  EXPECT_EQ(equation_error(chain + "y = d100", test::setup_with({{"a", 1.0}})), "");
}

}  // namespace equation_text_test
}  // namespace alembert::model
