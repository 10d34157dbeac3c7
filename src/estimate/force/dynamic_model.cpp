#include "alembert/estimate/force/dynamic_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismState;
using model::planar::StepStatus;

constexpr const char* kDynamicModel = "DynamicModel";

std::span<const double> as_numbers(const VectorXd& v) {
  return {v.data(), static_cast<std::size_t>(v.size())};
}

// The motion has its acceleration as a state and no forces of its own.
OutputFormOptions without_forces(OutputFormOptions options) {
  options.motion = MotionModel::WhiteJerk;
  options.forces = false;
  return options;
}

}  // namespace

DynamicModel::DynamicModel(std::shared_ptr<const Mechanism> mechanism, const MechanismState& start,
                           DynamicFormOptions options)
    : options_(std::move(options)),
      base_(mechanism, start, without_forces(options_.output)),
      n_(mechanism->coordinates()),
      parameters_(options_.output.geometry ? mechanism->parameters() : 0),
      state_(start),
      dynamics_(mechanism->make_dynamics()) {
  check_unknown_forces(kDynamicModel, *mechanism);
  check::positive(kDynamicModel, "force_cutoff_hz", options_.output.force_cutoff_hz);
  VectorXd rest = VectorXd::Zero(n_);
  mechanism->solve_velocity(as_numbers(rest), state_);
  const std::string missing = mechanism->explain_masses(state_);
  if (!missing.empty()) throw InvalidInput({.function = kDynamicModel, .rule = missing});
  const auto& forces = mechanism->description().forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const int force = static_cast<int>(i);
    if (!forces[i].known) unknown_.push_back(force);
    for (int s = 0; s < mechanism->sensors(); ++s) {
      if (mechanism->force_read_by(s) != force) continue;
      inputs_.push_back(s);
      known_.push_back(force);
      sigmas_.push_back(std::sqrt(model::planar::sensor_variance(
          mechanism->description().sensors[static_cast<std::size_t>(s)])));
    }
  }
  acting_.assign(forces.size(), 0.0);
  if (base_.options().compiled) fast_ = base_.options().compiled->make_state(start);
  z_ = zd_ = before_ = after_ = rest;
  slope_before_ = slope_after_ = MatrixXd::Zero(n_, 2 * n_ + parameters_ + this->forces());
}

int DynamicModel::force_blocks() const {
  return options_.output.force_model == ForceModel::IntegratedRandomWalk ? 2 : 1;
}

bool DynamicModel::reaches(std::span<const double> x) const noexcept { return base_.reaches(x); }

void DynamicModel::output(const Input& u, std::span<const double> x, std::span<double> y) const {
  base_.output(u, x, y);
}

void DynamicModel::output_jacobian(const Input& u, std::span<const double> x, std::span<double> y,
                                   MatrixXd& H) const {
  base_.output_jacobian(u, x, y, H);
}

int DynamicModel::state_of(int column) const {
  if (column < 2 * n_) return column;
  const int rest = column - 2 * n_;
  return rest < parameters_ ? base_.first_parameter() + rest : first_force() + rest - parameters_;
}

// M z'' = B F − bias. With all forces at their values τ stays zero: M dz'' = −∂τ/∂z dz − ... + B2
// dF2.
bool DynamicModel::accelerate(std::span<const double> z, std::span<const double> zd,
                              std::span<const double> x, std::span<const double> u, VectorXd& zdd,
                              MatrixXd* slope) const noexcept {
  for (std::size_t i = 0; i < known_.size(); ++i) {
    acting_[static_cast<std::size_t>(known_[i])] = u[i];
  }
  for (std::size_t i = 0; i < unknown_.size(); ++i) {
    acting_[static_cast<std::size_t>(unknown_[i])] = x[static_cast<std::size_t>(first_force()) + i];
  }
  if (base_.options().compiled) return accelerate_compiled(z, zd, x, zdd, slope);
  const Mechanism& mechanism = base_.mechanism();
  for (int i = 0; i < parameters_; ++i) {
    state_.p(i) = x[static_cast<std::size_t>(base_.first_parameter() + i)];
  }
  if (mechanism.solve_position(z, state_) != StepStatus::Success) return false;
  mechanism.solve_velocity(zd, state_);
  if (!mechanism.forward_dynamics(acting_, state_, dynamics_)) return false;
  zdd = state_.zdd;
  if (slope == nullptr) return true;
  mechanism.differentiate(state_);
  mechanism.differentiate_dynamics(acting_, state_, dynamics_);
  slope->leftCols(n_) = -dynamics_.tau_z;
  slope->middleCols(n_, n_) = -dynamics_.tau_zd;
  if (parameters_ > 0) slope->middleCols(2 * n_, parameters_) = -dynamics_.tau_p;
  slope->rightCols(forces()) = dynamics_.B2;
  for (Index j = 0; j < slope->cols(); ++j) dynamics_.lu.solve(slope->data() + j * n_);
  return true;
}

