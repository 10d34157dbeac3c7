#include "reproductions/slider_crank_force/plant.hpp"

#include <cmath>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "alembert/estimate/force/force_balance.hpp"

namespace alembert::reproductions::slider_crank_force {
namespace {

using Eigen::Index;
using Eigen::Vector3d;
using model::planar::ForceKind;
using model::planar::JointKind;
using model::planar::Mechanism;
using model::planar::MechanismState;
using model::planar::SensorKind;

constexpr Index kSamples = 5001;
constexpr double kStep = 1e-3;
constexpr double kTurn = 2.0 * std::numbers::pi;

// A speed controller T = 3.5 (8 - ω) + 20 ∫(8 - ω) dt, in N m and rad/s: the crank then runs at 2.9
// to 15.6 rad/s, as that of the reference computation does (2.8 to 15.3), whose gains are not
// known.
constexpr double kSpeed = 8.0;
constexpr double kGain = 3.5;
constexpr double kIntegralGain = 20.0;

model::planar::Body uniform_bar(const std::string& name, double length, double mass) {
  return {.name = name,
          .mass = mass,
          .inertia = mass * length * length / 12.0,
          .points = {{"A", {-0.5 * length, 0.0}}, {"B", {0.5 * length, 0.0}}}};
}

// The crank under its controller: (θ, ω, ∫(8 - ω) dt)' by the equation of motion.
class ControlledCrank {
 public:
  ControlledCrank()
      : mechanism_(slider_mechanism(kActual)),
        state_(mechanism_->make_state()),
        dynamics_(mechanism_->make_dynamics()) {
    const model::planar::Assembly found = mechanism_->assemble(Eigen::VectorXd::Zero(1), state_);
    if (!found.ok()) throw InvalidInput({.function = "ControlledCrank", .rule = found.message});
  }

  [[nodiscard]] Vector3d rate(double time, double sample, const Vector3d& x) {
    (void)mechanism_->solve_position({x.data(), 1}, state_);
    mechanism_->solve_velocity({x.data() + 1, 1}, state_);
    const double torque = kGain * (kSpeed - x(1)) + kIntegralGain * x(2);
    const double forces[] = {torque, load_at(time, sample)};
    (void)mechanism_->forward_dynamics(forces, state_, dynamics_);
    return {x(1), state_.zdd(0), kSpeed - x(1)};
  }

  // The classical rule of Runge and Kutta.
  [[nodiscard]] Vector3d step(double time, const Vector3d& x) {
    const double h = kStep;
    const Vector3d a = rate(time, time, x);
    const Vector3d b = rate(time + 0.5 * h, time, x + 0.5 * h * a);
    const Vector3d c = rate(time + 0.5 * h, time, x + 0.5 * h * b);
    const Vector3d d = rate(time + h, time, x + h * c);
    return x + h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }

