#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reproductions/slider_crank/cases.hpp"
#include "reproductions/slider_crank/options.hpp"
#include "reproductions/slider_crank/rows.hpp"
#include "reproductions/slider_crank/score.hpp"

namespace alembert::reproductions::slider_crank {
namespace slider_crank_cases_test {

constexpr double kPi = std::numbers::pi;

// The generic mechanism reads what the closed formula of the record says, at every angle.
TEST(CrankCases, RecordAgreesWithTheMechanism) {
  const auto mechanism = crank_mechanism();
  const Record record = crank_record(1.0, 1, 0.0);
  model::planar::MechanismState state = mechanism->make_state();
  ASSERT_TRUE(mechanism->assemble(Eigen::VectorXd::Zero(1), state).ok());
  for (Eigen::Index k = 0; k < record.time.size(); ++k) {
    const Eigen::Vector3d z = record.truth.row(k).transpose();
    ASSERT_EQ(mechanism->solve_position({&z(0), 1}, state), model::planar::StepStatus::Success);
    mechanism->solve_velocity({&z(1), 1}, state);
    mechanism->solve_acceleration({&z(2), 1}, state);
    // Six standard deviations of the noise: 1000 samples never come that far.
    EXPECT_NEAR(record.readings(k, 1), mechanism->sensor_value(1, state), 6.0 * 0.03);
    EXPECT_NEAR(std::remainder(record.readings(k, 0) - z(0), 2.0 * kPi), 0.0, 6.0 * 0.003);
  }
}

// Crank upright: in line with the rod. Crank level: the rod leans by asin(l/r) from the vertical.
TEST(DeadCentreDistance, IsTheAngleBetweenCrankAndRod) {
  const double lean = std::asin(0.25);
  for (int turn = -2; turn <= 2; ++turn) {
    const double whole = 2.0 * kPi * turn;
    // Rounding of an angle of 14 rad.
    EXPECT_NEAR(dead_centre_distance(whole + 0.5 * kPi), 0.0, 4e-15);
    EXPECT_NEAR(dead_centre_distance(whole - 0.5 * kPi), 0.0, 4e-15);
    EXPECT_NEAR(dead_centre_distance(whole), 0.5 * kPi - lean, 4e-15);
    EXPECT_NEAR(dead_centre_distance(whole + kPi), 0.5 * kPi - lean, 4e-15);
  }
}

// The slope of the slider is l sin d / sin θ_rod: the mechanism says where the dead centres are.
TEST(DeadCentreDistance, AgreesWithTheSlopeOfTheMechanism) {
  const auto mechanism = crank_mechanism();
  model::planar::MechanismState state = mechanism->make_state();
  ASSERT_TRUE(mechanism->assemble(Eigen::VectorXd::Zero(1), state).ok());
  for (double theta = 0.0; theta < 2.0 * kPi; theta += 0.1) {
    ASSERT_EQ(mechanism->solve_position({&theta, 1}, state), model::planar::StepStatus::Success);
    double slope = 0.0;
    mechanism->sensor_sensitivity(1, state, {&slope, 1});
    const double rod = std::acos(-0.25 * std::cos(theta));
    // The position is solved to about 1e-12 m.
    EXPECT_NEAR(std::abs(slope), 0.14 * std::sin(dead_centre_distance(theta)) / std::sin(rod),
                1e-10);
  }
}

// Of the scored samples 5.4 and 14.7 % in the reference, to the digits printed.
TEST(CrankZones, HaveTheirShares) {
  const Record record = crank_record(30.0, 1, 0.0);
  double count[kZones] = {};
  for (Eigen::Index k = 500; k < record.time.size(); ++k) {
    count[record.zone[static_cast<std::size_t>(k)]] += 1.0 / 29500.0;
  }
  EXPECT_NEAR(count[0], 0.054, 0.0005);
  EXPECT_NEAR(count[1], 0.147, 0.0005);
}

TEST(CrankZones, BeginAtTheirBounds) {
  EXPECT_EQ(zone_of(0.0), 0U);
  EXPECT_EQ(zone_of(0.08), 0U);
  EXPECT_EQ(zone_of(0.0801), 1U);
  EXPECT_EQ(zone_of(0.3), 1U);
  EXPECT_EQ(zone_of(0.3001), 2U);
}

Case jerk_case() {
  Case one;
  one.options =
      output_options(estimate::FilterRule::Ekf, estimate::MotionModel::WhiteJerk, kLogJerk);
  return one;
}

TEST(Score, IsOfTheEstimate) {
  Case one = jerk_case();
  // Reference 0.0078 and 0.50, ± 10 %. Over 20 seeds the errors of 30 s scatter by 4.7 and 3.5 %:
  // 10 % are four standard deviations of a mean of four.
  const Score mean = mean_score(one, 30.0, 4);
  EXPECT_TRUE(mean.ok);
  EXPECT_NEAR(mean.all.velocity, 0.0078, 0.00078);
  EXPECT_NEAR(mean.all.acceleration, 0.5, 0.05);
  const Record record = crank_record(2.0, 3, 0.0);
  const Score score = score_case(one, record);
  EXPECT_TRUE(score.ok);
  one.smooth = true;
  const Score smoothed = score_case(one, record);
  EXPECT_LT(smoothed.all.velocity, 0.5 * score.all.velocity);
  EXPECT_TRUE(std::isnan(smoothed.nees));
}

// Sums by zone make the sum over all; the same errors with and without NIS and NEES.
TEST(Score, ZonesMakeTheWhole) {
  const Case one = jerk_case();
  const Record record = crank_record(2.0, 3, 0.0);
  const Score score = score_case(one, record);
  double count[kZones] = {}, squares = 0.0, all = 0.0;
  for (Eigen::Index k = 500; k < record.time.size(); ++k) {
    count[record.zone[static_cast<std::size_t>(k)]] += 1.0 / 1500.0;
    all += std::pow(score.acceleration_error(k), 2) / 1500.0;
  }
  for (std::size_t i = 0; i < kZones; ++i) {
    squares += count[i] * std::pow(score.zones[i].acceleration, 2);
  }
  EXPECT_NEAR(squares, all, 1e-12 * all);
  EXPECT_NEAR(std::pow(score.all.acceleration, 2), all, 1e-12 * all);
  EXPECT_EQ(errors_of(one, record).velocity, score.all.velocity);
}

TEST(Score, IsTheMeanOverSeeds) {
  const Case one = jerk_case();
  double sum = 0.0;
  for (const std::uint64_t seed : {std::uint64_t{1}, std::uint64_t{2}}) {
    sum += score_case(one, crank_record(1.0, seed, 0.0)).zones[1].velocity;
  }
  EXPECT_NEAR(mean_score(one, 1.0, 2).zones[1].velocity, 0.5 * sum, 1e-15);
}

// Names are keys of claims and places in figures.
TEST(CrankRows, HaveNamesOfTheirOwn) {
  std::vector<std::string> names;
  for (const Group& group : row_groups(true)) {
    for (const Case& row : group.rows) {
      EXPECT_EQ(std::count(names.begin(), names.end(), row.name), 0) << row.name;
      names.push_back(row.name);
      // Held numbers are those of levels of the reference.
      EXPECT_FALSE(row.held && row.tuning != Tuning::None) << row.name;
    }
  }
}

}  // namespace slider_crank_cases_test
}  // namespace alembert::reproductions::slider_crank