bool DynamicModel::accelerate_compiled(std::span<const double> z, std::span<const double> zd,
                                       std::span<const double> x, VectorXd& zdd,
                                       MatrixXd* slope) const noexcept {
  const model::planar::CompiledMechanism& compiled = *base_.options().compiled;
  if (parameters_ > 0) {
    compiled.set_parameters(x.subspan(static_cast<std::size_t>(base_.first_parameter()),
                                      static_cast<std::size_t>(parameters_)),
                            fast_);
  }
  if (compiled.solve_position(z, fast_) != StepStatus::Success) return false;
  compiled.set_rates(zd, fast_);
  const bool solved =
      slope == nullptr ? compiled.forward(acting_, fast_) : compiled.forward_slopes(acting_, fast_);
  if (!solved) return false;
  const MatrixXd& table = fast_.forward;  // z'', pivots, ∂z, ∂z', ∂F, ∂p
  zdd = table.col(0);
  if (slope == nullptr) return true;
  const auto acting = static_cast<Index>(acting_.size());
  slope->leftCols(2 * n_) = table.middleCols(2, 2 * n_);
  if (parameters_ > 0) {
    slope->middleCols(2 * n_, parameters_) = table.middleCols(2 + 2 * n_ + acting, parameters_);
  }
  for (std::size_t i = 0; i < unknown_.size(); ++i) {
    slope->col(2 * n_ + parameters_ + static_cast<Index>(i)) = table.col(2 + 2 * n_ + unknown_[i]);
  }
  return true;
}

// F⁺ = F + Δt F', or exp(−2π f Δt) F
void DynamicModel::advance_forces(double step, std::span<const double> x, std::span<double> next,
                                  MatrixXd* F) const noexcept {
  const bool low_pass = options_.output.force_model == ForceModel::LowPass;
  const double decay =
      low_pass ? std::exp(-2.0 * std::numbers::pi * options_.output.force_cutoff_hz * step) : 1.0;
  for (int i = 0; i < forces(); ++i) {
    const int at = first_force() + i;
    const auto place = static_cast<std::size_t>(at);
    next[place] = decay * x[place];
    if (F != nullptr) (*F)(at, at) = decay;
    if (force_blocks() != 2) continue;
    next[place] += step * x[place + unknown_.size()];
    if (F != nullptr) (*F)(at, at + forces()) = step;
  }
}

// The acceleration of the state is kept: z⁺ = z + Δt z' + Δt²/2 z''.
void DynamicModel::hold(const Input& u, std::span<const double> x, std::span<double> next,
                        MatrixXd* F) const noexcept {
  const double h = u.step;
  for (int i = 0; i < n_; ++i) {
    const auto z = static_cast<std::size_t>(i);
    const auto zd = static_cast<std::size_t>(n_ + i);
    const auto zdd = static_cast<std::size_t>(2 * n_ + i);
    next[z] = x[z] + h * x[zd] + 0.5 * h * h * x[zdd];
    next[zd] = x[zd] + h * x[zdd];
    if (F == nullptr) continue;
    (*F)(i, n_ + i) = (*F)(n_ + i, 2 * n_ + i) = h;
    (*F)(i, 2 * n_ + i) = 0.5 * h * h;
  }
}

