#include "model/equations/interpreter/interpreted_loop.hpp"

#include <algorithm>

#include "model/equations/interpreter/point_evaluator.hpp"

namespace alembert::model::equations {

InterpretedLoop::InterpretedLoop(const CompiledEquations::Content& content,
                                 const RecordView& record, const SensitivityView* view,
                                 double* registers)
    : program_(content.model.program()),
      tapes_(content.tapes),
      record_(record),
      view_(view),
      r_(registers),
      nx_(program_.states.size()),
      nu_(program_.inputs.size()),
      ny_(program_.outputs.size()) {}

void InterpretedLoop::begin_sample(long sample) {
  const long row = record_.between == 2 ? 2 * sample * record_.substeps : sample;
  sample_inputs_ = record_.inputs + static_cast<std::size_t>(row) * nu_;
}

void InterpretedLoop::output(long sample, double t, const double* x, double* y, double* xs) {
  const auto k = static_cast<std::size_t>(sample);
  set_point(t, x);
  std::copy_n(sample_inputs_, nu_, r_ + tapes_.input_slot);
  const Tape& tape = view_ != nullptr ? tapes_.g_jacobians : tapes_.g;
  evaluate(tape);
  for (std::size_t i = 0; i < ny_; ++i) {
    y[k * ny_ + i] = r_[tape.values[i]];
  }
  if (xs != nullptr) {
    std::copy_n(x, nx_, xs + k * nx_);
  }
  if (view_ != nullptr) {
    const auto count = static_cast<std::size_t>(view_->count);
    rows(tape, view_->work, count, view_->outputs + k * ny_ * count);
    for (std::size_t i = 0; view_->states != nullptr && i < nx_; ++i) {
      std::copy_n(view_->work + i * static_cast<std::size_t>(view_->stride), count,
                  view_->states + (k * nx_ + i) * count);
    }
  }
}

void InterpretedLoop::set_point(double t, const double* x) {
  r_[tapes_.time_slot] = t;
  std::copy_n(x, nx_, r_ + tapes_.state_slot);
}

void InterpretedLoop::set_inputs(long j, int half) {
  const double* u = sample_inputs_;
  double* target = r_ + tapes_.input_slot;
  if (record_.between == 1) {
    const double s = (static_cast<double>(j) + 0.5 * half) /* exact */ *
                     (1.0 / static_cast<double>(record_.substeps));
    for (std::size_t i = 0; i < nu_; ++i) {
      target[i] = u[i] + s * (u[i + nu_] - u[i]);
    }
    return;
  }
  std::copy_n(u + (record_.between == 2 ? static_cast<std::size_t>(2 * j + half) * nu_ : 0), nu_,
              target);
}

void InterpretedLoop::rows(const Tape& tape, const double* s, std::size_t count, double* d) const {
  sensitivity_product(tape, r_, view_->column_of_parameter, s,
                      static_cast<std::size_t>(view_->stride), count, d);
}

}  // namespace alembert::model::equations
