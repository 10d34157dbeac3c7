#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/estimate/kinematic_input_model.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostCorrectorSteps = 12;

std::span<const double> part(const VectorXd& v, int first, int count) {
  return {v.data() + first, static_cast<std::size_t>(count)};
}

}  // namespace

// rate = g(y, u) and, if asked for, its Jacobian by y. With accelerations g = (z', z''), else z'.
// The unknown a solves SᵀW r = 0, r = S a + rest − u.
bool KinematicInputModel::solve(std::span<const double> y, std::span<const double> u,
                                VectorXd& rate, MatrixXd* jacobian) const noexcept {
  const auto n = static_cast<std::size_t>(n_);
  if (mechanism_->solve_position(y.subspan(0, n), state_) != model::planar::StepStatus::Success) {
    return false;
  }
  solution_.setZero();
  mechanism_->solve_velocity(order_ == 2 ? y.subspan(n, n) : part(solution_, 0, n_), state_);
  double* const N = normal_.data();
  std::fill_n(N, n_ * n_, 0.0);
  for (std::size_t i = 0; i < options_.inputs.size(); ++i) {
    const auto row = static_cast<Index>(i);
    const double weight = std::isnan(u[i]) ? 0.0 : weights_[i];
    mechanism_->sensor_sensitivity(options_.inputs[i], state_, {right_.data(), n});
    rest_(row) = mechanism_->sensor_value(options_.inputs[i], state_);
    for (int j = 0; j < n_; ++j) {
      S_(row, j) = right_(j);
      if (weight == 0.0) continue;
      solution_(j) += weight * right_(j) * (u[i] - rest_(row));
      for (int k = 0; k < n_; ++k) N[j * n_ + k] += weight * right_(j) * right_(k);
    }
  }
  if (!normal_.factor()) return false;
  normal_.solve(solution_.data());
  for (int j = 0; j < n_; ++j) {
    if (order_ == 2) rate(j) = y[n + static_cast<std::size_t>(j)];
    rate(rate.size() - n_ + j) = solution_(j);
  }
  if (jacobian != nullptr) differentiate_solution(u, *jacobian);
  return true;
}

// (SᵀWS) δa = −SᵀW (∂r/∂z δz + ∂r/∂z' δz') − Σ W_i r_i δS_i, both at the solution a. The last term
// is zero where inputs are not redundant; else δS follows from a second evaluation, as ∂r/∂z is
// linear in a with ∂S_j/∂z as factor of a_j.
void KinematicInputModel::differentiate_solution(std::span<const double> u,
                                                 MatrixXd& jacobian) const noexcept {
  const auto solve_at = [&](const VectorXd& a) {
    if (order_ == 2) {
      mechanism_->solve_acceleration(part(a, 0, n_), state_);
    } else {
      mechanism_->solve_velocity(part(a, 0, n_), state_);
    }
    mechanism_->differentiate(state_);
  };
  const auto inputs = static_cast<Index>(options_.inputs.size());
  const Index first = jacobian.rows() - n_;
  jacobian.setZero();
  if (order_ == 2) {
    for (int j = 0; j < n_; ++j) jacobian(j, n_ + j) = 1.0;
  }
  solve_at(solution_);
  for (Index i = 0; i < inputs; ++i) {
    mechanism_->read_sensor(options_.inputs[static_cast<std::size_t>(i)], state_, reading_);
    const double reading = u[static_cast<std::size_t>(i)];
    const double weight = std::isnan(reading) ? 0.0 : weights_[static_cast<std::size_t>(i)];
    rest_(i) = weight == 0.0 ? 0.0 : weight * (reading_.value - reading);  // W r
    for (int j = 0; j < n_; ++j) {
      by_z_(i, j) = reading_.by_z(j);
      for (int k = 0; k < n_; ++k) {
        jacobian(first + j, k) -= weight * S_(i, j) * reading_.by_z(k);
        if (order_ == 2) jacobian(first + j, n_ + k) -= weight * S_(i, j) * reading_.by_zd(k);
      }
    }
  }
  if (inputs > n_) {
    for (int j = 0; j < n_; ++j) {
      solution_(j) += 1.0;
      solve_at(solution_);
      solution_(j) -= 1.0;
      for (Index i = 0; i < inputs; ++i) {
        mechanism_->read_sensor(options_.inputs[static_cast<std::size_t>(i)], state_, changed_);
        for (int k = 0; k < n_; ++k) {
          jacobian(first + j, k) -= rest_(i) * (changed_.by_z(k) - by_z_(i, k));
        }
      }
    }
  }
  for (Index k = 0; k < jacobian.cols(); ++k) {
    normal_.solve(jacobian.data() + k * jacobian.rows() + first);
  }
}

