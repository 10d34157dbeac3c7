#include <algorithm>
#include <cmath>
#include <limits>

#include "model/planar/functions.hpp"
#include "model/planar/motion.hpp"

// Following a mechanism from one position to the next on the same branch; see
// docs/theory/mechanisms.md, section 2.

namespace alembert::model::planar {

namespace {

constexpr int kMostNewtonSteps = 25;
// A change of the coordinates beyond this (rad, or sizes of the mechanism) is taken in parts.
constexpr double kLargestPart = 0.4;
// Parts of this size at most are needed for the whole way; farther goals are not tried.
constexpr double kMostParts = 2e4;
// Tries beyond those of a way without difficulties, and tries for each part of it.
constexpr int kSpareTries = 400;
constexpr int kTriesOfPart = 4;
// Parts are halved down to this share of the largest one.
constexpr double kLeastPart = 1.0 / 262144.0;
// Largest change of an angle, or of a position in sizes, in one Newton step.
constexpr double kLargestNewtonStep = 0.3;
// Residuals (rad, or sizes) at rounding, good enough once they no longer fall, and so small that
// the factors of the last step still serve. The first two are for angles of the size of one.
constexpr double kExactResidual = 4e-15;
constexpr double kClosedResidual = 1e-11;
constexpr double kNearResidual = 1e-4;
// Largest distance of a position from its linear prediction, rad or sizes.
constexpr double kLargestCorrection = 0.3;
// The same as a share of the step, where the sign of det A changes.
constexpr double kPassingCorrection = 0.1;
// R may turn by this share of itself in a step of length zero, by this much more for each rad (or
// size) of the step, and by this share at most.
constexpr double kLeastTurn = 0.2;
constexpr double kTurnOfStep = 1.5;
constexpr double kMostTurn = 0.65;
// Angles that a prediction over any distance hits, as a share of the distance.
constexpr double kExactPrediction = 1e-9;

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool is_angle(int unknown) { return unknown % 3 == 2; }

// 1 for angles, 1/size for positions.
double unknown_scale(const Layout& layout, int unknown) {
  return is_angle(unknown) ? 1.0 : 1.0 / layout.size;
}

// Rounding of angles grows with them: the residuals are judged in this unit.
double angle_unit(const Layout& layout, const MechanismState& state) {
  double largest = 1.0;
  for (int b = 0; b < layout.ground(); ++b) {
    largest = std::max(largest, std::abs(state.q(3 * b + 2)));
  }
  return largest;
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
void limited_move(const Layout& layout, double most, MechanismState& state) {
  double largest = 0.0;
  for (int i = 0; i < layout.unknowns(); ++i) {
    largest = std::max(largest, std::abs(state.right_side(i)) * unknown_scale(layout, i));
  }
  const double factor = largest > most ? most / largest : 1.0;
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
StepStatus newton(const Layout& layout, const double* z, double most, MechanismState& state) {
  double before = 0.0;
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    set_positions(layout, state);
    const double gap = fill_residual(layout, z, state);
    if (!std::isfinite(gap)) return StepStatus::NotReached;
    const double unit = angle_unit(layout, state);
    const bool exact = gap <= kExactResidual * unit;
    if (exact || (gap <= kClosedResidual * unit && step > 0 && gap >= 0.25 * before)) {
      return factor_jacobian(layout, state) ? StepStatus::Success : StepStatus::Singular;
    }
    const bool reuse = step > 0 && gap <= kNearResidual && gap <= 0.1 * before;
    if (!reuse && !factor_jacobian(layout, state)) return StepStatus::Singular;
    before = gap;
    state.lu.solve(state.right_side.data());
    limited_move(layout, most, state);
  }
  return StepStatus::NotReached;
}

// The position and R before a step, and the position that R predicts, in the memory of a state.
struct Before {
  double* q;
  double* predicted;
  double* R;

  Before(const Layout& layout, MechanismState& state)
      : q(state.trial.data()), predicted(q + layout.unknowns()), R(predicted + layout.unknowns()) {}
};

// q + R Δz; the old position and R are kept. Returns the largest scaled move.
double predict(const Layout& layout, const double* z, MechanismState& state) {
  const Before before(layout, state);
  const int unknowns = layout.unknowns();
  std::copy_n(state.q.data(), unknowns, before.q);
  std::copy_n(state.R.data(), unknowns * layout.coordinates, before.R);
  for (int j = 0; j < layout.coordinates; ++j) {
    const double change = z[j] - state.z(j);
    const double* const column = state.R.data() + j * unknowns;
    for (int i = 0; i < unknowns; ++i) state.q(i) += column[i] * change;
  }
  std::copy_n(state.q.data(), unknowns, before.predicted);
  double largest = 0.0;
  for (int i = 0; i < unknowns; ++i) {
    largest = std::max(largest, std::abs(state.q(i) - before.q[i]) * unknown_scale(layout, i));
  }
  return largest;
}

// Largest scaled distance from the prediction; of the angles alone if asked for.
double correction(const Layout& layout, MechanismState& state, bool angles_only) {
  const Before before(layout, state);
  double largest = 0.0;
  for (int i = 0; i < layout.unknowns(); ++i) {
    if (angles_only && !is_angle(i)) continue;
    const double distance = std::abs(state.q(i) - before.predicted[i]);
    largest = std::max(largest, distance * unknown_scale(layout, i));
  }
  return largest;
}

// Largest change of R in a column over the largest entry of the column, before or after.
double turn_of_map(const Layout& layout, MechanismState& state, bool angles_only) {
  const Before before(layout, state);
  const int unknowns = layout.unknowns();
  double turn = 0.0;
  for (int j = 0; j < layout.coordinates; ++j) {
    const double* const now = state.R.data() + j * unknowns;
    const double* const then = before.R + j * unknowns;
    double size = 0.0;
    double change = 0.0;
    for (int i = 0; i < unknowns; ++i) {
      const double scale = unknown_scale(layout, i);
      size = std::max({size, std::abs(now[i]) * scale, std::abs(then[i]) * scale});
      if (angles_only && !is_angle(i)) continue;
      change = std::max(change, std::abs(now[i] - then[i]) * scale);
    }
    if (size > 0.0) turn = std::max(turn, change / size);
  }
  return turn;
}

// Whether the position reached goes on smoothly from the one before. On the other branch through a
// change point R differs by a finite amount and the correction falls only like the step; on the
// same branch R differs by O(step) and the correction by O(step²).
bool goes_on(const Layout& layout, double step, double move, MechanismState& state) {
  const double most_turn = std::min(kMostTurn, kLeastTurn + kTurnOfStep * step);
  if (turn_of_map(layout, state, false) > most_turn) return false;
  const double corrected = correction(layout, state, false);
  const bool same_sign = state.lu.sign() == state.branch;
  return corrected <= (same_sign ? kLargestCorrection : kPassingCorrection * move);
}

// Whether all angles turned in proportion to the coordinates, over any distance: then the positions
// of the bodies follow from linear equations and there is no other branch to land on.
bool is_exactly_predicted(const Layout& layout, double step, MechanismState& state) {
  return correction(layout, state, true) <= kExactPrediction * step &&
         turn_of_map(layout, state, true) <= kExactPrediction;
}

// Largest scaled change of a coordinate.
double distance_to(const Layout& layout, const double* z, const MechanismState& state) {
  double farthest = 0.0;
  for (int j = 0; j < layout.coordinates; ++j) {
    const double scale = layout.row_scale[static_cast<std::size_t>(layout.constraints + j)];
    farthest = std::max(farthest, std::abs(z[j] - state.z(j)) * scale);
  }
  return farthest;
}

// Points at the present parameters. Returns how far one moved at most, in sizes.
double move_points(const Layout& layout, MechanismState& state) {
  if (state.p == state.p_placed) return 0.0;
  std::swap(state.points, state.points_before);
  place_points(layout, state);
  double farthest = 0.0;
  for (std::size_t i = 0; i < state.points.size(); ++i) {
    const double dx = state.points[i].x() - state.points_before[i].x();
    const double dy = state.points[i].y() - state.points_before[i].y();
    farthest = std::max({farthest, std::abs(dx), std::abs(dy)});
  }
  return farthest / layout.size;
}

// One step to z, after points have moved in their bodies. A whole one may be of any length.
StepStatus step_to(const Layout& layout, const double* z, double moved, bool whole,
                   MechanismState& state) {
  const double step = distance_to(layout, z, state) + moved;
  const double move = predict(layout, z, state);
  const double most = whole ? std::numeric_limits<double>::infinity() : kLargestNewtonStep;
  StepStatus status = newton(layout, z, most, state);
  if (status == StepStatus::Success) {
    fill_map(layout, state);
    const bool same_branch =
        whole ? is_exactly_predicted(layout, step, state) : goes_on(layout, step, move, state);
    if (!same_branch) status = StepStatus::BranchChange;
  }
  if (status == StepStatus::Success) {
    std::copy_n(z, layout.coordinates, state.z.data());
    state.branch = state.lu.sign();
    return status;
  }
  const Before before(layout, state);
  std::copy_n(before.q, layout.unknowns(), state.q.data());
  std::copy_n(before.R, layout.unknowns() * layout.coordinates, state.R.data());
  return status;
}

// Where a way starts, and room for the end of a part of it, in the memory of a state.
struct Start {
  double* z;
  double* q;
  double* p;
  double* part;  // coordinates

  Start(const Layout& layout, MechanismState& state)
      : z(state.start.data()),
        q(z + layout.coordinates),
        p(q + layout.unknowns()),
        part(p + state.p.size()) {}
};

// Coordinates and parameters at a share of the way from the start to z and p_asked. Points move in
// proportion to the parameters.
void set_goal(const Layout& layout, std::span<const double> z, double share, const Start& start,
              MechanismState& state) {
  const auto between = [share](double from, double to) {
    return share == 1.0 ? to : from + share * (to - from);
  };
  for (int j = 0; j < layout.coordinates; ++j) {
    start.part[j] = between(start.z[j], z[static_cast<std::size_t>(j)]);
  }
  for (Eigen::Index k = 0; k < state.p.size(); ++k) {
    state.p(k) = between(start.p[k], state.p_asked(k));
  }
  if (state.p != state.p_placed) place_points(layout, state);
}

// The way from coordinates and parameters of a state to a goal, in parts that are halved after
// failures and grow again after successes. `moved`: by how much points move on the whole way.
StepStatus follow(const Layout& layout, std::span<const double> z, double moved,
                  MechanismState& state) {
  const Start start(layout, state);
  const double farthest = std::max(distance_to(layout, z.data(), state), moved);
  const double largest = kLargestPart / std::max(farthest, kLargestPart);
  if (1.0 / largest > kMostParts) return StepStatus::NotReached;
  const int most_tries = kSpareTries + kTriesOfPart * static_cast<int>(1.0 / largest);
  double part = largest;
  double done = 0.0;
  // The first failure says most: parts that are halved after it end close to where it happened.
  StepStatus failure = StepStatus::Success;
  for (int tries = 0; tries < most_tries && part >= kLeastPart * largest; ++tries) {
    const double next = std::min(1.0, done + part);
    set_goal(layout, z, next, start, state);
    const StepStatus status = step_to(layout, start.part, (next - done) * moved, false, state);
    if (status == StepStatus::Success) {
      done = next;
      part = std::min(largest, 2.0 * part);
      if (done == 1.0) return status;
    } else {
      part *= 0.5;
      if (failure == StepStatus::Success) failure = status;
    }
  }
  return failure == StepStatus::Success ? StepStatus::NotReached : failure;
}

// Coordinates, position and parameters as they were at the start.
void go_back(const Layout& layout, int branch, MechanismState& state) {
  const Start start(layout, state);
  std::copy_n(start.z, layout.coordinates, state.z.data());
  std::copy_n(start.q, layout.unknowns(), state.q.data());
  std::copy_n(start.p, state.p.size(), state.p.data());
  state.branch = branch;
  place_points(layout, state);
  set_positions(layout, state);
  if (factor_jacobian(layout, state)) fill_map(layout, state);
}

}  // namespace

StepStatus Mechanism::solve_position(std::span<const double> z,
                                     MechanismState& state) const noexcept {
  if (!state.positioned) return StepStatus::NotReached;
  const Layout& layout = *layout_;
  const auto parameters =
      std::span<const double>(state.p.data(), static_cast<std::size_t>(state.p.size()));
  if (!all_finite(z) || !all_finite(parameters)) {
    state.p = state.p_placed;
    return StepStatus::NotFinite;
  }
  const Start start(layout, state);
  std::copy_n(state.z.data(), coordinates_, start.z);
  std::copy_n(state.q.data(), layout.unknowns(), start.q);
  std::copy_n(state.p_placed.data(), state.p.size(), start.p);
  state.p_asked = state.p;
  const int branch = state.branch;
  const double moved = move_points(layout, state);
  const bool far = distance_to(layout, z.data(), state) > kLargestPart;
  if (far && step_to(layout, z.data(), moved, true, state) == StepStatus::Success) {
    return StepStatus::Success;
  }
  const StepStatus status = follow(layout, z, moved, state);
  if (status != StepStatus::Success) go_back(layout, branch, state);
  return status;
}

void Mechanism::start_following(MechanismState& state) const noexcept {
  const Layout& layout = *layout_;
  state.positioned = factor_jacobian(layout, state);
  state.branch = state.lu.sign();
  if (state.positioned) fill_map(layout, state);
}

}  // namespace alembert::model::planar
