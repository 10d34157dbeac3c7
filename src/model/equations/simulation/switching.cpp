#include "model/equations/simulation/switching.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace alembert::model::equations {

namespace {

double sign(double value) { return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0; }

}  // namespace

std::size_t Switching::room(const FrozenModel& model, const SensitivityView* view) {
  const std::size_t count = model.switches();
  return model.program.inputs.size() + 2 * count + 3 * model.program.states.size() +
         (view == nullptr ? 0 : count * static_cast<std::size_t>(view->count));
}

Switching::Switching(const FrozenModel& model, double* registers, InputsAt& inputs,
                     const SensitivityView* view, double* work)
    : model_(model),
      point_(model.program, model.tapes, nullptr, registers),
      inputs_(inputs),
      view_(view),
      nx_(model.program.states.size()),
      nu_(model.program.inputs.size() - model.switches()),
      count_(model.switches()),
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

void Switching::derivative(double t, const double* x, const double* s, double* dx, double* ds) {
  set_point_inputs(inputs_.inputs_at(t));
  if (ds != nullptr) {
    point_.f(t, x, u_, *view_, s, dx, ds);
  } else {
    point_.f(t, x, u_, dx);
  }
}

bool Switching::is_wrong(std::size_t k) const {
  const double value = values_[k];
  if (model_.is_floor[k]) return std::fabs(value) > 0.5;
  return sides_[k] == 0.0 ? value != 0.0 : value * sides_[k] < 0.0;
}

double Switching::side_for(std::size_t k) const {
  return model_.is_floor[k] ? sides_[k] + std::floor(values_[k] + 0.5) : sign(values_[k]);
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

bool Switching::any_wrong(double t, const double* x) {
  evaluate(t, x, inputs_.inputs_at(t));
  for (std::size_t k = 0; k < count_; ++k) {
    if (is_wrong(k)) return true;
  }
  return false;
}

// Kinks inside the arguments of others take a pass each.
void Switching::start(double t, const double* x, double later) {
  for (std::size_t pass = 0; pass <= count_; ++pass) {
    evaluate(t, x, inputs_.inputs_at(t));
    if (!correct_sides()) break;
  }
  if (std::none_of(sides_, sides_ + count_, [](double side) { return side == 0.0; })) return;
  derivative(t, x, nullptr, f_before_, nullptr);
  for (std::size_t i = 0; i < nx_; ++i) x_[i] = x[i] + later * f_before_[i];
  evaluate(t + later, x_, inputs_.inputs_at(t + later));
  for (std::size_t k = 0; k < count_; ++k) {
    if (sides_[k] == 0.0 && !model_.is_floor[k]) sides_[k] = sign(values_[k]);
  }
}

// A value next to zero has the sign of its rounding; only a sign that the inputs changed counts.
void Switching::inputs_jumped(double t, const double* x, const double* before) {
  for (std::size_t pass = 0; pass <= count_; ++pass) {
    evaluate(t, x, before);
    std::copy_n(values_, count_, before_);
    evaluate(t, x, inputs_.inputs_at(t));
    for (std::size_t k = 0; k < count_; ++k) {
      if (sign(before_[k]) == sign(values_[k]) && !model_.is_floor[k]) values_[k] = sides_[k];
    }
    if (!correct_sides()) break;
  }
}

double Switching::first_crossing(const DormandPrince& solver, double t, double h) {
  constexpr std::array<double, 4> kPlaces{0.25, 0.5, 0.75, 1.0};
  double low = 0.0;
  for (const double place : kPlaces) {
    solver.between(place, x_, nullptr);
    if (!any_wrong(t + place * h, x_)) {
      low = place;
      continue;
    }
    double high = place;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      solver.between(middle, x_, nullptr);
      (any_wrong(t + middle * h, x_) ? high : low) = middle;
    }
    return high;
  }
  return 2.0;
}

// d/dt of a switch function along the solution, by a central difference: it is smooth.
double Switching::slope(std::size_t k, double t, double h, const double* x) {
  const double delta = 1e-5 * h;
  std::array<double, 2> values{};
  for (const int side : {0, 1}) {
    const double shift = side == 0 ? -delta : delta;
    for (std::size_t i = 0; i < nx_; ++i) x_[i] = x[i] + shift * f_before_[i];
    evaluate(t + shift, x_, inputs_.inputs_at(t + shift));
    values[static_cast<std::size_t>(side)] = values_[k];
  }
  return (values[1] - values[0]) / (2.0 * delta);
}

void Switching::cross(double t, double h, const double* x, double* s) {
  evaluate(t, x, inputs_.inputs_at(t));
  std::size_t first = 0;
  while (first < count_ && !is_wrong(first)) ++first;
  if (first == count_) return;
  if (s == nullptr) {
    correct_sides();
    return;
  }
  derivative(t, x, nullptr, f_before_, nullptr);
  const double rate = slope(first, t, h, x);
  set_point_inputs(inputs_.inputs_at(t));
  point_.g(t, x, u_, *view_, s, values_, slopes_);
  correct_sides();
  derivative(t, x, nullptr, f_after_, nullptr);
  if (rate == 0.0) return;  // it only touches
  const auto columns = static_cast<std::size_t>(view_->count);
  const auto stride = static_cast<std::size_t>(view_->stride);
  for (std::size_t i = 0; i < nx_; ++i) {
    const double jump = (f_before_[i] - f_after_[i]) / rate;
    for (std::size_t c = 0; c < columns; ++c) {
      // ∂t*/∂θ = -(∂s/∂x S + ∂s/∂θ)/(ds/dt)
      s[i * stride + c] -= jump * slopes_[first * columns + c];
    }
  }
}

}  // namespace alembert::model::equations