// rate_ = g(y_ + factor rate_, input); its slope is G (I + factor · slope of the rate before).
bool KinematicInputModel::stage(double factor, std::span<const double> input,
                                bool derivative) const noexcept {
  for (Index i = 0; i < y_.size(); ++i) stage_(i) = y_(i) + factor * rate_(i);
  if (derivative) {
    stage_slope_ = rate_slope_;
    stage_slope_ *= factor;
    for (Index i = 0; i < y_.size(); ++i) stage_slope_(i, i) += 1.0;
  }
  const auto at = part(stage_, 0, static_cast<int>(stage_.size()));
  if (!solve(at, input, rate_, derivative ? &G_ : nullptr)) return false;
  if (derivative) rate_slope_.noalias() = G_.lazyProduct(stage_slope_);
  return true;
}

// next_ += factor rate_, and likewise its slope.
void KinematicInputModel::accumulate(double factor, bool derivative) const noexcept {
  for (Index i = 0; i < next_.size(); ++i) next_(i) += factor * rate_(i);
  for (Index i = 0; derivative && i < next_slope_.size(); ++i) {
    next_slope_.data()[i] += factor * rate_slope_.data()[i];
  }
}

// next_ (and next_slope_) from y_; first_rate_ = g(y_, u.before) is left for the schemes of z''.
bool KinematicInputModel::integrate(const Input& u, bool derivative) const noexcept {
  const double h = u.step;
  next_ = y_;
  next_slope_.setIdentity();
  rate_.setZero();
  rate_slope_.setZero();
  if (!stage(0.0, u.before, derivative)) return false;
  first_rate_ = rate_;
  first_slope_ = rate_slope_;
  switch (options_.discretisation) {
    case Discretisation::Euler:
      accumulate(h, derivative);
      return true;
    case Discretisation::Heun:
      accumulate(0.5 * h, derivative);
      if (!stage(h, u.now, derivative)) return false;
      accumulate(0.5 * h, derivative);
      return true;
    case Discretisation::RungeKutta:
      return classical_step(u, derivative);
    case Discretisation::Trapezoidal:
      break;
  }
  return implicit_step(u, derivative);
}

bool KinematicInputModel::classical_step(const Input& u, bool derivative) const noexcept {
  const double h = u.step;
  for (Index i = 0; i < mid_input_.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    mid_input_(i) = 0.5 * (u.before[k] + u.now[k]);
  }
  const auto middle = part(mid_input_, 0, static_cast<int>(mid_input_.size()));
  accumulate(h / 6.0, derivative);
  for (int repeat = 0; repeat < 2; ++repeat) {
    if (!stage(0.5 * h, middle, derivative)) return false;
    accumulate(h / 3.0, derivative);
  }
  if (!stage(h, u.now, derivative)) return false;
  accumulate(h / 6.0, derivative);
  return true;
}

