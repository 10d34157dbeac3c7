#include <algorithm>
#include <cmath>
#include <cstddef>

#include "model/equations/engine_content.hpp"

namespace alembert::model::equations {

namespace {

// Runge-Kutta 4 over the registers of the interpreter. The generated C does the same operations
// in the same order.
class InterpretedRecord {
 public:
  InterpretedRecord(const CompiledEquations::Content& content, const RecordView& record,
                    const SensitivityView* view, double* registers, double* work)
      : program_(content.model.program()),
        tapes_(content.tapes),
        record_(record),
        view_(view),
        r_(registers),
        nx_(program_.states.size()),
        nu_(program_.inputs.size()),
        ny_(program_.outputs.size()),
        x_(work),
        k_(work + nx_) {}

  long run(const double* x0, double* y, double* xs) {
    std::copy_n(x0, nx_, x_);
    const double h = record_.step / static_cast<double>(record_.substeps);
    for (long k = 0; k < record_.samples; ++k) {
      const double tk = record_.start_time + static_cast<double>(k) * record_.step;
      sample_inputs_ =
          record_.inputs +
          static_cast<std::size_t>(record_.between == 2 ? 2 * k * record_.substeps : k) * nu_;
      if (!std::all_of(x_, x_ + nx_, [](double x) { return std::isfinite(x); })) {
        return k;
      }
      output(k, tk, y, xs);
      for (long j = 0; k + 1 < record_.samples && j < record_.substeps; ++j) {
        step(tk + static_cast<double>(j) * h, h, j);
      }
    }
    return record_.samples;
  }

 private:
  void output(long sample, double t, double* y, double* xs) {
    const auto k = static_cast<std::size_t>(sample);
    set(t, x_);
    std::copy_n(sample_inputs_, nu_, r_ + tapes_.input_slot);
    const Tape& tape = view_ != nullptr ? tapes_.g_jacobians : tapes_.g;
    equations::run(tape, program_.graph.curves(), r_);
    for (std::size_t i = 0; i < ny_; ++i) {
      y[k * ny_ + i] = r_[tape.values[i]];
    }
    if (xs != nullptr) {
      std::copy_n(x_, nx_, xs + k * nx_);
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

  void set(double t, const double* x) {
    r_[tapes_.time_slot] = t;
    std::copy_n(x, nx_, r_ + tapes_.state_slot);
  }

  // Inputs at substep j + half/2.
  void set_inputs(long j, int half) {
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
    equations::run(tape, program_.graph.curves(), r_);
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

  // D = J_x S + J_θ, with `count` columns.
  void rows(const Tape& tape, const double* s, std::size_t count, double* d) const {
    const auto stride = static_cast<std::size_t>(view_->stride);
    std::size_t row_done = 0;  // rows that have got their first term
    for (const EntrySlot& entry : tape.by_state) {
      for (; row_done < entry.row; ++row_done) {
        std::fill_n(d + row_done * count, count, 0.0);
      }
      const double factor = r_[entry.slot];
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
      const int column = view_->column_of_parameter[entry.column];
      if (column >= 0) {
        d[entry.row * count + static_cast<std::size_t>(column)] += r_[entry.slot];
      }
    }
  }

  const Program& program_;
  const TapeSet& tapes_;
  const RecordView& record_;
  const SensitivityView* view_;
  double* r_;
  std::size_t nx_, nu_, ny_;
  double* x_;
  double* k_;  // four stages
  const double* sample_inputs_ = nullptr;
};

}  // namespace

std::size_t stage_room(const Program& program) { return 5 * program.states.size(); }

long simulate_record(const CompiledEquations::Content& content, const RecordView& record,
                     const double* x0, double* y, double* xs, const SensitivityView* view,
                     double* registers, double* work) {
  return InterpretedRecord(content, record, view, registers, work).run(x0, y, xs);
}

}  // namespace alembert::model::equations
