#include "alembert/integrate/ode/adaptive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace alembert::integrate::ode {

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kSafety = 0.9;
constexpr double kLeastFactor = 0.2;
constexpr double kLargestFactor = 5.0;
// Exponents of the step control with memory [Hairer1996, IV.2] for a method of order 5.
constexpr double kMemory = 0.04;
constexpr double kExponent = 0.2 - 0.75 * kMemory;

}  // namespace

AdaptiveRun::AdaptiveRun(System& system, Inputs* inputs, const SampleTimes& times,
                         const AdaptiveSteps& steps, Samples& samples, double* work,
                         double* sensitivity_work)
    : system_(system),
      inputs_(inputs),
      times_(times),
      steps_(steps),
      samples_(samples),
      nx_(system.states()),
      x_out_(work),
      s_out_(system.stride() == 0 ? nullptr : sensitivity_work + 10 * nx_ * system.stride()),
      solver_(nx_, nx_ * system.stride(), x_out_ + nx_, sensitivity_work) {}

bool AdaptiveRun::write(double t, const double* x, const double* s) {
  if (!samples_.write(next_, t, x, s)) return false;
  ++next_;
  return true;
}

// The samples up to the time `end` inside a step from t_.
bool AdaptiveRun::write_until(double end, double h) {
  while (next_ < times_.count && times_.at(next_) <= end) {
    const double t = times_.at(next_);
    solver_.between((t - t_) / h, x_out_, s_out_);
    if (!write(t, x_out_, s_out_)) return false;
  }
  return true;
}

double AdaptiveRun::scale(std::size_t i, double a, double b) const {
  const double size = steps_.scales.empty() ? 1.0 : steps_.scales[i];
  return steps_.absolute_tolerance * size +
         steps_.relative_tolerance.value_or(kDormandPrinceTolerance) *
             std::max(std::fabs(a), std::fabs(b));
}

// Root mean square of error over tolerance.
double AdaptiveRun::error() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < nx_; ++i) {
    const double part = solver_.error(i) / scale(i, solver_.start()[i], solver_.end()[i]);
    sum += part * part;
  }
  return std::sqrt(sum / static_cast<double>(nx_));
}

// A step that the derivative and its change over a tiny step suggest [Hairer1993, II.4].
double AdaptiveRun::first_step() {
  const double* x = solver_.start();
  const double* f = solver_.first();
  double size = 0.0;
  double slope = 0.0;
  for (std::size_t i = 0; i < nx_; ++i) {
    const double tolerance = scale(i, x[i], x[i]);
    size = std::max(size, std::fabs(x[i]) / tolerance);
    slope = std::max(slope, std::fabs(f[i]) / tolerance);
  }
  const double tiny = size < 1e-5 || slope < 1e-5 ? 1e-6 * times_.step : 0.01 * size / slope;
  double* point = x_out_;
  for (std::size_t i = 0; i < nx_; ++i) point[i] = x[i] + tiny * f[i];
  double* moved = solver_.scratch();
  system_.derivative(t_ + tiny, point, present().at(t_ + tiny), moved);
  double bend = 0.0;
  for (std::size_t i = 0; i < nx_; ++i) {
    bend = std::max(bend, std::fabs(moved[i] - f[i]) / scale(i, x[i], x[i]) / tiny);
  }
  const double largest = std::max(slope, bend);
  const double guess = largest <= 1e-15 ? 1e-3 * times_.step : std::pow(0.01 / largest, 0.2);
  const double h = std::min(100.0 * tiny, guess);
  return std::isfinite(h) ? h : 1e-6 * times_.step;
}

void AdaptiveRun::resize(double h, double error, bool cut) {
  double factor = kLargestFactor;
  if (error > 0.0) {
    factor = kSafety * std::pow(error, -kExponent) * std::pow(last_error_, kMemory);
    factor = std::clamp(factor, kLeastFactor, rejected_ ? 1.0 : kLargestFactor);
  }
  // A step that was cut at a sample says little about the longest one.
  h_ = cut ? std::max(h_, h * factor) : h * factor;
  last_error_ = std::max(error, 1e-4);
  rejected_ = false;
}

