#include "alembert/integrate/linear_simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "alembert/core/error.hpp"
#include "alembert/integrate/exact.hpp"
#include "alembert/signal/spline.hpp"
#include "core/algebra/decompositions.hpp"
#include "support/matrices_near.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"

namespace alembert::integrate {
namespace linear_simulation_test {

using test::kEps;
using test::matrices_near;
using testing::HasSubstr;
using testing::ThrowsMessage;

Eigen::VectorXd zeros(Eigen::Index n) { return Eigen::VectorXd::Zero(n); }

// m q'' + d q' + k q = cubic polynomial in t has a cubic particular solution; started on it, the
// motion stays on it.
TEST(Simulate, FollowsAPolynomialForceExactly) {
  const double m = 2.0, d = 0.7, k = 30.0, h = 0.05;
  const Eigen::Index samples = 400;
  const Eigen::Vector4d c(0.3, -0.2, 0.05, 0.01);  // q = c0 + c1 t + c2 t² + c3 t³
  Eigen::MatrixXd u(samples, 1), q(samples, 1), v(samples, 1), a(samples, 1);
  for (Eigen::Index i = 0; i < samples; ++i) {
    const double t = h * static_cast<double>(i);
    q(i) = c(0) + t * (c(1) + t * (c(2) + t * c(3)));
    v(i) = c(1) + t * (2 * c(2) + 3 * t * c(3));
    a(i) = 2 * c(2) + 6 * t * c(3);
    u(i) = m * a(i) + d * v(i) + k * q(i);
  }
  const Trajectory motion =
      simulate(test::oscillator(m, d, k), u, h, q.row(0).transpose(), v.row(0).transpose());
  ASSERT_TRUE(motion.ok()) << motion.message;
  // Rounding of the spline's slopes, amplified by the quality factor k/(ω d) = 11.
  EXPECT_TRUE(matrices_near(motion.displacement, q, {.rel = 200 * kEps}));
  EXPECT_TRUE(matrices_near(motion.velocity, v, {.rel = 2000 * kEps}));
  // a = (u - d v - k q)/m subtracts numbers 60 times larger than a.
  EXPECT_TRUE(matrices_near(motion.acceleration, a, {.rel = 2e4 * kEps}));
}

// A spline through samples at h is also the spline through its own values at h/4, so that exact
// propagation must not see the difference.
TEST(Simulate, WithCubicHoldDoesNotDependOnTheSamplingOfTheSameSpline) {
  std::mt19937_64 engine(81);
  const model::SecondOrder frame = test::frame_8dof();
  const Eigen::Index samples = 200;
  const double h = 0.02;
  const Eigen::MatrixXd u = test::random_matrix(samples, 8, engine);
  const Eigen::MatrixXd slopes = signal::cubic_slopes(h, u);
  Eigen::MatrixXd fine(4 * (samples - 1) + 1, 8);
  for (Eigen::Index i = 0; i < fine.rows(); ++i) {
    const Eigen::Index k = std::min(i / 4, samples - 2);
    const double s = static_cast<double>(i - 4 * k) / 4.0;
    const Eigen::RowVectorXd rise = u.row(k + 1) - u.row(k);
    const Eigen::RowVectorXd a = h * slopes.row(k), b = h * slopes.row(k + 1);
    fine.row(i) = u.row(k) + s * (a + s * ((3.0 * rise - 2.0 * a - b) + s * (a + b - 2.0 * rise)));
  }
  const Trajectory coarse_motion = simulate(frame, u, h, zeros(8), zeros(8));
  const Trajectory fine_motion = simulate(frame, fine, h / 4, zeros(8), zeros(8));
  const auto every_fourth = Eigen::seqN(0, samples, 4);
  // The specification's target for exact simulation.
  EXPECT_TRUE(matrices_near(coarse_motion.displacement,
                            fine_motion.displacement(every_fourth, Eigen::all), {.rel = 1e-12}));
  EXPECT_TRUE(matrices_near(coarse_motion.velocity, fine_motion.velocity(every_fourth, Eigen::all),
                            {.rel = 1e-12}));
}

// The blocked driver against single steps, with lengths around the block size.
TEST(Simulate, EqualsSingleSteps) {
  std::mt19937_64 engine(82);
  const model::SecondOrder system = test::random_system(3, 2, engine);
  const double h = 0.1;
  const OneStepMap map = one_step_map(system, h, {.method = Method::Newmark});
  for (const Eigen::Index samples : {1, 2, 3, 128, 129, 130, 256, 257, 400}) {
    const Eigen::MatrixXd u = test::random_matrix(samples, 2, engine);
    const Eigen::VectorXd q0 = test::random_matrix(3, 1, engine);
    const Eigen::VectorXd v0 = test::random_matrix(3, 1, engine);
    const Trajectory motion = simulate(system, map, u, q0, v0);
    ASSERT_EQ(motion.samples(), samples);
    Eigen::VectorXd z(6), w(4);
    z << q0, h * v0;
    StepWorkspace workspace(map);
    for (Eigen::Index k = 0;; ++k) {
      const Eigen::VectorXd q = z.head(3), v = z.tail(3) / h;
      const Eigen::VectorXd a =
          system.M.fullPivLu().solve(system.L * u.row(k).transpose() - system.D * v - system.K * q);
      const double tolerance = 1e-12;  // sums in another order, damped: no growth with k
      ASSERT_TRUE(matrices_near(motion.displacement.row(k).transpose(), q, {.abs = tolerance}));
      ASSERT_TRUE(matrices_near(motion.velocity.row(k).transpose(), v, {.abs = tolerance}));
      ASSERT_TRUE(matrices_near(motion.acceleration.row(k).transpose(), a, {.rel = 1e-11}));
      if (k + 1 == samples) break;
      w << u.row(k).transpose(), u.row(k + 1).transpose();
      advance(map, w, workspace, z);
    }
  }
}

// All methods meet in the limit; here at a step where each must be within its own error.
TEST(Simulate, MethodsAgreeOnASmoothInput) {
  const model::SecondOrder frame = test::frame_8dof();
  const double h = 1e-3;
  const Eigen::Index samples = 2000;
  const Eigen::MatrixXd u = Eigen::MatrixXd::NullaryExpr(samples, 8, [&](auto i, auto j) {
    return std::sin(6.0 * h * static_cast<double>(i) + static_cast<double>(j));
  });
  const Eigen::MatrixXd reference = simulate(frame, u, h, zeros(8), zeros(8)).displacement;
  for (const Method method : {Method::Variational, Method::Newmark, Method::Gauss}) {
    const Eigen::MatrixXd q =
        simulate(frame, u, h, zeros(8), zeros(8), {.method = method}).displacement;
    // (ω h)²/12 per radian over 40 rad of the fastest mode: 1e-3; order 4 is far below.
    EXPECT_TRUE(matrices_near(q, reference, {.rel = method == Method::Gauss ? 1e-8 : 2e-3}));
  }
  for (const signal::BetweenSamples hold :
       {signal::BetweenSamples::Held, signal::BetweenSamples::Linear}) {
    const Eigen::MatrixXd q =
        simulate(frame, u, h, zeros(8), zeros(8), {.hold = hold}).displacement;
    // Zero hold delays the input by h/2: 6 rad/s * 0.5 ms.
    EXPECT_TRUE(
        matrices_near(q, reference, {.rel = hold == signal::BetweenSamples::Held ? 1e-2 : 1e-5}));
  }
}

TEST(Simulate, WithoutInputsIsFreeMotion) {
  model::SecondOrder system = test::oscillator(1.0, 0.0, 9.0);
  system.L.resize(1, 0);
  for (const Method method : {Method::Exact, Method::Variational, Method::Newmark, Method::Gauss}) {
    const Trajectory motion =
        simulate(system, Eigen::MatrixXd(300, 0), 0.01, Eigen::VectorXd::Constant(1, 2.0), zeros(1),
                 {.method = method});
    ASSERT_TRUE(motion.ok());
    // (ω h)³/12 a step for the second-order rules: 7e-4 after 299 steps.
    EXPECT_NEAR(motion.displacement(299), 2.0 * std::cos(3.0 * 2.99), 2e-3);
  }
}

TEST(Simulate, ReportsTheSampleAtWhichTheMotionOverflows) {
  // q = cosh(10 t): overflows when 10 t exceeds 710.
  const Trajectory motion =
      simulate(test::oscillator(1.0, 0.0, -100.0), Eigen::MatrixXd::Zero(2000, 1), 0.1,
               Eigen::VectorXd::Ones(1), zeros(1));
  EXPECT_EQ(motion.status, Status::NotFinite);
  // The acceleration is 100 times the displacement: it goes first, at ln(1.8e308 * 2 / 100)/10.
  const double last = (std::log(std::numeric_limits<double>::max()) + std::log(0.02)) / 10.0;
  EXPECT_EQ(motion.samples(), static_cast<Eigen::Index>(std::floor(last / 0.1)) + 1);
  EXPECT_THAT(motion.message, HasSubstr("at sample " + std::to_string(motion.samples() + 1)));
  EXPECT_TRUE(motion.displacement.allFinite() && motion.acceleration.allFinite());
}

TEST(Simulate, ReportsAConditionallyStableMethod) {
  // ω h = 4 is beyond 2 √3 of linear acceleration, fine for the default.
  const model::SecondOrder system = test::oscillator(1.0, 0.0, 16.0);
  const Eigen::MatrixXd u = Eigen::MatrixXd::Zero(3000, 1);
  const Eigen::VectorXd q0 = Eigen::VectorXd::Ones(1);
  EXPECT_EQ(
      simulate(system, u, 1.0, q0, zeros(1), {.method = Method::Newmark, .newmark_beta = 1.0 / 6.0})
          .status,
      Status::NotFinite);
  EXPECT_TRUE(simulate(system, u, 1.0, q0, zeros(1), {.method = Method::Newmark}).ok());
}

TEST(Simulate, StopsOnRequestAndKeepsWhatIsDone) {
  StopFlag stop;
  const Eigen::MatrixXd u = Eigen::MatrixXd::Zero(5000, 3);
  EXPECT_TRUE(simulate(test::coupled_3dof(), u, 0.1, zeros(3), zeros(3), {.stop = &stop}).ok());
  stop.request();
  const Trajectory motion =
      simulate(test::coupled_3dof(), u, 0.1, zeros(3), zeros(3), {.stop = &stop});
  EXPECT_EQ(motion.status, Status::Stopped);
  EXPECT_GE(motion.samples(), 1);
  EXPECT_LT(motion.samples(), 5000);
  EXPECT_EQ(motion.velocity.rows(), motion.samples());
  EXPECT_THAT(motion.message, HasSubstr("of 5000"));
}

TEST(Simulate, HandlesManyCoordinates) {
  std::mt19937_64 engine(83);
  const model::SecondOrder system = test::random_system(200, 5, engine);
  const Eigen::MatrixXd u = test::random_matrix(500, 5, engine);
  const Trajectory exact = simulate(system, u, 1e-3, zeros(200), zeros(200));
  const Trajectory gauss = simulate(system, u, 1e-3, zeros(200), zeros(200),
                                    {.method = Method::Gauss, .gauss_stages = 3});
  ASSERT_TRUE(exact.ok() && gauss.ok());
  // Three stages integrate the cubic input exactly; ω h = 0.014 leaves 1e-5 (ω h)² below 1e-8,
  // from the curvature of the response under the third derivative of white samples.
  EXPECT_TRUE(matrices_near(exact.displacement, gauss.displacement, {.rel = 1e-8}));
}

TEST(Simulate, RejectsBadArguments) {
  const model::SecondOrder system = test::coupled_3dof();
  const Eigen::MatrixXd u = Eigen::MatrixXd::Zero(10, 3);
  const auto call = [&](const Eigen::MatrixXd& input, double step, const Eigen::VectorXd& q0,
                        const Eigen::VectorXd& v0, const LinearSimulationOptions& options = {}) {
    return [=] { (void)simulate(system, input, step, q0, v0, options); };
  };
  Eigen::MatrixXd nan = u;
  nan(4, 1) = std::numeric_limits<double>::quiet_NaN();
  Eigen::VectorXd bad = zeros(3);
  bad(2) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(call(u, 0.0, zeros(3), zeros(3)),
              ThrowsMessage<InvalidInput>(HasSubstr("step must be positive, got 0")));
  EXPECT_THAT(call(u.leftCols(2), 0.1, zeros(3), zeros(3)),
              ThrowsMessage<InvalidInput>(HasSubstr("input must be 10 x 3, got 10 x 2")));
  EXPECT_THAT(call(u.topRows(0), 0.1, zeros(3), zeros(3)),
              ThrowsMessage<InvalidInput>(HasSubstr("rows of input")));
  EXPECT_THAT(call(nan, 0.1, zeros(3), zeros(3)),
              ThrowsMessage<InvalidInput>(HasSubstr("input must be finite, got nan in row 5")));
  EXPECT_THAT(call(u, 0.1, zeros(2), zeros(3)),
              ThrowsMessage<InvalidInput>(HasSubstr("q0 must have size 3, got 2")));
  EXPECT_THAT(call(u, 0.1, zeros(3), zeros(4)),
              ThrowsMessage<InvalidInput>(HasSubstr("v0 must have size 3, got 4")));
  EXPECT_THAT(call(u, 0.1, bad, zeros(3)),
              ThrowsMessage<InvalidInput>(HasSubstr("q0 must be finite")));
  EXPECT_THAT(call(u, 0.1, zeros(3), bad),
              ThrowsMessage<InvalidInput>(HasSubstr("v0 must be finite")));
  EXPECT_THAT(call(u, 0.1, zeros(3), zeros(3), {.method = Method::Newmark, .newmark_beta = 7.0}),
              ThrowsMessage<InvalidInput>(HasSubstr("beta")));
  EXPECT_THAT(
      [&] { (void)simulate(system, exact_map(test::frame_8dof(), 0.1), u, zeros(3), zeros(3)); },
      ThrowsMessage<InvalidInput>(HasSubstr("map.F must be 6 x 6, got 16 x 16")));
}

TEST(Apply, MixesMotionsOfAllCoordinates) {
  std::mt19937_64 engine(84);
  Trajectory motion;
  motion.displacement = test::random_matrix(6, 3, engine);
  motion.velocity = test::random_matrix(6, 3, engine);
  motion.acceleration = test::random_matrix(6, 3, engine);
  // Dense maps take one way through the code, maps that pick single coordinates the other.
  const model::OutputMap dense{test::random_matrix(2, 3, engine), test::random_matrix(2, 3, engine),
                               test::random_matrix(2, 3, engine)};
  const model::OutputMap sparse =
      model::output_map(3, {{model::Motion::Velocity, 2}, {model::Motion::Acceleration, 0}});
  for (const model::OutputMap& outputs : {dense, sparse}) {
    const Eigen::MatrixXd y = apply(outputs, motion);
    for (Eigen::Index k = 0; k < 6; ++k) {
      const Eigen::VectorXd expected =
          outputs.displacement * motion.displacement.row(k).transpose() +
          outputs.velocity * motion.velocity.row(k).transpose() +
          outputs.acceleration * motion.acceleration.row(k).transpose();
      EXPECT_TRUE(matrices_near(y.row(k).transpose(), expected, {.abs = 16 * kEps}));
    }
  }
  EXPECT_THAT([&] { (void)apply(model::output_map(4, {{}}), motion); },
              ThrowsMessage<InvalidInput>(HasSubstr("apply: output map displacement")));
}

}  // namespace linear_simulation_test
}  // namespace alembert::integrate
