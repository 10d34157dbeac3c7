#include "estimate/force/force_stage.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
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
  for (std::size_t i = 0; i < mechanism.description().forces.size(); ++i) {
    for (int s = 0; s < mechanism.sensors(); ++s) {
      if (mechanism.force_read_by(s) == static_cast<int>(i)) cells.push_back(s);
    }
  }
  return cells;
}

std::vector<std::string> force_names(const Mechanism& mechanism, bool known) {
  std::vector<std::string> names;
  for (const model::planar::Force& force : mechanism.description().forces) {
    if (force.known == known) names.push_back(fmt::format("force({})", force.name));
  }
  return names;
}

int unknown_forces(const Mechanism& mechanism) {
  return static_cast<int>(force_names(mechanism, false).size());
}

std::vector<std::string> stage_states(const Mechanism& mechanism, bool known_walk, bool rates) {
  std::vector<std::string> names = force_names(mechanism, true);
  const std::vector<std::string> unknown = force_names(mechanism, false);
  names.insert(names.end(), unknown.begin(), unknown.end());
  if (!rates) return names;
  for (const std::string& name : force_names(mechanism, known_walk)) names.push_back(name + "'");
  return names;
}

ObservedLayout stage_layout(const Mechanism& mechanism, std::vector<std::string> states) {
  const int n = mechanism.coordinates();
  const int inputs = 3 * n + 9 * n * n;
  std::vector<int> sensors(static_cast<std::size_t>(inputs + n));
  std::iota(sensors.begin(), sensors.end(), 0);
  return {.states = std::move(states),
          .sensors = inputs + n,
          .inputs = {sensors.begin(), sensors.begin() + inputs},
          .outputs = {sensors.begin() + inputs, sensors.end()},
          .orders = std::vector<int>(static_cast<std::size_t>(n), 0),
          .angles = std::vector<bool>(static_cast<std::size_t>(n), false),
          .noise = sensor_noise(mechanism, cells_of_known(mechanism))};
}

std::span<const double> part_of(std::span<const double> x, int first, int count) {
  return x.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

}  // namespace

ForceStage::ForceStage(std::shared_ptr<const Mechanism> mechanism, MechanismState start,
                       const KinematicObserverOptions& options, ForceDirection direction)
    : mechanism_(std::move(mechanism)),
      output_(options.output),
      options_(options.stages),
      density_(options.output_noise.force_density),
      n_(mechanism_->coordinates()),
      rates_(n_ + unknown_forces(*mechanism_)),
      layout_(stage_layout(
          *mechanism_,
          stage_states(*mechanism_, direction == ForceDirection::Unknown, has_rates()))),
      state_(std::move(start)),
      dynamics_(mechanism_->make_dynamics()),
      lu_(n_),
      acting_(mechanism_->description().forces.size(), 0.0),
      noise_(Noise<double, Eigen::Dynamic>::from_covariance(MatrixXd::Identity(1, 1))) {
  const bool known_walk = direction == ForceDirection::Unknown;
  walks_ = known_walk ? 0 : n_;
  walking_ = known_walk ? n_ : rates_ - n_;
  follows_ = known_walk ? n_ : 0;
  following_ = known_walk ? rates_ - n_ : n_;
  states_ = rates_ + (has_rates() ? walking_ : 0);
  if (density_.size() == 1) density_.resize(static_cast<std::size_t>(walking_), density_[0]);
  check::size("observe_two_stages", "force_density", static_cast<long long>(density_.size()),
              walking_);
  c_ = VectorXd::Zero(n_);
  S_ = MatrixXd::Zero(n_, walking_);
  J_ = product_ = MatrixXd::Zero(n_, 3 * n_);
  covariance_ = MatrixXd::Identity(states_, states_);
  noise_ = Noise<double, Eigen::Dynamic>::from_covariance(covariance_);
}

