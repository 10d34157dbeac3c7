#include "alembert/model/time_formula.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "support/matrices_near.hpp"

namespace alembert::model {
namespace time_formula_test {

using Eigen::Vector3d;
using test::kEps;

Vector3d at(const std::string& formula, double t) {
  return TimeFormula(formula).sample(Eigen::VectorXd::Constant(1, t)).row(0).transpose();
}

struct KnownMotion {
  std::string formula;
  std::function<Vector3d(double)> value;  ///< with first and second derivative, by hand
};

// Value and derivatives written down by hand. A few dozen operations, each rounded.
TEST(TimeFormula, HasItsDerivatives) {
  const std::vector<KnownMotion> motions = {
      {"3", [](double) { return Vector3d(3, 0, 0); }},
      {"t", [](double t) { return Vector3d(t, 1, 0); }},
      {"2 + 5*t - t^3",
       [](double t) { return Vector3d(2 + 5 * t - t * t * t, 5 - 3 * t * t, -6 * t); }},
      {"sin(4*t)",
       [](double t) {
         return Vector3d(std::sin(4 * t), 4 * std::cos(4 * t), -16 * std::sin(4 * t));
       }},
      {"sqrt(t)",
       [](double t) {
         return Vector3d(std::sqrt(t), 0.5 / std::sqrt(t), -0.25 / std::pow(t, 1.5));
       }},
      {"log(t)", [](double t) { return Vector3d(std::log(t), 1 / t, -1 / (t * t)); }},
      {"1/t", [](double t) { return Vector3d(1 / t, -1 / (t * t), 2 / (t * t * t)); }},
      {"t^2.5",
       [](double t) {
         return Vector3d(std::pow(t, 2.5), 2.5 * std::pow(t, 1.5), 3.75 * std::sqrt(t));
       }},
      {"2^t",
       [](double t) {
         const double l = std::log(2.0);
         return Vector3d(std::exp2(t), l * std::exp2(t), l * l * std::exp2(t));
       }},
      {"t^t",
       [](double t) {
         const double v = std::pow(t, t);
         const double s = std::log(t) + 1;
         return Vector3d(v, v * s, v * (s * s + 1 / t));
       }},
      {"exp(-t)*cos(3*t)",
       [](double t) {
         const double e = std::exp(-t);
         const double c = std::cos(3 * t);
         const double s = std::sin(3 * t);
         return Vector3d(e * c, e * (-c - 3 * s), e * (-8 * c + 6 * s));
       }},
      {"tanh(t)",
       [](double t) {
         const double v = std::tanh(t);
         return Vector3d(v, 1 - v * v, -2 * v * (1 - v * v));
       }},
      {"asin(t/4)",
       [](double t) {
         const double r = std::sqrt(16 - t * t);
         return Vector3d(std::asin(t / 4), 1 / r, t / (r * r * r));
       }},
      {"atan2(t, 2)", [](double t) {
         const double d = 4 + t * t;
         return Vector3d(std::atan2(t, 2.0), 2 / d, -4 * t / (d * d));
       }}};
  for (const KnownMotion& motion : motions) {
    for (const double t : {0.3, 1.0, 2.7}) {
      const Vector3d expected = motion.value(t);
      EXPECT_TRUE(test::matrices_near(at(motion.formula, t), expected,
                                      {.abs = 64 * kEps * (1.0 + expected.cwiseAbs().maxCoeff())}))
          << motion.formula << " at " << t;
    }
  }
}

// All functions of the language: central differences of the value, error h² f''''/12 and rounding
// eps/h². With h = 1e-3 and derivatives up to a few hundred both stay below 1e-3.
TEST(TimeFormula, AgreesWithDifferences) {
  for (const std::string formula :
       {"tan(t/2)", "acos(t/5)", "atan(t)", "sinh(t)", "cosh(t)", "smooth_abs(sin(3*t), 0.3)",
        "smooth_sign(cos(t), 0.5)", "smooth_max(t, 1 - t, 0.4)", "smooth_min(t, 1 - t, 0.4)",
        "pow(1 + t, 3.3)", "(2 + sin(t))^(1 + t)", "abs(t - 9)^1.5", "if(t < 1, t^2, 2*t - 1)",
        "max(sin(t), -2)", "t*exp(-t)/(1 + t^2)"}) {
    const double h = 1e-3;
    for (const double t : {0.37, 1.9}) {
      const Vector3d middle = at(formula, t);
      const double before = at(formula, t - h)(0);
      const double after = at(formula, t + h)(0);
      EXPECT_NEAR(middle(1), (after - before) / (2 * h), 1e-3) << formula;
      EXPECT_NEAR(middle(2), (after - 2 * middle(0) + before) / (h * h), 1e-3) << formula;
    }
  }
}

TEST(TimeFormula, UsesConstants) {
  const TimeFormula formula("speed*t + 0*pi", {{"speed", 12.5, ""}, {"other", 1.0, ""}});
  const Eigen::MatrixX3d values = formula.sample(Eigen::Vector2d(0.0, 2.0));
  EXPECT_EQ(values(1, 0), 25.0);
  EXPECT_EQ(values(1, 1), 12.5);
  EXPECT_EQ(values(1, 2), 0.0);
  EXPECT_TRUE(formula.uses("speed"));
  EXPECT_FALSE(formula.uses("other"));
}

// "file line:column message" of the error that a formula gives.
std::string error_of(const std::string& text, const std::vector<EquationConstant>& constants = {}) {
  try {
    const TimeFormula formula(text, constants);
  } catch (const EquationError& error) {
    return error.place().file + " " + std::to_string(error.place().line) + ":" +
           std::to_string(error.place().column) + " " + error.reason();
  }
  return "";
}

TEST(TimeFormula, SaysWhereItIsWrong) {
  EXPECT_EQ(error_of("2*t + speed", {{"sped", 1.0, ""}}),
            "formula 1:7 unknown name 'speed', did you mean 'sped'?");
  EXPECT_EQ(error_of("2*t +\n  * 3").substr(0, 12), "formula 2:3 ");
  EXPECT_EQ(error_of("sin(t").substr(0, 10), "formula 1:");
  EXPECT_EQ(error_of("").substr(0, 10), "formula 1:");
  EXPECT_EQ(error_of("t\nx = 3"), "formula 2:1 a motion is one expression, without equations");
  EXPECT_EQ(error_of("t", {{"t", 1.0, ""}}).substr(0, 11), "constants.t");
  EXPECT_EQ(error_of("a", {{"a", INFINITY, ""}}), "constants.a 0:0 is not finite");
}

}  // namespace time_formula_test
}  // namespace alembert::model
