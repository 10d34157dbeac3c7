// What is found of noise and motion without being asked for: the density must pass the verdict on
// perfect records, and noise must not be taken for motion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "alembert/core/random.hpp"
#include "alembert/estimate/live_observer.hpp"
#include "alembert/estimate/observe.hpp"
#include "slider_crank_record.hpp"

namespace alembert::estimate {
namespace observe_noise_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::Contains;
using testing::HasSubstr;
using Motion = std::function<double(double)>;

VectorXd grid(Index samples, double step) {
  return VectorXd::LinSpaced(samples, 0.0, step * static_cast<double>(samples - 1));
}

// A shaft with an encoder alone.
std::shared_ptr<const model::planar::Mechanism> shaft(double sigma) {
  using namespace model::planar;
  MechanismDescription d;
  d.bodies = {{.name = "shaft"}};
  d.joints = {{.name = "axis", .b = "shaft"}};
  d.coordinates = {parse_coordinate("angle(shaft)")};
  d.sensors = {{.name = "encoder", .of = "shaft", .sigma = sigma}};
  return std::make_shared<const Mechanism>(d);
}

double turning(double t) { return 10.0 * t + 0.3 * std::sin(3.0 * t); }
double speed(double t) { return 10.0 + 0.9 * std::cos(3.0 * t); }

// Readings of instants that scatter around their stamps.
MatrixXd scattered(const VectorXd& time, double jitter, double sigma, std::uint64_t seed) {
  RandomStream random(seed);
  MatrixXd readings(time.size(), 1);
  for (Index k = 0; k < time.size(); ++k) {
    readings(k, 0) = turning(time(k) + jitter * random.normal()) + sigma * random.normal();
  }
  return readings;
}

double speed_error(const ObserveResult& result, const VectorXd& time) {
  double sum = 0.0;
  const Index first = time.size() / 4;
  for (Index k = first; k < time.size(); ++k) {
    sum += std::pow(result.estimate.mean(k, 1) - speed(time(k)), 2);
  }
  return std::sqrt(sum / static_cast<double>(time.size() - first));
}

double nis_ratio(const ObserveResult& result) {
  return result.consistency.squares.average / result.consistency.squares.expected;
}

// Stamps that scatter by a tenth of the step move the encoder by 20 of its deviations. Taken for
// motion they give a velocity that is worse than differences of readings.
TEST(ObserveNoise, DoesNotTakeScatteredStampsForMotion) {
  const VectorXd time = grid(3000, 0.002);
  const MatrixXd readings = scattered(time, 2e-4, 1e-4, 5);
  const ObserveResult result = observe(shaft(1e-4), time, readings);
  ASSERT_TRUE(result.ok()) << result.message;
  // Differences of neighbours: √2 · 10 rad/s · 2e-4 s / 0.002 s = 1.4 rad/s.
  EXPECT_LT(speed_error(result, time), 0.1);
  // √((10 · 2e-4)² + 1e-4²); the speed varies by a tenth.
  EXPECT_NEAR(result.mechanism->description().sensors[0].sigma, 2.0e-3, 2e-4);
  EXPECT_EQ(result.verdict.level, TrustLevel::Caution);
  EXPECT_THAT(result.verdict.reasons, Contains(HasSubstr("observe.jitter")));
}

// With the jitter the readings are as uncertain as they are, and all is well.
TEST(ObserveNoise, AModelOfTheJitterMakesItGood) {
  const VectorXd time = grid(3000, 0.002);
  const MatrixXd readings = scattered(time, 2e-4, 1e-4, 6);
  ObserveOptions options;
  options.jitter = 2e-4;
  const ObserveResult result = observe(shaft(1e-4), time, readings, options);
  EXPECT_EQ(result.verdict.level, TrustLevel::Good)
      << (result.verdict.reasons.empty() ? "" : result.verdict.reasons.front());
  EXPECT_LT(speed_error(result, time), 0.1);
  // √(2/2250) = 3 %, four of them.
  EXPECT_NEAR(nis_ratio(result), 1.0, 0.12);
}

// R + j² y' y'ᵀ in closed form, after one prediction that leaves the mean as it is.
TEST(ObserveNoise, JitterAddsWhatTheMotionDoesInIt) {
  KinematicObserverOptions options;
  options.start.z = VectorXd::Zero(1);
  options.start.zd = VectorXd::Constant(1, 5.0);
  options.start.zdd = VectorXd::Zero(1);
  options.start.sigma_z = options.start.sigma_zd = options.start.sigma_zdd = 1e-9;
  options.output_noise.density = {1e-20};
  options.jitter = 0.01;
  KinematicObserver observer(shaft(0.02), options);
  const double reading[] = {0.005};
  (void)observer.step(0.001, reading);
  const auto& innovation = observer.innovation();
  ASSERT_EQ(innovation.count, 1);
  EXPECT_NEAR(innovation.factor(0, 0), std::hypot(0.02, 0.05), 1e-9);
}

// A plate on three cylinders whose lengths are read, with a gyroscope: 3-RPR.
class ThreeRpr {
 public:
  ThreeRpr() {
    using namespace model::planar;
    MechanismDescription d;
    d.gravity.setZero();
    Body ground{.name = "ground"};
    Body plate{.name = "plate", .start = Eigen::Vector3d(0.0, 0.0, 0.0)};
    for (int i = 0; i < 3; ++i) {
      const std::string n = std::to_string(i);
      ground.points.push_back({"F" + n, feet(i)});
      plate.points.push_back({"P" + n, hands(i)});
      d.joints.push_back(
          {.name = "c" + n, .kind = JointKind::Cylinder, .a = "ground.F" + n, .b = "plate.P" + n});
      d.sensors.push_back(
          {.name = "l" + n, .kind = SensorKind::Length, .of = "c" + n, .sigma = kSigma});
    }
    d.bodies = {ground, plate};
    d.coordinates = {parse_coordinate("x(plate)"), parse_coordinate("y(plate)"),
                     parse_coordinate("angle(plate)")};
    d.sensors.push_back(
        {.name = "gyro", .kind = SensorKind::AngularRate, .of = "plate", .sigma = 0.003});
    mechanism = std::make_shared<const Mechanism>(d);
  }

