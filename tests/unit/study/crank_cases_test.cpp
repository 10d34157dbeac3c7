#include "study/crank_cases.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace alembert::study {
namespace crank_cases_test {

// The generic mechanism reads what the closed formula of the record says, at every angle.
TEST(CrankCases, RecordAgreesWithTheMechanism) {
  const auto mechanism = published_crank();
  const CrankRecord record = published_crank_record(1.0, 1, 0.0);
  model::planar::MechanismState state = mechanism->make_state();
  ASSERT_TRUE(mechanism->assemble(Eigen::VectorXd::Zero(1), state).ok());
  for (Eigen::Index k = 0; k < record.time.size(); ++k) {
    const Eigen::Vector3d z = record.truth.row(k).transpose();
    ASSERT_EQ(mechanism->solve_position({&z(0), 1}, state), model::planar::StepStatus::Success);
    mechanism->solve_velocity({&z(1), 1}, state);
    mechanism->solve_acceleration({&z(2), 1}, state);
    // Six standard deviations of the noise: 1000 samples never come that far.
    EXPECT_NEAR(record.readings(k, 1), mechanism->sensor_value(1, state), 6.0 * 0.03);
    EXPECT_NEAR(std::remainder(record.readings(k, 0) - z(0), 2.0 * std::acos(-1.0)), 0.0,
                6.0 * 0.003);
  }
}

TEST(CrankCases, AScoreIsOfTheEstimate) {
  CrankCase one;
  one.options.start = {
      .z = Eigen::VectorXd::Zero(1), .zd = Eigen::VectorXd::Constant(1, 13.816), .sigma_zd = 2.0};
  one.options.output_noise.density = {160.0};
  const CrankScore score = score_crank(one, 2.0, 3);
  EXPECT_TRUE(score.ok);
  // Reference 0.0078 and 0.50 for 30 s; 1.5 s have fewer independent errors.
  EXPECT_NEAR(score.velocity, 0.0078, 0.004);
  EXPECT_NEAR(score.acceleration, 0.5, 0.25);
  one.smooth = true;
  const CrankScore smoothed = score_crank(one, 2.0, 3);
  EXPECT_LT(smoothed.velocity, 0.5 * score.velocity);
  EXPECT_TRUE(std::isnan(smoothed.nees));
}

}  // namespace crank_cases_test
}  // namespace alembert::study
