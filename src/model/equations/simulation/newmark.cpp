#include <algorithm>
#include <cmath>

#include "alembert/core/not_a_number.hpp"
#include "model/equations/interpreter/interpreted_loop.hpp"
#include "model/equations/simulation/newmark_layout.hpp"

namespace alembert::model::equations {

namespace {

using Role = NewmarkLayout::Role;

constexpr int kNewtonSteps = 25;

// M = P L R with row exchanges; the diagonal of R is kept inverted. The three functions do what
// those of the generated C do.
void decompose(std::size_t n, double* m, int* pivot) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::fabs(m[i * n + k]) > std::fabs(m[best * n + k])) best = i;
    }
    pivot[k] = static_cast<int>(best);
    if (best != k) {
      std::swap_ranges(m + k * n, m + (k + 1) * n, m + best * n);
    }
    const double inverse = 1.0 / m[k * n + k];
    m[k * n + k] = inverse;
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = m[i * n + k] * inverse;
      m[i * n + k] = factor;
      for (std::size_t j = k + 1; j < n; ++j) m[i * n + j] -= factor * m[k * n + j];
    }
  }
}

// Solves for n rows of `columns` numbers in place.
void solve_rows(std::size_t n, const double* m, const int* pivot, std::size_t columns, double* b) {
  const auto subtract = [b, columns](std::size_t row, double factor, std::size_t other) {
    for (std::size_t c = 0; c < columns; ++c) {
      b[row * columns + c] -= factor * b[other * columns + c];
    }
  };
  for (std::size_t k = 0; k < n; ++k) {
    const auto other = static_cast<std::size_t>(pivot[k]);
    if (other != k) {
      std::swap_ranges(b + k * columns, b + (k + 1) * columns, b + other * columns);
    }
  }
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) subtract(i, m[i * n + k], k);
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) subtract(k, m[k * n + j], j);
    for (std::size_t c = 0; c < columns; ++c) b[k * columns + c] *= m[k * n + k];
  }
}

// Newmark's method over the registers of the interpreter. The generated C does the same
// operations in the same order; see there for the meaning of the names.
class InterpretedNewmark : InterpretedLoop {
 public:
  InterpretedNewmark(const CompiledEquations::Content& content, const RecordView& record,
                     const SensitivityView* view, double* registers, double* work, int* pivots)
      : InterpretedLoop(content, record, view, registers),
        layout_(content.newmark),
        n2_(layout_.pairs.size()),
        nn_(layout_.unknowns()),
        h_(record.step / static_cast<double>(record.substeps)),
        half_(0.5 * h_),
        quarter_(0.25 * h_ * h_),
        m_(work),
        x_(m_ + nn_ * nn_),
        base_(x_ + nx_),
        b_(base_ + nx_),
        rate_(b_ + nn_),
        past_(rate_ + nn_),
        p_(past_ + 2 * nn_),
        scale_(p_ + nn_),
        delta_(scale_ + nn_),
        pivot_(pivots) {
    if (view != nullptr) {
      stride_ = static_cast<std::size_t>(view->stride);
      s_ = view->work;
      z_ = s_ + nx_ * stride_;
      f_ = z_ + nx_ * stride_;
      q_ = f_ + nx_ * stride_;
      rhs_ = q_ + nn_ * stride_;
    }
  }

  long run(const double* x0, double* y, double* xs) {
    std::copy_n(x0, nx_, x_);
    std::fill_n(scale_, nn_, 0.0);
    for (long k = 0; k < record_.samples; ++k) {
      const double tk = sample_time(k);
      begin_sample(k);
      if (!std::all_of(x_, x_ + nx_, [](double x) { return std::isfinite(x); })) {
        return k;
      }
      output(k, tk, x_, y, xs);
      if (k + 1 == record_.samples) break;
      if (k == 0 || record_.between == 0) start(tk);
      advance(tk);
    }
    return record_.samples;
  }

 private:
  void start(double t) {
    const Tape& tape = view_ != nullptr ? tapes_.f_jacobians : tapes_.f;
    set_point(t, x_);
    evaluate(tape);
    for (std::size_t i = 0; i < n2_; ++i) rate_[i] = r_[tape.values[layout_.pairs[i].velocity]];
    for (std::size_t i = n2_; i < nn_; ++i) {
      rate_[i] = half_ * r_[tape.values[first(i)]];
      p_[i] = x_[first(i)] + rate_[i];
    }
    depth_ = 0;
    if (view_ == nullptr) return;
    rows(tape, s_, stride_, f_);
    for (std::size_t i = 0; i < n2_; ++i) {
      std::copy_n(f_ + layout_.pairs[i].velocity * stride_, stride_, q_ + i * stride_);
    }
    for (std::size_t i = n2_; i < nn_; ++i) {
      for (std::size_t c = 0; c < stride_; ++c) {
        q_[i * stride_ + c] = s_[first(i) * stride_ + c] + half_ * f_[first(i) * stride_ + c];
      }
    }
  }

