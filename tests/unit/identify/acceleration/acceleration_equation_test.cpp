#include "alembert/identify/acceleration_equation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/core/random.hpp"
#include "alembert/model/equation_batch.hpp"
#include "alembert/model/equation_engine.hpp"

namespace alembert::identify {
namespace acceleration_equation_test {

using testing::ElementsAre;
using testing::HasSubstr;

using Parameters = std::vector<double>;

// x'' of an equation at a point.
double f_of(const EquationOfMotion& equation, const Parameters& p, double t, double x, double v,
            const std::vector<double>& u = {0.0}) {
  model::EquationEvaluator evaluator(
      model::CompiledEquations(equation.model, {.kind = model::EngineKind::Interpreter}));
  evaluator.set_parameters(p);
  const model::SecondOrderPair pair = equation.model.second_order().front();
  std::array<double, 2> state{}, slope{};
  state[pair.position] = x;
  state[pair.velocity] = v;
  evaluator.derivatives(t, state.data(), u.data(), slope.data());
  return slope[pair.velocity];
}

TEST(EquationOfMotion, ReadsTermsOnBothSides) {
  const double a = 0.3, b = 5.0, c = -2.0, x = 0.7, v = -0.4;
  const double expected = -(a * v + b * x + c * x * x * x);
  for (const char* text :
       {"x'' + a*x' + b*x + c*x^3 = 0", "x'' = -a*x' - b*x - c*x^3", "0 = x'' + a*x' + b*x + c*x^3",
        "x'' + a*x' = -(b*x + c*x^3)", "-a*x' - b*x = x'' + c*x^3",
        "2*x'' + 2*a*x' + 2*b*x = -2*c*x^3", "a*x' + b*x + c*x^3 = -x''",
        "k = b*x + c*x^3   # spring\nx'' + a*x' + k = 0"}) {
    const EquationOfMotion equation =
        read_equation_of_motion(text, {.parameters = {"a", "b", "c"}});
    EXPECT_NEAR(f_of(equation, {a, b, c}, 0.0, x, v), expected, 1e-14) << text;
    EXPECT_TRUE(equation.all_linear()) << text;
    EXPECT_EQ(equation.coordinate, "x");
  }
}

TEST(EquationOfMotion, DividesByTheFactorOfTheSecondDerivative) {
  const EquationOfMotion equation = read_equation_of_motion(
      "m*q'' + d*q' + k*q = F",
      {.parameters = {"d", "k"}, .inputs = {"F"}, .constants = {{"m", 4.0, ""}}});
  EXPECT_EQ(equation.leading, 4.0);
  EXPECT_NEAR(f_of(equation, {0.5, 8.0}, 0.0, 0.25, 1.0, {3.0}), (3.0 - 0.5 - 2.0) / 4.0, 1e-15);
}

TEST(EquationOfMotion, FindsNamesAndWhatIsLinear) {
  const EquationOfMotion friction =
      read_equation_of_motion("x'' + a*x' + b*x + d*sign(x') + e*abs(x')*x' + pi*t = 0");
  EXPECT_THAT(friction.parameters(), ElementsAre("a", "b", "d", "e"));
  EXPECT_TRUE(friction.all_linear());

  // The exponent is nonlinear; its factor is linear, with a column that contains the exponent.
  const EquationOfMotion power = read_equation_of_motion("x'' + b*x + e*sign(x')*abs(x')^n = 0");
  EXPECT_THAT(power.parameters(), ElementsAre("b", "e", "n"));
  EXPECT_THAT(power.linear, ElementsAre(true, true, false));

  // Of two that multiply each other one is linear.
  const EquationOfMotion product = read_equation_of_motion("x'' + p*q*x + r*x' = 0");
  EXPECT_THAT(product.linear, ElementsAre(true, false, true));
  EXPECT_THAT(read_equation_of_motion("x'' + b^2*x = 0").linear, ElementsAre(false));
}

TEST(EquationOfMotion, NamesWhatIsWrongAndWhere) {
  const auto message = [](const std::string& text,
                          const EquationOfMotionSetup& setup = {}) -> std::string {
    try {
      static_cast<void>(read_equation_of_motion(text, setup));
    } catch (const model::EquationError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(message("x'*x'' + b*x = 0"), HasSubstr("equations:1:4: x'' must stand alone"));
  EXPECT_THAT(message("m*x'' + b*x = 0"), HasSubstr("divide the equation by the factor"));
  EXPECT_THAT(message("x'' - x'' + b*x = 0"), HasSubstr("cancels out"));
  EXPECT_THAT(message("x' + b*x = 0"), HasSubstr("no second derivative"));
  EXPECT_THAT(message("x'' + b*y' = 0"), HasSubstr("equations:1:9: the motion has one coordinate"));
  EXPECT_THAT(message("x'' + b*x = 0\ny'' + y = 0"),
              HasSubstr("equations:2:1: there is a second equation"));
  EXPECT_THAT(message("k = 3"), HasSubstr("no equation of motion"));
  EXPECT_THAT(message("s = x''\nx'' + s = 0"), HasSubstr("equations:1:5: x'' may stand in"));
  EXPECT_THAT(message("x'' + b*x"), HasSubstr("both sides of '='"));
  // The place is that of the users' text though another one is read.
  EXPECT_THAT(message("# comment\n  x'' + a*x' + bta*x = 0", {.parameters = {"a", "beta"}}),
              HasSubstr("equations:2:16: unknown name 'bta', did you mean 'beta'"));
}

// Oracle: the point-by-point evaluator of the engine, to the last bit, for every kind of operation
// and blocks that are full and not full.
TEST(EquationBatch, AgreesWithThePointEvaluator) {
  const EquationOfMotion equation = read_equation_of_motion(
      "w = if(x > 0.1 and not (x' < -0.5), a*x, b*min(x, x'))\n"
      "x'' = -a*x' - b*x^3 - c*sign(x')*abs(x')^n + sin(a*t) + max(x, x')*exp(-x^2)/(1 + x'^2) + w "
      "+ atan2(x, 2 + x') + floor(3*x) + table(\"s\", x) + u*a",
      {.parameters = {"a", "b", "c", "n"},
       .inputs = {"u"},
       .tables = {
           {"s", {-1.0, 0.0, 1.0}, {0.0, 2.0, 1.0}, model::TableInterpolation::Cubic, "", ""}}});
  model::EquationBatch batch(equation.model);
  model::EquationEvaluator point(
      model::CompiledEquations(equation.model, {.kind = model::EngineKind::Interpreter}));
  const Parameters p{0.4, 2.0, 0.3, 1.5};
  batch.set_parameters(p);
  point.set_parameters(p);
  const model::SecondOrderPair pair = equation.model.second_order().front();
  RandomStream random(5);
  for (const std::size_t count : {std::size_t{1}, std::size_t{77}, batch.kPoints}) {
    for (std::size_t i = 0; i < count; ++i) {
      batch.time()[i] = random.uniform(0.0, 3.0);
      batch.state(0)[i] = random.uniform(-1.2, 1.2);
      batch.state(1)[i] = random.uniform(-1.0, 1.0);
      batch.input(0)[i] = random.normal();
    }
    batch.run(count);
    model::EquationJacobians expected = point.derivative_jacobians();
    for (std::size_t i = 0; i < count; ++i) {
      const std::array<double, 2> x{batch.state(0)[i], batch.state(1)[i]};
      point.derivatives(batch.time()[i], x.data(), &batch.input(0)[i], expected);
      const std::size_t row = pair.velocity;
      EXPECT_EQ(batch.value(row)[i], expected.values[row]);
      for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(batch.by_state(row, k)[i], expected.by_state[2 * k + row]);
      }
      for (std::size_t k = 0; k < p.size(); ++k) {
        EXPECT_EQ(batch.by_parameter(row, k)[i], expected.by_parameter[2 * k + row]);
      }
    }
  }
}

}  // namespace acceleration_equation_test
}  // namespace alembert::identify
