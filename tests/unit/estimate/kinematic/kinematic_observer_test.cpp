#include "alembert/estimate/kinematic_observer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "alembert/core/error.hpp"
#include "alembert/estimate/consistency.hpp"
#include "slider_crank_record.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::test::kinematic_observer_test {

using estimate::FilterRule;
using estimate::KinematicEstimate;
using estimate::KinematicObserver;
using estimate::KinematicObserverOptions;
using estimate::MotionModel;

// Reference values of an independent simulation of the same mechanism (means over seeds, given to
// 2 or 3 digits, held to 10 %).
constexpr double kReferenceShare = 0.1;

void expect_near_reference(double actual, double reference, const char* what) {
  EXPECT_NEAR(actual, reference, kReferenceShare * reference) << what;
}

double mean_nis(const KinematicEstimate& estimate) {
  return estimate.nis.tail(estimate.nis.size() - 500).mean();
}

TEST(KinematicObserver, OutputFormReachesItsReference) {
  const SliderCrankRecord record = slider_crank_record(30.0, 1);
  const auto mechanism = slider_crank_mechanism();
  const KinematicEstimate jerk =
      observe_record(mechanism, record.time, record.readings, output_form(FilterRule::Ekf));
  ASSERT_TRUE(jerk.ok()) << jerk.message;
  EXPECT_EQ(jerk.names,
            (std::vector<std::string>{"angle(crank)", "angle(crank)'", "angle(crank)''"}));
  const MotionErrors errors = motion_errors(record, jerk.mean, 0.5);
  expect_near_reference(errors.speed, 0.0078, "speed");
  expect_near_reference(errors.acceleration, 0.50, "acceleration");
  expect_near_reference(mean_nis(jerk), 1.65, "NIS");
  const KinematicEstimate snap =
      observe_record(mechanism, record.time, record.readings,
                     output_form(FilterRule::Ekf, MotionModel::WhiteSnap));
  const MotionErrors snap_errors = motion_errors(record, snap.mean, 0.5);
  expect_near_reference(snap_errors.speed, 0.0068, "speed, white snap");
  expect_near_reference(snap_errors.acceleration, 0.40, "acceleration, white snap");
}

// The smoother has its own best density, 10^0.5: it has no lag to fear.
TEST(KinematicObserver, SmootherReachesItsReference) {
  const SliderCrankRecord record = slider_crank_record(30.0, 2);
  KinematicObserverOptions options = output_form(FilterRule::Ekf);
  options.output_noise.density = {std::pow(10.0, 0.5)};
  const KinematicEstimate estimate = observe_record(slider_crank_mechanism(), record.time,
                                                    record.readings, options, {.smooth = true});
  const MotionErrors errors = motion_errors(record, estimate.smoothed_mean, 0.5);
  expect_near_reference(errors.speed, 0.0013, "speed");
  expect_near_reference(errors.acceleration, 0.060, "acceleration");
}

TEST(KinematicObserver, InputFormReachesItsReference) {
  const SliderCrankRecord record = slider_crank_record(30.0, 3);
  const auto mechanism = slider_crank_mechanism();
  const KinematicEstimate narrow = observe_record(mechanism, record.time, record.readings,
                                                  input_form(FilterRule::Ekf, 0.08, kNarrowSwitch));
  ASSERT_TRUE(narrow.ok()) << narrow.message;
  const MotionErrors errors = motion_errors(record, narrow.mean, 0.5);
  expect_near_reference(errors.speed, 0.055, "speed");
  expect_near_reference(errors.acceleration, 8.3, "acceleration");
  expect_near_reference(errors.far_speed, 0.0146, "speed far away");
  expect_near_reference(errors.far_acceleration, 0.855, "acceleration far away");
  const MotionErrors wide =
      motion_errors(record,
                    observe_record(mechanism, record.time, record.readings,
                                   input_form(FilterRule::Ekf, 0.35, kWideSwitch))
                        .mean,
                    0.5);
  expect_near_reference(wide.speed, 0.0233, "speed, wide switch");
  expect_near_reference(wide.acceleration, 1.05, "acceleration, wide switch");
}

