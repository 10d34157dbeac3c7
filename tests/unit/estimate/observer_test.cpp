#include "alembert/estimate/observer.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <random>

#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::estimate {
namespace observer_test {

using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using test::matrices_near;
using test::message_of;

constexpr double kStep = 0.05;    // s
constexpr double kOmega = 3.0;    // rad/s
constexpr double kDensity = 0.2;  // of the white force, m²/s³
constexpr double kSigma = 0.05;   // of the reading, m
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// F of a step of q'' = -ω² q.
Matrix2d transition(double step) {
  const double c = std::cos(kOmega * step), s = std::sin(kOmega * step);
  Matrix2d F;
  F << c, s / kOmega, -kOmega * s, c;
  return F;
}

/// Q of a step, to first order in it.
Matrix2d spread(double step, double scale) {
  Matrix2d Q;
  Q << 1e-9, 0.0, 0.0, scale * kDensity * step;
  return Q;
}

/// No mechanism: q'' = -ω² q + white noise, of which the position is read.
class Oscillator : public ObservedModel {
 public:
  Oscillator()
      : layout_{.states = {"q", "q'"},
                .spans = VectorXd::Constant(1, 10.0),
                .blocks = 2,
                .sensors = 1,
                .outputs = {0},
                .orders = {0},
                .noise =
                    Noise<double, Eigen::Dynamic>::from_deviations(VectorXd::Constant(1, kSigma)),
                .scaled = {1}},
        q_(Noise<double, Eigen::Dynamic>::from_covariance(spread(kStep, 1.0))) {}

  const ObservedLayout& layout() const noexcept override { return layout_; }
  void process(const ObservedInput& u, std::span<const double> x,
               std::span<double> next) const override {
    const Vector2d moved = transition(u.step) * Vector2d(x[0], x[1]);
    next[0] = moved(0);
    next[1] = moved(1);
  }
  void process_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> next,
                        MatrixXd& F) const override {
    process(u, x, next);
    F = transition(u.step);
  }
  void output(const ObservedInput&, std::span<const double> x, std::span<double> y) const override {
    y[0] = x[0];
  }
  void output_jacobian(const ObservedInput& u, std::span<const double> x, std::span<double> y,
                       MatrixXd& H) const override {
    output(u, x, y);
    H.row(0) << 1.0, 0.0;
  }
  const Noise<double, Eigen::Dynamic>& process_noise(const ObservedInput& u, const VectorXd&,
                                                     double scale) noexcept override {
    q_.set_variance(1, spread(u.step, scale)(1, 1));
    return q_;
  }

 private:
  ObservedLayout layout_;
  Noise<double, Eigen::Dynamic> q_;
};

Observer observer_with(const ObserverOptions& options) {
  return {std::make_unique<Oscillator>(), Vector2d(1.0, 0.0), Matrix2d::Identity(), options};
}

/// Readings of an oscillator whose force has a density `factor` times the model's.
VectorXd readings_of(int samples, double factor = 1.0) {
  std::mt19937_64 engine(20260117);
  std::normal_distribution<double> normal;
  Vector2d x(1.0, 0.0);
  VectorXd z(samples);
  for (int k = 0; k < samples; ++k) {
    if (k > 0) x = transition(kStep) * x;
    if (k > 0) x(1) += std::sqrt(factor * kDensity * kStep) * normal(engine);
    z(k) = x(0) + kSigma * normal(engine);
  }
  return z;
}

void take(Observer& observer, double step, double reading) {
  EXPECT_EQ(observer.step(step, {&reading, 1}).status, Status::Success);
}

// The textbook's Kalman filter is the oracle; all rules are exact for a linear model.
TEST(Observer, OfALinearModelIsTheKalmanFilter) {
  const VectorXd z = readings_of(200);
  for (const auto& name : enum_names(ObserverFilter{})) {
    Observer observer = observer_with({.filter = name.value});
    Vector2d x(1.0, 0.0);
    Matrix2d P = Matrix2d::Identity();
    for (int k = 0; k < z.size(); ++k) {
      if (k > 0) {
        x = transition(kStep) * x;
        P = transition(kStep) * P * transition(kStep).transpose() + spread(kStep, 1.0);
      }
      const Vector2d gain = P.col(0) / (P(0, 0) + kSigma * kSigma);
      x += gain * (z(k) - x(0));
      P -= gain * P.row(0).eval();
      take(observer, k == 0 ? 0.0 : kStep, z(k));
    }
    // Rounding of 200 steps, which forget it, of sigma points with weights of size 1.
    EXPECT_TRUE(matrices_near(observer.mean(), x, {.rel = 1e-11})) << name.text;
    EXPECT_TRUE(matrices_near(observer.covariance(), P, {.rel = 1e-10})) << name.text;
    EXPECT_NEAR(observer.deviation(1), std::sqrt(P(1, 1)), 1e-10) << name.text;
  }
}

