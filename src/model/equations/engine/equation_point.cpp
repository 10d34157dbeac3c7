#include "alembert/model/detail/equation_point.hpp"

#include <algorithm>

#include "model/equations/interpreter/sensitivity_product.hpp"
#include "model/equations/native/native_library.hpp"

namespace alembert::model::equations {

std::size_t EquationPoint::states() const { return program_->states.size(); }
std::size_t EquationPoint::inputs() const { return program_->inputs.size(); }
std::size_t EquationPoint::outputs() const { return program_->outputs.size(); }
const double* EquationPoint::parameters() const { return r_ + tapes_->parameter_slot; }
const double* EquationPoint::prepared() const { return r_ + tapes_->prepared_slot; }

void EquationPoint::run(const Tape& tape, double t, const double* x, const double* u) {
  r_[tapes_->time_slot] = t;
  std::copy_n(x, program_->states.size(), r_ + tapes_->state_slot);
  std::copy_n(u, program_->inputs.size(), r_ + tapes_->input_slot);
  equations::run(tape, program_->graph.curves(), r_);
}

void EquationPoint::values(const Tape& tape, double* values) const {
  for (std::size_t k = 0; k < tape.values.size(); ++k) values[k] = r_[tape.values[k]];
}

void EquationPoint::f(double t, const double* x, const double* u, double* dx) {
  if (native_ != nullptr) {
    native_->f(t, x, u, parameters(), prepared(), dx);
    return;
  }
  run(tapes_->f, t, x, u);
  values(tapes_->f, dx);
}

void EquationPoint::f(double t, const double* x, const double* u, const SensitivityView& view,
                      const double* s, double* dx, double* d) {
  if (native_ != nullptr) {
    native_->f_sensitive(t, x, u, parameters(), prepared(), view.column_of_parameter, view.stride,
                         s, dx, d);
    return;
  }
  run(tapes_->f_jacobians, t, x, u);
  values(tapes_->f_jacobians, dx);
  const auto stride = static_cast<std::size_t>(view.stride);
  sensitivity_product(tapes_->f_jacobians, r_, view.column_of_parameter, s, stride, stride, d);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> EquationPoint::jacobian_pattern() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  for (const EntrySlot& entry : tapes_->f_state.by_state) {
    places.emplace_back(entry.row, entry.column);
  }
  return places;
}

void EquationPoint::jacobian(double t, const double* x, const double* u, double* dx,
                             double* entries) {
  const Tape& tape = tapes_->f_state;
  run(tape, t, x, u);
  values(tape, dx);
  for (const EntrySlot& entry : tape.by_state) *entries++ = r_[entry.slot];
}

void EquationPoint::slopes(double t, const double* x, const double* u, const SensitivityView& view,
                           double* entries, double* by_parameter) {
  const Tape& tape = tapes_->f_slopes;
  run(tape, t, x, u);
  for (const EntrySlot& entry : tape.by_state) *entries++ = r_[entry.slot];
  const auto stride = static_cast<std::size_t>(view.stride);
  std::fill_n(by_parameter, states() * stride, 0.0);
  for (const EntrySlot& entry : tape.by_parameter) {
    const int column = view.column_of_parameter[entry.column];
    if (column >= 0) {
      by_parameter[entry.row * stride + static_cast<std::size_t>(column)] = r_[entry.slot];
    }
  }
}

void EquationPoint::g(double t, const double* x, const double* u, double* y) {
  if (native_ != nullptr) {
    native_->g(t, x, u, parameters(), prepared(), y);
    return;
  }
  run(tapes_->g, t, x, u);
  values(tapes_->g, y);
}

void EquationPoint::g(double t, const double* x, const double* u, const SensitivityView& view,
                      const double* s, double* y, double* dy) {
  if (native_ != nullptr) {
    native_->g_sensitive(t, x, u, parameters(), prepared(), view.column_of_parameter, view.count,
                         view.stride, s, y, dy);
    return;
  }
  run(tapes_->g_jacobians, t, x, u);
  values(tapes_->g_jacobians, y);
  sensitivity_product(tapes_->g_jacobians, r_, view.column_of_parameter, s,
                      static_cast<std::size_t>(view.stride), static_cast<std::size_t>(view.count),
                      dy);
}

}  // namespace alembert::model::equations