// Crank 1 % too long, rod 2 % too short, accelerometer biased by 0.1 m/s²: the states for the
// errors find them.
TEST(KinematicObserver, LengthsAndBiasAreFound) {
  const SliderCrankRecord record = slider_crank_record(30.0, 4, 0.1);
  const auto mechanism = slider_crank_mechanism(1.01 * kCrank, 0.98 * kRod, true);
  KinematicObserverOptions options = output_form(FilterRule::Ekf);
  options.output.geometry = true;
  options.output.biases = {kAccelerometer};
  options.start.sigma_parameter = 0.0126;
  options.start.sigma_bias = 0.32;
  const KinematicEstimate estimate =
      observe_record(mechanism, record.time, record.readings, options);
  ASSERT_TRUE(estimate.ok()) << estimate.message;
  const MotionErrors errors = motion_errors(record, estimate.mean, 2.0);
  expect_near_reference(errors.speed, 0.0079, "speed");
  expect_near_reference(errors.acceleration, 0.50, "acceleration");
  const Eigen::Index last = record.time.size() - 1;
  const double truth[] = {-0.01 * kCrank, 0.02 * kRod, 0.1};
  for (int i = 0; i < 3; ++i) {
    // Four standard deviations of what the filter says itself.
    EXPECT_NEAR(estimate.mean(last, 3 + i), truth[i], 4.0 * estimate.deviation(last, 3 + i))
        << estimate.names[static_cast<std::size_t>(3 + i)];
    EXPECT_LT(estimate.deviation(last, 3 + i), 0.1 * std::abs(truth[i]));
  }
}

// An encoder of 2000 counts at a tenth of the rate and gaps in the accelerometer: the estimate
// holds, with the uncertainty it says (NEES of 3 states averages 3; its samples are correlated).
TEST(KinematicObserver, LivesWithMissingSamples) {
  SliderCrankRecord record = slider_crank_record(6.0, 7);
  for (Eigen::Index k = 0; k < record.time.size(); ++k) {
    if (k % 10 != 0) record.readings(k, 0) = std::nan("");
    if (k % 50 < 5) record.readings(k, 1) = std::nan("");
  }
  const KinematicEstimate estimate =
      observe_record(slider_crank_mechanism(), record.time, record.readings,
                     output_form(FilterRule::Ekf), {.keep_covariances = true});
  ASSERT_TRUE(estimate.ok());
  EXPECT_EQ(estimate.used[11], 1);
  double sum = 0.0;
  for (Eigen::Index k = 500; k < record.time.size(); ++k) {
    const Eigen::Vector3d error(estimate.mean(k, 0) - record.theta(k),
                                estimate.mean(k, 1) - record.omega(k),
                                estimate.mean(k, 2) - record.alpha(k));
    sum += estimate::nees(error, estimate.covariances[static_cast<std::size_t>(k)]);
  }
  const double average = sum / static_cast<double>(record.time.size() - 500);
  EXPECT_GT(average, 1.5);
  EXPECT_LT(average, 5.0);
  const KinematicEstimate input =
      observe_record(slider_crank_mechanism(), record.time, record.readings,
                     input_form(FilterRule::Ekf, 0.35, kWideSwitch));
  EXPECT_TRUE(input.ok()) << input.message;
  EXPECT_TRUE(input.random_walk[53]);
}

TEST(KinematicObserver, GateKeepsOutliersOut) {
  SliderCrankRecord record = slider_crank_record(1.0, 8);
  record.readings(700, 1) += 5.0;
  KinematicObserverOptions options = output_form(FilterRule::Ekf);
  const KinematicEstimate open =
      observe_record(slider_crank_mechanism(), record.time, record.readings, options);
  options.gate.each_output = false;
  options.gate.probability = 0.99999;  // one false alarm in 1e5 samples
  const KinematicEstimate gated =
      observe_record(slider_crank_mechanism(), record.time, record.readings, options);
  EXPECT_EQ(open.rejected, 0);
  EXPECT_EQ(gated.rejected, 1);
  EXPECT_TRUE(std::isnan(gated.nis(700)));
  EXPECT_GT(std::abs(open.mean(700, 2) - record.alpha(700)), 10.0);
  EXPECT_LT(std::abs(gated.mean(700, 2) - record.alpha(700)), 3.0);
}

