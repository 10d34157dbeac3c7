#include <algorithm>
#include <cmath>

#include "model/planar/functions.hpp"
#include "model/planar/motion.hpp"

namespace alembert::model::planar {

namespace {

constexpr int kMostNewtonSteps = 25;
constexpr int kMostParts = 400;
constexpr double kLeastPart = 1.0 / 256.0;
// A change of the coordinates beyond this (rad, or sizes of the mechanism) is taken in parts.
constexpr double kLargestPart = 0.4;
// Largest change of an angle, or of a position in sizes, in one Newton step.
constexpr double kLargestNewtonStep = 0.3;
// Residuals (rad, or sizes) at rounding, good enough once they no longer fall, and so small that
// the factors of the last step still serve.
constexpr double kExactResidual = 4e-15;
constexpr double kClosedResidual = 1e-11;
constexpr double kNearResidual = 1e-4;

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

// Residual of constraints and coordinates at the present motion, its largest scaled entry.
double fill_residual(const Layout& layout, const double* z, MechanismState& state) {
  const PointTable table = point_table(layout, state);
  double largest = 0.0;
  for (int i = 0; i < layout.rows(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    double value = position_value(layout.functions[k], table, state.motion.data());
    if (i >= layout.constraints) value -= z[i - layout.constraints];
    state.right_side(i) = value;
    const double scaled_value = std::abs(value) * layout.row_scale[k];
    if (!(scaled_value <= largest)) largest = scaled_value;
  }
  return largest;
}

// Moves by -right_side, shortened so that no body moves too far.
void limited_move(const Layout& layout, MechanismState& state) {
  double largest = 0.0;
  for (int i = 0; i < layout.unknowns(); ++i) {
    const double scale = i % 3 == 2 ? 1.0 : 1.0 / layout.size;
    largest = std::max(largest, std::abs(state.right_side(i)) * scale);
  }
  const double factor = largest > kLargestNewtonStep ? kLargestNewtonStep / largest : 1.0;
  for (int i = 0; i < layout.unknowns(); ++i) state.q(i) -= factor * state.right_side(i);
}

void fill_map(const Layout& layout, MechanismState& state) {
  for (int j = 0; j < layout.coordinates; ++j) {
    double* const column = state.R.data() + j * layout.unknowns();
    std::fill_n(column, layout.unknowns(), 0.0);
    column[layout.constraints + j] = 1.0;
    state.lu.solve(column);
  }
}

// Newton from state.q; the factors at the end belong to the position reached.
StepStatus newton(const Layout& layout, const double* z, MechanismState& state) {
  double before = 0.0;
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    set_positions(layout, state);
    const double gap = fill_residual(layout, z, state);
    if (!std::isfinite(gap)) return StepStatus::NotReached;
    if (gap <= kExactResidual || (gap <= kClosedResidual && step > 0 && gap >= 0.25 * before)) {
      if (!factor_jacobian(layout, state)) return StepStatus::Singular;
      return state.lu.sign() == state.branch ? StepStatus::Success : StepStatus::BranchChange;
    }
    const bool reuse = step > 0 && gap <= kNearResidual && gap <= 0.1 * before;
    if (!reuse && !factor_jacobian(layout, state)) return StepStatus::Singular;
    before = gap;
    state.lu.solve(state.right_side.data());
    limited_move(layout, state);
  }
  return StepStatus::NotReached;
}

}  // namespace

StepStatus Mechanism::step_position(const double* z, MechanismState& state) const noexcept {
  const Layout& layout = *layout_;
  const int unknowns = layout.unknowns();
  std::copy_n(state.q.data(), unknowns, state.trial.data());
  for (int j = 0; j < coordinates_; ++j) {
    const double change = z[j] - state.z(j);
    const double* const column = state.R.data() + j * unknowns;
    for (int i = 0; i < unknowns; ++i) state.q(i) += column[i] * change;
  }
  const StepStatus status = newton(layout, z, state);
  if (status == StepStatus::Success) {
    std::copy_n(z, coordinates_, state.z.data());
    fill_map(layout, state);
    return status;
  }
  std::copy_n(state.trial.data(), unknowns, state.q.data());
  return status;
}

StepStatus Mechanism::solve_position(std::span<const double> z,
                                     MechanismState& state) const noexcept {
  const auto parameters =
      std::span<const double>(state.p.data(), static_cast<std::size_t>(state.p.size()));
  if (!all_finite(z) || !all_finite(parameters)) return StepStatus::NotFinite;
  if (!state.positioned) return StepStatus::NotReached;
  const Layout& layout = *layout_;
  place_points(layout, state);
  // start: the coordinates before this call, then the goal of a part, then the position before.
  double* const from = state.start.data();
  double* const goal = from + coordinates_;
  double* const position = goal + coordinates_;
  std::copy_n(state.z.data(), coordinates_, from);
  std::copy_n(state.q.data(), layout.unknowns(), position);
  double farthest = 0.0;
  for (int j = 0; j < coordinates_; ++j) {
    const double scale = layout.row_scale[static_cast<std::size_t>(layout.constraints + j)];
    farthest = std::max(farthest, std::abs(z[static_cast<std::size_t>(j)] - from[j]) * scale);
  }
  double part = kLargestPart / std::max(farthest, kLargestPart);
  const double least = kLeastPart * part;
  double done = 0.0;
  // The first failure says most: parts that are halved after it end close to where it happened.
  StepStatus failure = StepStatus::Success;
  for (int tries = 0; tries < kMostParts && done < 1.0 && part >= least; ++tries) {
    const double next = std::min(1.0, done + part);
    for (int j = 0; j < coordinates_; ++j) {
      const double target = z[static_cast<std::size_t>(j)];
      goal[j] = next == 1.0 ? target : from[j] + next * (target - from[j]);
    }
    const StepStatus status = step_position(goal, state);
    if (status == StepStatus::Success) {
      done = next;
    } else {
      part *= 0.5;
      if (failure == StepStatus::Success) failure = status;
    }
  }
  if (done == 1.0) return StepStatus::Success;
  // Back to where it was.
  std::copy_n(from, coordinates_, state.z.data());
  std::copy_n(position, layout.unknowns(), state.q.data());
  set_positions(layout, state);
  if (factor_jacobian(layout, state)) fill_map(layout, state);
  return failure == StepStatus::Success ? StepStatus::NotReached : failure;
}

void Mechanism::solve_velocity(std::span<const double> zd, MechanismState& state) const noexcept {
  if (!state.positioned) return;
  const Layout& layout = *layout_;
  const int unknowns = layout.unknowns();
  std::copy_n(zd.data(), coordinates_, state.zd.data());
  for (int i = 0; i < unknowns; ++i) {
    double sum = 0.0;
    for (int j = 0; j < coordinates_; ++j) sum += state.R(i, j) * state.zd(j);
    state.qd(i) = sum;
    state.qdd(i) = 0.0;
  }
  set_rates(layout, state);
  // A c = −(d/dt)(A) q': the second time derivatives at q'' = 0.
  const PointTable table = point_table(layout, state);
  for (int i = 0; i < layout.rows(); ++i) {
    state.c(i) =
        -evaluate(layout.functions[static_cast<std::size_t>(i)], table, state.motion.data())
             .acceleration;
  }
  state.lu.solve(state.c.data());
  std::fill_n(state.zdd.data(), coordinates_, 0.0);
  std::copy_n(state.c.data(), unknowns, state.qdd.data());
  set_rates(layout, state);
}

void Mechanism::solve_acceleration(std::span<const double> zdd,
                                   MechanismState& state) const noexcept {
  std::copy_n(zdd.data(), coordinates_, state.zdd.data());
  for (int i = 0; i < layout_->unknowns(); ++i) {
    double sum = state.c(i);
    for (int j = 0; j < coordinates_; ++j) sum += state.R(i, j) * state.zdd(j);
    state.qdd(i) = sum;
  }
  set_rates(*layout_, state);
}

}  // namespace alembert::model::planar