 private:
  std::shared_ptr<const Mechanism> mechanism_;  // constant
  MechanismState state_;
  model::planar::ReducedDynamics dynamics_;
};

model::planar::CoordinatePath empty_path() {
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(kSamples, 1);
  return {zero, zero, zero};
}

model::planar::CoordinatePath controlled() {
  model::planar::CoordinatePath path = empty_path();
  ControlledCrank crank;
  Vector3d x(0.0, kSpeed, 0.0);
  for (Index k = 0; k < kSamples; ++k) {
    const double t = kStep * static_cast<double>(k);
    path.z(k, 0) = x(0);
    path.zd(k, 0) = x(1);
    path.zdd(k, 0) = crank.rate(t, t, x)(1);
    x = crank.step(t, x);
  }
  return path;
}

// θ = start + speed t + swing sin(2π f t)
model::planar::CoordinatePath swinging(double start, double speed, double swing,
                                       double frequency_hz) {
  model::planar::CoordinatePath path = empty_path();
  const double f = kTurn * frequency_hz;
  for (Index k = 0; k < kSamples; ++k) {
    const double t = kStep * static_cast<double>(k);
    path.z(k, 0) = start + speed * t + swing * std::sin(f * t);
    path.zd(k, 0) = speed + swing * f * std::cos(f * t);
    path.zdd(k, 0) = -swing * f * f * std::sin(f * t);
  }
  return path;
}

SliderMotion made_motion(const std::string& name, model::planar::CoordinatePath path) {
  SliderMotion motion{.name = name,
                      .time = Eigen::VectorXd::LinSpaced(kSamples, 0.0, kStep * (kSamples - 1)),
                      .path = std::move(path),
                      .load = Eigen::MatrixXd(kSamples, 1),
                      .readings = {}};
  for (Index k = 0; k < kSamples; ++k) motion.load(k, 0) = load_at(motion.time(k), motion.time(k));
  const auto mechanism = slider_mechanism(kActual);
  const auto moved = model::planar::move_mechanism(*mechanism, motion.time, motion.path);
  const auto balanced = estimate::balance_forces(*mechanism, motion.time, motion.path, motion.load,
                                                 Eigen::VectorXd());
  if (!moved.ok() || !balanced.ok()) {
    throw InvalidInput({.function = "slider_motions", .rule = moved.message + balanced.message});
  }
  motion.readings = moved.readings;
  motion.readings.col(2) = balanced.forces.col(0);
  return motion;
}

}  // namespace

std::shared_ptr<const Mechanism> slider_mechanism(const Values& values, const Sigmas& sigmas) {
  model::planar::MechanismDescription d;
  d.bodies = {uniform_bar("crank", values.crank, values.crank_mass),
              uniform_bar("rod", values.rod, values.rod_mass),
              {.name = "slider", .mass = values.slider_mass}};
  d.bodies[1].start = Eigen::Vector3d(values.crank + 0.5 * values.rod, 0.5 * values.height, 0.08);
  d.joints = {{.name = "O", .b = "crank.A"},
              {.name = "A", .a = "crank.B", .b = "rod.A"},
              {.name = "B", .a = "rod.B", .b = "slider"},
              {.name = "guide",
               .kind = JointKind::Prismatic,
               .b = "slider",
               .axis = {1.0, 0.0},
               .through = Eigen::Vector2d(0.0, values.height)}};
  d.coordinates = {model::planar::parse_coordinate("angle(crank)")};
  d.forces = {{.name = "drive", .of = "crank"},
              {.name = "load", .kind = ForceKind::Point, .of = "slider", .known = false}};
  d.sensors = {
      {.name = "encoder", .of = "crank", .wrap = true, .sigma = sigmas.encoder},
      {.name = "accelerometer",
       .kind = SensorKind::Acceleration,
       .of = "slider",
       .sigma = sigmas.accelerometer},
      {.name = "torque", .kind = SensorKind::Torque, .of = "drive", .sigma = sigmas.torque}};
  return std::make_shared<const Mechanism>(d);
}

double load_at(double time, double sample) {
  const double smooth =
      40.0 * std::sin(kTurn * 1.1 * time) + 20.0 * std::sin(kTurn * 2.7 * time + 0.7);
  // Samples are multiples of a step: half of one is far from any of them.
  const auto pulse = [sample](double from, double seconds) {
    return sample > from - 0.5 * kStep && sample < from + seconds - 0.5 * kStep ? 1.0 : 0.0;
  };
  return smooth - 60.0 * pulse(1.6, 0.5) + 70.0 * pulse(3.4, 0.35);
}

const std::vector<SliderMotion>& slider_motions() {
  // S1 and S2: the reference computation says how large the swings are, not how fast.
  static const std::vector<SliderMotion> motions = {
      made_motion("S0", controlled()),
      made_motion("S1", swinging(0.5, 6.28, 0.6 / (kTurn * 0.8), 0.8)),
      made_motion("S2", swinging(1.45, 0.0, 0.6, 1.0))};
  return motions;
}

Eigen::MatrixXd noisy_readings(const SliderMotion& motion, std::uint64_t seed) {
  const Sigmas sigmas;
  RandomStream encoder(seed, 1);
  RandomStream accelerometer(seed, 2);
  RandomStream torque(seed, 3);
  Eigen::MatrixXd readings = motion.readings;
  for (Index k = 0; k < readings.rows(); ++k) {
    const double angle = readings(k, 0) + sigmas.encoder * encoder.normal();
    readings(k, 0) = angle - kTurn * std::floor(angle / kTurn);
    readings(k, 1) += sigmas.accelerometer * accelerometer.normal();
    readings(k, 2) += sigmas.torque * torque.normal();
  }
  return readings;
}

}  // namespace alembert::reproductions::slider_crank_force
