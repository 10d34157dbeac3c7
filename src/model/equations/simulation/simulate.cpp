#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/equations/interpreter/interpreted_loop.hpp"

namespace alembert::model::equations {

namespace {

// Runge-Kutta 4 over the registers of the interpreter. The generated C does the same operations
// in the same order.
class InterpretedRungeKutta : InterpretedLoop {
 public:
  InterpretedRungeKutta(const CompiledEquations::Content& content, const RecordView& record,
                        const SensitivityView* view, double* registers, double* work)
      : InterpretedLoop(content, record, view, registers), x_(work), k_(work + nx_) {}

  long run(const double* x0, double* y, double* xs) {
    std::copy_n(x0, nx_, x_);
    const double h = record_.step / static_cast<double>(record_.substeps);
    for (long k = 0; k < record_.samples; ++k) {
      const double tk = sample_time(k);
      begin_sample(k);
      if (!std::all_of(x_, x_ + nx_, [](double x) { return std::isfinite(x); })) {
        return k;
      }
      output(k, tk, x_, y, xs);
      for (long j = 0; k + 1 < record_.samples && j < record_.substeps; ++j) {
        step(tk + static_cast<double>(j) * h, h, j);
      }
    }
    return record_.samples;
  }

 private:
  void step(double t, double h, long j) {
    const double half = 0.5 * h;
    const double sixth = h / 6.0;
    stage(0, t, 0.0, j, 0);
    stage(1, t + half, half, j, 1);
    stage(2, t + half, half, j, 1);
    stage(3, t + h, h, j, 2);
    const auto combine = [sixth](std::size_t count, double* x, const double* k) {
      for (std::size_t i = 0; i < count; ++i) {
        x[i] = x[i] + sixth * (k[i] + 2.0 * (k[count + i] + k[2 * count + i]) + k[3 * count + i]);
      }
    };
    combine(nx_, x_, k_);
    if (view_ != nullptr) {
      const std::size_t size = sensitivity_size();
      combine(size, view_->work, view_->work + 2 * size);
    }
  }

  [[nodiscard]] std::size_t sensitivity_size() const {
    return nx_ * static_cast<std::size_t>(view_->stride);
  }

  // k_n = f(t, x + a k_{n-1})
  void stage(std::size_t n, double t, double a, long j, int half) {
    r_[tapes_.time_slot] = t;
    double* z = r_ + tapes_.state_slot;
    if (n == 0) {
      std::copy_n(x_, nx_, z);
    } else {
      const double* before = k_ + (n - 1) * nx_;
      for (std::size_t i = 0; i < nx_; ++i) {
        z[i] = x_[i] + a * before[i];
      }
    }
    if (record_.between != 0) {
      set_inputs(j, half);
    }
    const Tape& tape = view_ != nullptr ? tapes_.f_jacobians : tapes_.f;
    evaluate(tape);
    for (std::size_t i = 0; i < nx_; ++i) {
      k_[n * nx_ + i] = r_[tape.values[i]];
    }
    if (view_ != nullptr) {
      sensitivity_stage(tape, n, a);
    }
  }

  void sensitivity_stage(const Tape& tape, std::size_t n, double a) {
    const std::size_t size = sensitivity_size();
    const double* at = view_->work;  // S, then Z = S + a D_{n-1}
    if (n > 0) {
      double* z = view_->work + size;
      const double* before = view_->work + (n + 1) * size;
      for (std::size_t i = 0; i < size; ++i) {
        z[i] = view_->work[i] + a * before[i];
      }
      at = z;
    }
    rows(tape, at, static_cast<std::size_t>(view_->stride), view_->work + (n + 2) * size);
  }

  double* x_;
  double* k_;  // four stages
};

}  // namespace

std::size_t stage_room(const Program& program) { return 5 * program.states.size(); }

long simulate_record(const CompiledEquations::Content& content, const RecordView& record,
                     const double* x0, double* y, double* xs, const SensitivityView* view,
                     double* registers, double* work) {
  return InterpretedRungeKutta(content, record, view, registers, work).run(x0, y, xs);
}

}  // namespace alembert::model::equations