// F = ∂x⁺/∂x from the slopes at both ends of a step.
void DynamicModel::chain(double h, MatrixXd& F) const noexcept {
  const double share = options_.heun ? 0.5 : 1.0;
  for (int i = 0; i < n_; ++i) {
    F(i, n_ + i) = h;
    for (int c = 0; c < slope_before_.cols(); ++c) {
      F(i, state_of(c)) += 0.5 * h * h * slope_before_(i, c);
      F(n_ + i, state_of(c)) += share * h * slope_before_(i, c);
    }
  }
  // z''⁺ by z⁺, by the rate predicted with a, and by the parameters and forces of x⁺
  for (int i = 0; i < n_; ++i) {
    for (int c = 0; c < F.cols(); ++c) F(2 * n_ + i, c) = 0.0;
    for (int k = 0; k < n_; ++k) {
      const double by_z = slope_after_(i, k);
      const double by_zd = slope_after_(i, n_ + k);
      for (int c = 0; c < F.cols(); ++c) F(2 * n_ + i, c) += by_z * F(k, c);
      F(2 * n_ + i, n_ + k) += by_zd;
      for (int c = 0; c < slope_before_.cols(); ++c) {
        F(2 * n_ + i, state_of(c)) += by_zd * h * slope_before_(k, c);
      }
    }
    for (int c = 2 * n_; c < slope_after_.cols(); ++c) {
      const int row = state_of(c);
      F(2 * n_ + i, row) += slope_after_(i, c) * F(row, row);
      if (row >= first_force() && force_blocks() == 2) {
        F(2 * n_ + i, row + forces()) += slope_after_(i, c) * h;
      }
    }
  }
  if (!options_.heun) return;
  for (int i = 0; i < n_; ++i) {
    for (int c = 0; c < F.cols(); ++c) F(n_ + i, c) += 0.5 * h * F(2 * n_ + i, c);
  }
}

void DynamicModel::advance(const Input& u, std::span<const double> x, std::span<double> next,
                           MatrixXd* F) const noexcept {
  const double h = u.step;
  const auto n = static_cast<std::size_t>(n_);
  std::copy(x.begin(), x.end(), next.begin());
  if (F != nullptr) F->setIdentity();
  advance_forces(h, x, next, F);
  const auto has_all = [](std::span<const double> readings) {
    return std::none_of(readings.begin(), readings.end(), [](double r) { return std::isnan(r); });
  };
  if (h == 0.0) return;
  if (u.random_walk || !has_all(u.before) || !has_all(u.now)) {
    hold(u, x, next, F);
    return;
  }
  bool moved = accelerate(x.subspan(0, n), x.subspan(n, n), x, u.before, before_,
                          F == nullptr ? nullptr : &slope_before_);
  for (std::size_t i = 0; moved && i < n; ++i) {
    const auto row = static_cast<Index>(i);
    z_(row) = x[i] + h * x[n + i] + 0.5 * h * h * before_(row);
    zd_(row) = x[n + i] + h * before_(row);
  }
  moved = moved && accelerate(as_numbers(z_), as_numbers(zd_), next, u.now, after_,
                              F == nullptr ? nullptr : &slope_after_);
  if (!moved) {
    std::fill(next.begin(), next.end(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<Index>(i);
    next[i] = z_(row);
    next[n + i] = options_.heun ? x[n + i] + 0.5 * h * (before_(row) + after_(row)) : zd_(row);
    next[2 * n + i] = after_(row);
  }
  if (F != nullptr) chain(h, *F);
}

void DynamicModel::process(const Input& u, std::span<const double> x,
                           std::span<double> next) const {
  advance(u, x, next, nullptr);
}

void DynamicModel::process_jacobian(const Input& u, std::span<const double> x,
                                    std::span<double> next, MatrixXd& F) const {
  advance(u, x, next, &F);
}

bool DynamicModel::input_spread(std::span<const double> x, MatrixXd& spread) const noexcept {
  const Mechanism& mechanism = base_.mechanism();
  const auto n = static_cast<std::size_t>(n_);
  if (mechanism.solve_position(x.subspan(0, n), state_) != StepStatus::Success) return false;
  mechanism.solve_velocity(x.subspan(n, n), state_);
  if (!mechanism.forward_dynamics(acting_, state_, dynamics_)) return false;
  // Two cells of one force would both count.
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const auto column = static_cast<Index>(i);
    Index known = 0;
    for (int f = 0; f < known_[i]; ++f) {
      known += mechanism.description().forces[static_cast<std::size_t>(f)].known ? 1 : 0;
    }
    spread.col(column) = sigmas_[i] * dynamics_.B1.col(known);
    dynamics_.lu.solve(spread.data() + column * n_);
  }
  return true;
}

}  // namespace alembert::estimate
