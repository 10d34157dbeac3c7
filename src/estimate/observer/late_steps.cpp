// Readings that come late: the steps since their instant run again.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "estimate/observer/steps.hpp"

namespace alembert::estimate {

namespace {

// Instants nearer than this share of a step are the same: clocks are written rounded.
constexpr double kSameInstant = 1e-3;

}  // namespace

// The step that ends `ago` before the last one, made where there is none; -1: out of reach.
long ObserverSteps::step_ending(double ago) noexcept {
  double left = ago;  // from the instant to the end of the step
  double later = 0.0;
  long number = moments_.total() - 1;
  for (; moments_.holds(number); --number) {
    const double time = moments_.at(number).time;
    const double same = kSameInstant * std::max(time, later);
    if (left <= same) return number;
    if (left < time - same) return split_step(number, time - left);
    left -= time;
    later = time;
  }
  const bool at_the_start = number < 0 && moments_.total() > 0 && left <= kSameInstant * later;
  return at_the_start ? split_step(0, 0.0) : -1;
}

// Makes a step without readings of the first `time` of another, which keeps the rest. Returns its
// number; -1 if the steps before must be kept for it and are not.
long ObserverSteps::split_step(long number, double time) noexcept {
  if (moments_.full() && number == moments_.oldest()) return -1;
  (void)moments_.next();
  for (long k = moments_.total() - 1; k > number; --k) {
    std::swap(moments_.at(k), moments_.at(k - 1));
  }
  Moment& made = moments_.at(number);
  Moment& rest = moments_.at(number + 1);
  made.time = time;
  made.before = rest.before;
  made.now.setConstant(std::numeric_limits<double>::quiet_NaN());
  made.z.setConstant(std::numeric_limits<double>::quiet_NaN());
  made.belief = rest.belief;
  made.rule = rest.rule;
  made.locked_out = rest.locked_out;
  made.reached = rest.reached;
  rest.time -= time;
  rest.before = made.now;
  return number;
}

// Late readings of a step; those of inputs are also the ones before the next step.
void ObserverSteps::merge(std::span<const double> readings, long number) noexcept {
  Moment& moment = moments_.at(number);
  read(layout_.outputs, readings, late_outputs_);
  merge_readings(late_outputs_, moment.z);
  read(layout_.inputs, readings, late_inputs_);
  merge_readings(late_inputs_, moment.now);
  Eigen::VectorXd& after =
      moments_.holds(number + 1) ? moments_.at(number + 1).before : last_inputs_;
  merge_readings(late_inputs_, after);
}

// What became of the late readings among those of their step.
UpdateReport ObserverSteps::late_report(UpdateReport report) const noexcept {
  int used = 0, readings = 0;
  for (Eigen::Index i = 0; i < late_outputs_.size(); ++i) {
    if (std::isnan(late_outputs_(i))) continue;
    ++readings;
    if (entered(report, static_cast<int>(i))) ++used;
  }
  report.rejected = report.rejected > 0 ? readings - used : 0;
  report.used = used;
  report.accepted = used > 0;
  return report;
}

ObserverStep ObserverSteps::step_late(double ago, std::span<const double> readings) noexcept {
  if (late_steps_ == 0 || !readable(readings)) return {.status = Status::Stopped};
  const long number = ago >= 0.0 ? step_ending(ago) : -1;
  if (number < 0) return {.status = Status::Stopped};
  merge(readings, number);
  filter_->set_belief(moments_.at(number).belief);
  rule_ = moments_.at(number).rule;
  locked_out_ = moments_.at(number).locked_out;
  reached_ = moments_.at(number).reached;
  ObserverStep result;
  for (long k = number; k < moments_.total(); ++k) {
    const ObserverStep again = run(moments_.at(k), nullptr, false);
    if (k == number) result.update = late_report(again.update);
    if (result.status == Status::Success) result.status = again.status;
    result.random_walk = again.random_walk;
    result.widened = result.widened || again.widened;
  }
  return result;
}

}  // namespace alembert::estimate
