// What an observer does when its model cannot follow it, or its gate keeps everything out.
#include <algorithm>
#include <cmath>

#include "estimate/observer/steps.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

// After so many steps without a position that passed its gate the estimate is taken for lost.
constexpr int kLockedOut = 20;
constexpr double kWiden = 10.0;
// Corrections longer than this share of a coordinate's span may lead out of reach.
constexpr double kLongCorrection = 1e-3;
constexpr int kMostHalvings = 6;

}  // namespace

// An infinite reading, or one so large that its NIS is, is none: what was expected is finite.
void ObserverSteps::reject_overflow(UpdateReport& report) const noexcept {
  if (report.status != Status::NotFinite || std::isfinite(report.nis)) return;
  const Innovation<double, Eigen::Dynamic>& last = filter_->innovation();
  for (int i = 0; i < last.count; ++i) {
    if (!std::isfinite(last.factor(i, i)) || last.factor(i, i) <= 0.0) return;
  }
  report.status = Status::Success;
  report.accepted = false;
  report.rejected += report.used;
}

// Whether it is worth to ask if the corrected mean can be reached. What escapes here shows in
// the next step.
bool ObserverSteps::may_have_left(long unreached, const UpdateReport& report) const noexcept {
  if (report.nis > wild_limits_[static_cast<std::size_t>(report.used)]) return true;
  if (model_.unreached() != unreached) return true;
  for (Index i = 0; i < layout_.spans.size(); ++i) {
    const double correction = filter_->mean()(i) - predicted_.mean(i);
    if (std::abs(correction) > kLongCorrection * layout_.spans(i)) return true;
  }
  return false;
}

// An improbable reading that moves the model where it cannot be is no reading of it. Others move it
// as far as it can go, by halves of the correction.
void ObserverSteps::keep_in_reach(long unreached, UpdateReport& report) noexcept {
  if (!report.accepted || !may_have_left(unreached, report)) return;
  if (reaches(filter_->mean())) return;
  if (report.nis > wild_limits_[static_cast<std::size_t>(report.used)]) {
    filter_->set_belief(predicted_);
    report.accepted = false;
    report.rejected += report.used;
  } else if (reaches(predicted_.mean)) {
    goal_ = filter_->mean();
    shorten(predicted_.mean, goal_);
    move_mean(goal_);
  }
}

// Halves the way to a goal until the model can be there.
void ObserverSteps::shorten(const VectorXd& reached, VectorXd& goal) const noexcept {
  for (int halving = 0; halving < kMostHalvings; ++halving) {
    goal = reached + 0.5 * (goal - reached);
    if (reaches(goal)) return;
  }
  goal = reached;
}

// Moves the mean by d, for reasons that say nothing on the errors: about the new mean their mean
// squares are P_ii + d_i².
void ObserverSteps::move_mean(const VectorXd& goal) noexcept {
  moved_ = filter_->belief();
  way_ = goal - moved_.mean;
  moved_.mean = goal;
  filter_->set_belief(moved_);
  filter_->blur(way_);
}

// Whether the model can be at the mean, as far as the step has shown; if not, the step has failed.
bool ObserverSteps::note_reach(long unreached, ObserverStep& result) noexcept {
  if (model_.unreached() == unreached) {
    reached_ = predicted_.mean;
    return true;
  }
  if (reaches(filter_->mean())) {
    reached_ = filter_->mean();
    return true;
  }
  for (Index i = 0; i < unreached_.size(); ++i) unreached_(i) = filter_->mean()(i);
  if (result.status == Status::Success) result.status = Status::NotFinite;
  return false;
}

// The prediction left the reach of the model and nothing brings it back: the estimate stays
// where it was, or as near to that as the model can be, at rest and less certain.
void ObserverSteps::hold(double time, Kernel* kernel) noexcept {
  if (kernel != nullptr) cut(*kernel);
  goal_ = before_.mean;
  if (!reaches(goal_)) shorten(reached_, goal_);
  for (Index i = layout_.coordinates(); i < layout_.moving(); ++i) goal_(i) = 0.0;
  move_mean(goal_);
  bound_deviations(time);
}

// How many times its deviation is the largest one that makes sense for a state: the span of its
// coordinate, for the derivative b what moves it by a span in some time, span/time^b.
double ObserverSteps::room(int state, double time) const noexcept {
  const auto n = static_cast<int>(layout_.spans.size());
  double most = layout_.spans(state % n);
  for (int b = state / n; b > 0; --b) most /= time;
  return most / std::sqrt(filter_->variance(state));
}

void ObserverSteps::bound_deviations(double time) noexcept {
  way_.setOnes();
  for (int i = 0; i < layout_.moving(); ++i) way_(i) = std::min(1.0, room(i, time));
  filter_->scale(way_);
}

// A smoother cannot look across: x_{k-1} given x_k is x_{k-1} as it was.
void ObserverSteps::cut(Kernel& kernel) const noexcept {
  kernel.mean = before_.mean;
  kernel.predicted = before_.mean;
  kernel.gain.setZero();
  kernel.spread = before_.spread;
}

// Counts the steps in a row in which the gate kept all positions out.
void ObserverSteps::count_locked_out(const Moment& moment, const UpdateReport& report) noexcept {
  bool kept_out = false;
  for (std::size_t i = 0; i < layout_.orders.size(); ++i) {
    if (layout_.orders[i] != lowest_order_) continue;
    const auto output = static_cast<int>(i);
    if (!std::isfinite(moment.z(output))) continue;
    if (entered(report, output)) {
      locked_out_ = 0;
      return;
    }
    kept_out = true;
  }
  if (kept_out && report.rejected > 0) ++locked_out_;
}

// A gate that keeps all positions out for long has lost the motion: deviations that are f times as
// large let them in,
//   x' = x + w,  cov w = E P E,  E_ii² = f_i² - 1 for the derivatives of the coordinates, else 0.
// Nothing becomes less certain than makes sense.
//
// Given x', x has the gain P (P + E P E)⁻¹, which is f⁻² = 1 % where nothing bounds f: what comes
// after says next to nothing on what was before, and the smoother takes it for nothing.
bool ObserverSteps::widen_if_locked_out(double time) noexcept {
  if (locked_out_ < kLockedOut || time <= 0.0) return false;
  locked_out_ = 0;
  way_.setZero();
  bool widened = false;
  for (int i = 0; i < layout_.moving(); ++i) {
    const double factor = std::clamp(room(i, kLockedOut * time), 1.0, kWiden);
    way_(i) = std::sqrt(factor * factor - 1.0);
    widened = widened || factor > 1.0;
  }
  if (widened) filter_->widen(way_);
  return widened;
}

}  // namespace alembert::estimate