// Readings that ask the slider beyond its reach of 0.7 m.
TEST(KinematicObserver, SaysWhenTheMechanismCannotFollow) {
  using namespace model::planar;
  MechanismDescription d = slider_crank_mechanism()->description();
  d.coordinates = {parse_coordinate("y(slider)")};
  d.sensors = {{.name = "y",
                .kind = SensorKind::Displacement,
                .of = "slider",
                .axis = {0.0, 1.0},
                .sigma = 0.001}};
  const auto mechanism = std::make_shared<const Mechanism>(d);
  const Eigen::VectorXd time = Eigen::VectorXd::LinSpaced(50, 0.0, 0.49);
  const Eigen::MatrixXd readings = 0.6 * Eigen::VectorXd::Ones(50) + 0.4 * time;
  KinematicObserverOptions options;
  options.start.z = Eigen::VectorXd::Constant(1, 0.6);
  const KinematicEstimate estimate = observe_record(mechanism, time, readings, options);
  EXPECT_EQ(estimate.status, Status::NotFinite);
  EXPECT_GT(estimate.failed, 10);
  // The reading is at 0.7 m in sample 26; the prediction may be a little beyond it before.
  EXPECT_EQ(estimate.message.substr(0, 37), "the estimate failed first at sample 2");
  EXPECT_TRUE(estimate.mean.allFinite());
}

// A two-link arm in the vertical plane: encoders, accelerometers across the links, gyroscopes.
std::shared_ptr<const model::planar::Mechanism> arm() {
  using namespace model::planar;
  MechanismDescription d;
  d.bodies = {
      {.name = "upper", .points = {{"A", {0.0, 0.0}}, {"B", {0.5, 0.0}}, {"S", {0.4, 0.0}}}},
      {.name = "lower", .points = {{"A", {0.0, 0.0}}, {"S", {0.3, 0.0}}}}};
  d.joints = {{.name = "shoulder", .b = "upper.A"},
              {.name = "elbow", .a = "upper.B", .b = "lower.A"}};
  d.coordinates = {parse_coordinate("angle(upper)"), parse_coordinate("angle(lower, upper)")};
  const Eigen::Vector2d across(0.0, 1.0);
  d.sensors = {{.name = "e1", .of = "upper", .sigma = 0.002},
               {.name = "e2", .of = "lower", .relative_to = "upper", .sigma = 0.002},
               {.name = "a1",
                .kind = SensorKind::Acceleration,
                .of = "upper.S",
                .axis = across,
                .sigma = 0.05},
               {.name = "a2",
                .kind = SensorKind::Acceleration,
                .of = "lower.S",
                .axis = across,
                .sigma = 0.05},
               {.name = "g1", .kind = SensorKind::AngularRate, .of = "upper", .sigma = 0.02},
               {.name = "g2", .kind = SensorKind::AngularRate, .of = "lower", .sigma = 0.02}};
  return std::make_shared<const Mechanism>(d);
}

struct ArmRecord {
  Eigen::VectorXd time;
  Eigen::MatrixXd truth;  // z, z', z''
  Eigen::MatrixXd readings;
};

// θ1 = 0.3 + 0.8 sin 2t, θ2 = 0.9 + 0.5 sin 3t, 500 Hz.
ArmRecord arm_record(const model::planar::Mechanism& mechanism, Eigen::Index samples) {
  ArmRecord r{Eigen::VectorXd(samples), Eigen::MatrixXd(samples, 6), Eigen::MatrixXd(samples, 6)};
  model::planar::MechanismState state = mechanism.make_state();
  EXPECT_TRUE(mechanism.assemble(Eigen::Vector2d(0.3, 0.9), state).ok());
  RandomStream random(77);
  for (Eigen::Index k = 0; k < samples; ++k) {
    const double t = 0.002 * static_cast<double>(k);
    const double z[] = {0.3 + 0.8 * std::sin(2 * t), 0.9 + 0.5 * std::sin(3 * t)};
    const double zd[] = {1.6 * std::cos(2 * t), 1.5 * std::cos(3 * t)};
    const double zdd[] = {-3.2 * std::sin(2 * t), -4.5 * std::sin(3 * t)};
    EXPECT_EQ(mechanism.solve_position(z, state), model::planar::StepStatus::Success);
    mechanism.solve_velocity(zd, state);
    mechanism.solve_acceleration(zdd, state);
    r.time(k) = t;
    r.truth.row(k) << z[0], z[1], zd[0], zd[1], zdd[0], zdd[1];
    for (int s = 0; s < mechanism.sensors(); ++s) {
      const double sigma = mechanism.description().sensors[static_cast<std::size_t>(s)].sigma;
      r.readings(k, s) = mechanism.sensor_value(s, state) + sigma * random.normal();
    }
  }
  return r;
}

