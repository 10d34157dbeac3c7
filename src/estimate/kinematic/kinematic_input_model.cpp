#include "alembert/estimate/kinematic_input_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "estimate/kinematic/kinematic_checks.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;

const std::string& sensor_name(const Mechanism& mechanism, int sensor) {
  return mechanism.description().sensors[static_cast<std::size_t>(sensor)].name;
}

int common_order(const Mechanism& mechanism, const std::vector<int>& inputs) {
  for (const int sensor : inputs) {
    const int order = mechanism.sensor_order(sensor);
    if (order == 0 || order != mechanism.sensor_order(inputs[0])) {
      throw InvalidInput({.function = "KinematicInputModel",
                          .argument = "inputs",
                          .rule = "must be all rates or all accelerations",
                          .value = fmt::format("'{}'", sensor_name(mechanism, sensor))});
    }
  }
  return mechanism.sensor_order(inputs[0]);
}

void check_input_form(const Mechanism& mechanism, const InputFormOptions& options) {
  const char* const name = "KinematicInputModel";
  check_sensors(name, mechanism, options.inputs);
  if (static_cast<int>(options.inputs.size()) < mechanism.coordinates()) {
    throw InvalidInput({.function = std::string(name),
                        .argument = "inputs",
                        .rule = fmt::format("must be at least {}", mechanism.coordinates()),
                        .value = fmt::format("{}", options.inputs.size())});
  }
  for (const int sensor : options.outputs) {
    if (mechanism.sensor_order(sensor) != 0) {
      throw InvalidInput({.function = std::string(name),
                          .argument = "outputs",
                          .rule = "must read positions",
                          .value = fmt::format("'{}'", sensor_name(mechanism, sensor))});
    }
  }
  check::in_range(name, "gamma", options.gamma, 1.0, 1e12);
}

}  // namespace

KinematicInputModel::KinematicInputModel(std::shared_ptr<const Mechanism> mechanism,
                                         model::planar::MechanismState start,
                                         InputFormOptions options)
    : KinematicModel("KinematicInputModel", std::move(mechanism), std::move(start),
                     options.outputs),
      options_(std::move(options)),
      n_(mechanism_->coordinates()),
      changed_(mechanism_->make_reading()),
      normal_(n_) {
  check_input_form(*mechanism_, options_);
  order_ = common_order(*mechanism_, options_.inputs);
  const bool with_acceleration = order_ == 2 && options_.scheme != AccelerationScheme::None;
  blocks_ = order_ + (with_acceleration ? 1 : 0);
  for (const int sensor : options_.inputs) {
    const model::planar::Sensor& s =
        mechanism_->description().sensors[static_cast<std::size_t>(sensor)];
    const double variance = model::planar::sensor_variance(s);
    weights_.push_back(variance > 0.0 ? 1.0 / variance : 1.0);
    sigmas_.push_back(std::sqrt(variance));
  }
  const Index m = static_cast<Index>(options_.inputs.size());
  const Index y = order_ * n_;
  implicit_ = model::planar::SmallLu(order_ * n_);
  S_ = by_z_ = by_zd_ = MatrixXd::Zero(m, n_);
  rest_ = mid_input_ = VectorXd::Zero(m);
  solution_ = right_ = VectorXd::Zero(n_);
  y_ = stage_ = rate_ = next_ = first_rate_ = VectorXd::Zero(y);
  G_ = stage_slope_ = rate_slope_ = next_slope_ = first_slope_ = MatrixXd::Zero(y, y);
  changed_before_ = changed_now_ = sigmas_;
  above_ = below_ = moved_ = VectorXd::Zero(states());
}

double KinematicInputModel::determinant(std::span<const double> z,
                                        std::span<const double> u) const {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (mechanism_->solve_position(z, state_) != model::planar::StepStatus::Success) return kNone;
  double* const N = normal_.data();
  std::fill_n(N, n_ * n_, 0.0);
  for (std::size_t i = 0; i < options_.inputs.size(); ++i) {
    if (std::isnan(u[i])) continue;
    mechanism_->sensor_sensitivity(options_.inputs[i], state_,
                                   {right_.data(), static_cast<std::size_t>(n_)});
    for (int j = 0; j < n_; ++j) {
      for (int k = 0; k < n_; ++k) N[j * n_ + k] += right_(j) * right_(k);
    }
  }
  if (!normal_.factor()) return 0.0;
  double product = 1.0;
  for (int j = 0; j < n_; ++j) product *= N[j * n_ + j];
  return std::abs(product);
}

void KinematicInputModel::output(const Input& /*u*/, std::span<const double> x,
                                 std::span<double> y) const {
  const bool reached = reaches(x);
  if (!reached) ++unreached_;
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = reached ? mechanism_->sensor_value(options_.outputs[i], state_) : unreached_value(i, x);
  }
}

void KinematicInputModel::output_jacobian(const Input& u, std::span<const double> x,
                                          std::span<double> y, MatrixXd& H) const {
  output(u, x, y);
  H.setZero();
  // The sensitivity of a sensor that reads a coordinate itself is the same everywhere.
  for (Index i = 0; i < H.rows(); ++i) {
    mechanism_->sensor_sensitivity(options_.outputs[static_cast<std::size_t>(i)], state_,
                                   {right_.data(), static_cast<std::size_t>(n_)});
    for (int j = 0; j < n_; ++j) H(i, j) = right_(j);
  }
}

void KinematicInputModel::process(const Input& u, std::span<const double> x,
                                  std::span<double> next) const {
  advance(u, x, next, nullptr);
}

void KinematicInputModel::process_jacobian(const Input& u, std::span<const double> x,
                                           std::span<double> next, MatrixXd& F) const {
  advance(u, x, next, &F);
}

SwitchRule::SwitchRule(const SwitchOptions& options) : options_(options) {
  check::non_negative("SwitchRule", "threshold", options.threshold);
  check::in_range("SwitchRule", "release_ratio", options.release_ratio, 1.0, 1e12);
  check::non_negative("SwitchRule", "look_ahead", options.look_ahead);
}

bool SwitchRule::update(double determinant, double step) noexcept {
  const double value = std::isnan(determinant) ? 0.0 : determinant;
  const double rate = has_last_ && step > 0.0 ? (value - last_) / step : 0.0;
  last_ = value;
  has_last_ = true;
  const double threshold = options_.threshold;
  const bool near = value <= threshold || value + rate * options_.look_ahead <= threshold;
  if (!active_) {
    active_ = threshold > 0.0 && near;
  } else {
    const double release = options_.release_ratio * threshold;
    // While it falls, only a configuration well outside counts as left.
    const bool falling = options_.look_ahead > 0.0 && rate < 0.0;
    active_ = falling ? value <= options_.release_ratio * release || near : value <= release;
  }
  return active_;
}

}  // namespace alembert::estimate