TEST(Observer, GateKeepsAnOutlierOut) {
  Observer observer = observer_with({.gate = {.probability = 0.999}});
  const VectorXd z = readings_of(100);
  for (int k = 0; k < z.size(); ++k) take(observer, k == 0 ? 0.0 : kStep, z(k));
  const Vector2d expected = transition(kStep) * observer.mean();
  const double wrong = expected(0) + 3.0;  // more than 20 standard deviations
  const ObserverStep step = observer.step(kStep, {&wrong, 1});
  EXPECT_EQ(step.update.rejected, 1);
  EXPECT_FALSE(step.update.accepted);
  EXPECT_TRUE(matrices_near(observer.mean(), expected, {.rel = 1e-14}));
}

// An offset jump that the gate keeps out: after 20 steps the deviations grow until it passes.
TEST(Observer, FindsAMotionAgainThatItsGateHasLost) {
  Observer observer = observer_with({.gate = {.probability = 0.999}});
  int widened = 0;
  for (int k = 0; k < 200; ++k) {
    const double reading = (k < 100 ? 1.0 : -4.0) * std::cos(kOmega * k * kStep);
    if (observer.step(k == 0 ? 0.0 : kStep, {&reading, 1}).widened) ++widened;
  }
  EXPECT_GE(widened, 1);
  EXPECT_NEAR(observer.mean()(0), -4.0 * std::cos(kOmega * 199 * kStep), 4.0 * kSigma);
}

// Every third reading comes two steps late.
TEST(Observer, TakesLateReadingsAsIfInTime) {
  const VectorXd z = readings_of(90);
  Observer prompt = observer_with({});
  Observer late = observer_with({.late_steps = 8});
  for (int k = 0; k < z.size(); ++k) {
    const double step = k == 0 ? 0.0 : kStep;
    take(prompt, step, z(k));
    take(late, step, k % 3 == 0 ? kNaN : z(k));
    if (k % 3 == 2) {
      EXPECT_EQ(late.step_late(2.0 * kStep, {&z(k - 2), 1}).update.used, 1);
    }
  }
  EXPECT_TRUE(matrices_near(late.mean(), prompt.mean(), {.rel = 1e-12}));
  EXPECT_TRUE(matrices_near(late.covariance(), prompt.covariance(), {.rel = 1e-12}));
}

// Statistics: the rule moves part of the way with each window, so 40 windows pass. The same rule
// written in NumPy scatters by 1.6 about 25.07 over records of this length: a quarter is 4 of that.
TEST(Observer, AdaptsTheScaleOfItsProcessNoise) {
  constexpr double kFactor = 25.0;
  Observer observer = observer_with({.adapt = {.window = 500}});
  const VectorXd z = readings_of(20000, kFactor);
  for (int k = 0; k < z.size(); ++k) take(observer, k == 0 ? 0.0 : kStep, z(k));
  EXPECT_NEAR(observer.process_scale(), kFactor, 0.25 * kFactor);
}

TEST(Observer, RecordIsSmoothedBelowItsFilteredDeviations) {
  Observer observer = observer_with({});
  const VectorXd z = readings_of(100);
  const VectorXd time = VectorXd::LinSpaced(100, 0.0, 99 * kStep);
  const ObserverEstimate estimate = observe_record(observer, time, z, {.smooth = true});
  EXPECT_TRUE(estimate.ok());
  EXPECT_EQ(estimate.names, (std::vector<std::string>{"q", "q'"}));
  EXPECT_LT(estimate.smoothed_deviation(50, 0), estimate.deviation(50, 0));
  EXPECT_LT(estimate.smoothed_deviation(50, 1), estimate.deviation(50, 1));
}

TEST(Observer, StepsAllocateNothing) {
  Observer observer = observer_with({.gate = {.probability = 0.999}, .late_steps = 4});
  const VectorXd z = readings_of(50);
  take(observer, 0.0, z(0));
  const std::size_t before = test::allocation_count();
  for (int k = 1; k < z.size(); ++k) take(observer, kStep, z(k));
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(Observer, SaysWhatIsWrongWithALayout) {
  class Wrong : public Oscillator {
   public:
    explicit Wrong(int sensor) : wrong_(Oscillator::layout()) { wrong_.outputs = {sensor}; }
    const ObservedLayout& layout() const noexcept override { return wrong_; }

   private:
    ObservedLayout wrong_;
  };
  EXPECT_EQ(message_of([] {
              Observer(std::make_unique<Wrong>(1), Vector2d(1.0, 0.0), Matrix2d::Identity());
            }),
            "Observer: sensor must be in [0, 0], got 1");
}

}  // namespace observer_test
}  // namespace alembert::estimate
