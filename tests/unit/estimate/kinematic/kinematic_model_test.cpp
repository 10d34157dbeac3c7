#include "alembert/estimate/kinematic_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "slider_crank_record.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::test::kinematic_model_test {

using estimate::KinematicInput;
using estimate::KinematicOutputModel;
using estimate::MotionModel;

model::planar::MechanismState assembled(const model::planar::Mechanism& mechanism, double theta) {
  model::planar::MechanismState state = mechanism.make_state();
  EXPECT_TRUE(mechanism.assemble(Eigen::VectorXd::Constant(1, theta), state).ok());
  return state;
}

// Two half steps add as much noise as one: Q(2h) = F(h) Q(h) F(h)ᵀ + Q(h).
TEST(KinematicModel, NoiseOfTwoStepsIsThatOfOne) {
  const auto mechanism = slider_crank_mechanism(kCrank, kRod, true);
  for (const MotionModel motion : {MotionModel::WhiteJerk, MotionModel::WhiteSnap}) {
    const KinematicOutputModel model(mechanism, assembled(*mechanism, 0.3),
                                     {.motion = motion, .biases = {1}, .geometry = true});
    const estimate::OutputFormNoise noise{
        .density = {7.0}, .parameter_density = 0.1, .bias_density = 0.2};
    const double h = 0.05;
    const int n = model.states();
    Eigen::MatrixXd F(n, n);
    Eigen::VectorXd x = Eigen::VectorXd::Ones(n), next(n);
    model.process_jacobian({.step = h}, {x.data(), static_cast<std::size_t>(n)},
                           {next.data(), static_cast<std::size_t>(n)}, F);
    EXPECT_TRUE(matrices_near(next, F * x, {.rel = 4 * kEps}));  // a linear model
    const Eigen::MatrixXd half = process_noise(model, h, noise).covariance();
    const Eigen::MatrixXd whole = process_noise(model, 2 * h, noise).covariance();
    EXPECT_TRUE(matrices_near(whole, F * half * F.transpose() + half, {.rel = 16 * kEps}));
  }
}

// White jerk: ∫∫ of a white acceleration of acceleration has the variances q h⁵/20, q h³/3, q h.
TEST(KinematicModel, NoiseHasItsTextbookDiagonal) {
  const Eigen::MatrixXd Q = estimate::white_noise_motion(3, 2.0, 3.0);
  EXPECT_NEAR(Q(0, 0), 3.0 * 32.0 / 20.0, 1e-14);
  EXPECT_NEAR(Q(1, 1), 3.0 * 8.0 / 3.0, 1e-14);
  EXPECT_NEAR(Q(2, 2), 6.0, 1e-14);
  EXPECT_NEAR(Q(0, 2), 3.0 * 8.0 / 6.0, 1e-14);
}

// Q and its factor for any step, against the closed form of each block; the scale is for the motion
// alone.
TEST(KinematicModel, NoiseFollowsTheStepInPlace) {
  const auto mechanism = slider_crank_mechanism(kCrank, kRod, true);
  for (const MotionModel motion : {MotionModel::WhiteJerk, MotionModel::WhiteSnap}) {
    const KinematicOutputModel model(mechanism, assembled(*mechanism, 0.3),
                                     {.motion = motion, .biases = {1}, .geometry = true});
    const int blocks = model.blocks();
    estimate::MotionNoise noise(model,
                                {.density = {7.0}, .parameter_density = 0.1, .bias_density = 0.2});
    for (const double step : {1e-6, 1e-3, 1.0, 7.0}) {
      for (const double scale : {1.0, 0.01}) {
        noise.set(step, scale);
        Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(model.states(), model.states());
        expected.topLeftCorner(blocks, blocks) =
            estimate::white_noise_motion(blocks, step, 7.0 * scale);
        expected.diagonal().tail(3) = step * Eigen::Vector3d(0.1, 0.1, 0.2);
        const Eigen::MatrixXd& L = noise.noise().factor();
        for (Eigen::Index i = 0; i < expected.rows(); ++i) {
          for (Eigen::Index j = 0; j < expected.cols(); ++j) {
            // Entries range over 40 decades: each by itself, to a dozen roundings; the cancelling
            // sums of the factor to those of their largest terms.
            const double size = std::sqrt(expected(i, i) * expected(j, j));
            EXPECT_NEAR(noise.noise().covariance()(i, j), expected(i, j),
                        12 * kEps * expected(i, j));
            EXPECT_NEAR(L.row(i).dot(L.row(j)), expected(i, j), 12 * kEps * size);
            if (j > i) {
              EXPECT_EQ(L(i, j), 0.0);
            }
          }
        }
      }
    }
  }
}

