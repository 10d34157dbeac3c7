#include "alembert/update/measured_modes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <complex>

#include "alembert/core/error.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/update/models.hpp"

namespace alembert::update::measured_modes_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(RealShape, TurnsAComplexShapeToItsRealForm) {
  const VectorXd real = Eigen::Vector3d(0.5, -1.0, 0.25);
  const RealShape found = real_shape(real * std::polar(3.0, 0.7));
  EXPECT_TRUE(test::matrices_near(found.shape, VectorXd(-real), {.abs = 1e-14}));
  EXPECT_LT(found.imaginary, 1e-14);  // rounding
  // A travelling wave has no real form: half of its square is imaginary.
  const Eigen::VectorXcd wave =
      (Eigen::VectorXcd(2) << 1.0, std::complex<double>(0.0, 1.0)).finished();
  EXPECT_NEAR(real_shape(wave).imaginary, std::sqrt(0.5), 1e-12);
}

// Of all x with the measured values it has the least energy ½ xᵀ(K + sM)x.
TEST(StaticExpansion, KeepsMeasuredValuesWithTheLeastEnergy) {
  const ParametricModel model = test_models::chain(6);
  const MatrixXd K(model.K);
  const MatrixXd M(model.M);
  MatrixXd C = MatrixXd::Zero(2, 6);
  C(0, 1) = 1.0;
  C(1, 4) = 1.0;
  const MatrixXd T = static_expansion(K, M, C, 3.0);
  EXPECT_TRUE(test::matrices_near(C * T, MatrixXd::Identity(2, 2), {.abs = 1e-12}));
  // Its slope of energy has no part along changes that the sensors do not see.
  const MatrixXd slope = (K + 3.0 * M) * T;
  for (const Eigen::Index row : {0, 2, 3, 5}) EXPECT_LT(slope.row(row).norm(), 1e-9 * K.norm());
}

TEST(StaticExpansion, RefusesSensorsThatMeasureTheSame) {
  const ParametricModel model = test_models::chain(3);
  MatrixXd C = MatrixXd::Zero(2, 3);
  C.col(1).setOnes();
  EXPECT_THAT(test::message_of(
                  [&] { (void)static_expansion(MatrixXd(model.K), MatrixXd(model.M), C, 0.0); }),
              testing::HasSubstr("sensors that measure different things"));
}

TEST(CheckMeasured, NamesWhatIsWrong) {
  MeasuredModes measured;
  const auto refusal = [&] { return test::message_of([&] { check_measured(measured, 3); }); };
  EXPECT_THAT(refusal(), testing::HasSubstr("number of measured modes must be at least 1"));
  measured.frequency_hz = Eigen::Vector2d(3.0, -1.0);
  EXPECT_THAT(refusal(), testing::HasSubstr("frequency_hz must be"));
  measured.frequency_hz = Eigen::Vector2d(3.0, 4.0);
  measured.shapes = MatrixXd::Ones(3, 2);
  EXPECT_THAT(refusal(), testing::HasSubstr("rows of sensors"));
}

}  // namespace alembert::update::measured_modes_test
