#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "alembert/core/random.hpp"
#include "alembert/estimate/rivals/unknown_input_filter.hpp"
#include "alembert/estimate/rivals/unknown_input_forces.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/model/planar/planar_examples.hpp"

namespace alembert::estimate {
namespace unknown_input_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::ForceKind;
using model::planar::PassiveKind;
using test::matrices_near;
using test::Mechanism;
using test::MechanismDescription;
using test::message_of;
using test::SensorKind;

MatrixXd drawn(Index rows, Index columns, RandomStream& random) {
  MatrixXd made(rows, columns);
  for (double& value : made.reshaped()) value = random.normal();
  return made;
}

// Another way to the same: all of (x, d) at once by weighted least squares of what is known of x
// and of the readings, with d free.
struct Joint {
  VectorXd mean;
  MatrixXd covariance;
};

Joint least_squares(const VectorXd& x, const MatrixXd& P, const VectorXd& y, const MatrixXd& C,
                    const MatrixXd& D, const MatrixXd& R) {
  const Index n = x.size(), m = D.cols();
  MatrixXd J = MatrixXd::Zero(n + y.size(), n + m);
  J.topLeftCorner(n, n).setIdentity();
  J.bottomLeftCorner(y.size(), n) = C;
  J.bottomRightCorner(y.size(), m) = D;
  MatrixXd W = MatrixXd::Zero(n + y.size(), n + y.size());
  W.topLeftCorner(n, n) = P.inverse();
  W.bottomRightCorner(y.size(), y.size()) = R.inverse();
  VectorXd z(n + y.size());
  z << x, y;
  const MatrixXd covariance = (J.transpose() * W * J).inverse();
  return {covariance * J.transpose() * W * z, covariance};
}

// Rounding: 40 steps of products and inverses of matrices of condition below 1e4.
constexpr double kRounding = 1e-9;

TEST(UnknownInputFilter, IsLeastSquaresWithAFreeInput) {
  RandomStream random(31);
  const Index n = 4, m = 2, outputs = 3;
  const MatrixXd A = 0.4 * drawn(n, n, random), G = drawn(n, m, random);
  const MatrixXd C = drawn(outputs, n, random), D = drawn(outputs, m, random);
  const MatrixXd Q = VectorXd::Constant(n, 0.1).asDiagonal();
  const MatrixXd R = VectorXd::Constant(outputs, 0.2).asDiagonal();
  VectorXd x = drawn(n, 1, random);
  MatrixXd P = MatrixXd::Identity(n, n);
  UnknownInputFilter filter(x, P, static_cast<int>(m));
  for (int k = 0; k < 40; ++k) {
    const VectorXd y = drawn(outputs, 1, random);
    const UnknownInputReport report = filter.update(y - C * filter.state(), C, D, R);
    EXPECT_EQ(report.status, Status::Success);
    const Joint joint = least_squares(x, P, y, C, D, R);
    EXPECT_TRUE(matrices_near(filter.state(), joint.mean.head(n), {.abs = kRounding}));
    EXPECT_TRUE(matrices_near(filter.input(), joint.mean.tail(m), {.abs = kRounding}));
    EXPECT_TRUE(matrices_near(filter.covariance(), joint.covariance.topLeftCorner(n, n),
                              {.abs = kRounding}));
    EXPECT_TRUE(matrices_near(filter.input_covariance(), joint.covariance.bottomRightCorner(m, m),
                              {.abs = kRounding}));
    MatrixXd AG(n, n + m);
    AG << A, G;
    x = AG * joint.mean;
    P = AG * joint.covariance * AG.transpose() + Q;
    filter.predict(A * filter.state() + G * filter.input(), A, G, Q);
  }
}

TEST(UnknownInputFilter, SaysWhatItCannotTell) {
  UnknownInputFilter filter(VectorXd::Zero(2), MatrixXd::Identity(2, 2), 2);
  MatrixXd D(2, 2);
  D << 1.0, 2.0, 2.0, 4.0;
  const UnknownInputReport report =
      filter.update(VectorXd::Ones(2), MatrixXd::Identity(2, 2), D, MatrixXd::Identity(2, 2));
  EXPECT_EQ(report.status, Status::NotIdentifiable);
  EXPECT_EQ(filter.state(), VectorXd(VectorXd::Zero(2)));
  // The unit of an input is no matter.
  D << 1.0, 2e-9, 2.0, 1e-9;
  EXPECT_EQ(filter.update(VectorXd::Ones(2), MatrixXd::Identity(2, 2), D, MatrixXd::Identity(2, 2))
                .status,
            Status::Success);
}

constexpr double kMass = 2.0, kStiffness = 300.0, kDamping = 4.0;
constexpr double kStep = 1e-3, kPlaceSigma = 1e-4, kAccelerationSigma = 0.05;

// A cart on a spring that an unknown force pushes: place and acceleration are read.
MechanismDescription cart() {
  MechanismDescription d;
  d.bodies = {{.name = "cart", .mass = kMass}};
  d.joints = {
      {.name = "rail", .kind = model::planar::JointKind::Prismatic, .a = "ground", .b = "cart"}};
  d.coordinates = {model::planar::parse_coordinate("x(cart)")};
  d.gravity = Eigen::Vector2d::Zero();
  d.forces = {{.name = "push", .kind = ForceKind::Point, .of = "cart", .known = false}};
  d.passive = {{.name = "spring",
                .kind = PassiveKind::Slide,
                .b = "cart",
                .stiffness = kStiffness,
                .damping = kDamping}};
  d.sensors = {
      {.name = "place", .kind = SensorKind::Displacement, .of = "cart", .sigma = kPlaceSigma},
      {.name = "accelerometer",
       .kind = SensorKind::Acceleration,
       .of = "cart",
       .sigma = kAccelerationSigma}};
  return d;
}

struct CartRecord {
  VectorXd time, force;
  MatrixXd readings;
};

// The motion by its own rule of a step, so that the filter's model is right: a force that jumps.
CartRecord cart_record(Index samples, std::uint64_t seed) {
  CartRecord made{VectorXd::LinSpaced(samples, 0.0, kStep * static_cast<double>(samples - 1)),
                  VectorXd(samples), MatrixXd(samples, 2)};
  RandomStream random(seed);
  double z = 0.0, zd = 0.0;
  for (Index k = 0; k < samples; ++k) {
    const double force = (k / 50) % 2 == 0 ? 30.0 : -10.0;
    const double zdd = (force - kStiffness * z - kDamping * zd) / kMass;
    made.force(k) = force;
    made.readings(k, 0) = z + kPlaceSigma * random.normal();
    made.readings(k, 1) = zdd + kAccelerationSigma * random.normal();
    const double next = z + kStep * zd + 0.5 * kStep * kStep * zdd + 1e-6 * random.normal();
    zd += kStep * zdd + 1e-3 * random.normal();
    z = next;
  }
  return made;
}

UnknownInputOptions cart_options() {
  UnknownInputOptions options;
  options.start.z = VectorXd::Zero(1);
  options.start.sigma_z = 1e-3;
  options.start.sigma_zd = 1e-2;
  options.noise = {1e-12, 1e-6};
  return options;
}

// The same record through the filter of the linear cart, its matrices by hand.
TEST(ObserveUnknownInputs, IsTheFilterOfTheLinearCart) {
  const CartRecord record = cart_record(300, 4);
  const auto mechanism = std::make_shared<const Mechanism>(cart());
  const ObserverEstimate estimate =
      observe_unknown_inputs(mechanism, record.time, record.readings, cart_options());
  ASSERT_TRUE(estimate.ok()) << estimate.message;
  EXPECT_EQ(estimate.names, (std::vector<std::string>{"x(cart)", "x(cart)'", "force(push)"}));
  MatrixXd by_x(1, 2), A(2, 2), C(2, 2);
  by_x << -kStiffness / kMass, -kDamping / kMass;
  A << 1.0, kStep, 0.0, 1.0;
  A.row(0) += 0.5 * kStep * kStep * by_x;
  A.row(1) += kStep * by_x;
  C << 1.0, 0.0, by_x;
  const Eigen::Vector2d G(0.5 * kStep * kStep / kMass, kStep / kMass), D(0.0, 1.0 / kMass);
  const MatrixXd R =
      Eigen::Vector2d(kPlaceSigma * kPlaceSigma, kAccelerationSigma * kAccelerationSigma)
          .asDiagonal();
  const MatrixXd Q = Eigen::Vector2d(1e-12, 1e-6).asDiagonal();
  VectorXd x = VectorXd::Zero(2);
  MatrixXd P = Eigen::Vector2d(1e-6, 1e-4).asDiagonal();
  MatrixXd AG(2, 3);
  AG << A, G;
  for (Index k = 0; k < 300; ++k) {
    const Joint joint = least_squares(x, P, record.readings.row(k).transpose(), C, D, R);
    // Rounding of the least squares, whose weights reach from 1e4 to 1e12.
    EXPECT_TRUE(matrices_near(estimate.mean.row(k).transpose(), joint.mean, {.abs = 1e-6})) << k;
    EXPECT_NEAR(estimate.deviation(k, 2) / std::sqrt(joint.covariance(2, 2)), 1.0, 1e-6) << k;
    x = AG * joint.mean;
    P = AG * joint.covariance * AG.transpose() + Q;
  }
}

// Whatever the force does: 100 records of 200 samples. The mean error is zero within four of its
// deviations, and the reported deviation is that of the errors: Σ (e/σ)² of 100 independent ones is
// within 4 √200 of 100.
TEST(ObserveUnknownInputs, IsUnbiasedAndKnowsItsErrors) {
  const auto mechanism = std::make_shared<const Mechanism>(cart());
  double sum = 0.0, squares = 0.0;
  constexpr int kRuns = 100;
  for (int run = 0; run < kRuns; ++run) {
    const CartRecord record = cart_record(200, 900 + static_cast<std::uint64_t>(run));
    const ObserverEstimate estimate =
        observe_unknown_inputs(mechanism, record.time, record.readings, cart_options());
    const double error = (estimate.mean(199, 2) - record.force(199)) / estimate.deviation(199, 2);
    sum += error;
    squares += error * error;
  }
  EXPECT_NEAR(sum / kRuns, 0.0, 4.0 / std::sqrt(static_cast<double>(kRuns)));
  EXPECT_NEAR(squares, kRuns, 4.0 * std::sqrt(2.0 * kRuns));
}

// A force that no accelerometer feels is named before anything runs.
TEST(ObserveUnknownInputs, NamesForcesThatAreNotFelt) {
  MechanismDescription description = cart();
  description.sensors.pop_back();
  const auto mechanism = std::make_shared<const Mechanism>(description);
  const CartRecord record = cart_record(20, 1);
  EXPECT_EQ(message_of([&] {
              (void)observe_unknown_inputs(mechanism, record.time, record.readings.leftCols(1),
                                           cart_options());
            }),
            "observe_unknown_inputs: no accelerometer feels unknown force 'push'; add an "
            "accelerometer where it moves the mechanism, or take the dynamic form, which needs a "
            "model of the force in its place");
}

}  // namespace unknown_input_test
}  // namespace alembert::estimate
