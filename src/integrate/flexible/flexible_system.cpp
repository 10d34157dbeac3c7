#include "integrate/flexible/flexible_system.hpp"

#include <algorithm>

#include "alembert/core/not_a_number.hpp"

namespace alembert::integrate {

FlexibleSystem::FlexibleSystem(const model::flexible::FlexibleMechanism& mechanism,
                               const std::vector<model::TimeFormula>& laws)
    : mechanism_(mechanism),
      laws_(laws),
      n_(static_cast<std::size_t>(mechanism.unknowns())),
      state_(mechanism.start()),
      forces_(laws.size()),
      xdd_(n_),
      time_(1) {}

bool FlexibleSystem::move(double t, const double* x) {
  if (!mechanism_.move({x, 2 * n_}, state_)) return false;
  time_(0) = t;
  for (std::size_t i = 0; i < laws_.size(); ++i) forces_[i] = laws_[i].sample(time_)(0, 0);
  return mechanism_.accelerate(forces_, state_, xdd_);
}

void FlexibleSystem::derivative(double t, const double* x, const double* /*u*/, double* dx) {
  if (!move(t, x)) {
    std::fill_n(dx, states(), kNaN);  // the step is tried again, shorter
    return;
  }
  std::copy_n(x + n_, n_, dx);
  std::copy_n(xdd_.data(), n_, dx + n_);
  double power = 0.0;
  for (std::size_t i = 0; i < forces_.size(); ++i) {
    power += forces_[i] * mechanism_.force_rate(static_cast<int>(i), state_);
  }
  dx[2 * n_] = power;
  dx[2 * n_ + 1] = mechanism_.dissipated_power(state_);
}

}  // namespace alembert::integrate
