#include "estimate/kinematic/force_stage.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "alembert/core/check.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismState;

// The cells of the known forces, in the order of these.
std::vector<int> cells_of_known(const Mechanism& mechanism) {
  std::vector<int> cells;
  const auto& forces = mechanism.description().forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    for (int s = 0; s < mechanism.sensors(); ++s) {
      if (mechanism.force_read_by(s) == static_cast<int>(i)) cells.push_back(s);
    }
  }
  return cells;
}

std::vector<std::string> names_of_forces(const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const bool known : {true, false}) {
    for (const model::planar::Force& force : mechanism.description().forces) {
      if (force.known == known) names.push_back(fmt::format("force({})", force.name));
    }
  }
  return names;
}

ObservedLayout layout_of_forces(const Mechanism& mechanism) {
  const int n = mechanism.coordinates();
  const int inputs = 3 * n + 9 * n * n;
  std::vector<int> sensors(static_cast<std::size_t>(inputs + n));
  std::iota(sensors.begin(), sensors.end(), 0);
  return {.states = names_of_forces(mechanism),
          .sensors = inputs + n,
          .inputs = {sensors.begin(), sensors.begin() + inputs},
          .outputs = {sensors.begin() + inputs, sensors.end()},
          .orders = std::vector<int>(static_cast<std::size_t>(n), 0),
          .angles = std::vector<bool>(static_cast<std::size_t>(n), false),
          .noise = sensor_noise(mechanism, cells_of_known(mechanism))};
}

}  // namespace

ForceStage::ForceStage(std::shared_ptr<const Mechanism> mechanism, MechanismState start,
                       const TwoStageOptions& options, ForceDirection direction)
    : mechanism_(std::move(mechanism)),
      options_(options),
      direction_(direction),
      n_(mechanism_->coordinates()),
      unknown_(ForceBalance(*mechanism_).unknown()),
      layout_(layout_of_forces(*mechanism_)),
      state_(std::move(start)),
      balance_(*mechanism_),
      lu_(n_),
      f0_(VectorXd::Zero(n_)),
      G_(MatrixXd::Zero(n_, unknown_)),
      J_(MatrixXd::Zero(n_, 3 * n_)),
      covariance_(MatrixXd::Identity(n_ + unknown_, n_ + unknown_)),
      spread_(J_),
      noise_(Noise<double, Eigen::Dynamic>::from_covariance(covariance_)) {
  const int walking = by_known() ? unknown_ : n_;
  std::vector<double>& density = options_.force_density;
  if (density.size() == 1) density.resize(static_cast<std::size_t>(walking), density[0]);
  check::size("observe_two_stages", "force_density", static_cast<long long>(density.size()),
              walking);
}

bool ForceStage::balance(const ObservedInput& u, std::span<const double> unknown) const noexcept {
  const auto n = static_cast<std::size_t>(n_);
  if (mechanism_->solve_position(u.now.subspan(0, n), state_) !=
      model::planar::StepStatus::Success) {
    return false;
  }
  mechanism_->solve_velocity(u.now.subspan(n, n), state_);
  mechanism_->solve_acceleration(u.now.subspan(2 * n, n), state_);
  if (!balance_.solve(*mechanism_, state_, unknown)) return false;
  mechanism_->differentiate(state_);
  balance_.differentiate(*mechanism_, state_);
  G_ = -balance_.by_unknown;
  J_.leftCols(n_) = balance_.by_z;
  J_.middleCols(n_, n_) = balance_.by_zd;
  J_.rightCols(n_) = balance_.by_zdd;
  const auto& forces = mechanism_->description().forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const int row = balance_.row(static_cast<int>(i));
    if (row >= 0) f0_(row) = balance_.value(static_cast<int>(i));
  }
  // f12 at F2 = 0
  for (int i = 0; i < n_; ++i) {
    for (int j = 0; j < unknown_; ++j) f0_(i) += G_(i, j) * unknown[static_cast<std::size_t>(j)];
  }
  if (by_known()) return true;
  std::copy_n(G_.data(), G_.size(), lu_.data());
  return lu_.factor();
}

