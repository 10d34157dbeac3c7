#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "support/equation_support.hpp"

namespace alembert::model {
namespace equation_units_test {

using test::equation_error;
using testing::HasSubstr;

EquationSetup oscillator() {
  EquationSetup setup;
  setup.inputs = {{"F", "N"}};
  setup.outputs = {{"a", "m/s^2"}};
  setup.parameters = {{"m", "kg"}, {"d", ""}, {"k", ""}};
  setup.starts = {{"q", "F0/k"}, {"q'", "0"}};
  setup.constants = {{"F0", 3.0, ""}};
  setup.units = {{"q", "m"}};
  return setup;
}

constexpr const char* kOscillator = "q'' = (F - d*q' - k*q)/m\na = q''";

// Dimensions by hand: d in N s/m = kg/s, k in N/m = kg/s², F0/k in m, so F0 in N.
TEST(EquationUnits, AreInferred) {
  const EquationModel model = parse_equations(kOscillator, oscillator());
  EXPECT_EQ(model.unit_of("d"), "kg s^-1");
  EXPECT_EQ(model.unit_of("k"), "kg s^-2");
  EXPECT_EQ(model.unit_of("F0"), model.unit_of("F"));
  EXPECT_EQ(model.unit_of("q'"), "m s^-1");
  EXPECT_EQ(model.unit_of("q''"), "m s^-2");
  EXPECT_EQ(model.unit_of("nothing"), "");
}

TEST(EquationUnits, MismatchesNamePlaceAndBothUnits) {
  EXPECT_EQ(equation_error("q'' = (F - d*q' - k*q)/m + q\na = q''", oscillator()),
            "equations:1:26: units do not match: the left side is in m s^-2, 'q' is in m, at '+'");
  EXPECT_EQ(equation_error("q'' = F\na = q''", oscillator()),
            "equations:1:1: units do not match: 'q''' is in m s^-2, 'F' is in kg m s^-2");
  EXPECT_EQ(
      equation_error("q'' = F/m + 9.81\na = q''", oscillator()),
      "equations:1:11: units do not match: the left side is in m s^-2, the number 9.81 has no "
      "unit, at '+'");
  EXPECT_EQ(equation_error("q'' = F/m*sin(q)\na = q''", oscillator()),
            "equations:1:11: units do not match: 'sin' needs a number without unit, 'q' is in m");
  EXPECT_EQ(equation_error("q'' = F/m*2^q\na = q''", oscillator()),
            "equations:1:12: units do not match: '^' needs a number without unit, 'q' is in m");
  EXPECT_EQ(equation_error("q'' = max(F/m, q)\na = q''", oscillator()),
            "equations:1:7: units do not match: argument 1 is in m s^-2, 'q' is in m, at 'max'");
  EXPECT_EQ(equation_error("q'' = if(q > F, F/m, 0)\na = q''", oscillator()),
            "equations:1:12: units do not match: 'q' is in m, 'F' is in kg m s^-2, at '>'");
  EquationSetup setup = oscillator();
  setup.starts = {{"q", "m"}};
  EXPECT_EQ(equation_error(kOscillator, setup),
            "start.q:1:1: units do not match: 'q' is in m, 'm' is in kg");
}

TEST(EquationUnits, ZeroFitsAndPowersAndRootsCount) {
  EXPECT_EQ(equation_error("q'' = max(F/m, 0) - 0\na = q''", oscillator()), "");
  EXPECT_EQ(equation_error("q'' = sqrt(q^2)*(F/m)^2/(F*q/m) * 2\na = q''", oscillator()), "");
  EXPECT_EQ(equation_error("q'' = q^(1/2)*q^0.5*q^-1*F/m\na = q''", oscillator()), "");
  EXPECT_EQ(
      equation_error("q'' = F/m*abs(q/1)^k*0 + F/m*smooth_sign(q', d)\na = q''", oscillator()), "");
}

TEST(EquationUnits, AnglesAreNumbersButDegreesAreNot) {
  EquationSetup setup;
  setup.units = {{"phi", "rad"}};
  setup.constants = {{"g", 9.81, "m/s^2"}, {"l", 1.0, "m"}};
  EXPECT_EQ(equation_error("phi'' = -g/l*sin(phi)", setup), "");
  setup.units = {{"phi", "deg"}};
  EXPECT_THAT(equation_error("phi'' = -g/l*sin(phi)", setup), HasSubstr("'sin' needs a number"));
}

TEST(EquationUnits, OtherScalesAreCaughtUnlessANumberMayConvertThem) {
  EquationSetup setup;
  setup.units = {{"x", "mm"}};
  setup.inputs = {{"v", "m/s"}};
  EXPECT_EQ(equation_error("x' = v", setup),
            "equations:1:1: units do not match: 'x'' is in 0.001 m s^-1, 'v' is in m s^-1");
  EXPECT_EQ(equation_error("x' = 1000*v", setup), "");
}

TEST(EquationUnits, OfTablesAndUnknownUnits) {
  EquationSetup setup;
  setup.units = {{"x", "m"}};
  setup.tables = {{"c", {0, 1}, {0, 1}, TableInterpolation::Linear, "m", "m/s"}};
  EXPECT_EQ(equation_error("x' = table(\"c\", x)", setup), "");
  EXPECT_EQ(equation_error("x' = table(\"c\", t)", setup),
            "equations:1:6: units do not match: the table 'c' is over m, 't' is in s");
  setup.tables[0].y_unit = "N";
  EXPECT_THAT(equation_error("x' = table(\"c\", x)", setup), HasSubstr("'x'' is in m s^-1"));
  setup.tables[0].y_unit = "parsnips";
  EXPECT_EQ(equation_error("x' = table(\"c\", x)", setup), "tables.c: unknown unit 'parsnips'");
  setup.tables.clear();
  setup.units = {{"z", "m"}};
  EXPECT_EQ(equation_error("x' = 1", setup), "units: unknown name 'z'");
  setup.units = {{"x", "m"}, {"x'", "m"}};
  EXPECT_EQ(equation_error("x' = 0", setup),
            "units: 'x' is in m, so 'x'' must be in m s^-1, not m");
}

// c, a1 = c, a2 = a1, ..., x' = a_n: the unit of c reaches x through chains of any length and
// order.
TEST(EquationUnits, FlowThroughLongChains) {
  for (const int length : {1, 48, 49, 50, 51, 200}) {
    EquationSetup setup;
    setup.constants = {{"c", 2.0, "m/s"}};
    std::vector<std::string> lines;
    for (int k = 1; k <= length; ++k) {
      lines.push_back("a" + std::to_string(k) + " = " +
                      (k == 1 ? "c" : "a" + std::to_string(k - 1)));
    }
    lines.push_back("x' = a" + std::to_string(length));
    const auto text = [&lines] {
      std::string result;
      for (const std::string& line : lines) result += line + "\n";
      return result;
    };
    std::mt19937_64 random(3);
    for (int order = 0; order < 3; ++order) {
      EXPECT_EQ(parse_equations(text(), setup).unit_of("x"), "m") << length << " " << order;
      EXPECT_THAT(equation_error(text() + "y = x + c", setup),
                  HasSubstr("'x' is in m, 'c' is in m s^-1"));
      order == 0 ? std::reverse(lines.begin(), lines.end())
                 : std::shuffle(lines.begin(), lines.end(), random);
    }
  }
}

// The same backwards, from the declared result to what it is made of, and through derivatives:
// x1' = x2, x2' = x3, ..., so that xn has the unit m/s^(n - 1).
TEST(EquationUnits, FlowBackThroughLongChains) {
  for (const bool forwards : {true, false}) {
    EquationSetup setup;
    setup.units = {{"a200", "kg"}, {"x1", "m"}};
    std::string text;
    for (int k = 200; k >= 1; --k) {
      const std::string line = "a" + std::to_string(k) + " = a" + std::to_string(k - 1) + "\nx" +
                               std::to_string(k) +
                               "' = " + (k == 200 ? "0" : "x" + std::to_string(k + 1)) + "\n";
      text = forwards ? line + text : text + line;
    }
    setup.parameters = {{"a0", ""}};
    const EquationModel model = parse_equations(text, setup);
    EXPECT_EQ(model.unit_of("a0"), "kg");
    EXPECT_EQ(model.unit_of("x200"), "m s^-199");
  }
}

// Made to be looked at again and again: a long product whose factors become known one by one.
TEST(EquationUnits, InferenceOfHostileTextsEnds) {
  std::string text = "y = x0", equations;
  const int count = 20000;
  for (int k = 1; k <= count; ++k) {
    text += "*x" + std::to_string(k);
    equations += "\nx" + std::to_string(k - 1) + "' = x" + std::to_string(k);
  }
  EquationSetup setup;
  setup.units = {{"x" + std::to_string(count), "m"}};
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(equation_error(text + equations + "\nx" + std::to_string(count) + "' = 0", setup), "");
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(spent.count(), 5.0);  // normally below 1 s
}

TEST(EquationUnits, AreNotCheckedWhereNoneIsDeclared) {
  EXPECT_EQ(equation_error("x' = 1 + t + sin(x) - x", {}), "");
}

}  // namespace equation_units_test
}  // namespace alembert::model
