#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "equation_support.hpp"

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

TEST(EquationUnits, AreNotCheckedWhereNoneIsDeclared) {
  EXPECT_EQ(equation_error("x' = 1 + t + sin(x) - x", {}), "");
}

}  // namespace equation_units_test
}  // namespace alembert::model
