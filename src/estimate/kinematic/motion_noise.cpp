#include "alembert/estimate/motion_noise.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/estimate/detail/kinematic_checks.hpp"

namespace alembert::estimate {

namespace {

using MotionCovariance = Noise<double, Eigen::Dynamic>;

double factorial(int k) { return k <= 1 ? 1.0 : k * factorial(k - 1); }

// Q of the forces for a step of 1 s; behind a low pass the part of the decay is in D.
void add_force_noise(const KinematicOutputModel& model, const OutputFormNoise& noise,
                     Eigen::MatrixXd& Q) {
  if (model.forces() == 0) return;
  const std::vector<double>& density = noise.force_density;
  if (density.size() != 1) {
    check::size("process_noise", "force_density", static_cast<long long>(density.size()),
                model.forces());
  }
  const bool constant = model.options().force_model == ForceModel::Constant;
  for (int k = 0; k < model.forces(); ++k) {
    const double given = density[density.size() == 1 ? 0 : static_cast<std::size_t>(k)];
    const Eigen::MatrixXd block =
        white_noise_motion(model.force_blocks(), 1.0, constant ? 0.0 : given);
    const int at = model.first_force() + k;
    for (int i = 0; i < model.force_blocks(); ++i) {
      for (int j = 0; j < model.force_blocks(); ++j) {
        Q(at + i * model.forces(), at + j * model.forces()) = block(i, j);
      }
    }
  }
}

// Q of a step of 1 s.
MotionCovariance unit_process_noise(const KinematicOutputModel& model,
                                    const OutputFormNoise& noise) {
  const int n = model.mechanism().coordinates();
  const int blocks = model.blocks();
  const char* const name = "process_noise";
  if (noise.density.size() != 1) {
    check::size(name, "density", static_cast<long long>(noise.density.size()), n);
  }
  check::non_negative(name, "parameter_density", noise.parameter_density);
  check::non_negative(name, "bias_density", noise.bias_density);
  Eigen::MatrixXd Q = Eigen::MatrixXd::Zero(model.states(), model.states());
  for (int c = 0; c < n; ++c) {
    const double density =
        noise.density[noise.density.size() == 1 ? 0 : static_cast<std::size_t>(c)];
    const Eigen::MatrixXd block = white_noise_motion(blocks, 1.0, density);
    for (int i = 0; i < blocks; ++i) {
      for (int j = 0; j < blocks; ++j) Q(i * n + c, j * n + c) = block(i, j);
    }
  }
  for (int k = model.first_parameter(); k < model.first_bias(); ++k) {
    Q(k, k) = noise.parameter_density;
  }
  for (int k = model.first_bias(); k < model.first_force(); ++k) Q(k, k) = noise.bias_density;
  add_force_noise(model, noise, Q);
  return MotionCovariance::from_covariance(Q);
}

}  // namespace

Eigen::MatrixXd white_noise_motion(int blocks, double step, double density) {
  check::in_range("white_noise_motion", "blocks", blocks, 1, 6);
  check::positive("white_noise_motion", "step", step);
  check::non_negative("white_noise_motion", "density", density);
  Eigen::MatrixXd Q(blocks, blocks);
  for (int i = 0; i < blocks; ++i) {
    for (int j = 0; j < blocks; ++j) {
      const int power = 2 * blocks - 1 - i - j;
      Q(i, j) = density * std::pow(step, power) /
                (power * factorial(blocks - 1 - i) * factorial(blocks - 1 - j));
    }
  }
  return Q;
}

MotionNoise::MotionNoise(const KinematicOutputModel& model, const OutputFormNoise& noise)
    : coordinates_(model.mechanism().coordinates()),
      blocks_(model.blocks()),
      first_force_(model.first_force()),
      forces_(model.forces()),
      force_blocks_(model.force_blocks()),
      decay_rate_(model.options().force_model == ForceModel::LowPass
                      ? 2.0 * std::numbers::pi * model.options().force_cutoff_hz
                      : 0.0),
      unit_(unit_process_noise(model, noise)),
      noise_(unit_),
      factors_(Eigen::VectorXd::Ones(model.states())) {
  set(1.0);
}

void MotionNoise::set_forces(double root, double step) noexcept {
  const double a = decay_rate_;
  // ∫ e^(−2at) dt over the step
  double factor = a > 0.0 ? std::sqrt(-std::expm1(-2.0 * a * step) / (2.0 * a)) : root;
  for (int b = force_blocks_ - 1; b >= 0; --b) {
    for (int k = 0; k < forces_; ++k) factors_(first_force_ + b * forces_ + k) = factor;
    factor *= step;
  }
}

void MotionNoise::set(double step, double scale) noexcept {
  if (step == step_ && scale == scale_) return;
  step_ = step;
  scale_ = scale;
  const double root = std::sqrt(step);
  factors_.setConstant(root);
  // √s Δt^(m-b-½), from the last block to the first
  double factor = std::sqrt(scale) * root;
  for (int b = blocks_ - 1; b >= 0; --b) {
    for (int c = 0; c < coordinates_; ++c) factors_(b * coordinates_ + c) = factor;
    factor *= step;
  }
  set_forces(root, step);
  noise_.set_scaled(unit_, factors_);
}

std::vector<int> MotionNoise::highest_derivatives() const {
  std::vector<int> states(static_cast<std::size_t>(coordinates_));
  std::iota(states.begin(), states.end(), (blocks_ - 1) * coordinates_);
  return states;
}

MotionCovariance process_noise(const KinematicOutputModel& model, double step,
                               const OutputFormNoise& noise) {
  check::positive("process_noise", "step", step);
  MotionNoise motion(model, noise);
  motion.set(step);
  return motion.noise();
}

MotionCovariance sensor_noise(const model::planar::Mechanism& mechanism,
                              const std::vector<int>& sensors) {
  check_sensors("sensor_noise", mechanism, sensors);
  Eigen::VectorXd variances(static_cast<Eigen::Index>(sensors.size()));
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const model::planar::Sensor& sensor =
        mechanism.description().sensors[static_cast<std::size_t>(sensors[i])];
    const double variance = model::planar::sensor_variance(sensor);
    if (!(variance > 0.0)) {
      throw InvalidInput({.function = "sensor_noise",
                          .argument = fmt::format("sigma of sensor '{}'", sensor.name),
                          .rule = "must be positive",
                          .value = "0"});
    }
    variances(static_cast<Eigen::Index>(i)) = variance;
  }
  return MotionCovariance::from_covariance(variances.asDiagonal());
}

}  // namespace alembert::estimate
