// Planetary gear: sun of 20 teeth, planet of 22, ring of 64 at rest. The sun turns 1 + 64/20 = 4.2
// times as fast as the carrier, so that a turn of the carrier is a fifth of a turn of the sun.
#include <gtest/gtest.h>

#include <numbers>

#include "alembert/core/random.hpp"
#include "alembert/estimate/live_observer.hpp"
#include "alembert/estimate/observe.hpp"

namespace alembert::estimate {
namespace settle_turns_test {

constexpr double kRatio = 4.2;
constexpr double kTurn = 2.0 * std::numbers::pi;

std::shared_ptr<const model::planar::Mechanism> planetary_gear() {
  using namespace model::planar;
  MechanismDescription d;
  d.gravity.setZero();
  d.bodies = {{.name = "sun"},
              {.name = "carrier", .points = {{"O", {-0.021, 0.0}}, {"P", {0.021, 0.0}}}},
              {.name = "planet"}};
  d.joints = {{.name = "sun axis", .b = "sun"},
              {.name = "carrier axis", .b = "carrier.O"},
              {.name = "pin", .a = "carrier.P", .b = "planet"},
              {.name = "teeth of the sun",
               .kind = JointKind::Gear,
               .a = "sun",
               .b = "planet",
               .ratio = -20.0 / 22.0,
               .carrier = "carrier"},
              {.name = "teeth of the ring",
               .kind = JointKind::Gear,
               .a = "ground",
               .b = "planet",
               .ratio = 64.0 / 22.0,
               .carrier = "carrier"}};
  d.coordinates = {parse_coordinate("angle(carrier)")};
  d.sensors = {{.name = "carrier", .of = "carrier", .wrap = true, .sigma = 0.004},
               {.name = "sun", .of = "sun", .wrap = true, .sigma = 0.004}};
  return std::make_shared<const Mechanism>(d);
}

struct GearRecord {
  Eigen::VectorXd time, truth;
  Eigen::MatrixXd readings;
};

GearRecord gear_record(double start, std::uint64_t seed) {
  constexpr Eigen::Index kSamples = 800;
  GearRecord record{Eigen::VectorXd(kSamples), Eigen::VectorXd(kSamples),
                    Eigen::MatrixXd(kSamples, 2)};
  RandomStream random(seed);
  const auto one_turn = [](double angle) { return angle - kTurn * std::floor(angle / kTurn); };
  for (Eigen::Index k = 0; k < kSamples; ++k) {
    const double t = 0.002 * static_cast<double>(k);
    record.time(k) = t;
    record.truth(k) = start + 1.5 * t + 0.3 * std::sin(4.0 * t);
    record.readings(k, 0) = one_turn(record.truth(k) + 0.004 * random.normal());
    record.readings(k, 1) = one_turn(kRatio * record.truth(k) + 0.004 * random.normal());
  }
  return record;
}

double last_error(const ObserveResult& result, const GearRecord& record) {
  const Eigen::Index last = record.time.size() - 1;
  return result.estimate.mean(last, 0) - record.truth(last);
}

// The parabola through the first readings is off by 0.012, three deviations of the carrier and
// twelve of the sun; the next best turn is 1.26 off.
TEST(SettleTurns, ABiasedStartIsStillPutOnTheNearestTurn) {
  const GearRecord record = gear_record(0.0, 1);
  RecordStart start;
  start.coordinates = {
      {.known = true, .value = {kTurn + 0.012, 1.5, 0.0}, .deviation = {0.0005, 0.1, 1.0}}};
  const std::vector<int> turns =
      settle_turns(*planetary_gear(), record.time, record.readings, start);
  EXPECT_EQ(turns, std::vector<int>{-1});
  EXPECT_NEAR(start.coordinates.front().value(0), 0.012, 1e-12);
}

// Of readings near 0 every other one is just below 2π.
TEST(SettleTurns, StartsNearZeroOnTheRightTurn) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const GearRecord record = gear_record(0.0, seed);
    const ObserveResult result = observe(planetary_gear(), record.time, record.readings);
    EXPECT_NEAR(last_error(result, record), 0.0, 0.02) << seed;
    EXPECT_EQ(result.verdict.level, TrustLevel::Good)
        << seed << ": " << (result.verdict.reasons.empty() ? "" : result.verdict.reasons.front());
  }
}

// Two turns on, the sun's fifths of a turn tell; five turns are none to them.
TEST(SettleTurns, FindsTurnsThatTheOtherSensorsTell) {
  const GearRecord record = gear_record(2.0 * kTurn + 1.0, 7);
  const ObserveResult result = observe(planetary_gear(), record.time, record.readings);
  EXPECT_NEAR(last_error(result, record), 0.0, 0.02);
  const GearRecord five = gear_record(5.0 * kTurn + 1.0, 7);
  const ObserveResult none = observe(planetary_gear(), five.time, five.readings);
  EXPECT_NEAR(last_error(none, five), -5.0 * kTurn, 0.02);
}

TEST(SettleTurns, InAStreamToo) {
  const GearRecord record = gear_record(2.0 * kTurn + 1.0, 8);
  LiveOptions options;
  options.output_noise.density = {1000.0};
  LiveObserver live(planetary_gear(), options);
  for (Eigen::Index k = 0; k < record.time.size(); ++k) {
    const double row[] = {record.readings(k, 0), record.readings(k, 1)};
    live.push(record.time(k), row);
    while (live.next()) continue;
  }
  EXPECT_NEAR(live.observer().mean()(0), record.truth(record.time.size() - 1), 0.02);
  EXPECT_EQ(live.verdict().level, TrustLevel::Good);
}

// The wrapped encoder alone tells no turns.
TEST(SettleTurns, LeavesALoneSensorAsItIs) {
  const GearRecord record = gear_record(1.0, 9);
  Eigen::MatrixXd readings = record.readings;
  readings.col(1).setConstant(std::nan(""));
  RecordStart start = start_from_readings(*planetary_gear(), record.time, readings);
  EXPECT_EQ(settle_turns(*planetary_gear(), record.time, readings, start), std::vector<int>{0});
}

}  // namespace settle_turns_test
}  // namespace alembert::estimate
