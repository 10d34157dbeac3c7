#include "alembert/model/equation_structure.hpp"

#include <gtest/gtest.h>

#include "support/equation_support.hpp"

namespace alembert::model {
namespace equation_structure_test {

EquationModel model_of(const std::string& text) {
  EquationSetup setup;
  setup.inputs = {{"u", ""}, {"w", ""}, {"z", ""}};
  setup.parameters = {{"a", ""}, {"b", ""}, {"c", ""}};
  return parse_equations(text, setup);
}

TEST(InputSlope, TellsConstantsFromTheRest) {
  const EquationModel model = model_of("x' = -2.5*u + x*w + a*b*c");
  using Kind = InputSlope::Kind;
  EXPECT_EQ(input_slope(model, 0, 0).kind, Kind::Constant);
  EXPECT_EQ(input_slope(model, 0, 0).value, -2.5);
  EXPECT_EQ(input_slope(model, 0, 1).kind, Kind::Varying);
  EXPECT_EQ(input_slope(model, 0, 2).kind, Kind::Zero);
}

TEST(ParametersInSlopes, SayWhereAModelIsLinear) {
  const auto contains = parameters_in_slopes(model_of("x' = a*x + b*c + exp(c)"), 0);
  const std::vector<std::vector<bool>> expected{
      {false, false, false}, {false, false, true}, {false, true, true}};
  EXPECT_EQ(contains, expected);
}

TEST(JumpingParts, MayLeaveComparisonsOut) {
  EXPECT_TRUE(JumpingParts(model_of("x' = -a*x + if(u > b, c, 0)"), false).empty());
  EXPECT_FALSE(JumpingParts(model_of("x' = -a*sign(x)"), false).empty());
}

TEST(JumpingParts, AreThoseThatChangeAcrossAJump) {
  EXPECT_TRUE(JumpingParts(model_of("x' = a*abs(x) + max(u, b)")).empty());
  JumpingParts parts(model_of("x' = -a*sign(x) + if(u > b, c, 0)"));
  ASSERT_FALSE(parts.empty());
  const double p[3] = {1.0, 2.0, 3.0};
  const auto at = [&](double x, double u) {
    const double inputs[3] = {u, 0.0, 0.0};
    return parts.at(0.0, &x, inputs, p);
  };
  EXPECT_EQ(at(0.5, 0.0), at(7.0, 1.0));
  EXPECT_NE(at(0.5, 0.0), at(-0.5, 0.0));
  EXPECT_NE(at(0.5, 0.0), at(0.5, 3.0));
}

}  // namespace equation_structure_test
}  // namespace alembert::model