bool ForceStage::relate(const ObservedInput& u) const noexcept {
  if (mechanism_->solve_position(part_of(u.now, 0, n_), state_) !=
      model::planar::StepStatus::Success) {
    return false;
  }
  mechanism_->solve_velocity(part_of(u.now, n_, n_), state_);
  mechanism_->solve_acceleration(part_of(u.now, 2 * n_, n_), state_);
  mechanism_->reduced_dynamics(state_, dynamics_);
  mechanism_->inverse_dynamics({}, state_, dynamics_);
  const MatrixXd& B_f = follows_ == 0 ? dynamics_.B1 : dynamics_.B2;
  const MatrixXd& B_w = follows_ == 0 ? dynamics_.B2 : dynamics_.B1;
  std::copy_n(B_f.data(), B_f.size(), lu_.data());
  if (!lu_.factor()) return false;
  c_ = dynamics_.tau;
  lu_.solve(c_.data());
  S_ = -B_w;
  for (Index j = 0; j < S_.cols(); ++j) lu_.solve(S_.data() + j * n_);
  return c_.allFinite();
}

// B_f dF_f = ∂τ/∂z dz + ∂τ/∂z' dz' + M dz'' with τ = M z'' + bias − B F at all forces.
void ForceStage::differentiate(std::span<const double> x) const noexcept {
  std::size_t known = 0;
  auto unknown = static_cast<std::size_t>(n_);
  const auto& forces = mechanism_->description().forces;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    acting_[i] = x[forces[i].known ? known++ : unknown++];
  }
  mechanism_->differentiate(state_);
  mechanism_->differentiate_dynamics(acting_, state_, dynamics_);
  J_.leftCols(n_) = dynamics_.tau_z;
  J_.middleCols(n_, n_) = dynamics_.tau_zd;
  J_.rightCols(n_) = dynamics_.M;
  for (Index j = 0; j < J_.cols(); ++j) lu_.solve(J_.data() + j * n_);
}

double ForceStage::decay(double step) const noexcept {
  if (output_.force_model != ForceModel::LowPass) return 1.0;
  return std::exp(-2.0 * std::numbers::pi * output_.force_cutoff_hz * step);
}

void ForceStage::walk(double step, std::span<const double> x,
                      std::span<double> next) const noexcept {
  std::copy(x.begin(), x.end(), next.begin());
  for (int i = 0; i < walking_; ++i) {
    const auto at = static_cast<std::size_t>(walks_ + i);
    next[at] *= decay(step);
    if (has_rates()) next[at] += step * x[static_cast<std::size_t>(rates_ + i)];
  }
}

// Where there is no balance all forces that follow are held.
void ForceStage::process(const ObservedInput& u, std::span<const double> x,
                         std::span<double> next) const {
  walk(u.step, x, next);
  if (!relate(u)) return;
  for (int i = 0; i < following_; ++i) {
    double sum = c_(i);
    for (int j = 0; j < walking_; ++j) {
      sum += S_(i, j) * next[static_cast<std::size_t>(walks_ + j)];
    }
    next[static_cast<std::size_t>(follows_ + i)] = sum;
  }
}

