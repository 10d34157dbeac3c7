#include "alembert/estimate/kinematic_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "estimate/kinematic_checks.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;

constexpr int kMostMotionBlocks = 6;

std::vector<int> all_sensors(const model::planar::Mechanism& mechanism) {
  std::vector<int> sensors(static_cast<std::size_t>(mechanism.sensors()));
  std::iota(sensors.begin(), sensors.end(), 0);
  return sensors;
}

// Δt^k / k! for k = 0, 1, ...
std::array<double, kMostMotionBlocks> taylor_factors(double step) {
  std::array<double, kMostMotionBlocks> factors{};
  factors[0] = 1.0;
  for (std::size_t k = 1; k < factors.size(); ++k) {
    factors[k] = factors[k - 1] * step / static_cast<double>(k);
  }
  return factors;
}

double factorial(int k) { return k <= 1 ? 1.0 : k * factorial(k - 1); }

}  // namespace

void check_sensors(const char* function, const model::planar::Mechanism& mechanism,
                   const std::vector<int>& sensors) {
  for (const int sensor : sensors) {
    check::in_range(function, "sensor", sensor, 0, mechanism.sensors() - 1);
    if (std::count(sensors.begin(), sensors.end(), sensor) > 1) {
      throw InvalidInput(
          fmt::format("{}: sensors must differ, got '{}' twice", function,
                      mechanism.description().sensors[static_cast<std::size_t>(sensor)].name));
    }
  }
}

void check_assembled(const char* function, const model::planar::MechanismState& state) {
  if (!state.positioned) {
    throw InvalidInput(
        fmt::format("{}: start must be assembled, got a state without position", function));
  }
}

KinematicOutputModel::KinematicOutputModel(
    std::shared_ptr<const model::planar::Mechanism> mechanism, model::planar::MechanismState start,
    OutputFormOptions options)
    : mechanism_(std::move(mechanism)),
      options_(std::move(options)),
      blocks_(options_.motion == MotionModel::WhiteJerk ? 3 : 4),
      state_(std::move(start)),
      reading_(mechanism_->make_reading()) {
  const char* const name = "KinematicOutputModel";
  check_assembled(name, state_);
  if (options_.sensors.empty()) options_.sensors = all_sensors(*mechanism_);
  check_sensors(name, *mechanism_, options_.sensors);
  check_sensors(name, *mechanism_, options_.biases);
  for (const int sensor : options_.biases) {
    if (std::count(options_.sensors.begin(), options_.sensors.end(), sensor) == 0) {
      throw InvalidInput(
          fmt::format("{}: biases must be of sensors that are outputs, got '{}'", name,
                      mechanism_->description().sensors[static_cast<std::size_t>(sensor)].name));
    }
  }
  states_ = first_bias() + static_cast<int>(options_.biases.size());
}

int KinematicOutputModel::first_parameter() const { return blocks_ * mechanism_->coordinates(); }

int KinematicOutputModel::first_bias() const {
  return first_parameter() + (options_.geometry ? mechanism_->parameters() : 0);
}

bool KinematicOutputModel::output_is_angle(int i) const {
  const int sensor = options_.sensors[static_cast<std::size_t>(i)];
  return mechanism_->description().sensors[static_cast<std::size_t>(sensor)].wrap;
}

void KinematicOutputModel::process(const Input& u, std::span<const double> x,
                                   std::span<double> next) const {
  const auto n = static_cast<std::size_t>(mechanism_->coordinates());
  const auto blocks = static_cast<std::size_t>(blocks_);
  const auto factors = taylor_factors(u.step);
  std::copy(x.begin(), x.end(), next.begin());
  for (std::size_t i = 0; i < blocks; ++i) {
    for (std::size_t j = i + 1; j < blocks; ++j) {
      for (std::size_t c = 0; c < n; ++c) next[i * n + c] += factors[j - i] * x[j * n + c];
    }
  }
}

void KinematicOutputModel::process_jacobian(const Input& u, std::span<const double> x,
                                            std::span<double> next, Eigen::MatrixXd& F) const {
  process(u, x, next);
  const int n = mechanism_->coordinates();
  const auto factors = taylor_factors(u.step);
  F.setIdentity();
  for (int i = 0; i < blocks_; ++i) {
    for (int j = i + 1; j < blocks_; ++j) {
      for (int c = 0; c < n; ++c) {
        F(i * n + c, j * n + c) = factors[static_cast<std::size_t>(j - i)];
      }
    }
  }
}