  void advance(double tk) {
    for (long j = 0; j < record_.substeps; ++j) {
      const double t = tk + static_cast<double>(j + 1) * h_;
      if (record_.between != 0) set_inputs(j, 2);
      if (!solve(t)) {
        // The next sample finds that the states are no numbers and ends the record.
        std::fill_n(x_, nx_, kNaN);
        return;
      }
      accept();
      if (view_ != nullptr) move_sensitivities(t);
    }
  }

  [[nodiscard]] std::size_t first(std::size_t unknown) const {
    return layout_.first[unknown - n2_];
  }

  void predict() {
    const double* last = past_;
    const double* before = past_ + nn_;
    for (std::size_t i = 0; i < n2_; ++i) {
      const auto [q, v] = layout_.pairs[i];
      const double a = rate_[i];
      b_[i] = depth_ == 0 ? a : depth_ == 1 ? 2.0 * a - last[i] : 3.0 * (a - last[i]) + before[i];
      base_[q] = x_[q] + h_ * x_[v] + quarter_ * a;
      base_[v] = x_[v] + half_ * a;
    }
    for (std::size_t i = n2_; i < nn_; ++i) {
      const double d = rate_[i];
      b_[i] = x_[first(i)] + (depth_ == 0 ? 2.0 * d
                              : depth_ == 1
                                  ? 3.0 * d - last[i]
                                  : (23.0 * d - 16.0 * last[i] + 5.0 * before[i]) * (1.0 / 6.0));
    }
  }

  void move_to_unknowns() {
    for (std::size_t i = 0; i < n2_; ++i) {
      const auto [q, v] = layout_.pairs[i];
      x_[q] = base_[q] + quarter_ * b_[i];
      x_[v] = base_[v] + half_ * b_[i];
    }
    for (std::size_t i = n2_; i < nn_; ++i) x_[first(i)] = b_[i];
  }

  bool solve(double t) {
    predict();
    for (int iteration = 0; iteration < kNewtonSteps; ++iteration) {
      move_to_unknowns();
      set_point(t, x_);
      evaluate(tapes_.f_state);
      residual();
      matrix(tapes_.f_state);
      decompose(nn_, m_, pivot_);
      solve_rows(nn_, m_, pivot_, 1, delta_);
      for (std::size_t i = 0; i < nn_; ++i) {
        b_[i] += delta_[i];
        const double size = std::fabs(b_[i]);
        if (size > scale_[i]) scale_[i] = size;
      }
      if (settled()) {
        move_to_unknowns();
        return true;
      }
    }
    return false;
  }

  void residual() {
    const std::vector<std::uint32_t>& values = tapes_.f_state.values;
    for (std::size_t i = 0; i < n2_; ++i) {
      delta_[i] = r_[values[layout_.pairs[i].velocity]] - b_[i];
    }
    for (std::size_t i = n2_; i < nn_; ++i) {
      delta_[i] = p_[i] + half_ * r_[values[first(i)]] - b_[i];
    }
  }

  // M = 1 - ∂(right side)/∂b
  void matrix(const Tape& tape) {
    std::fill_n(m_, nn_ * nn_, 0.0);
    for (std::size_t i = 0; i < nn_; ++i) m_[i * nn_ + i] = 1.0;
    for (const EntrySlot& entry : tape.by_state) {
      const Role row = layout_.role[entry.row];
      if (row == Role::Position) continue;
      const Role column = layout_.role[entry.column];
      const double own = column == Role::Position   ? quarter_
                         : column == Role::Velocity ? half_
                                                    : 1.0;
      const double factor = row == Role::First ? half_ * own : own;
      m_[layout_.unknown[entry.row] * nn_ + layout_.unknown[entry.column]] -=
          factor * r_[entry.slot];
    }
  }

  // Whether the last change is small: against the largest values so far, or against rounding.
  [[nodiscard]] bool settled() const {
    double top_a = 0.0;
    double top_s = 0.0;
    double top_q = 0.0;
    for (std::size_t i = 0; i < n2_; ++i) {
      const auto [q, v] = layout_.pairs[i];
      top_a = std::max(top_a, scale_[i]);
      top_q = std::max(top_q, std::fabs(x_[q]) + h_ * std::fabs(x_[v]));
    }
    for (std::size_t i = n2_; i < nn_; ++i) top_s = std::max(top_s, scale_[i]);
    for (std::size_t i = 0; i < nn_; ++i) {
      const bool second = i < n2_;
      const double scale = std::max(scale_[i], 1e-9 * (second ? top_a : top_s));
      const double change = std::fabs(delta_[i]);
      if (change <= record_.tolerance * scale) continue;
      if (!(second ? quarter_ * change <= 1e-13 * top_q : change <= 1e-13 * top_s)) return false;
    }
    return true;
  }