void ForceStage::process_jacobian(const ObservedInput& u, std::span<const double> x,
                                  std::span<double> next, MatrixXd& F) const {
  process(u, x, next);
  F.setIdentity();
  for (int i = 0; i < walking_; ++i) {
    F(walks_ + i, walks_ + i) = decay(u.step);
    if (has_rates()) F(walks_ + i, rates_ + i) = u.step;
  }
  if (!relate(u)) return;
  F.middleRows(follows_, following_).noalias() = S_.lazyProduct(F.middleRows(walks_, walking_));
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

void ForceStage::set_walk_noise(double step) noexcept {
  const double a = output_.force_model == ForceModel::LowPass
                       ? 2.0 * std::numbers::pi * output_.force_cutoff_hz
                       : 0.0;
  for (int i = 0; i < walking_; ++i) {
    const double q =
        output_.force_model == ForceModel::Constant ? 0.0 : density_[static_cast<std::size_t>(i)];
    const int at = walks_ + i;
    if (!has_rates()) {
      // ∫ e^(−2at) dt over the step
      covariance_(at, at) = a > 0.0 ? -q * std::expm1(-2.0 * a * step) / (2.0 * a) : q * step;
      continue;
    }
    const int rate = rates_ + i;
    covariance_(at, at) = q * step * step * step / 3.0;
    covariance_(at, rate) = covariance_(rate, at) = 0.5 * q * step * step;
    covariance_(rate, rate) = q * step;
  }
}

// The walk of a step reaches the forces that follow, and so does what the first stage does not know
// of the motion: Q_f = S Q_w Sᵀ + J P Jᵀ + relation, Q_fw = S Q_w.
void ForceStage::spread_to_followers(const ObservedInput& u, std::span<const double> x) noexcept {
  covariance_.middleRows(follows_, following_).noalias() =
      S_.lazyProduct(covariance_.middleRows(walks_, walking_));
  for (Index j = 0; j < states_; ++j) {
    if (j >= follows_ && j < follows_ + following_) continue;
    for (Index i = follows_; i < follows_ + following_; ++i) covariance_(j, i) = covariance_(i, j);
  }
  for (Index i = 0; i < following_; ++i) {
    for (Index j = 0; j < following_; ++j) {
      covariance_(follows_ + i, follows_ + j) =
          covariance_.row(follows_ + i).segment(walks_, walking_).dot(S_.row(j));
    }
  }
  if (!options_.from_motion) return;
  differentiate(x);
  const Eigen::Map<const MatrixXd> P(u.now.data() + 3 * n_, 3 * n_, 3 * n_);
  product_.noalias() = J_.lazyProduct(P);
  for (Index i = 0; i < following_; ++i) {
    for (Index j = 0; j < following_; ++j) {
      covariance_(follows_ + i, follows_ + j) += product_.row(i).dot(J_.row(j));
    }
  }
}

const Noise<double, Eigen::Dynamic>& ForceStage::process_noise(const ObservedInput& u,
                                                               const VectorXd& mean,
                                                               double /*scale*/) noexcept {
  covariance_.setZero();
  set_walk_noise(u.step);
  if (relate(u)) {
    spread_to_followers(u, {mean.data(), static_cast<std::size_t>(mean.size())});
  }
  // Where a force follows exactly, rounding would leave no covariance.
  constexpr double kRounding = 1e-12;
  for (Index i = follows_; i < follows_ + following_; ++i) {
    covariance_(i, i) += options_.relation_variance + kRounding * covariance_(i, i);
  }
  if (!noise_.assign(covariance_)) {
    for (Index i = 0; i < states_; ++i) {
      for (Index j = 0; j < states_; ++j) covariance_(i, j) *= i == j ? 1.0 : 0.0;
    }
    (void)noise_.assign(covariance_);
  }
  return noise_;
}

Observer force_stage_observer(std::shared_ptr<const Mechanism> mechanism,
                              const KinematicObserverOptions& options, ForceDirection direction) {
  MechanismState state = mechanism->make_state();
  const model::planar::Assembly assembly = mechanism->assemble(options.start.z, state);
  if (!assembly.ok()) {
    throw InvalidInput({.function = "observe_two_stages", .rule = assembly.message});
  }
  const int forces = mechanism->coordinates() + unknown_forces(*mechanism);
  auto stage =
      std::make_unique<ForceStage>(std::move(mechanism), std::move(state), options, direction);
  const auto states = static_cast<Index>(stage->layout().states.size());
  MatrixXd P = MatrixXd::Identity(states, states);
  for (Index i = 0; i < states; ++i) {
    const double sigma = i < forces ? options.start.sigma_force : options.start.sigma_force_rate;
    P(i, i) = sigma * sigma;
  }
  ObserverOptions how;
  how.filter = options.filter;
  how.central_weight = options.central_weight;
  how.gate = options.gate;
  return {std::move(stage), VectorXd::Zero(states), P, how};
}

MatrixXd force_stage_readings(const Mechanism& mechanism, const KinematicEstimate& motion,
                              const Eigen::Ref<const MatrixXd>& readings) {
  const Index n = mechanism.coordinates();
  MatrixXd made(readings.rows(), 4 * n + 9 * n * n);
  made.leftCols(3 * n) = motion.mean.leftCols(3 * n);
  for (Index k = 0; k < made.rows(); ++k) {
    const MatrixXd P = motion.covariances[static_cast<std::size_t>(k)].topLeftCorner(3 * n, 3 * n);
    made.row(k).segment(3 * n, 9 * n * n) = P.reshaped().transpose();
  }
  Index column = 3 * n + 9 * n * n;
  for (const int cell : cells_of_known(mechanism)) {
    const auto& sensor = mechanism.description().sensors[static_cast<std::size_t>(cell)];
    for (Index k = 0; k < made.rows(); ++k) {
      made(k, column) = model::planar::physical_value(sensor, readings(k, cell));
    }
    ++column;
  }
  return made;
}

}  // namespace alembert::estimate
