#include <algorithm>

#include "model/planar/functions.hpp"
#include "model/planar/motion.hpp"

namespace alembert::model::planar {

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