  void accept() {
    std::copy_n(past_, nn_, past_ + nn_);
    std::copy_n(rate_, nn_, past_);
    std::copy_n(b_, n2_, rate_);
    for (std::size_t i = n2_; i < nn_; ++i) {
      p_[i] = 2.0 * b_[i] - p_[i];
      rate_[i] = p_[i] - b_[i];
    }
    depth_ = std::min(depth_ + 1, 2);
  }

  // The derivatives of the step's equations: M [∂a/∂θ; ∂s/∂θ] = right sides at the new states.
  void move_sensitivities(double t) {
    for (std::size_t i = 0; i < n2_; ++i) {
      const std::size_t q = layout_.pairs[i].position * stride_;
      const std::size_t v = layout_.pairs[i].velocity * stride_;
      const double* a = q_ + i * stride_;
      for (std::size_t c = 0; c < stride_; ++c) {
        z_[q + c] = s_[q + c] + h_ * s_[v + c] + quarter_ * a[c];
        z_[v + c] = s_[v + c] + half_ * a[c];
      }
    }
    set_point(t, x_);
    evaluate(tapes_.f_slopes);
    matrix(tapes_.f_slopes);
    right_sides();
    decompose(nn_, m_, pivot_);
    solve_rows(nn_, m_, pivot_, stride_, rhs_);
    for (std::size_t i = 0; i < n2_; ++i) {
      const std::size_t q = layout_.pairs[i].position * stride_;
      const std::size_t v = layout_.pairs[i].velocity * stride_;
      const double* a = rhs_ + i * stride_;
      for (std::size_t c = 0; c < stride_; ++c) {
        s_[q + c] = z_[q + c] + quarter_ * a[c];
        s_[v + c] = z_[v + c] + half_ * a[c];
        q_[i * stride_ + c] = a[c];
      }
    }
    for (std::size_t i = n2_; i < nn_; ++i) {
      for (std::size_t c = i * stride_; c < (i + 1) * stride_; ++c) {
        s_[first(i) * stride_ + c - i * stride_] = rhs_[c];
        q_[c] = 2.0 * rhs_[c] - q_[c];
      }
    }
  }

  // ∂f/∂x Z + ∂f/∂θ for the rows of the unknowns, where Z has no part in the states of first order.
  void right_sides() {
    const Tape& tape = tapes_.f_slopes;
    std::fill_n(rhs_, nn_ * stride_, 0.0);
    for (const EntrySlot& entry : tape.by_state) {
      if (layout_.role[entry.row] == Role::Position || layout_.role[entry.column] == Role::First) {
        continue;
      }
      double* target = rhs_ + layout_.unknown[entry.row] * stride_;
      const double* source = z_ + entry.column * stride_;
      for (std::size_t c = 0; c < stride_; ++c) target[c] += r_[entry.slot] * source[c];
    }
    for (const EntrySlot& entry : tape.by_parameter) {
      const int column = view_->column_of_parameter[entry.column];
      if (column >= 0 && layout_.role[entry.row] != Role::Position) {
        rhs_[layout_.unknown[entry.row] * stride_ + static_cast<std::size_t>(column)] +=
            r_[entry.slot];
      }
    }
    for (std::size_t i = n2_ * stride_; i < nn_ * stride_; ++i) rhs_[i] = q_[i] + half_ * rhs_[i];
  }

  const NewmarkLayout& layout_;
  std::size_t n2_, nn_;
  double h_, half_, quarter_;
  double *m_, *x_, *base_, *b_, *rate_, *past_, *p_, *scale_, *delta_;
  int* pivot_;
  int depth_ = 0;
  std::size_t stride_ = 0;
  double *s_ = nullptr, *z_ = nullptr, *f_ = nullptr, *q_ = nullptr, *rhs_ = nullptr;
};

}  // namespace

NewmarkLayout newmark_layout(const Program& program) {
  NewmarkLayout layout;
  layout.pairs = program.pairs;
  layout.role.assign(program.states.size(), Role::First);
  layout.unknown.assign(program.states.size(), 0);
  for (std::size_t i = 0; i < layout.pairs.size(); ++i) {
    const auto [q, v] = layout.pairs[i];
    layout.role[q] = Role::Position;
    layout.role[v] = Role::Velocity;
    layout.unknown[q] = layout.unknown[v] = i;
  }
  for (std::size_t k = 0; k < program.states.size(); ++k) {
    if (layout.role[k] == Role::First) {
      layout.unknown[k] = layout.unknowns();
      layout.first.push_back(k);
    }
  }
  return layout;
}

std::size_t newmark_room(const NewmarkLayout& layout) {
  const std::size_t nn = layout.unknowns();
  return nn * nn + 2 * layout.role.size() + 7 * nn;
}

long newmark_record(const CompiledEquations::Content& content, const RecordView& record,
                    const double* x0, double* y, double* xs, const SensitivityView* view,
                    double* registers, double* work, int* pivots) {
  return InterpretedNewmark(content, record, view, registers, work, pivots).run(x0, y, xs);
}

}  // namespace alembert::model::equations
