// What the noise of input sensors does to the state of the input form.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
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
using estimate::FilterRule;
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
// D = σ (0, h, 1)/S for the sample before, nothing of this one, which did nothing yet.
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

TEST(InputSpread, IsZeroWithoutReadingAndInTheRandomWalk) {
  const KinematicInputModel model =
      crank_model(crank_inputs(Discretisation::Heun, AccelerationScheme::Constraint));
  const double none[] = {std::numeric_limits<double>::quiet_NaN()}, some[] = {4.0};
  const Eigen::Vector3d x(0.6, 12.0, 3.0);
  EXPECT_TRUE(spread(model, {1e-3, none, none, false}, x).isZero(0.0));
  EXPECT_TRUE(spread(model, {1e-3, some, some, true}, x).isZero(0.0));
}

// Covariance after steps from a known state: P := F P Fᵀ + D Dᵀ along readings u(0) ... u(N).
Eigen::MatrixXd covariance_after(const KinematicInputModel& model, double h,
                                 const Eigen::VectorXd& u, Eigen::VectorXd x) {
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(x.size(), x.size());
  Eigen::MatrixXd F = P;
  Eigen::VectorXd next = x;
  const auto states = static_cast<std::size_t>(x.size());
  for (Eigen::Index k = 1; k < u.size(); ++k) {
    const KinematicInput input{h, {&u(k - 1), 1}, {&u(k), 1}, false};
    const Eigen::MatrixXd D = spread(model, input, x);
    model.process_jacobian(input, {x.data(), states}, {next.data(), states}, F);
    x = next;
    P = F * P * F.transpose() + D * D.transpose();
  }
  return P;
}