// y⁺ = y + (h/2)(g(y, u₋) + g(y⁺, u)), by correction until nothing moves;
// (I − (h/2) G⁺) ∂y⁺ = I + (h/2) G.
bool KinematicInputModel::implicit_step(const Input& u, bool derivative) const noexcept {
  const double half = 0.5 * u.step;
  for (Index i = 0; i < next_.size(); ++i) next_(i) = y_(i) + u.step * first_rate_(i);
  for (int step = 0; step < kMostCorrectorSteps; ++step) {
    const auto at = part(next_, 0, static_cast<int>(next_.size()));
    if (!solve(at, u.now, rate_, nullptr)) return false;
    double moved = 0.0;
    for (Index i = 0; i < next_.size(); ++i) {
      const double value = y_(i) + half * (first_rate_(i) + rate_(i));
      moved = std::max(moved, std::abs(value - next_(i)) / (1.0 + std::abs(value)));
      next_(i) = value;
    }
    if (moved <= 1e-14) break;
  }
  if (!derivative) return true;
  if (!solve(part(next_, 0, static_cast<int>(next_.size())), u.now, rate_, &G_)) return false;
  const int size = static_cast<int>(next_.size());
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) {
      const double unit = i == j ? 1.0 : 0.0;
      implicit_.data()[j * size + i] = unit - half * G_(i, j);
      next_slope_(i, j) = unit + half * first_slope_(i, j);
    }
  }
  if (!implicit_.factor()) return false;
  for (int j = 0; j < size; ++j) implicit_.solve(next_slope_.data() + j * size);
  return true;
}

// The block of z'' of the next state, from its scheme.
bool KinematicInputModel::accelerate(const Input& u, std::span<const double> x,
                                     std::span<double> next, MatrixXd* F) const noexcept {
  const Index n = n_;
  const AccelerationScheme scheme = options_.scheme;
  if (scheme == AccelerationScheme::Constraint || scheme == AccelerationScheme::ConstraintNow) {
    const bool now = scheme == AccelerationScheme::ConstraintNow;
    if (now && !solve(part(next_, 0, 2 * n_), u.now, first_rate_, F == nullptr ? nullptr : &G_)) {
      return false;
    }
    if (now && F != nullptr) first_slope_.noalias() = G_.lazyProduct(next_slope_);
    for (Index j = 0; j < n; ++j) {
      next[static_cast<std::size_t>(2 * n + j)] = first_rate_(n + j);
      for (Index k = 0; F != nullptr && k < 2 * n; ++k) (*F)(2 * n + j, k) = first_slope_(n + j, k);
    }
    return true;
  }
  const double difference = 1.0 / (options_.gamma * u.step);
  const double keep = (options_.gamma - 1.0) / options_.gamma;
  const bool constraint = scheme == AccelerationScheme::NewmarkConstraint;
  for (Index j = 0; j < n; ++j) {
    const auto at = [n, j](Index block) { return static_cast<std::size_t>(block * n + j); };
    const double before = constraint ? first_rate_(n + j) : x[at(2)];
    next[at(2)] = difference * (next_(n + j) - x[at(1)]) + keep * before;
    if (F == nullptr) continue;
    for (Index k = 0; k < 2 * n; ++k) {
      (*F)(2 * n + j, k) =
          difference * next_slope_(n + j, k) + (constraint ? keep * first_slope_(n + j, k) : 0.0);
    }
    (*F)(2 * n + j, n + j) -= difference;
    if (!constraint) (*F)(2 * n + j, 2 * n + j) = keep;
  }
  return true;
}

void KinematicInputModel::walk(const Input& u, std::span<const double> x, std::span<double> next,
                               MatrixXd* F) const noexcept {
  const auto n = static_cast<std::size_t>(n_);
  std::copy(x.begin(), x.end(), next.begin());
  for (std::size_t i = 0; i + n < x.size(); ++i) next[i] += u.step * x[i + n];
  if (F == nullptr) return;
  F->setIdentity();
  for (Index i = 0; i + n_ < F->rows(); ++i) (*F)(i, i + n_) = u.step;
}

void KinematicInputModel::advance(const Input& u, std::span<const double> x, std::span<double> next,
                                  MatrixXd* F) const noexcept {
  if (u.random_walk) return walk(u, x, next, F);
  std::copy_n(x.data(), y_.size(), y_.data());
  if (F != nullptr) F->setZero();
  bool reached = integrate(u, F != nullptr);
  if (reached) {
    std::copy_n(next_.data(), next_.size(), next.data());
    for (Index i = 0; F != nullptr && i < next_.size(); ++i) {
      for (Index j = 0; j < next_.size(); ++j) (*F)(i, j) = next_slope_(i, j);
    }
    if (blocks_ > order_) reached = accelerate(u, x, next, F);
  }
  if (!reached) std::fill(next.begin(), next.end(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace alembert::estimate
