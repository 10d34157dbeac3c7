#include "model/equations/simulation/adaptive_record.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace alembert::model::equations {

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kSafety = 0.9;
constexpr double kLeastFactor = 0.2;
constexpr double kLargestFactor = 5.0;
// Exponents of the step control with memory [Hairer1996, IV.2] for a method of order 5.
constexpr double kMemory = 0.04;
constexpr double kExponent = 0.2 - 0.75 * kMemory;

}  // namespace

std::size_t adaptive_room(const Program& program) {
  const std::size_t nx = program.states.size();
  return program.inputs.size() + nx + DormandPrince::room(nx);
}

AdaptiveRecord::AdaptiveRecord(const Program& program, PointEvaluator& point,
                               const RecordView& record, const AdaptiveSteps& steps,
                               const SensitivityView* view, const RecordResults& results,
                               double* work)
    : point_(point),
      record_(record),
      steps_(steps),
      view_(view),
      inputs_(record, program.inputs.size()),
      writer_(program, point, inputs_, view, results),
      nx_(program.states.size()),
      u_(work),
      x_out_(work + program.inputs.size()),
      s_out_(view == nullptr ? nullptr
                             : view->work + 10 * nx_ * static_cast<std::size_t>(view->stride)),
      solver_(nx_, view == nullptr ? 0 : nx_ * static_cast<std::size_t>(view->stride), x_out_ + nx_,
              view == nullptr ? nullptr : view->work) {}

double AdaptiveRecord::sample_time(long sample) const {
  return record_.start_time + static_cast<double>(sample) * record_.step;
}

const double* AdaptiveRecord::inputs_at(double t) {
  if (inputs_.count() > 0) {
    const double fraction = (t - sample_time(interval_)) / record_.step;
    inputs_.at(interval_, std::clamp(fraction, 0.0, 1.0), u_);
  }
  return u_;
}

void AdaptiveRecord::find_kinks(const FrozenModel& frozen, double* registers, double* work) {
  InputsAt& inputs = *this;
  switching_.emplace(frozen, registers, inputs, view_, work);
}

void AdaptiveRecord::derivative(double t, const double* x, const double* s, double* dx,
                                double* ds) {
  if (held_) {
    switching_->derivative(t, x, s, dx, ds);
  } else if (view_ != nullptr) {
    point_.f(t, x, inputs_at(t), *view_, s, dx, ds);
  } else {
    point_.f(t, x, inputs_at(t), dx);
  }
}

// The samples up to the time `end` inside a step from t_.
bool AdaptiveRecord::write_until(double end, double h) {
  while (writer_.next() < record_.samples && sample_time(writer_.next()) <= end) {
    const double t = sample_time(writer_.next());
    solver_.between((t - t_) / h, x_out_, s_out_);
    if (!writer_.write(t, x_out_, s_out_)) return false;
  }
  return true;
}

double AdaptiveRecord::scale(std::size_t i, double a, double b) const {
  const double size = steps_.scales.empty() ? 1.0 : steps_.scales[i];
  return steps_.absolute_tolerance * size +
         steps_.relative_tolerance * std::max(std::fabs(a), std::fabs(b));
}

// Root mean square of error over tolerance.
double AdaptiveRecord::error() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < nx_; ++i) {
    const double part = solver_.error(i) / scale(i, solver_.start()[i], solver_.end()[i]);
    sum += part * part;
  }
  return std::sqrt(sum / static_cast<double>(nx_));
}