bool KinematicOutputModel::move(std::span<const double> x) const noexcept {
  const auto n = static_cast<std::size_t>(mechanism_->coordinates());
  if (options_.geometry) {
    for (Index k = 0; k < state_.p.size(); ++k) {
      state_.p(k) = x[static_cast<std::size_t>(first_parameter() + k)];
    }
  }
  if (mechanism_->solve_position(x.subspan(0, n), state_) != model::planar::StepStatus::Success) {
    return false;
  }
  mechanism_->solve_velocity(x.subspan(n, n), state_);
  mechanism_->solve_acceleration(x.subspan(2 * n, n), state_);
  return true;
}

void KinematicOutputModel::output(const Input& /*u*/, std::span<const double> x,
                                  std::span<double> y) const {
  if (!move(x)) {
    std::fill(y.begin(), y.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = mechanism_->sensor_value(options_.sensors[i], state_);
  }
  for (std::size_t b = 0; b < options_.biases.size(); ++b) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (options_.sensors[i] == options_.biases[b]) {
        y[i] += x[static_cast<std::size_t>(first_bias()) + b];
      }
    }
  }
}

void KinematicOutputModel::output_jacobian(const Input& u, std::span<const double> x,
                                           std::span<double> y, Eigen::MatrixXd& H) const {
  output(u, x, y);
  H.setZero();
  if (y.empty() || std::isnan(y[0])) return;
  mechanism_->differentiate(state_);
  const int n = mechanism_->coordinates();
  for (Index i = 0; i < H.rows(); ++i) {
    const int sensor = options_.sensors[static_cast<std::size_t>(i)];
    mechanism_->read_sensor(sensor, state_, reading_);
    for (int j = 0; j < n; ++j) {
      H(i, j) = reading_.by_z(j);
      H(i, n + j) = reading_.by_zd(j);
      H(i, 2 * n + j) = reading_.by_zdd(j);
    }
    if (options_.geometry) {
      for (Index k = 0; k < reading_.by_p.size(); ++k) {
        H(i, first_parameter() + k) = reading_.by_p(k);
      }
    }
    for (std::size_t b = 0; b < options_.biases.size(); ++b) {
      if (options_.biases[b] == sensor) H(i, first_bias() + static_cast<Index>(b)) = 1.0;
    }
  }
}

Eigen::MatrixXd white_noise_motion(int blocks, double step, double density) {
  check::in_range("white_noise_motion", "blocks", blocks, 1, kMostMotionBlocks);
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

Noise<double, Eigen::Dynamic> process_noise(const KinematicOutputModel& model, double step,
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
    const Eigen::MatrixXd block = white_noise_motion(blocks, step, density);
    for (int i = 0; i < blocks; ++i) {
      for (int j = 0; j < blocks; ++j) Q(i * n + c, j * n + c) = block(i, j);
    }
  }
  for (int k = model.first_parameter(); k < model.first_bias(); ++k) {
    Q(k, k) = noise.parameter_density * step;
  }
  for (int k = model.first_bias(); k < model.states(); ++k) Q(k, k) = noise.bias_density * step;
  return Noise<double, Eigen::Dynamic>::from_covariance(Q);
}

Noise<double, Eigen::Dynamic> sensor_noise(const model::planar::Mechanism& mechanism,
                                           const std::vector<int>& sensors) {
  check_sensors("sensor_noise", mechanism, sensors);
  const auto m = static_cast<Index>(sensors.size());
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(m, m);
  for (Index i = 0; i < m; ++i) {
    const model::planar::Sensor& sensor =
        mechanism.description()
            .sensors[static_cast<std::size_t>(sensors[static_cast<std::size_t>(i)])];
    R(i, i) = model::planar::sensor_variance(sensor);
    if (!(R(i, i) > 0.0)) {
      throw InvalidInput(
          fmt::format("sensor_noise: sigma of sensor '{}' must be positive, got 0", sensor.name));
    }
  }
  return Noise<double, Eigen::Dynamic>::from_covariance(R);
}

}  // namespace alembert::estimate
