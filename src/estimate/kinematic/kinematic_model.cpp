#include "alembert/estimate/kinematic_model.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/estimate/detail/kinematic_checks.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;

constexpr const char* kOutputModel = "KinematicOutputModel";

// Force cells say nothing to a model without forces.
std::vector<int> all_sensors(const model::planar::Mechanism& mechanism, bool forces) {
  std::vector<int> sensors;
  for (int s = 0; s < mechanism.sensors(); ++s) {
    if (forces || mechanism.force_read_by(s) < 0) sensors.push_back(s);
  }
  return sensors;
}

void refuse_force_cells(const model::planar::Mechanism& mechanism,
                        const std::vector<int>& sensors) {
  for (const int sensor : sensors) {
    if (mechanism.force_read_by(sensor) < 0) continue;
    throw InvalidInput(
        {.function = std::string(kOutputModel),
         .argument = "sensors",
         .rule = "must not be force cells where forces are not estimated",
         .value = fmt::format(
             "'{}'", mechanism.description().sensors[static_cast<std::size_t>(sensor)].name)});
  }
}

// Δt^k / k! for k = 0, 1, ...
std::array<double, 4> taylor_factors(double step) {
  std::array<double, 4> factors{};
  factors[0] = 1.0;
  for (std::size_t k = 1; k < factors.size(); ++k) {
    factors[k] = factors[k - 1] * step / static_cast<double>(k);
  }
  return factors;
}

}  // namespace

void check_sensors(const char* function, const model::planar::Mechanism& mechanism,
                   const std::vector<int>& sensors) {
  for (const int sensor : sensors) {
    check::in_range(function, "sensor", sensor, 0, mechanism.sensors() - 1);
    if (std::count(sensors.begin(), sensors.end(), sensor) > 1) {
      throw InvalidInput(
          {.function = std::string(function),
           .argument = "sensors",
           .rule = "must differ",
           .value = fmt::format(
               "'{}' twice",
               mechanism.description().sensors[static_cast<std::size_t>(sensor)].name)});
    }
  }
}

void check_assembled(const char* function, const model::planar::MechanismState& state) {
  if (!state.positioned) {
    throw InvalidInput({.function = std::string(function),
                        .argument = "start",
                        .rule = "must be assembled",
                        .value = "a state without position"});
  }
}

KinematicModel::KinematicModel(const char* name,
                               std::shared_ptr<const model::planar::Mechanism> mechanism,
                               model::planar::MechanismState start, std::vector<int> outputs)
    : mechanism_(std::move(mechanism)),
      outputs_(std::move(outputs)),
      state_(std::move(start)),
      reading_(mechanism_->make_reading()) {
  check_assembled(name, state_);
  check_sensors(name, *mechanism_, outputs_);
  const model::planar::MechanismDescription& description = mechanism_->description();
  for (const int sensor : outputs_) {
    direct_.push_back(model::planar::coordinate_read_by(
        description, description.sensors[static_cast<std::size_t>(sensor)]));
  }
}

double KinematicModel::unreached_value(std::size_t output,
                                       std::span<const double> z) const noexcept {
  const int coordinate = direct_[output];
  return coordinate < 0 ? std::numeric_limits<double>::quiet_NaN()
                        : z[static_cast<std::size_t>(coordinate)];
}

bool KinematicModel::assembles(std::span<const double> z) const noexcept {
  return mechanism_->solve_position(z, state_) == model::planar::StepStatus::Success;
}

bool KinematicModel::output_is_angle(int i) const {
  const int sensor = outputs_[static_cast<std::size_t>(i)];
  return mechanism_->description().sensors[static_cast<std::size_t>(sensor)].wrap;
}

KinematicOutputModel::KinematicOutputModel(
    std::shared_ptr<const model::planar::Mechanism> mechanism, model::planar::MechanismState start,
    OutputFormOptions options)
    : KinematicModel(
          kOutputModel, mechanism, std::move(start),
          options.sensors.empty() ? all_sensors(*mechanism, options.forces) : options.sensors),
      options_(std::move(options)),
      blocks_(options_.motion == MotionModel::WhiteJerk ? 3 : 4) {
  options_.sensors = outputs_;
  if (options_.forces) {
    balance_ = ForceBalance(*mechanism_);
    check::positive(kOutputModel, "force_cutoff_hz", options_.force_cutoff_hz);
  } else {
    refuse_force_cells(*mechanism_, outputs_);
  }
  check_sensors(kOutputModel, *mechanism_, options_.biases);
  for (const int sensor : options_.biases) {
    if (std::count(outputs_.begin(), outputs_.end(), sensor) == 0) {
      throw InvalidInput(
          {.function = std::string(kOutputModel),
           .argument = "biases",
           .rule = "must be of sensors that are outputs",
           .value = fmt::format(
               "'{}'", mechanism_->description().sensors[static_cast<std::size_t>(sensor)].name)});
    }
  }
  states_ = first_force() + force_blocks() * forces();
  if (options_.forces) options_.compiled.reset();  // the balance of forces needs all of the state
  if (is_compiled()) {
    check::size(kOutputModel, "parameters of the compiled mechanism",
                static_cast<long long>(options_.compiled->parameters().size()),
                options_.geometry ? mechanism_->parameters() : 0);
    fast_ = options_.compiled->make_state(state_);
  }
}

