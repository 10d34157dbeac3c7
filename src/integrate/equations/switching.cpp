#include "integrate/equations/switching.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace alembert::integrate {

namespace {

double sign(double value) { return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0; }

}  // namespace

std::size_t Switching::room(HeldKinks& kinks, const SensitivityView* view) {
  const model::equations::EquationPoint point = kinks.point();
  const std::size_t count = kinks.switches();
  return point.inputs() + 2 * count + 3 * point.states() +
         (view == nullptr ? 0 : count * static_cast<std::size_t>(view->count));
}

Switching::Switching(HeldKinks& kinks, const SensitivityView* view, double* work)
    : point_(kinks.point()),
      is_floor_(kinks.is_floor()),
      view_(view),
      nx_(point_.states()),
      nu_(point_.inputs() - kinks.switches()),
      count_(kinks.switches()),
      u_(work),
      sides_(u_ + nu_),
      values_(sides_ + count_),
      before_(values_ + count_),
      x_(before_ + count_),
      f_before_(x_ + nx_),
      f_after_(f_before_ + nx_),
      slopes_(f_after_ + nx_) {
  std::fill_n(sides_, count_, 0.0);
}

void Switching::set_point_inputs(const double* u) { std::copy_n(u, nu_, u_); }

void Switching::evaluate(double t, const double* x, const double* u) {
  set_point_inputs(u);
  point_.g(t, x, u_, values_);
}

std::size_t Switching::stride() const {
  return view_ == nullptr ? 0 : static_cast<std::size_t>(view_->stride);
}

void Switching::derivative(double t, const double* x, const double* u, double* dx) {
  set_point_inputs(u);
  point_.f(t, x, u_, dx);
}

void Switching::sensitive_derivative(double t, const double* x, const double* u, const double* s,
                                     double* dx, double* d) {
  set_point_inputs(u);
  point_.f(t, x, u_, *view_, s, dx, d);
}

bool Switching::is_wrong(std::size_t k) const {
  const double value = values_[k];
  if (is_floor_[k]) return std::fabs(value) > 0.5;
  return sides_[k] == 0.0 ? value != 0.0 : value * sides_[k] < 0.0;
}

double Switching::side_for(std::size_t k) const {
  return is_floor_[k] ? sides_[k] + std::floor(values_[k] + 0.5) : sign(values_[k]);
}

bool Switching::correct_sides() {
  bool changed = false;
  for (std::size_t k = 0; k < count_; ++k) {
    if (is_wrong(k)) {
      sides_[k] = side_for(k);
      changed = true;
    }
  }
  return changed;
}

bool Switching::any_wrong(double t, const double* x, const ode::PresentInputs& inputs) {
  evaluate(t, x, inputs.at(t));
  for (std::size_t k = 0; k < count_; ++k) {
    if (is_wrong(k)) return true;
  }
  return false;
}

// Kinks inside the arguments of others take a pass each.
void Switching::start(double t, const double* x, double later, const ode::PresentInputs& inputs) {
  for (std::size_t pass = 0; pass <= count_; ++pass) {
    evaluate(t, x, inputs.at(t));
    if (!correct_sides()) break;
  }
  if (std::none_of(sides_, sides_ + count_, [](double side) { return side == 0.0; })) return;
  derivative(t, x, inputs.at(t), f_before_);
  for (std::size_t i = 0; i < nx_; ++i) x_[i] = x[i] + later * f_before_[i];
  evaluate(t + later, x_, inputs.at(t + later));
  for (std::size_t k = 0; k < count_; ++k) {
    if (sides_[k] == 0.0 && !is_floor_[k]) sides_[k] = sign(values_[k]);
  }
}

// A value next to zero has the sign of its rounding; only a sign that the inputs changed counts.
void Switching::inputs_jumped(double t, const double* x, const double* before,
                              const ode::PresentInputs& inputs) {
  for (std::size_t pass = 0; pass <= count_; ++pass) {
    evaluate(t, x, before);
    std::copy_n(values_, count_, before_);
    evaluate(t, x, inputs.at(t));
    for (std::size_t k = 0; k < count_; ++k) {
      if (sign(before_[k]) == sign(values_[k]) && !is_floor_[k]) values_[k] = sides_[k];
    }
    if (!correct_sides()) break;
  }
}

double Switching::first(const ode::DormandPrince& step, double t, double h,
                        const ode::PresentInputs& inputs) {
  return ode::first_place(step, t, h, x_,
                          [&](double at, const double* x) { return any_wrong(at, x, inputs); });
}

// d/dt of a switch function along the solution, by a central difference: it is smooth.
double Switching::slope(std::size_t k, double t, double h, const double* x,
                        const ode::PresentInputs& inputs) {
  const double delta = 1e-5 * h;
  std::array<double, 2> values{};
  for (const int side : {0, 1}) {
    const double shift = side == 0 ? -delta : delta;
    for (std::size_t i = 0; i < nx_; ++i) x_[i] = x[i] + shift * f_before_[i];
    evaluate(t + shift, x_, inputs.at(t + shift));
    values[static_cast<std::size_t>(side)] = values_[k];
  }
  return (values[1] - values[0]) / (2.0 * delta);
}

bool Switching::cross(double t, double h, double* x, double* s, const ode::PresentInputs& inputs) {
  evaluate(t, x, inputs.at(t));
  std::size_t wrong = 0;
  while (wrong < count_ && !is_wrong(wrong)) ++wrong;
  if (wrong == count_) return true;
  if (s == nullptr) {
    correct_sides();
    return true;
  }
  derivative(t, x, inputs.at(t), f_before_);
  const double rate = slope(wrong, t, h, x, inputs);
  set_point_inputs(inputs.at(t));
  point_.g(t, x, u_, *view_, s, values_, slopes_);
  correct_sides();
  derivative(t, x, inputs.at(t), f_after_);
  if (rate == 0.0) return true;  // it only touches
  const auto columns = static_cast<std::size_t>(view_->count);
  const auto stride = static_cast<std::size_t>(view_->stride);
  for (std::size_t i = 0; i < nx_; ++i) {
    const double jump = (f_before_[i] - f_after_[i]) / rate;
    for (std::size_t c = 0; c < columns; ++c) {
      // ∂t*/∂θ = -(∂s/∂x S + ∂s/∂θ)/(ds/dt)
      s[i * stride + c] -= jump * slopes_[wrong * columns + c];
    }
  }
  return true;
}

}  // namespace alembert::integrate