  [[nodiscard]] MatrixXd readings(const VectorXd& time, std::uint64_t seed) const {
    RandomStream random(seed);
    MatrixXd values(time.size(), 4);
    for (Index k = 0; k < time.size(); ++k) {
      const double t = time(k);
      const Eigen::Vector2d at(0.06 * std::sin(4.0 * t), 0.05 * std::sin(6.0 * t + 1.0));
      Eigen::Matrix2d turn;
      turn << std::cos(angle(t)), -std::sin(angle(t)), std::sin(angle(t)), std::cos(angle(t));
      for (int i = 0; i < 3; ++i) {
        values(k, i) = (at + turn * hands(i) - feet(i)).norm() + kSigma * random.normal();
      }
      values(k, 3) = 1.25 * std::cos(5.0 * t + 2.0) + 0.003 * random.normal();
    }
    return values;
  }

  [[nodiscard]] static ObserveOptions options() {
    ObserveOptions options;
    options.given.coordinates = true;
    options.start.z = Eigen::Vector3d(0.0, 0.05 * std::sin(1.0), angle(0.0));
    return options;
  }

  std::shared_ptr<const model::planar::Mechanism> mechanism;

 private:
  static constexpr double kSigma = 0.00015;
  static double angle(double t) { return 0.25 * std::sin(5.0 * t + 2.0); }
  static Eigen::Vector2d on_circle(double radius, double angle) {
    return radius * Eigen::Vector2d(std::cos(angle), std::sin(angle));
  }
  static Eigen::Vector2d feet(int i) { return on_circle(0.5, -1.5708 + 2.0944 * i); }
  static Eigen::Vector2d hands(int i) { return on_circle(0.12, -0.8 + 2.05 * i); }
};

// Perfect records with the density of the likelihood, which strays from the lengths.
TEST(ObserveNoise, TheDensityPassesTheVerdictOnPerfectRecords) {
  const ThreeRpr machine;
  const VectorXd time = grid(1000, 0.005);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const ObserveResult result =
        observe(machine.mechanism, time, machine.readings(time, seed), ThreeRpr::options());
    EXPECT_EQ(result.verdict.level, TrustLevel::Good)
        << seed << ": " << (result.verdict.reasons.empty() ? "" : result.verdict.reasons.front());
  }
}

