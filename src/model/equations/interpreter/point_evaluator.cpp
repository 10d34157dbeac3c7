#include "model/equations/interpreter/point_evaluator.hpp"

#include <algorithm>

namespace alembert::model::equations {

void sensitivity_product(const Tape& tape, const double* registers, const int* column_of_parameter,
                         const double* s, std::size_t stride, std::size_t count, double* d) {
  std::size_t row_done = 0;  // rows that have got their first term
  for (const EntrySlot& entry : tape.by_state) {
    for (; row_done < entry.row; ++row_done) {
      std::fill_n(d + row_done * count, count, 0.0);
    }
    const double factor = registers[entry.slot];
    const double* source = s + entry.column * stride;
    double* target = d + entry.row * count;
    if (row_done == entry.row) {
      for (std::size_t j = 0; j < count; ++j) target[j] = factor * source[j];
      ++row_done;
    } else {
      for (std::size_t j = 0; j < count; ++j) target[j] = target[j] + factor * source[j];
    }
  }
  for (; row_done < tape.values.size(); ++row_done) {
    std::fill_n(d + row_done * count, count, 0.0);
  }
  for (const EntrySlot& entry : tape.by_parameter) {
    const int column = column_of_parameter[entry.column];
    if (column >= 0) {
      d[entry.row * count + static_cast<std::size_t>(column)] += registers[entry.slot];
    }
  }
}

void PointEvaluator::run(const Tape& tape, double t, const double* x, const double* u,
                         double* values) {
  r_[tapes_.time_slot] = t;
  std::copy_n(x, program_.states.size(), r_ + tapes_.state_slot);
  std::copy_n(u, program_.inputs.size(), r_ + tapes_.input_slot);
  equations::run(tape, program_.graph.curves(), r_);
  for (std::size_t k = 0; k < tape.values.size(); ++k) {
    values[k] = r_[tape.values[k]];
  }
}

void PointEvaluator::f(double t, const double* x, const double* u, double* dx) {
  if (native_ != nullptr) {
    native_->f(t, x, u, parameters(), prepared(), dx);
  } else {
    run(tapes_.f, t, x, u, dx);
  }
}

void PointEvaluator::f(double t, const double* x, const double* u, const SensitivityView& view,
                       const double* s, double* dx, double* d) {
  if (native_ != nullptr) {
    native_->f_sensitive(t, x, u, parameters(), prepared(), view.column_of_parameter, view.stride,
                         s, dx, d);
    return;
  }
  run(tapes_.f_jacobians, t, x, u, dx);
  const auto stride = static_cast<std::size_t>(view.stride);
  sensitivity_product(tapes_.f_jacobians, r_, view.column_of_parameter, s, stride, stride, d);
}

void PointEvaluator::state_jacobian(double t, const double* x, const double* u, double* jacobian) {
  const Tape& tape = tapes_.f_state;
  const std::size_t rows = tape.values.size();
  r_[tapes_.time_slot] = t;
  std::copy_n(x, rows, r_ + tapes_.state_slot);
  std::copy_n(u, program_.inputs.size(), r_ + tapes_.input_slot);
  equations::run(tape, program_.graph.curves(), r_);
  std::fill_n(jacobian, rows * rows, 0.0);
  for (const EntrySlot& entry : tape.by_state) {
    jacobian[entry.column * rows + entry.row] = r_[entry.slot];
  }
}

void PointEvaluator::g(double t, const double* x, const double* u, double* y) {
  if (native_ != nullptr) {
    native_->g(t, x, u, parameters(), prepared(), y);
  } else {
    run(tapes_.g, t, x, u, y);
  }
}

void PointEvaluator::g(double t, const double* x, const double* u, const SensitivityView& view,
                       const double* s, double* y, double* dy) {
  if (native_ != nullptr) {
    native_->g_sensitive(t, x, u, parameters(), prepared(), view.column_of_parameter, view.count,
                         view.stride, s, y, dy);
    return;
  }
  run(tapes_.g_jacobians, t, x, u, y);
  sensitivity_product(tapes_.g_jacobians, r_, view.column_of_parameter, s,
                      static_cast<std::size_t>(view.stride), static_cast<std::size_t>(view.count),
                      dy);
}

}  // namespace alembert::model::equations
