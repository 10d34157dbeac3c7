#include "alembert/identify/output_error/function_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "alembert/core/random.hpp"
#include "support/message_of.hpp"

namespace alembert::identify {
namespace function_fit_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using test::message_of;

constexpr double kStep = 0.02;
constexpr double kNoise = 0.01;

/// Damped oscillation y = a e^(-d t) cos(w t): a closed form, and no equation of ours.
MatrixXd decay(const VectorXd& p, const Experiment& experiment) {
  MatrixXd y(experiment.output.rows(), 1);
  for (Eigen::Index k = 0; k < y.rows(); ++k) {
    const double t = experiment.step * static_cast<double>(k);
    y(k, 0) = p(0) * std::exp(-p(1) * t) * std::cos(p(2) * t);
  }
  return y;
}

Experiments records(double noise) {
  Experiment one{.input = MatrixXd(400, 0), .output = MatrixXd(400, 1), .step = kStep};
  one.output = decay(Eigen::Vector3d(2.0, 0.3, 5.0), one);
  RandomStream random(11);
  for (Eigen::Index k = 0; k < 400; ++k) one.output(k, 0) += noise * random.normal();
  return {one};
}

const std::vector<optimize::Parameter> kGuesses = {{.name = "a", .guess = 1.5},
                                                   {.name = "d", .guess = 0.2, .lower = 0.0},
                                                   {.name = "w", .guess = 4.9}};

TEST(FitFunction, FindsTheTruthWithinFourDeviations) {
  const EquationFit fit = fit_function(decay, kGuesses, records(kNoise));
  ASSERT_EQ(fit.status, Status::Success) << fit.message;
  const Eigen::Vector3d truth(2.0, 0.3, 5.0);
  for (int i = 0; i < 3; ++i) {
    const ParameterVerdict found = parameter_verdict(fit, static_cast<std::size_t>(i));
    EXPECT_LT(std::abs(found.value - truth(i)), 4.0 * found.deviation)
        << kGuesses[static_cast<std::size_t>(i)].name;
  }
  EXPECT_EQ(fit.engine, "function");
}

// The same motion as equations, y'' = -2d y' - (w² + d²) y, whose derivatives are exact. Deviations
// from differences agree to the error of the differences, 1e-9 or so of the second derivatives.
TEST(FitFunction, HasTheDeviationsOfTheEquations) {
  const Experiments data = records(kNoise);
  model::EquationSetup setup;
  setup.outputs = {{"y", ""}};
  setup.starts = {{"y", "a"}, {"y'", "-a*d"}};
  EquationFitOptions options;
  options.output_error.simulation.substeps = 16;
  const EquationFit exact =
      fit_equations("y'' = -2*d*y' - (w^2 + d^2)*y", setup, kGuesses, data, options);
  const EquationFit fit = fit_function(decay, kGuesses, data);
  for (std::size_t i = 0; i < 3; ++i) {
    const ParameterVerdict a = parameter_verdict(fit, i), b = parameter_verdict(exact, i);
    // Both minimise the same cost; searches end within 1e-4 of a deviation of the minimum.
    EXPECT_NEAR(a.value, b.value, 1e-3 * b.deviation);
    EXPECT_NEAR(a.deviation, b.deviation, 1e-3 * b.deviation);
  }
}

TEST(FitFunction, NamesAWrongSizeAndPassesErrorsOn) {
  const auto wrong = [](const VectorXd&, const Experiment&) -> MatrixXd { return MatrixXd(3, 1); };
  EXPECT_NE(message_of([&] {
              static_cast<void>(fit_function(wrong, kGuesses, records(kNoise)));
            }).find("simulate must return 400 x 1 outputs, as measured, got 3 x 1"),
            std::string::npos);
  const auto broken = [](const VectorXd&, const Experiment&) -> MatrixXd {
    throw std::domain_error("mine");
  };
  EXPECT_THROW(static_cast<void>(fit_function(broken, kGuesses, records(kNoise))),
               std::domain_error);
}

TEST(FitFunction, SaysWhenNothingCanBeSimulated) {
  const auto nowhere = [](const VectorXd&, const Experiment& one) -> MatrixXd {
    return MatrixXd::Constant(one.output.rows(), 1, std::nan(""));
  };
  const EquationFit fit = fit_function(nowhere, kGuesses, records(kNoise));
  EXPECT_EQ(fit.status, Status::NotFinite);
  EXPECT_EQ(fit.verdict.level, TrustLevel::Bad);
}

}  // namespace function_fit_test
}  // namespace alembert::identify