void ForceStage::process(const ObservedInput& u, std::span<const double> x,
                         std::span<double> next) const {
  const auto n = static_cast<std::size_t>(n_);
  std::copy(x.begin(), x.end(), next.begin());
  if (!balance(u, x.subspan(n))) return;  // all forces are held
  if (by_known()) {
    // F1 = f0 − G F2
    for (int i = 0; i < n_; ++i) {
      double sum = f0_(i);
      for (int j = 0; j < unknown_; ++j) sum -= G_(i, j) * x[n + static_cast<std::size_t>(j)];
      next[static_cast<std::size_t>(i)] = sum;
    }
    return;
  }
  // G F2 = f0 − F1
  for (int i = 0; i < n_; ++i) f0_(i) -= x[static_cast<std::size_t>(i)];
  lu_.solve(f0_.data());
  for (int i = 0; i < n_; ++i) next[n + static_cast<std::size_t>(i)] = f0_(i);
}

void ForceStage::process_jacobian(const ObservedInput& u, std::span<const double> x,
                                  std::span<double> next, MatrixXd& F) const {
  const auto n = static_cast<std::size_t>(n_);
  F.setIdentity();
  process(u, x, next);
  if (!balance(u, x.subspan(n))) return;
  if (by_known()) {
    F.topLeftCorner(n_, n_).setZero();
    F.topRightCorner(n_, unknown_) = -G_;
    return;
  }
  F.bottomRows(unknown_).setZero();
  for (int j = 0; j < n_; ++j) {
    double* const column = F.data() + j * F.rows() + n_;
    column[j] = -1.0;
    lu_.solve(column);
  }
}

void ForceStage::output(const ObservedInput& /*u*/, std::span<const double> x,
                        std::span<double> y) const {
  std::copy_n(x.begin(), y.size(), y.begin());
}

void ForceStage::output_jacobian(const ObservedInput& u, std::span<const double> x,
                                 std::span<double> y, MatrixXd& H) const {
  output(u, x, y);
  H.setZero();
  H.leftCols(n_).setIdentity();
}

// The walk w of a step reaches the forces of the balance too, Q = (S; I) q (S; I)ᵀ, with S = −G or
// −G⁻¹ and q of the walking ones.
void ForceStage::spread_walk(Index follows, Index walks, Index walking) noexcept {
  const Index followers = covariance_.rows() - walking;
  for (Index w = 0; w < walking; ++w) {
    VectorXd& slope = f0_;
    slope.setZero();
    if (by_known()) {
      for (Index i = 0; i < n_; ++i) slope(i) = -G_(i, w);
    } else {
      slope(w) = -1.0;
      lu_.solve(slope.data());
    }
    const double q = covariance_(walks + w, walks + w);
    for (Index i = 0; i < followers; ++i) {
      covariance_(follows + i, walks + w) = covariance_(walks + w, follows + i) = q * slope(i);
      for (Index j = 0; j < followers; ++j) {
        covariance_(follows + i, follows + j) += q * slope(i) * slope(j);
      }
    }
  }
}

// What the first stage does not know of the motion: J P Jᵀ.
void ForceStage::spread_motion(const ObservedInput& u, Index follows, Index followers) noexcept {
  if (!by_known()) {
    for (Index j = 0; j < J_.cols(); ++j) lu_.solve(J_.data() + j * n_);
  }
  const Eigen::Map<const MatrixXd> P(u.now.data() + 3 * n_, 3 * n_, 3 * n_);
  spread_.noalias() = J_.lazyProduct(P);
  for (Index i = 0; i < followers; ++i) {
    for (Index j = 0; j < followers; ++j) {
      covariance_(follows + i, follows + j) += spread_.row(i).dot(J_.row(j));
    }
  }
}

const Noise<double, Eigen::Dynamic>& ForceStage::process_noise(const ObservedInput& u,
                                                               const VectorXd& mean,
                                                               double /*scale*/) noexcept {
  covariance_.setZero();
  const Index walks = by_known() ? n_ : 0;
  const Index follows = by_known() ? 0 : n_;
  const Index walking = by_known() ? unknown_ : n_;
  const Index followers = covariance_.rows() - walking;
  for (Index i = 0; i < walking; ++i) {
    covariance_(walks + i, walks + i) =
        options_.force_density[static_cast<std::size_t>(i)] * u.step;
  }
  for (Index i = 0; i < followers; ++i) {
    covariance_(follows + i, follows + i) = options_.relation_variance;
  }
  if (balance(u, {mean.data() + n_, static_cast<std::size_t>(unknown_)})) {
    spread_walk(follows, walks, walking);
    if (options_.from_motion) spread_motion(u, follows, followers);
  }
  (void)noise_.assign(covariance_);
  return noise_;
}

}  // namespace alembert::estimate
