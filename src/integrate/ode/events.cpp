#include "alembert/integrate/ode/events.hpp"

#include <algorithm>
#include <array>

namespace alembert::integrate::ode {

double first_place(const DormandPrince& step, double t, double h, double* x,
                   const std::function<bool(double t, const double* x)>& happened) {
  constexpr std::array<double, 4> kPlaces{0.25, 0.5, 0.75, 1.0};
  const auto at = [&](double place) {
    step.between(place, x, nullptr);
    return happened(t + place * h, x);
  };
  double low = 0.0;
  for (const double place : kPlaces) {
    if (!at(place)) {
      low = place;
      continue;
    }
    double high = place;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      (at(middle) ? high : low) = middle;
    }
    return high;
  }
  return 2.0;
}

FunctionEvents::FunctionEvents(System& system, std::vector<EventFunction> functions)
    : system_(system),
      functions_(std::move(functions)),
      sides_(functions_.size(), 0.0),
      x_(system.states()),
      dx_(system.states()) {}

// The sides a short time later: at the states themselves an event that was just met leaves the sign
// of its rounding.
void FunctionEvents::start(double t, const double* x, double later, const PresentInputs& inputs) {
  system_.derivative(t, x, inputs.at(t), dx_.data());
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = x[i] + later * dx_[i];
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    const double value = functions_[k].value(t + later, x_.data());
    sides_[k] = value < 0.0 ? -1.0 : 1.0;
  }
}

bool FunctionEvents::happened(std::size_t k, double t, const double* x) const {
  return functions_[k].value(t, x) * sides_[k] < 0.0;
}

double FunctionEvents::first(const DormandPrince& step, double t, double h, const PresentInputs&) {
  return first_place(step, t, h, x_.data(), [this](double at, const double* x) {
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      if (happened(k, at, x)) return true;
    }
    return false;
  });
}

bool FunctionEvents::cross(double t, double h, double* x, double* /*s*/,
                           const PresentInputs& inputs) {
  bool goes_on = true;
  for (std::size_t k = 0; k < functions_.size(); ++k) {
    if (!happened(k, t, x)) continue;
    if (functions_[k].direction * sides_[k] > 0.0) continue;  // the value went the other way
    found_.push_back({k, t});
    if (functions_[k].action) goes_on = functions_[k].action(t, x) && goes_on;
  }
  start(t, x, 1e-6 * h, inputs);
  return goes_on;
}

}  // namespace alembert::integrate::ode