// Error of a step of length h, by the held system where that gives numbers.
double AdaptiveRun::trial(double h) {
  if (events_ != nullptr) {
    held_ = true;
    solver_.begin(events_->held(), t_, present());
    solver_.step(events_->held(), t_, h, present());
    if (const double size = error(); std::isfinite(size)) return size;
    held_ = false;
    solver_.begin(system_, t_, present());
  }
  solver_.step(system_, t_, h, present());
  return error();
}

// What rounding leaves of a step to the time `end` must be more than this.
double AdaptiveRun::least_step(double end) const {
  return 4.0 * kEps * std::max(std::fabs(t_), std::fabs(end));
}

// One trial step; false if the simulation cannot go on.
bool AdaptiveRun::advance() {
  if (count_++ > steps_.max_steps + static_cast<std::size_t>(times_.count)) return false;
  const double end = times_.at(inputs_ != nullptr ? interval_ + 1 : times_.count - 1);
  const double rest = end - t_;
  double h = steps_.largest_step > 0.0 ? std::min(h_, steps_.largest_step) : h_;
  const bool cut = 1.01 * h >= rest;
  if (cut) h = rest;
  if (!(h > least_step(end))) return false;
  const double size = trial(h);
  if (!(size <= 1.0)) {
    const double factor = std::isfinite(size) ? kSafety * std::pow(size, -0.2) : kLeastFactor;
    h_ = h * std::max(factor, kLeastFactor);
    rejected_ = true;
    return true;
  }
  resize(h, size, cut);
  return finish_step(h, cut ? end : t_ + h, cut);
}

// Goes to the end of the step or the first kink in it, with the samples on the way.
bool AdaptiveRun::finish_step(double h, double end, bool cut) {
  double place = held_ ? events_->first(solver_, t_, h, present()) : 2.0;
  // A kink at the end itself: no step could be made of what is left.
  if (place < 1.0 && !(end - (t_ + place * h) > least_step(end))) place = 1.0;
  const bool whole = place >= 1.0;
  const double reached = whole ? end : t_ + place * h;
  if (inputs_ == nullptr) {
    if (!write_until(reached, h)) return false;
  } else if (cut && whole && !write(end, solver_.end(), solver_.end_sensitivities())) {
    return false;
  }
  if (whole) {
    solver_.accept();
  } else {
    solver_.move_to(place);
  }
  t_ = reached;
  if (place <= 1.0) {
    if (!events_->cross(t_, h, solver_.start(), solver_.start_sensitivities(), present())) {
      ended_by_event_ = true;
      return false;
    }
  } else if (events_ != nullptr && !held_) {
    events_->start(t_, solver_.start(), 1e-6 * h, present());
  }
  if (cut && whole && next_ < times_.count) next_interval();
  return true;
}

// Behind a sample inputs may jump, and with them the first stage.
void AdaptiveRun::next_interval() {
  ++interval_;
  const double* before = inputs_ == nullptr ? nullptr : inputs_->before_jump(interval_);
  if (before == nullptr) return;
  if (events_ != nullptr) events_->inputs_jumped(t_, solver_.start(), before, present());
  solver_.begin(system_, t_, present());
}

long AdaptiveRun::run(const double* x0) {
  std::copy_n(x0, nx_, solver_.start());
  t_ = times_.start;
  if (!write(t_, x0, solver_.start_sensitivities())) return 0;
  if (times_.count > 1) {
    solver_.begin(system_, t_, present());
    h_ = first_step();
    if (events_ != nullptr) {
      events_->start(t_, x0, std::min(1e-3 * h_, 1e-6 * times_.step), present());
    }
  }
  while (next_ < times_.count) {
    if (!advance()) return next_;
  }
  return times_.count;
}

}  // namespace alembert::integrate::ode
