#include "alembert/model/detail/added_terms.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "alembert/model/equation_engine.hpp"

namespace alembert::model::added_terms_test {
namespace {

EquationSetup setup_with(const std::vector<std::string>& parameters) {
  EquationSetup setup;
  setup.inputs = {{"u", "N"}};
  setup.outputs = {{"x", "m"}};
  for (const std::string& name : parameters) setup.parameters.push_back({name, ""});
  return setup;
}

const std::string kPlain = "x' = v\nv' = u - c*v - k*x";

// The same model, written by hand.
TEST(AddedTerms, GiveWhatTheTextWithTheTermsGives) {
  EquationSetup setup = setup_with({"c", "k"});
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"x", ""}};
  const EquationModel wider =
      with_terms(parse_equations(kPlain, setup),
                 {{.equation = 1, .form = TermForm::SmoothSign, .argument = 1, .width = 0.3},
                  {.equation = 1, .form = TermForm::Drag, .argument = 1},
                  {.equation = 1, .form = TermForm::Cube, .argument = 0},
                  {.equation = 1, .form = TermForm::Square, .argument = 0},
                  {.equation = 0, .form = TermForm::Constant},
                  {.equation = 1, .form = TermForm::Linear, .of_input = true, .argument = 0}});
  EquationSetup more = setup;
  for (const char* name : {"q1", "q2", "q3", "q4", "q5", "q6"})
    more.parameters.push_back({name, ""});
  const EquationModel written = parse_equations(
      "x' = v + q5\nv' = u - c*v - k*x + q1*smooth_sign(v, 0.3) + q2*v*abs(v) + q3*x^3 + q4*x^2 + "
      "q6*u",
      more);
  ASSERT_EQ(wider.parameters().size(), 8U);
  const std::array<double, 8> theta = {0.4, 3.0, 0.2, -0.7, 1.1, 0.6, -0.3, 0.9};
  const std::array<double, 2> x = {0.7, -0.4};
  const double u = 1.3;
  EquationEvaluator one(CompiledEquations(wider, {.kind = EngineKind::Interpreter}));
  EquationEvaluator other(CompiledEquations(written, {.kind = EngineKind::Interpreter}));
  one.set_parameters(theta);
  other.set_parameters(theta);
  EquationJacobians a = one.derivative_jacobians(), b = other.derivative_jacobians();
  one.derivatives(0.0, x.data(), &u, a);
  other.derivatives(0.0, x.data(), &u, b);
  // Sums in another order: some units in the last place of numbers of size 10.
  for (std::size_t k = 0; k < a.values.size(); ++k) EXPECT_NEAR(a.values[k], b.values[k], 1e-14);
  for (std::size_t k = 0; k < a.by_parameter.size(); ++k) {
    EXPECT_NEAR(a.by_parameter[k], b.by_parameter[k], 1e-14) << k;
  }
  for (std::size_t k = 0; k < a.by_state.size(); ++k) {
    EXPECT_NEAR(a.by_state[k], b.by_state[k], 1e-13) << k;
  }
}

// Units of the equations are checked when they are read, not those of terms with free coefficients.
TEST(AddedTerms, DoNotAskForUnits) {
  EquationSetup setup = setup_with({});
  setup.parameters = {{"c", "kg/s"}, {"k", "N/m"}};
  setup.constants = {{"m", 2.0, "kg"}};
  setup.units = {{"v", "m/s"}};
  const EquationModel model = parse_equations("x' = v\nv' = (u - c*v - k*x)/m", setup);
  EXPECT_EQ(with_terms(model, {{.equation = 1, .form = TermForm::Cube, .argument = 0}})
                .parameters()
                .size(),
            3U);
}

TEST(AddedTerms, FindWhichStateIsAVelocity) {
  EquationSetup setup = setup_with({"c", "k"});
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"x", ""}};
  const EquationModel first = parse_equations(kPlain, setup);
  EXPECT_EQ(velocity_of(first, 0), 1U);
  EXPECT_FALSE(velocity_of(first, 1));
  const EquationModel second = parse_equations("x'' = u - c*x' - k*x", setup);
  EXPECT_EQ(velocity_of(second, 0), 1U);
  EXPECT_FALSE(velocity_of(parse_equations("x' = 2*v\nv' = u - c*v - k*x", setup), 0));
}

TEST(AddedTerms, HaveTheirTextInTheLanguage) {
  EquationSetup setup = setup_with({"c", "k"});
  setup.inputs = {{"u", ""}};
  setup.outputs = {{"x", ""}};
  const EquationModel model = parse_equations("x'' = u - c*x' - k*x", setup);
  EXPECT_EQ(term_text(model, {.form = TermForm::SmoothSign, .argument = 1, .width = 0.025}),
            "smooth_sign(x', 0.025)");
  EXPECT_EQ(term_text(model, {.form = TermForm::Drag, .argument = 1}), "x'*abs(x')");
  EXPECT_EQ(term_text(model, {.form = TermForm::Square, .of_input = true}), "u^2");
}

}  // namespace
}  // namespace alembert::model::added_terms_test