// The state after all readings.
Eigen::VectorXd state_after(const KinematicInputModel& model, double h, const Eigen::VectorXd& u,
                            Eigen::VectorXd x) {
  Eigen::VectorXd next = x;
  const auto states = static_cast<std::size_t>(x.size());
  for (Eigen::Index k = 1; k < u.size(); ++k) {
    model.process({h, {&u(k - 1), 1}, {&u(k), 1}, false}, {x.data(), states},
                  {next.data(), states});
    x = next;
  }
  return x;
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

constexpr double kSliderSigma = 0.5;  // of its accelerometer
constexpr Discretisation kRules[] = {Discretisation::Euler, Discretisation::Trapezoidal,
                                     Discretisation::Heun, Discretisation::RungeKutta};

KinematicInputModel slider_model(Discretisation rule, AccelerationScheme scheme) {
  const auto mechanism = guided_slider();
  model::planar::MechanismState state = mechanism->make_state();
  EXPECT_TRUE(mechanism->assemble(Eigen::VectorXd::Zero(1), state).ok());
  return {mechanism,
          state,
          {.inputs = {1}, .outputs = {0}, .discretisation = rule, .scheme = scheme, .gamma = 3.0}};
}

// The slider is linear: its covariance is Σ g_j g_jᵀ, g_j the state after a reading j of one σ
// among zeros. The last reading counts for z'' only, as its effect on z and z' is not complete.
TEST(InputSpread, AddsUpToTheResponsesOfAllReadings) {
  constexpr int kSteps = 60;
  const double h = 0.05;
  for (const Discretisation rule : kRules) {
    for (const AccelerationScheme scheme :
         {AccelerationScheme::None, AccelerationScheme::Constraint,
          AccelerationScheme::ConstraintNow, AccelerationScheme::Newmark,
          AccelerationScheme::NewmarkConstraint}) {
      const KinematicInputModel model = slider_model(rule, scheme);
      const Eigen::VectorXd start = Eigen::VectorXd::Zero(model.states());
      const Eigen::MatrixXd P =
          covariance_after(model, h, Eigen::VectorXd::Zero(kSteps + 1), start);
      // A zero before the first reading lets that one enter two steps as all others do.
      Eigen::MatrixXd complete = Eigen::MatrixXd::Zero(model.states(), model.states());
      Eigen::MatrixXd all = complete;
      for (int j = 0; j <= kSteps; ++j) {
        Eigen::VectorXd u = Eigen::VectorXd::Zero(kSteps + 2);
        u(j + 1) = kSliderSigma;
        const Eigen::VectorXd g = state_after(model, h, u, start);
        if (j < kSteps) complete += g * g.transpose();
        all += g * g.transpose();
      }
      // Rounding of 60 steps; what is forgotten of the first ones is (2/3)^120 at most.
      const Tolerance rounding{.rel = 1e-12};
      EXPECT_TRUE(matrices_near(P.topLeftCorner(2, 2), complete.topLeftCorner(2, 2), rounding));
      for (int i = 2; i < model.states(); ++i) EXPECT_NEAR(P(i, i), all(i, i), 1e-12 * all(i, i));
    }
  }
}

// Rules that use both samples move the slider by h²(N - j) σ and its velocity by h σ for reading j.
TEST(InputSpread, GrowsAsForADoubleIntegrator) {
  constexpr int kSteps = 40;
  const double h = 0.05;
  const double square = kSliderSigma * kSliderSigma * h * h;
  for (const Discretisation rule : {Discretisation::Heun, Discretisation::Trapezoidal}) {
    const Eigen::MatrixXd P =
        covariance_after(slider_model(rule, AccelerationScheme::None), h,
                         Eigen::VectorXd::Zero(kSteps + 1), Eigen::VectorXd::Zero(2));
    const double positions = kSteps * (kSteps + 1) * (2 * kSteps + 1) / 6.0;  // Σ j²
    EXPECT_NEAR(P(1, 1), kSteps * square, 1e-12 * kSteps * square);
    if (rule == Discretisation::Heun) {
      EXPECT_NEAR(P(0, 0), positions * square * h * h, 1e-12 * positions * square * h * h);
    }
  }
}

// Readings of a crank at constant speed with noise drawn anew in every run.
TEST(InputSpread, IsTheCovarianceOfSampledRuns) {
  constexpr int kSteps = 50, kRuns = 600;
  const double h = 1e-3, speed = 12.0;
  const Eigen::Vector2d start(0.3, speed);
  Eigen::VectorXd exact(kSteps + 1);
  for (int k = 0; k <= kSteps; ++k) {
    const double step = 1e-3, theta = start(0) + speed * h * k;
    const double bend = (slider_slope(theta + step) - slider_slope(theta - step)) / (2.0 * step);
    exact(k) = bend * speed * speed;
  }
  for (const Discretisation rule : kRules) {
    const KinematicInputModel model = crank_model(crank_inputs(rule, AccelerationScheme::None));
    const Eigen::MatrixXd P = covariance_after(model, h, exact, start);
    RandomStream noise(7, 1);
    Eigen::MatrixXd ends(2, kRuns);
    for (int run = 0; run < kRuns; ++run) {
      Eigen::VectorXd u = exact;
      for (double& reading : u) reading += kSigma * noise.normal();
      ends.col(run) = state_after(model, h, u, start);
    }
    const Eigen::MatrixXd centred = ends.colwise() - ends.rowwise().mean();
    const Eigen::MatrixXd sampled = centred * centred.transpose() / (kRuns - 1);
    // Five deviations √(2/N) of a variance of N draws. The first reading acts in one step, but
    // counts for two: h/2 of N h for the velocity, and N h²/2 among N³h²/3 for the position.
    const double share = 5.0 * std::sqrt(2.0 / kRuns);
    EXPECT_NEAR(sampled(1, 1) / P(1, 1), 1.0, share + 1.0 / kSteps);
    EXPECT_NEAR(sampled(0, 0) / P(0, 0), 1.0, share + 3.0 / kSteps);
  }
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
       {ObserverFilter(FilterRule::Ekf), square_root(FilterRule::Ekf),
        ObserverFilter(FilterRule::Simplex), square_root(FilterRule::Simplex),
        ObserverFilter(FilterRule::Cubature)}) {
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

// Runs without a position: the scatter of the estimates is what the observer says of itself.
TEST(NoiseFromInputs, IsTheScatterOfEstimatesUnderEveryRule) {
  constexpr int kSteps = 99, kRuns = 300;
  for (const Discretisation rule : kRules) {
    KinematicObserverOptions options = slider_options(FilterRule::Ekf);
    options.input.discretisation = rule;
    options.input.scheme = AccelerationScheme::None;
    options.start.sigma_z = options.start.sigma_zd = 1e-6;
    options.input_noise.kinematic = {1e-16, 1e-16};
    Eigen::Vector2d squares = Eigen::Vector2d::Zero(), said;
    for (int run = 0; run < kRuns; ++run) {
      KinematicObserver observer(guided_slider(), options);
      RandomStream noise(7, static_cast<std::uint64_t>(run));
      for (int k = 0; k <= kSteps; ++k) {
        const double row[] = {std::numeric_limits<double>::quiet_NaN(),
                              kSliderSigma * noise.normal()};
        ASSERT_EQ(observer.step(k == 0 ? 0.0 : 0.01, row).status, Status::Success);
      }
      squares += observer.mean().cwiseAbs2() / kRuns;
      said = observer.covariance().diagonal();
    }
    // As in the test of sampled runs.
    const double share = 5.0 * std::sqrt(2.0 / kRuns);
    EXPECT_NEAR(squares(1) / said(1), 1.0, share + 1.0 / kSteps);
    EXPECT_NEAR(squares(0) / said(0), 1.0, share + 3.0 / kSteps);
  }
}

TEST(NoiseFromInputs, StepsAllocateNothing) {
  const SliderCrankRecord record = slider_crank_record(0.5, 6);
  for (const ObserverFilter filter :
       {ObserverFilter(FilterRule::Ekf), square_root(FilterRule::Simplex)}) {
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
