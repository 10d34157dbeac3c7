#include "reproductions/two_link/motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/integrate/ode/runge_kutta4.hpp"
#include "reproductions/two_link/rig.hpp"

namespace alembert::reproductions::two_link {
namespace {

using Eigen::Index;

constexpr double kRigStep = 1e-3;  // s, between samples
constexpr int kRigSubsteps = 4;
constexpr double kElbowStart = 0.4;      // rad
constexpr double kElbowViscous = 0.002;  // N m s
constexpr double kElbowDry = 0.01;       // N m
constexpr double kElbowSpeed = 0.05;     // rad/s, over which the dry friction turns

// Servo and pulses of the first test.
constexpr double kHoldStiffness = 12.0;  // N m/rad
constexpr double kHoldDamping = 0.25;    // N m s
constexpr double kPulseTorque = 8.0;     // N m
constexpr double kPulseLength = 0.04;    // s
constexpr double kPulsePeriod = 2.0;     // s
constexpr double kFirstPulse = 0.5;      // s

// Sweep of the second test.
constexpr double kSweepSeconds = 9.0;
constexpr double kSweepAmplitude = 0.05;  // rad
constexpr double kSweepFrom = 10.0;       // Hz
constexpr double kSweepTo = 1.0;

// Half sines with alternating sign.
double pulse_torque(double t) {
  const double since = t - kFirstPulse;
  if (since < 0.0) return 0.0;
  const double number = std::floor(since / kPulsePeriod);
  const double phase = (since - number * kPulsePeriod) / kPulseLength;
  if (phase >= 1.0) return 0.0;
  const double sign = std::fmod(number, 2.0) == 0.0 ? 1.0 : -1.0;
  return sign * kPulseTorque * std::sin(std::numbers::pi * phase);
}

/// Angle of the sweep and its derivatives.
struct SweepPoint {
  double angle, rate, acceleration;
};

// θ = a sin φ,  φ' = 2π (f0 + (f1 - f0) t/T)
SweepPoint sweep_at(double t) {
  const double turn = 2.0 * std::numbers::pi;
  const double slope = (kSweepTo - kSweepFrom) / kSweepSeconds;
  const double phase = turn * (kSweepFrom * t + 0.5 * slope * t * t);
  const double rate = turn * (kSweepFrom + slope * t);
  return {kSweepAmplitude * std::sin(phase), kSweepAmplitude * rate * std::cos(phase),
          kSweepAmplitude * (turn * slope * std::cos(phase) - rate * rate * std::sin(phase))};
}

// M z'' = f by Cramer's rule
Eigen::Vector2d solve_two(const Eigen::Matrix2d& M, const Eigen::Vector2d& f) {
  const double determinant = M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0);
  return Eigen::Vector2d(M(1, 1) * f(0) - M(0, 1) * f(1), M(0, 0) * f(1) - M(1, 0) * f(0)) /
         determinant;
}

/// The rig as a differential equation of (θ1, θ2, θ1', θ2', work).
class RigEquation : public integrate::ode::System {
 public:
  using State = Eigen::Matrix<double, 5, 1>;

  RigEquation(Trial test, double gravity)
      : test_(test),
        mechanism_(make_rig({}, gravity)),
        state_(mechanism_->make_state()),
        dynamics_(mechanism_->make_dynamics()) {
    (void)mechanism_->assemble(start().head<2>(), state_);
  }

  [[nodiscard]] State start() const {
    State x = State::Zero();
    x(1) = kElbowStart;
    if (test_ == Trial::Sweep) x(2) = sweep_at(0.0).rate;
    return x;
  }

  [[nodiscard]] std::size_t states() const override { return State::SizeAtCompileTime; }
  void derivative(double t, const double* x, const double* /*u*/, double* dx) override {
    State::Map(dx) = rate(t, State::Map(x));
  }

  State rate(double t, const State& x) {
    (void)mechanism_->solve_position({x.data(), 2}, state_);
    mechanism_->solve_velocity({x.data() + 2, 2}, state_);
    mechanism_->reduced_dynamics(state_, dynamics_);
    const Eigen::Matrix2d M = dynamics_.M;
    const Eigen::Vector2d h = dynamics_.bias;
    const double elbow = -kElbowViscous * x(3) - kElbowDry * std::tanh(x(3) / kElbowSpeed);
    Eigen::Vector2d tau(shoulder_torque(t, x), elbow);
    Eigen::Vector2d zdd;
    if (test_ == Trial::Impulses) {
      zdd = solve_two(M, tau - h);
    } else {
      // θ1'' is given; the second row gives θ2'', the first the torque of the servo.
      zdd(0) = sweep_at(t).acceleration;
      zdd(1) = (elbow - h(1) - M(1, 0) * zdd(0)) / M(1, 1);
      tau(0) = M.row(0).dot(zdd) + h(0);
    }
    State rate;
    rate << x.segment<2>(2), zdd, tau.dot(x.segment<2>(2));
    return rate;
  }

  /// Energy at x; afterwards sensor() reads there.
  double energy(double t, const State& x) {
    const State slope = rate(t, x);
    mechanism_->solve_acceleration({slope.data() + 2, 2}, state_);
    return mechanism_->kinetic_energy(state_) + mechanism_->potential_energy(state_);
  }

  [[nodiscard]] double sensor(int index) const { return mechanism_->sensor_value(index, state_); }
  [[nodiscard]] const Eigen::VectorXd& acceleration() const { return state_.zdd; }

 private:
  [[nodiscard]] double shoulder_torque(double t, const State& x) const {
    return pulse_torque(t) - kHoldStiffness * x(0) - kHoldDamping * x(2);
  }

  Trial test_;
  std::shared_ptr<const model::planar::Mechanism> mechanism_;
  model::planar::MechanismState state_;
  model::planar::ReducedDynamics dynamics_;
};

}  // namespace

Motion simulate(Trial test, double gravity) {
  RigEquation rig(test, gravity);
  const Index samples = test == Trial::Sweep ? 9000 : 10000;
  Motion motion{Eigen::VectorXd(samples), Eigen::MatrixXd(samples, 6), Eigen::MatrixXd(samples, 4)};
  integrate::ode::RungeKutta4 steps(rig);
  Eigen::Map<RigEquation::State> x(steps.state());
  x = rig.start();
  const double first = rig.energy(0.0, x);
  double largest = 0.0;
  const double h = kRigStep / kRigSubsteps;
  for (Index k = 0; k < samples; ++k) {
    const double t = kRigStep * static_cast<double>(k);
    const double energy = rig.energy(t, x);
    motion.time(k) = t;
    motion.truth.row(k) << x.head<4>().transpose(), rig.acceleration().transpose();
    for (int i = 0; i < 4; ++i) motion.exact(k, i) = rig.sensor(i);
    largest = std::max(largest, std::abs(energy));
    motion.energy_gap = std::max(motion.energy_gap, std::abs(energy - first - x(4)));
    for (int i = 0; i < kRigSubsteps; ++i) steps.step(t + i * h, h);
  }
  motion.energy_gap /= largest;
  return motion;
}

}  // namespace alembert::reproductions::two_link