// Innovations that are a sine: a smooth motion that is followed with white jerk.
TEST(ObserveNoise, TakesTheMotionThatFitsBetter) {
  const test::SliderCrankRecord record = test::slider_crank_record(1.5, 4);
  ObserveOptions options;
  options.fit_motion = true;
  const ObserveResult result =
      observe(test::slider_crank_mechanism(), record.time, record.readings, options);
  EXPECT_EQ(result.options.output.motion, MotionModel::WhiteSnap);
  EXPECT_EQ(result.states.size(), 4U);
  EXPECT_EQ(result.verdict.level, TrustLevel::Good);
  EXPECT_THAT(result.notes, Contains(HasSubstr("white-snap")));
}

// A sine of the innovations of a sensor that another one should foresee.
TEST(ObserveNoise, ASineOfTheInnovationsIsNotGood) {
  test::SliderCrankRecord record = test::slider_crank_record(2.0, 4);
  for (Index k = 0; k < record.time.size(); ++k) {
    record.readings(k, 0) += 0.01 * std::sin(200.0 * record.time(k));
  }
  ObserveOptions options;
  options.fit_density = false;
  options.output_noise.density = {160.0};
  const ObserveResult result =
      observe(test::slider_crank_mechanism(), record.time, record.readings, options);
  EXPECT_NE(result.verdict.level, TrustLevel::Good);
  EXPECT_THAT(result.verdict.reasons, Contains(HasSubstr("encoder")));
}

// A NIS 60 times too small is no safe side.
TEST(ObserveNoise, ANisThatIsFarTooSmallIsNotGood) {
  const test::SliderCrankRecord record = test::slider_crank_record(1.0, 4);
  model::planar::MechanismDescription d = test::slider_crank_mechanism()->description();
  for (auto& sensor : d.sensors) sensor.sigma *= std::sqrt(60.0);
  ObserveOptions options;
  options.fit_density = false;
  options.output_noise.density = {160.0};
  const ObserveResult result = observe(std::make_shared<const model::planar::Mechanism>(d),
                                       record.time, record.readings, options);
  EXPECT_EQ(result.verdict.level, TrustLevel::Caution);
  EXPECT_THAT(result.verdict.reasons, Contains(HasSubstr("encoder are")));
}

// A drift of the accelerometer, 5 of its deviations in the record: the encoder tells.
TEST(ObserveNoise, ADriftIsNotGood) {
  test::SliderCrankRecord record = test::slider_crank_record(4.0, 4);
  record.readings.col(1) += VectorXd::LinSpaced(record.time.size(), 0.0, 5.0 * 0.03);
  ObserveOptions options;
  options.fit_density = false;
  options.output_noise.density = {160.0};
  const ObserveResult result =
      observe(test::slider_crank_mechanism(), record.time, record.readings, options);
  EXPECT_NE(result.verdict.level, TrustLevel::Good);
  EXPECT_THAT(result.verdict.reasons, Contains(HasSubstr("encoder")));
}

// The same rules for a stream: sound, and with an encoder whose sigma is a tenth of its noise.
TEST(ObserveNoise, AStreamHasTheVerdictOfItsRecord) {
  const test::SliderCrankRecord record = test::slider_crank_record(2.0, 4);
  const auto verdict_with = [&](double sigma, Index rows) {
    model::planar::MechanismDescription d = test::slider_crank_mechanism()->description();
    d.sensors[0].sigma = sigma;
    LiveOptions options;
    options.output_noise.density = {160.0};
    LiveObserver live(std::make_shared<const model::planar::Mechanism>(d), options);
    for (Index k = 0; k < rows; ++k) {
      const double row[] = {record.readings(k, 0), record.readings(k, 1)};
      live.push(record.time(k), row);
      while (live.next()) continue;
    }
    return live.verdict();
  };
  EXPECT_EQ(verdict_with(0.003, 2000).level, TrustLevel::Good);
  const Verdict bad = verdict_with(0.0003, 2000);
  EXPECT_EQ(bad.level, TrustLevel::Bad);
  EXPECT_THAT(bad.reasons, Contains(HasSubstr("encoder")));
  EXPECT_THAT(verdict_with(0.003, 120).reasons, Contains(HasSubstr("too few")));
  EXPECT_THAT(verdict_with(0.003, 10).reasons, Contains(HasSubstr("no estimate yet")));
}

}  // namespace observe_noise_test
}  // namespace alembert::estimate