std::shared_ptr<const model::planar::CompiledMechanism> compile_for_observer(
    const std::shared_ptr<const model::planar::Mechanism>& mechanism,
    const OutputFormOptions& options, bool dynamics, const model::EngineOptions& engine) {
  model::planar::CompileOptions wanted{.forward = dynamics, .engine = engine};
  if (options.geometry) {
    for (const auto& one : mechanism->description().parameters) {
      wanted.parameters.push_back(one.name);
    }
  }
  try {
    auto made = std::make_shared<const model::planar::CompiledMechanism>(mechanism, wanted);
    // Without a compiler the mechanism itself is faster than the interpreter.
    const bool use = engine.kind == model::EngineKind::Interpreter ||
                     made->engine() == model::EngineKind::Native;
    return use ? made : nullptr;
  } catch (const InvalidInput&) {
    if (engine.kind == model::EngineKind::Native) throw;
    return nullptr;
  }
}

int KinematicOutputModel::first_parameter() const { return blocks_ * mechanism_->coordinates(); }

int KinematicOutputModel::first_bias() const {
  return first_parameter() + (options_.geometry ? mechanism_->parameters() : 0);
}

int KinematicOutputModel::first_force() const {
  return first_bias() + static_cast<int>(options_.biases.size());
}

int KinematicOutputModel::force_blocks() const {
  return options_.force_model == ForceModel::IntegratedRandomWalk ? 2 : 1;
}

double KinematicOutputModel::force_decay(double step) const {
  if (options_.force_model != ForceModel::LowPass) return 1.0;
  return std::exp(-2.0 * std::numbers::pi * options_.force_cutoff_hz * step);
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
  // F⁺ = F + Δt F', or exp(−2π f Δt) F
  for (int i = 0; i < forces(); ++i) {
    const auto at = static_cast<std::size_t>(first_force() + i);
    next[at] *= force_decay(u.step);
    if (force_blocks() == 2) next[at] += u.step * x[at + static_cast<std::size_t>(forces())];
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
  for (int i = first_force(); i < first_force() + forces(); ++i) {
    F(i, i) = force_decay(u.step);
    if (force_blocks() == 2) F(i, i + forces()) = u.step;
  }
}

bool KinematicOutputModel::reaches_compiled(std::span<const double> x) const noexcept {
  if (options_.geometry) {
    options_.compiled->set_parameters(x.subspan(static_cast<std::size_t>(first_parameter()),
                                                static_cast<std::size_t>(mechanism_->parameters())),
                                      fast_);
  }
  return options_.compiled->solve_position(
             x.subspan(0, static_cast<std::size_t>(mechanism_->coordinates())), fast_) ==
         model::planar::StepStatus::Success;
}

bool KinematicOutputModel::read_compiled(std::span<const double> x, bool slopes) const noexcept {
  if (!reaches_compiled(x)) return false;
  const auto n = static_cast<std::size_t>(mechanism_->coordinates());
  options_.compiled->set_rates(x.subspan(n, n), fast_);
  options_.compiled->set_accelerations(x.subspan(2 * n, n), fast_);
  slopes ? options_.compiled->read_slopes(fast_) : options_.compiled->read(fast_);
  return true;
}

void KinematicOutputModel::set_compiled_row(int sensor, Index i,
                                            Eigen::MatrixXd& H) const noexcept {
  const Index n = mechanism_->coordinates();
  const Eigen::MatrixXd& table = fast_.readings;
  for (Index j = 0; j < 3 * n; ++j) H(i, j) = table(sensor, 1 + j);
  for (Index k = 0; options_.geometry && k < mechanism_->parameters(); ++k) {
    H(i, first_parameter() + k) = table(sensor, 1 + 3 * n + k);
  }
}

bool KinematicOutputModel::reaches(std::span<const double> x) const noexcept {
  if (is_compiled()) return reaches_compiled(x);
  if (options_.geometry) {
    for (Index k = 0; k < state_.p.size(); ++k) {
      state_.p(k) = x[static_cast<std::size_t>(first_parameter() + k)];
    }
  }
  return assembles(x.subspan(0, static_cast<std::size_t>(mechanism_->coordinates())));
}

bool KinematicOutputModel::move(std::span<const double> x) const noexcept {
  if (!reaches(x)) return false;
  const auto n = static_cast<std::size_t>(mechanism_->coordinates());
  mechanism_->solve_velocity(x.subspan(n, n), state_);
  mechanism_->solve_acceleration(x.subspan(2 * n, n), state_);
  return true;
}

void KinematicOutputModel::add_biases(std::span<const double> x,
                                      std::span<double> y) const noexcept {
  for (std::size_t b = 0; b < options_.biases.size(); ++b) {
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (outputs_[i] == options_.biases[b]) {
        y[i] += x[static_cast<std::size_t>(first_bias()) + b];
      }
    }
  }
}