// A step that the derivative and its change over a tiny step suggest [Hairer1993, II.4].
double AdaptiveRecord::first_step() {
  const double* x = solver_.start();
  const double* f = solver_.first();
  double size = 0.0;
  double slope = 0.0;
  for (std::size_t i = 0; i < nx_; ++i) {
    const double tolerance = scale(i, x[i], x[i]);
    size = std::max(size, std::fabs(x[i]) / tolerance);
    slope = std::max(slope, std::fabs(f[i]) / tolerance);
  }
  const double tiny = size < 1e-5 || slope < 1e-5 ? 1e-6 * record_.step : 0.01 * size / slope;
  double* point = x_out_;
  for (std::size_t i = 0; i < nx_; ++i) point[i] = x[i] + tiny * f[i];
  double* moved = solver_.scratch();
  point_.f(t_ + tiny, point, inputs_at(t_ + tiny), moved);
  double bend = 0.0;
  for (std::size_t i = 0; i < nx_; ++i) {
    bend = std::max(bend, std::fabs(moved[i] - f[i]) / scale(i, x[i], x[i]) / tiny);
  }
  const double largest = std::max(slope, bend);
  const double guess = largest <= 1e-15 ? 1e-3 * record_.step : std::pow(0.01 / largest, 0.2);
  const double h = std::min(100.0 * tiny, guess);
  return std::isfinite(h) ? h : 1e-6 * record_.step;
}

void AdaptiveRecord::resize(double h, double error, bool cut) {
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

// Error of a step of length h, with the kinks held where that gives numbers.
double AdaptiveRecord::trial(double h) {
  if (switching_) {
    held_ = true;
    solver_.begin(*this, t_);
    solver_.step(*this, t_, h);
    if (const double size = error(); std::isfinite(size)) return size;
    held_ = false;
    solver_.begin(*this, t_);
  }
  solver_.step(*this, t_, h);
  return error();
}

// What rounding leaves of a step to the time `end` must be more than this.
double AdaptiveRecord::least_step(double end) const {
  return 4.0 * kEps * std::max(std::fabs(t_), std::fabs(end));
}

// One trial step; false if the simulation cannot go on.
bool AdaptiveRecord::advance() {
  if (count_++ > steps_.max_steps + static_cast<std::size_t>(record_.samples)) return false;
  const double end = sample_time(inputs_.count() > 0 ? interval_ + 1 : record_.samples - 1);
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
bool AdaptiveRecord::finish_step(double h, double end, bool cut) {
  double place = held_ ? switching_->first_crossing(solver_, t_, h) : 2.0;
  // A kink at the end itself: no step could be made of what is left.
  if (place < 1.0 && !(end - (t_ + place * h) > least_step(end))) place = 1.0;
  const bool whole = place >= 1.0;
  const double reached = whole ? end : t_ + place * h;
  if (inputs_.count() == 0) {
    if (!write_until(reached, h)) return false;
  } else if (cut && whole && !writer_.write(end, solver_.end(), solver_.end_sensitivities())) {
    return false;
  }
  if (whole) {
    solver_.accept();
  } else {
    solver_.move_to(place);
  }
  t_ = reached;
  if (place <= 1.0) {
    switching_->cross(t_, h, solver_.start(), solver_.start_sensitivities());
  } else if (switching_ && !held_) {
    switching_->start(t_, solver_.start(), 1e-6 * h);
  }
  if (cut && whole && writer_.next() < record_.samples) next_interval();
  return true;
}

// Behind a sample held inputs jump, and with them the first stage.
void AdaptiveRecord::next_interval() {
  ++interval_;
  const double* u = inputs_.at_sample(interval_);
  const double* before = inputs_.at_sample(interval_ - 1);
  if (record_.between != 0 || std::equal(u, u + inputs_.count(), before)) return;
  if (switching_) switching_->inputs_jumped(t_, solver_.start(), before);
  solver_.begin(*this, t_);
}

long AdaptiveRecord::run(const double* x0) {
  std::copy_n(x0, nx_, solver_.start());
  t_ = record_.start_time;
  if (!writer_.write(t_, x0, view_ == nullptr ? nullptr : view_->work)) return 0;
  if (record_.samples > 1) {
    solver_.begin(*this, t_);
    h_ = first_step();
    if (switching_) switching_->start(t_, x0, std::min(1e-3 * h_, 1e-6 * record_.step));
  }
  while (writer_.next() < record_.samples) {
    if (!advance()) return writer_.next();
  }
  return record_.samples;
}

}  // namespace alembert::model::equations