double rms_error(const ArmRecord& record, const KinematicEstimate& estimate, Eigen::Index column) {
  const Eigen::Index half = record.time.size() / 2;
  return std::sqrt((estimate.mean.col(column) - record.truth.col(column)).tail(half).squaredNorm() /
                   static_cast<double>(half));
}

// Two degrees of freedom, every form: errors are a small part of the motion (amplitudes 0.8 rad,
// 1.6 rad/s, 4.5 rad/s²) and of what the sensors alone give.
TEST(KinematicObserver, TwoLinkArmInEveryForm) {
  const auto mechanism = arm();
  const ArmRecord record = arm_record(*mechanism, 1500);
  KinematicObserverOptions options;
  options.start.z = Eigen::Vector2d(0.3, 0.9);
  options.output_noise.density = {30.0};
  const KinematicEstimate output = observe_record(mechanism, record.time, record.readings, options);
  ASSERT_TRUE(output.ok()) << output.message;
  EXPECT_LT(rms_error(record, output, 0), 0.001);
  EXPECT_LT(rms_error(record, output, 3), 0.02);
  EXPECT_LT(rms_error(record, output, 5), 0.3);

  options.form = estimate::ObserverForm::Input;
  options.input = {.inputs = {2, 3},
                   .outputs = {0, 1},
                   .discretisation = estimate::Discretisation::Heun,
                   .scheme = estimate::AccelerationScheme::ConstraintNow};
  options.input_noise.kinematic = {1e-12, 1e-7, 1e-1};
  const KinematicEstimate input = observe_record(mechanism, record.time, record.readings, options);
  ASSERT_TRUE(input.ok()) << input.message;
  EXPECT_LT(rms_error(record, input, 0), 0.001);
  EXPECT_LT(rms_error(record, input, 3), 0.03);
  // An accelerometer alone: 0.05 m/s² over 0.3 m, and the other link on top.
  EXPECT_LT(rms_error(record, input, 5), 0.6);

  options.input = {.inputs = {4, 5}, .outputs = {0, 1}};
  options.input_noise.kinematic = {1e-9};
  options.input_noise.random_walk = {1e-6};
  const KinematicEstimate gyro = observe_record(mechanism, record.time, record.readings, options);
  ASSERT_TRUE(gyro.ok()) << gyro.message;
  EXPECT_EQ(gyro.mean.cols(), 2);
  EXPECT_LT(rms_error(record, gyro, 1), 0.002);
}

TEST(KinematicObserver, NamesBadArguments) {
  const auto mechanism = slider_crank_mechanism();
  KinematicObserverOptions options = output_form(FilterRule::Ekf);
  options.start.z = Eigen::VectorXd::Zero(2);
  EXPECT_EQ(message_of([&] { KinematicObserver(mechanism, options); }),
            "KinematicObserver: start.z must have size 1, got 2");
  options = input_form(FilterRule::Ekf, 0.1, kWideSwitch);
  options.input_noise.kinematic = {1.0};
  EXPECT_EQ(message_of([&] { KinematicObserver(mechanism, options); }),
            "KinematicObserver: input_noise.kinematic must have 3 entries, got 1");
  KinematicObserver observer(mechanism, output_form(FilterRule::Ekf));
  const double row[] = {0.0, 0.0};
  const Eigen::VectorXd before = observer.mean();
  EXPECT_EQ(observer.step(0.1, {row, 1}).status, Status::Stopped);
  EXPECT_EQ(observer.step(-0.1, row).status, Status::NotFinite);
  EXPECT_EQ(observer.step(std::nan(""), row).status, Status::NotFinite);
  EXPECT_EQ(observer.mean(), before);
  const SliderCrankRecord record = slider_crank_record(0.01, 1);
  Eigen::VectorXd time = record.time;
  time(5) = time(4);
  EXPECT_EQ(message_of([&] {
              (void)observe_record(mechanism, time, record.readings, output_form(FilterRule::Ekf));
            }),
            "observe_record: time must rise, got 0.004 after 0.004 at sample 6");
}

}  // namespace alembert::test::kinematic_observer_test