bool KinematicOutputModel::evaluate(std::span<const double> x, std::span<double> y,
                                    bool slopes) const noexcept {
  const bool reached = is_compiled() ? read_compiled(x, slopes) : move(x);
  if (!reached) ++unreached_;
  balanced_ = reached && options_.forces &&
              balance_.solve(*mechanism_, state_,
                             x.subspan(static_cast<std::size_t>(first_force()),
                                       static_cast<std::size_t>(forces())));
  for (std::size_t i = 0; i < y.size(); ++i) {
    const int force = mechanism_->force_read_by(outputs_[i]);
    if (force >= 0) {
      y[i] = balanced_ ? balance_.value(force) : std::numeric_limits<double>::quiet_NaN();
    } else if (!reached) {
      y[i] = unreached_value(i, x);
    } else {
      y[i] = is_compiled() ? fast_.readings(outputs_[i], 0)
                           : mechanism_->sensor_value(outputs_[i], state_);
    }
  }
  add_biases(x, y);
  return reached;
}

void KinematicOutputModel::output(const Input& /*u*/, std::span<const double> x,
                                  std::span<double> y) const {
  evaluate(x, y);
}

void KinematicOutputModel::output_jacobian(const Input& /*u*/, std::span<const double> x,
                                           std::span<double> y, Eigen::MatrixXd& H) const {
  H.setZero();
  const bool reached = evaluate(x, y, true);
  if (reached && !is_compiled()) mechanism_->differentiate(state_);
  if (balanced_) balance_.differentiate(*mechanism_, state_);
  const int n = mechanism_->coordinates();
  for (Index i = 0; i < H.rows(); ++i) {
    const int sensor = outputs_[static_cast<std::size_t>(i)];
    const int direct = direct_[static_cast<std::size_t>(i)];
    if (!reached && direct >= 0) H(i, direct) = 1.0;
    const int force = mechanism_->force_read_by(sensor);
    if (force >= 0) {
      if (balanced_) set_force_row(force, i, H);
    } else if (reached && is_compiled()) {
      set_compiled_row(sensor, i, H);
    } else if (reached) {
      mechanism_->read_sensor(sensor, state_, reading_);
      for (int j = 0; j < n; ++j) {
        H(i, j) = reading_.by_z(j);
        H(i, n + j) = reading_.by_zd(j);
        H(i, 2 * n + j) = reading_.by_zdd(j);
      }
    }
    if (reached && force < 0 && options_.geometry && !is_compiled()) {
      for (Index k = 0; k < reading_.by_p.size(); ++k) {
        H(i, first_parameter() + k) = reading_.by_p(k);
      }
    }
    for (std::size_t b = 0; b < options_.biases.size(); ++b) {
      if (options_.biases[b] == sensor) H(i, first_bias() + static_cast<Index>(b)) = 1.0;
    }
  }
}

void KinematicOutputModel::set_force_row(int force, Index i, Eigen::MatrixXd& H) const noexcept {
  const int n = mechanism_->coordinates();
  const Index row = balance_.row(force);
  for (int j = 0; j < n; ++j) {
    H(i, j) = balance_.by_z(row, j);
    H(i, n + j) = balance_.by_zd(row, j);
    H(i, 2 * n + j) = balance_.by_zdd(row, j);
  }
  for (Index k = 0; options_.geometry && k < balance_.by_p.cols(); ++k) {
    H(i, first_parameter() + k) = balance_.by_p(row, k);
  }
  for (int k = 0; k < forces(); ++k) H(i, first_force() + k) = balance_.by_unknown(row, k);
}

}  // namespace alembert::estimate
