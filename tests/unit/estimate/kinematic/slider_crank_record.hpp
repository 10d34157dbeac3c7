#pragma once

// The slider-crank of the published test: crank 0.14 m, rod 0.56 m, an encoder on the crank and an
// accelerometer on the slider, which moves along y, so that the dead centres are at θ = π/2 + kπ.
// Truth and noisy readings from closed forms.

#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "alembert/core/random.hpp"
#include "alembert/estimate/kinematic_observer.hpp"

namespace alembert::test {

inline constexpr double kCrank = 0.14;
inline constexpr double kRod = 0.56;
inline constexpr int kEncoder = 0;
inline constexpr int kAccelerometer = 1;

/// With the lengths that the observer believes in; both lengths are geometry parameters if asked.
inline std::shared_ptr<const model::planar::Mechanism> slider_crank_mechanism(
    double crank = kCrank, double rod = kRod, bool lengths = false) {
  using namespace model::planar;
  MechanismDescription d;
  d.bodies = {{.name = "crank", .points = {{"O", {0.0, 0.0}}, {"A", {crank, 0.0}}}},
              {.name = "rod",
               .points = {{"A", {0.0, 0.0}}, {"B", {rod, 0.0}}},
               .start = Eigen::Vector3d(crank, 0, 1.8)},
              {.name = "slider"}};
  d.joints = {{.name = "O", .b = "crank.O"},
              {.name = "A", .a = "crank.A", .b = "rod.A"},
              {.name = "B", .a = "rod.B", .b = "slider"},
              {.name = "guide", .kind = JointKind::Prismatic, .b = "slider", .axis = {0.0, 1.0}}};
  d.coordinates = {parse_coordinate("angle(crank)")};
  d.sensors = {{.name = "encoder", .of = "crank", .wrap = true, .sigma = 0.003},
               {.name = "accelerometer",
                .kind = SensorKind::Acceleration,
                .of = "slider",
                .axis = {0.0, 1.0},
                .gravity = false,
                .sigma = 0.03}};
  if (lengths) {
    d.parameters = {length_parameter(d, "crank", "O", "A"), length_parameter(d, "rod", "A", "B")};
  }
  return std::make_shared<const Mechanism>(d);
}

struct SliderCrankRecord {
  Eigen::VectorXd time, theta, omega, alpha;
  Eigen::VectorXd distance;  ///< |θ1 − θ2 − kπ| from the next dead centre
  Eigen::MatrixXd readings;  ///< encoder wrapped to one turn, accelerometer
};

/// Acceleration of the slider, s'(θ) α + s''(θ) ω² in closed form.
inline double slider_acceleration(double theta, double omega, double alpha) {
  const double y = -kCrank * std::cos(theta), y1 = kCrank * std::sin(theta);
  const double root = std::sqrt(kRod * kRod - y * y);
  const double s1 = -y - y * y1 / root;
  const double r1 = -y * y1 / root;
  const double s2 = -y1 - (y1 * y1 - y * y + r1 * r1) / root;
  return s1 * alpha + s2 * omega * omega;
}

/// To [0, 2π), as an encoder of one turn reads.
inline double one_turn(double angle) {
  return angle - 2.0 * std::numbers::pi * std::floor(angle / (2.0 * std::numbers::pi));
}

/// θ = 12.56 t + (1.256/4π) sin 4πt at these times.
inline SliderCrankRecord slider_crank_record_at(const Eigen::VectorXd& time, std::uint64_t seed,
                                                double bias = 0.0) {
  const double pi = std::numbers::pi;
  const Eigen::Index samples = time.size();
  SliderCrankRecord r;
  r.time = time;
  r.theta = r.omega = r.alpha = r.distance = Eigen::VectorXd::Zero(samples);
  r.readings = Eigen::MatrixXd::Zero(samples, 2);
  RandomStream encoder(seed, 1), accelerometer(seed, 2);
  for (Eigen::Index k = 0; k < samples; ++k) {
    const double t = time(k);
    const double theta = 12.56 * t + 1.256 / (4.0 * pi) * std::sin(4.0 * pi * t);
    const double w = 12.56 + 1.256 * std::cos(4.0 * pi * t);
    const double al = -1.256 * 4.0 * pi * std::sin(4.0 * pi * t);
    const double apart = theta - 0.5 * pi + std::asin(-kCrank * std::cos(theta) / kRod);
    r.theta(k) = theta;
    r.omega(k) = w;
    r.alpha(k) = al;
    r.distance(k) = std::abs(apart - pi * std::round(apart / pi));
    r.readings(k, 0) = one_turn(theta + 0.003 * encoder.normal());
    r.readings(k, 1) = slider_acceleration(theta, w, al) + bias + 0.03 * accelerometer.normal();
  }
  return r;
}

/// The same at 1 kHz.
inline SliderCrankRecord slider_crank_record(double seconds, std::uint64_t seed,
                                             double bias = 0.0) {
  Eigen::VectorXd time(static_cast<Eigen::Index>(std::lround(seconds * 1000.0)));
  for (Eigen::Index k = 0; k < time.size(); ++k) time(k) = 1e-3 * static_cast<double>(k);
  return slider_crank_record_at(time, seed, bias);
}

/// The same with stamps that jitter: steps between 0.7 and 1.3 ms, no two alike.
inline SliderCrankRecord jittering_slider_crank_record(Eigen::Index samples, std::uint64_t seed) {
  Eigen::VectorXd time = Eigen::VectorXd::Zero(samples);
  RandomStream random(seed, 3);
  for (Eigen::Index k = 1; k < samples; ++k) time(k) = time(k - 1) + random.uniform(7e-4, 1.3e-3);
  return slider_crank_record_at(time, seed);
}

/// A motion drawn from the white-jerk model itself, from a start drawn too.
struct DrawnMotion {
  Eigen::VectorXd steps;     ///< s, from the sample before; the first is 0
  Eigen::MatrixXd truth;     ///< samples x (θ, ω, α)
  Eigen::MatrixXd readings;  ///< encoder wrapped to one turn, accelerometer
};

/// @param steps between the samples in s; one sample more is drawn. @param density of the jerk,
/// rad² s⁻⁵.
inline DrawnMotion draw_white_jerk(const Eigen::VectorXd& steps, double density,
                                   const estimate::ObserverStart& start, std::uint64_t seed,
                                   std::uint64_t run) {
  const Eigen::Index samples = steps.size() + 1;
  RandomStream random(seed, run);
  Eigen::Vector3d x(start.z(0) + start.sigma_z * random.normal(),
                    start.zd(0) + start.sigma_zd * random.normal(),
                    start.sigma_zdd * random.normal());
  DrawnMotion motion{Eigen::VectorXd::Zero(samples), Eigen::MatrixXd(samples, 3),
                     Eigen::MatrixXd(samples, 2)};
  Eigen::Matrix3d F, L;
  for (Eigen::Index k = 0; k < samples; ++k) {
    if (k > 0) {
      const double h = steps(k - 1);
      if (h != motion.steps(k - 1)) {
        F << 1.0, h, 0.5 * h * h, 0.0, 1.0, h, 0.0, 0.0, 1.0;
        L = estimate::Noise<double, 3>::from_covariance(estimate::white_noise_motion(3, h, density))
                .factor();
      }
      x = F * x + L * random.normal_vector(3);
      motion.steps(k) = h;
    }
    motion.truth.row(k) = x.transpose();
    motion.readings(k, 0) = one_turn(x(0) + 0.003 * random.normal());
    motion.readings(k, 1) = slider_acceleration(x(0), x(1), x(2)) + 0.03 * random.normal();
  }
  return motion;
}

/// A start that is known well enough for the linearisation of ω² to hold: s'' σ² is 0.006 m/s²,
/// below the noise of the accelerometer.
inline estimate::ObserverStart drawn_start() {
  estimate::ObserverStart start;
  start.z = Eigen::VectorXd::Zero(1);
  start.zd = Eigen::VectorXd::Constant(1, 13.0);
  start.sigma_z = 0.003;
  start.sigma_zd = 0.2;
  start.sigma_zdd = 2.0;
  return start;
}

/// rms errors of speed and acceleration, from `after` seconds on.
struct MotionErrors {
  double speed = 0.0, acceleration = 0.0;
  double far_speed = 0.0, far_acceleration = 0.0;  ///< more than 0.3 rad from the dead centres
};

inline MotionErrors motion_errors(const SliderCrankRecord& truth, const Eigen::MatrixXd& mean,
                                  double after) {
  MotionErrors e;
  double count = 0, far = 0;
  for (Eigen::Index k = 0; k < truth.time.size(); ++k) {
    if (truth.time(k) < after) continue;
    const double w = std::pow(mean(k, 1) - truth.omega(k), 2);
    const double al = std::pow(mean(k, 2) - truth.alpha(k), 2);
    e.speed += w, e.acceleration += al, count += 1;
    if (truth.distance(k) > 0.3) e.far_speed += w, e.far_acceleration += al, far += 1;
  }
  return {std::sqrt(e.speed / count), std::sqrt(e.acceleration / count),
          std::sqrt(e.far_speed / far), std::sqrt(e.far_acceleration / far)};
}

/// Start of the published test: the speed is 10 % wrong.
inline estimate::ObserverStart slider_crank_start() {
  estimate::ObserverStart start;
  start.z = Eigen::VectorXd::Zero(1);
  start.zd = Eigen::VectorXd::Constant(1, 1.1 * 13.816);
  start.sigma_z = 0.01;
  start.sigma_zd = 2.0;
  start.sigma_zdd = 20.0;
  start.sigma_zddd = 500.0;
  return start;
}

/// Output form with the tuned density of the published comparison.
inline estimate::KinematicObserverOptions output_form(
    estimate::ObserverFilter filter,
    estimate::MotionModel motion = estimate::MotionModel::WhiteJerk) {
  estimate::KinematicObserverOptions options;
  options.filter = filter;
  options.start = slider_crank_start();
  options.output.motion = motion;
  const bool jerk = motion == estimate::MotionModel::WhiteJerk;
  options.output_noise.density = {std::pow(10.0, jerk ? 2.21 : 5.23)};
  return options;
}

/// Input form, Euler, with the switch at this distance from a dead centre, where S = L1 sin d.
/// exponents: log10 of the variances of speed and acceleration per step, kinematic and random walk.
inline estimate::KinematicObserverOptions input_form(estimate::ObserverFilter filter,
                                                     double distance,
                                                     const double (&exponents)[4]) {
  estimate::KinematicObserverOptions options;
  options.form = estimate::ObserverForm::Input;
  options.filter = filter;
  options.start = slider_crank_start();
  options.input.inputs = {kAccelerometer};
  options.input.outputs = {kEncoder};
  options.input.scheme = estimate::AccelerationScheme::NewmarkConstraint;
  options.switching.threshold = std::pow(kCrank * std::sin(distance), 2);
  options.input_noise.kinematic = {1e-12, std::pow(10.0, exponents[0]),
                                   std::pow(10.0, exponents[1])};
  options.input_noise.random_walk = {1e-12, std::pow(10.0, exponents[2]),
                                     std::pow(10.0, exponents[3])};
  return options;
}

inline constexpr double kNarrowSwitch[4] = {-6.68, -1.29, -3.70, 0.39};  ///< tuned for 0.08 rad
inline constexpr double kWideSwitch[4] = {-6.03, -0.58, -4.58, -1.90};   ///< tuned for 0.35 rad

}  // namespace alembert::test
