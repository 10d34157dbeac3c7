// What the noise of input sensors does to the state of the input form.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "alembert/core/random.hpp"
#include "slider_crank_record.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"

namespace alembert::test::kinematic_input_noise_test {

using estimate::AccelerationScheme;
using estimate::Discretisation;
using estimate::InputFormOptions;
using estimate::KinematicInput;
using estimate::KinematicInputModel;
using estimate::KinematicObserver;
using estimate::KinematicObserverOptions;
using estimate::ObserverFilter;

constexpr double kSigma = 0.03;  // of the accelerometer

KinematicInputModel crank_model(const InputFormOptions& options) {
  const auto mechanism = slider_crank_mechanism();
  model::planar::MechanismState state = mechanism->make_state();
  EXPECT_TRUE(mechanism->assemble(Eigen::VectorXd::Zero(1), state).ok());
  return {mechanism, state, options};
}

InputFormOptions crank_inputs(Discretisation rule, AccelerationScheme scheme) {
  return {.inputs = {kAccelerometer},
          .outputs = {kEncoder},
          .discretisation = rule,
          .scheme = scheme,
          .gamma = 3.0};
}

Eigen::MatrixXd spread(const KinematicInputModel& model, const KinematicInput& u,
                       const Eigen::VectorXd& x) {
  Eigen::MatrixXd D(model.states(), 2);
  model.input_spread(u, {x.data(), static_cast<std::size_t>(x.size())}, D);
  return D;
}

// s'(θ) of s = L₁ sin θ + √(L₂² - L₁² cos² θ).
double slider_slope(double theta) {
  const double c = kCrank * std::cos(theta);
  return c + c * kCrank * std::sin(theta) / std::sqrt(kRod * kRod - c * c);
}

// Euler's rule, scheme 1: z'_k = z' + h (u - S'z')/S and z''_k = (u - S'z')/S, so that
// D = σ (0, h, 1)/S for the sample before, nothing of this one.
TEST(InputSpread, FollowsTheClosedFormUnderEuler) {
  const KinematicInputModel model =
      crank_model(crank_inputs(Discretisation::Euler, AccelerationScheme::Constraint));
  const double before[] = {3.0}, now[] = {4.0};
  const double h = 1e-3;
  for (const double theta : {0.0, 0.7, 1.4, 2.3, 4.0}) {
    const double S = slider_slope(theta);
    Eigen::MatrixXd expected(3, 2);
    expected << 0.0, 0.0, h, 0.0, 1.0, 0.0;
    expected *= kSigma / S;
    // The difference of two accelerations of up to 100/S rad/s², each exact to rounding.
    EXPECT_TRUE(matrices_near(spread(model, {h, before, now, false}, Eigen::Vector3d(theta, 12, 3)),
                              expected, {.abs = 1e-12 / std::abs(S)}))
        << theta;
  }
}

// D Dᵀ is the covariance of the next state for normally distributed readings.
TEST(InputSpread, IsTheCovarianceOfSampledSteps) {
  const double before = 3.0, now = 4.0;
  const Eigen::Vector3d x(0.6, 12.0, 3.0);
  constexpr int kDraws = 4000;
  const std::pair<Discretisation, AccelerationScheme> cases[] = {
      {Discretisation::Euler, AccelerationScheme::Constraint},
      {Discretisation::Heun, AccelerationScheme::ConstraintNow},
      {Discretisation::Trapezoidal, AccelerationScheme::Newmark},
      {Discretisation::RungeKutta, AccelerationScheme::NewmarkConstraint}};
  for (const auto& [rule, scheme] : cases) {
    const KinematicInputModel model = crank_model(crank_inputs(rule, scheme));
    const Eigen::MatrixXd D = spread(model, {0.01, {&before, 1}, {&now, 1}, false}, x);
    RandomStream noise(7, 1);
    Eigen::MatrixXd next(3, kDraws);
    for (int i = 0; i < kDraws; ++i) {
      const double u0 = before + kSigma * noise.normal();
      const double u1 = now + kSigma * noise.normal();
      model.process({0.01, {&u0, 1}, {&u1, 1}, false}, {x.data(), 3}, {next.col(i).data(), 3});
    }
    const Eigen::MatrixXd centred = next.colwise() - next.rowwise().mean();
    const Eigen::MatrixXd sampled = centred * centred.transpose() / (kDraws - 1);
    const Eigen::MatrixXd expected = D * D.transpose();
    for (int i = 0; i < 3; ++i) {
      // A variance of N draws has a standard deviation of √(2/N) of itself: five of them; and the
      // rounding of states up to 100.
      const double scale = std::sqrt(expected(i, i) * expected(2, 2));
      const double share = 5.0 * std::sqrt(2.0 / kDraws);
      EXPECT_NEAR(sampled(i, i), expected(i, i), share * expected(i, i) + 1e-24);
      EXPECT_NEAR(sampled(i, 2), expected(i, 2), share * scale + 1e-24);
    }
  }
}

TEST(InputSpread, IsZeroWithoutReadingAndInTheRandomWalk) {
  const KinematicInputModel model =
      crank_model(crank_inputs(Discretisation::Heun, AccelerationScheme::Constraint));
  const double none[] = {std::numeric_limits<double>::quiet_NaN()}, some[] = {4.0};
  const Eigen::Vector3d x(0.6, 12.0, 3.0);
  EXPECT_TRUE(spread(model, {1e-3, none, none, false}, x).isZero(0.0));
  EXPECT_TRUE(spread(model, {1e-3, some, some, true}, x).isZero(0.0));
}

// A slider on a straight guide, where S = 1 and all is linear.
std::shared_ptr<const model::planar::Mechanism> guided_slider() {
  using namespace model::planar;
  MechanismDescription d;
  d.gravity.setZero();
  d.bodies = {{.name = "slider"}};
  d.joints = {{.name = "guide", .kind = JointKind::Prismatic, .b = "slider", .axis = {1.0, 0.0}}};
  d.coordinates = {parse_coordinate("x(slider)")};
  d.sensors = {{.name = "place",
                .kind = SensorKind::Displacement,
                .of = "slider",
                .axis = {1.0, 0.0},
                .sigma = 0.01},
               {.name = "accelerometer",
                .kind = SensorKind::Acceleration,
                .of = "slider",
                .axis = {1.0, 0.0},
                .sigma = 0.5}};
  return std::make_shared<const Mechanism>(d);
}

KinematicObserverOptions slider_options(ObserverFilter filter) {
  KinematicObserverOptions options;
  options.form = estimate::ObserverForm::Input;
  options.filter = filter;
  options.input.inputs = {1};
  options.input.outputs = {0};
  options.start = {
      .z = Eigen::VectorXd::Zero(1), .sigma_z = 0.1, .sigma_zd = 0.2, .sigma_zdd = 3.0};
  options.input_noise.kinematic = {1e-4, 1e-4, 1e-4};
  options.input_noise.from_inputs = true;
  return options;
}

// The covariance of a linear Kalman filter with Q + σ² g gᵀ, g = (0, h, 1), whatever the filter.
TEST(NoiseFromInputs, IsTheKalmanFilterOfALinearMechanism) {
  const double h = 0.1;
  Eigen::Matrix3d F;
  F << 1.0, h, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0;
  const Eigen::Vector3d g(0.0, h, 1.0);
  const Eigen::Matrix3d Q = 1e-4 * Eigen::Matrix3d::Identity() + 0.25 * g * g.transpose();
  for (const ObserverFilter filter :
       {ObserverFilter::Ekf, ObserverFilter::SquareRootEkf, ObserverFilter::Simplex,
        ObserverFilter::SquareRootSimplex, ObserverFilter::Cubature}) {
    KinematicObserver observer(guided_slider(), slider_options(filter));
    Eigen::Matrix3d P = Eigen::Vector3d(0.01, 0.04, 9.0).asDiagonal();
    for (int k = 0; k < 20; ++k) {
      const double readings[] = {0.01 * k, 1.0};
      ASSERT_EQ(observer.step(k == 0 ? 0.0 : h, readings).status, Status::Success);
      if (k > 0) P = F * P * F.transpose() + Q;
      const Eigen::Vector3d gain = P.col(0) / (P(0, 0) + 1e-4);
      P -= gain * P.row(0).eval();
    }
    // 20 steps of some ten operations each.
    EXPECT_TRUE(matrices_near(observer.covariance(), P, {.rel = 1e-12, .abs = 1e-15}));
  }
}

TEST(NoiseFromInputs, StepsAllocateNothing) {
  const SliderCrankRecord record = slider_crank_record(0.5, 6);
  for (const ObserverFilter filter : {ObserverFilter::Ekf, ObserverFilter::SquareRootSimplex}) {
    KinematicObserverOptions options = input_form(filter, 0.2, kWideSwitch);
    options.input_noise.from_inputs = true;
    KinematicObserver observer(slider_crank_mechanism(), options);
    std::size_t before = 0;
    for (Eigen::Index k = 0; k < record.time.size(); ++k) {
      const double row[] = {record.readings(k, 0), record.readings(k, 1)};
      ASSERT_EQ(observer.step(k == 0 ? 0.0 : 1e-3, row).status, Status::Success);
      if (k == 1) before = allocation_count();
    }
    EXPECT_EQ(allocation_count(), before);
  }
}

}  // namespace alembert::test::kinematic_input_noise_test