// Output Jacobian with lengths and bias against central differences: truncation h² f'''/6 below
// 1e-7 with f''' up to 1e5, rounding 1e-13/h.
TEST(KinematicModel, OutputJacobianMatchesDifferences) {
  const auto mechanism = slider_crank_mechanism(kCrank, kRod, true);
  for (const MotionModel motion : {MotionModel::WhiteJerk, MotionModel::WhiteSnap}) {
    const KinematicOutputModel model(mechanism, assembled(*mechanism, 0.3),
                                     {.motion = motion, .biases = {1}, .geometry = true});
    const int n = model.states();
    ASSERT_EQ(n, model.blocks() + 3);
    const auto size = static_cast<std::size_t>(n);
    const auto value = [&](const Eigen::VectorXd& at) {
      Eigen::VectorXd y(2);
      model.output({}, {at.data(), size}, {y.data(), 2});
      return y;
    };
    for (const double theta : {0.3, 1.5, 2.9}) {
      Eigen::VectorXd x = Eigen::VectorXd::Zero(n);
      x.head(3) << theta, 11.0, -20.0;
      x.tail(3) << 0.001, -0.004, 0.2;
      Eigen::VectorXd y(2);
      Eigen::MatrixXd H(2, n);
      model.output_jacobian({}, {x.data(), size}, {y.data(), 2}, H);
      EXPECT_EQ(y, value(x));
      for (int j = 0; j < n; ++j) {
        const double h = 1e-6;
        Eigen::VectorXd up = x, down = x;
        up(j) += h;
        down(j) -= h;
        const Eigen::VectorXd slope = (value(up) - value(down)) / (2 * h);
        EXPECT_TRUE(matrices_near(H.col(j), slope, {.rel = 1e-7, .abs = 1e-6}))
            << theta << " " << j;
      }
    }
  }
}

TEST(KinematicModel, SaysNaNWhereTheMechanismCannotBe) {
  using namespace model::planar;
  MechanismDescription d = slider_crank_mechanism()->description();
  d.coordinates = {parse_coordinate("y(slider)")};
  const auto mechanism = std::make_shared<const Mechanism>(d);
  const KinematicOutputModel model(mechanism, assembled(*mechanism, 0.6), {});
  const double x[3] = {0.9, 0.0, 0.0};
  double y[2] = {0.0, 0.0};
  model.output({}, x, y);
  EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[1]));
}

TEST(KinematicModel, NamesBadArguments) {
  const auto mechanism = slider_crank_mechanism();
  const auto state = assembled(*mechanism, 0.1);
  EXPECT_EQ(
      message_of([&] { KinematicOutputModel(mechanism, state, {.sensors = {0}, .biases = {1}}); }),
      "KinematicOutputModel: biases must be of sensors that are outputs, got 'accelerometer'");
  EXPECT_EQ(message_of([&] { KinematicOutputModel(mechanism, mechanism->make_state(), {}); }),
            "KinematicOutputModel: start must be assembled, got a state without position");
  EXPECT_EQ(message_of([&] {
              KinematicOutputModel(mechanism, state, {.sensors = {1, 1}});
            }),
            "KinematicOutputModel: sensors must differ, got 'accelerometer' twice");
  model::planar::MechanismDescription silent = mechanism->description();
  silent.sensors[1].sigma = 0.0;
  EXPECT_EQ(
      message_of([&] { (void)estimate::sensor_noise(model::planar::Mechanism(silent), {1}); }),
      "sensor_noise: sigma of sensor 'accelerometer' must be positive, got 0");
}

}  // namespace alembert::test::kinematic_model_test
