#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/estimate/ekf.hpp"
#include "alembert/estimate/own_model/equation_observer.hpp"
#include "alembert/estimate/own_model/function_observer.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate {
namespace own_model_test {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using test::matrices_near;
using test::message_of;

constexpr double kStep = 0.01;   // s
constexpr double kSigma = 0.02;  // rad

model::EquationSetup setup_of(std::vector<model::EquationSymbol> inputs, const std::string& output,
                              std::vector<model::EquationSymbol> parameters = {}) {
  model::EquationSetup setup;
  setup.inputs = std::move(inputs);
  setup.outputs = {{output, ""}};
  setup.parameters = std::move(parameters);
  return setup;
}

VectorXd one(double value) { return VectorXd::Constant(1, value); }

// Without a compiler, which takes longer than the rest.
model::CompiledEquations interpreted(const char* text, const model::EquationSetup& setup) {
  return model::CompiledEquations(model::parse_equations(text, setup),
                                  {.kind = model::EngineKind::Interpreter});
}

EquationObserverOptions pendulum_options(FilterRule rule) {
  EquationObserverOptions options;
  options.filter = rule;
  options.mean = Vector2d(0.5, 0.0);
  options.deviation = one(1.0);
  options.process_noise = Vector2d(1e-10, 1e-6).asDiagonal();
  options.sigma = one(kSigma);
  return options;
}

EquationObserver pendulum(FilterRule rule, model::EngineKind engine) {
  const model::CompiledEquations compiled(
      model::parse_equations("a'' = -g*sin(a)", setup_of({}, "a", {{"g", ""}})),
      {.kind = engine, .loops = model::NativeLoops::None});
  return {compiled, one(9.81), pendulum_options(rule)};
}

/// The same pendulum for the filters that are templates: a step of Runge and Kutta by hand.
struct Pendulum {
  using Scalar = double;
  struct Input {};
  static constexpr int kStates = 2, kOutputs = 1;
  template <typename T>
  void process(const Input&, std::span<const T> x, std::span<T> next) const {
    using std::sin;
    const double h = kStep;
    const auto f = [](const T& angle) { return T(-9.81 * sin(angle)); };
    const T v1 = x[1], a1 = f(x[0]);
    const T v2 = x[1] + 0.5 * h * a1, a2 = f(x[0] + 0.5 * h * v1);
    const T v3 = x[1] + 0.5 * h * a2, a3 = f(x[0] + 0.5 * h * v2);
    const T v4 = x[1] + h * a3, a4 = f(x[0] + h * v3);
    next[0] = x[0] + h / 6.0 * (v1 + 2.0 * (v2 + v3) + v4);
    next[1] = x[1] + h / 6.0 * (a1 + 2.0 * (a2 + a3) + a4);
  }
  template <typename T>
  void output(const Input&, std::span<const T> x, std::span<T> y) const {
    y[0] = x[0];
  }
};

double reading(int k, RandomStream& random) {
  return 0.8 * std::cos(3.0 * kStep * k) + kSigma * random.normal();
}

// An independent filter on equations written by hand, with dual numbers: 200 steps of the same
// arithmetic in another order, each rounding some 10 times.
TEST(EquationObserver, AgreesWithTheTemplateFilter) {
  for (const auto engine : {model::EngineKind::Interpreter, model::EngineKind::Automatic}) {
    EquationObserver observer = pendulum(FilterRule::Ekf, engine);
    Ekf<Pendulum> filter({}, Vector2d(0.5, 0.0), Matrix2d::Identity());
    const auto q = Noise<double, 2>::from_covariance(Vector2d(1e-10, 1e-6).asDiagonal());
    const auto r = Noise<double, 1>::from_deviations(Eigen::Matrix<double, 1, 1>(kSigma));
    RandomStream random(3);
    for (int k = 0; k < 200; ++k) {
      const Eigen::Matrix<double, 1, 1> z(reading(k, random));
      ASSERT_EQ(observer.step(kStep, {z.data(), 1}).status, Status::Success);
      ASSERT_EQ(filter.predict({}, q), Status::Success);
      ASSERT_TRUE(filter.update({}, z, r).accepted);
    }
    EXPECT_TRUE(matrices_near(observer.mean(), VectorXd(filter.mean()), {.rel = 1e-11}));
    EXPECT_TRUE(
        matrices_near(observer.covariance(), MatrixXd(filter.covariance()), {.rel = 1e-11}));
  }
}

TEST(EquationObserver, StepsAllocateNothing) {
  EquationObserver observer = pendulum(FilterRule::Ekf, model::EngineKind::Automatic);
  const double z = 0.5;
  static_cast<void>(observer.step(kStep, {&z, 1}));
  const std::size_t before = test::allocation_count();
  for (int k = 0; k < 20; ++k) static_cast<void>(observer.step(kStep, {&z, 1}));
  EXPECT_EQ(test::allocation_count(), before);
}

// A falling body whose density is in the velocity: after a step of h from an exact start the
// covariance is q (h³/3, h²/2; h²/2, h).
TEST(EquationObserver, DensityOfAnAccelerationReachesTheCoordinate) {
  EquationObserverOptions options;
  options.deviation = one(0.0);
  options.density = Vector2d(0.0, 2.0);
  options.sigma = one(1.0);
  EquationObserver observer(interpreted("y'' = -9.81", setup_of({}, "y")), VectorXd(), options);
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const double h = 0.3;
  static_cast<void>(observer.step(h, {&missing, 1}));
  Matrix2d Q;
  Q << h * h * h / 3.0, h * h / 2.0, h * h / 2.0, h;
  EXPECT_TRUE(matrices_near(observer.covariance(), MatrixXd(2.0 * Q), {.rel = 1e-14}));
}

// x' = u moves by the mean of a linear input, and by the value before for a held one.
TEST(EquationObserver, TakesInputsHeldOrLinear) {
  for (const auto between : {signal::BetweenSamples::Held, signal::BetweenSamples::Linear}) {
    EquationObserverOptions options;
    options.deviation = one(0.0);
    options.density = one(0.0);
    options.sigma = one(1.0);
    options.between = between;
    EquationObserver observer(interpreted("x' = u", setup_of({{"u", ""}}, "x")), VectorXd(),
                              options);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::array<double, 2> first = {1.0, nan}, second = {3.0, nan};
    static_cast<void>(observer.step(0.0, first));
    static_cast<void>(observer.step(0.5, second));
    const double expected = between == signal::BetweenSamples::Held ? 0.5 : 1.0;
    EXPECT_NEAR(observer.mean()(0), expected, 1e-15);
  }
}

TEST(EquationObserver, RefusesWhatItCannotUse) {
  EquationObserverOptions options;
  options.deviation = one(1.0);
  options.density = one(1.0);
  options.sigma = one(1.0);
  const model::EquationSetup setup = setup_of({}, "x");
  EXPECT_NE(message_of([&] {
              EquationObserver(interpreted("x' = -x + t", setup), VectorXd(), options);
            }).find("must not depend on the time"),
            std::string::npos);
  options.sigma = one(0.0);
  EXPECT_NE(message_of([&] {
              EquationObserver(interpreted("x' = -x", setup), VectorXd(), options);
            }).find("sigma must be above 0"),
            std::string::npos);
  options.sigma = one(1.0);
  options.process_noise = MatrixXd::Identity(1, 1);
  EXPECT_NE(message_of([&] {
              EquationObserver(interpreted("x' = -x", setup), VectorXd(), options);
            }).find("density must be given, or process_noise in its place, got both"),
            std::string::npos);
}

// The first inputs are known at the first step only.
TEST(EquationObserver, AsksForTheMeanWhereTheStartUsesInputs) {
  model::EquationSetup setup = setup_of({{"u", ""}}, "x");
  setup.starts = {{"x", "2*u"}};
  EquationObserverOptions options;
  options.deviation = one(1.0);
  options.density = one(1.0);
  options.sigma = one(1.0);
  const auto make = [&] { return EquationObserver(interpreted("x' = u", setup), {}, options); };
  EXPECT_NE(message_of([&] {
              make();
            }).find("mean must be given, since the start of the equations uses inputs"),
            std::string::npos);
  options.mean = one(3.0);
  EXPECT_EQ(make().mean()(0), 3.0);
}

FunctionModel pendulum_functions() {
  FunctionModel model;
  model.states = {"a", "a'"};
  model.process = [](double, const VectorXd& x, const VectorXd&) {
    VectorXd next(2);
    Pendulum().process<double>({}, {x.data(), 2}, {next.data(), 2});
    return next;
  };
  model.output = [](const VectorXd& x, const VectorXd&) -> VectorXd { return x.head(1); };
  return model;
}

// Central differences are wrong by some 1e-10 of the second derivatives; sigma points need none.
TEST(FunctionObserver, AgreesWithTheEquations) {
  for (const auto rule : {FilterRule::Ekf, FilterRule::Cubature}) {
    EquationObserver exact = pendulum(rule, model::EngineKind::Interpreter);
    FunctionObserver functions(pendulum_functions(), pendulum_options(rule));
    RandomStream random(4);
    for (int k = 0; k < 100; ++k) {
      const double z = reading(k, random);
      static_cast<void>(exact.step(kStep, {&z, 1}));
      static_cast<void>(functions.step(kStep, {&z, 1}));
    }
    EXPECT_TRUE(matrices_near(functions.mean(), exact.mean(), {.rel = 1e-7}));
  }
}

TEST(FunctionObserver, PassesOnWhatItsFunctionsThrow) {
  FunctionModel model = pendulum_functions();
  model.output = [](const VectorXd&, const VectorXd&) -> VectorXd {
    throw std::domain_error("mine");
  };
  FunctionObserver observer(model, pendulum_options(FilterRule::Ekf));
  const double z = 0.5;
  EXPECT_THROW(static_cast<void>(observer.step(kStep, {&z, 1})), std::domain_error);
  const VectorXd time = Eigen::Vector3d(0.0, 0.1, 0.2);
  static_cast<void>(observe_record(observer, time, VectorXd::Constant(3, 0.5)));
  EXPECT_THROW(observer.raise_failure(), std::domain_error);
  EXPECT_NO_THROW(observer.raise_failure());
}

TEST(FunctionObserver, NamesAFunctionOfTheWrongSize) {
  FunctionModel model = pendulum_functions();
  model.process = [](double, const VectorXd&, const VectorXd&) -> VectorXd { return one(1.0); };
  FunctionObserver observer(model, pendulum_options(FilterRule::Ekf));
  const double z = 0.5;
  EXPECT_NE(message_of([&] {
              static_cast<void>(observer.step(kStep, {&z, 1}));
            }).find("the result of process"),
            std::string::npos);
}

}  // namespace own_model_test
}  // namespace alembert::estimate
