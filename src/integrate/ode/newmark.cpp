#include "alembert/integrate/ode/newmark.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/not_a_number.hpp"

namespace alembert::integrate::ode {

namespace {

constexpr int kNewtonSteps = 25;

// M = P L R with row exchanges; the diagonal of R is kept inverted. Both functions do what those
// of the generated C do, operation by operation.
void decompose_rows(std::size_t n, double* m, int* pivot) {
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

}  // namespace

Newmark::Newmark(System& system, const std::vector<model::SecondOrderPair>& pairs)
    : own_layout_(model::detail::newmark_layout(system.states(), pairs)),
      own_pattern_(system.jacobian_pattern()),
      memory_(work_room(own_layout_, own_pattern_.size()) +
              sensitivity_room(system.states() * system.stride())),
      own_pivots_(own_layout_.unknowns()),
      system_(system),
      layout_(own_layout_),
      pattern_(own_pattern_),
      nx_(system.states()),
      n2_(layout_.pairs.size()),
      nn_(layout_.unknowns()),
      stride_(system.stride()),
      pivot_(own_pivots_.data()) {
  place(memory_.data(), memory_.data() + work_room(layout_, pattern_.size()));
}

Newmark::Newmark(System& system, const model::detail::NewmarkLayout& layout,
                 const std::vector<MatrixPlace>& pattern, double* work, int* pivots,
                 double* sensitivity_work)
    : system_(system),
      layout_(layout),
      pattern_(pattern),
      nx_(system.states()),
      n2_(layout_.pairs.size()),
      nn_(layout_.unknowns()),
      stride_(system.stride()),
      pivot_(pivots) {
  place(work, sensitivity_work);
}

std::size_t Newmark::work_room(const model::detail::NewmarkLayout& layout,
                               std::size_t jacobian_entries) {
  const std::size_t nn = layout.unknowns();
  return nn * nn + 3 * layout.role.size() + 7 * nn + jacobian_entries;
}

void Newmark::place(double* work, double* sensitivity_work) {
  m_ = work;
  x_ = m_ + nn_ * nn_;
  base_ = x_ + nx_;
  b_ = base_ + nx_;
  rate_ = b_ + nn_;
  past_ = rate_ + nn_;
  p_ = past_ + 2 * nn_;
  scale_ = p_ + nn_;
  delta_ = scale_ + nn_;
  dx_ = delta_ + nn_;
  entries_ = dx_ + nx_;
  std::fill_n(scale_, nn_, 0.0);
  if (stride_ == 0) return;
  s_ = sensitivity_work;
  z_ = s_ + nx_ * stride_;
  f_ = z_ + nx_ * stride_;
  q_ = f_ + nx_ * stride_;
  rhs_ = q_ + nn_ * stride_;
}

std::size_t Newmark::first(std::size_t unknown) const { return layout_.first[unknown - n2_]; }

void Newmark::start(double t, double h, const double* u) {
  h_ = h;
  half_ = 0.5 * h;
  quarter_ = 0.25 * h * h;
  depth_ = 0;
  if (stride_ > 0) {
    system_.sensitive_derivative(t, x_, u, s_, dx_, f_);
  } else {
    system_.derivative(t, x_, u, dx_);
  }
  for (std::size_t i = 0; i < n2_; ++i) rate_[i] = dx_[layout_.pairs[i].velocity];
  for (std::size_t i = n2_; i < nn_; ++i) {
    rate_[i] = half_ * dx_[first(i)];
    p_[i] = x_[first(i)] + rate_[i];
  }
  for (std::size_t i = 0; i < n2_ && stride_ > 0; ++i) {
    std::copy_n(f_ + layout_.pairs[i].velocity * stride_, stride_, q_ + i * stride_);
  }
  for (std::size_t i = n2_; i < nn_; ++i) {
    for (std::size_t c = 0; c < stride_; ++c) {
      q_[i * stride_ + c] = s_[first(i) * stride_ + c] + half_ * f_[first(i) * stride_ + c];
    }
  }
}

bool Newmark::step(double t, const double* u, double tolerance) {
  if (!solve(t, u, tolerance)) {
    std::fill_n(x_, nx_, kNaN);
    return false;
  }
  accept();
  if (stride_ > 0) move_sensitivities(t, u);
  return true;
}

void Newmark::predict() {
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

void Newmark::move_to_unknowns() {
  for (std::size_t i = 0; i < n2_; ++i) {
    const auto [q, v] = layout_.pairs[i];
    x_[q] = base_[q] + quarter_ * b_[i];
    x_[v] = base_[v] + half_ * b_[i];
  }
  for (std::size_t i = n2_; i < nn_; ++i) x_[first(i)] = b_[i];
}

bool Newmark::solve(double t, const double* u, double tolerance) {
  predict();
  for (int iteration = 0; iteration < kNewtonSteps; ++iteration) {
    move_to_unknowns();
    system_.jacobian(t, x_, u, dx_, entries_);
    residual();
    matrix();
    decompose_rows(nn_, m_, pivot_);
    solve_rows(nn_, m_, pivot_, 1, delta_);
    for (std::size_t i = 0; i < nn_; ++i) {
      b_[i] += delta_[i];
      const double size = std::fabs(b_[i]);
      if (size > scale_[i]) scale_[i] = size;
    }
    if (settled(tolerance)) {
      move_to_unknowns();
      return true;
    }
  }
  return false;
}

void Newmark::residual() {
  for (std::size_t i = 0; i < n2_; ++i) {
    delta_[i] = dx_[layout_.pairs[i].velocity] - b_[i];
  }
  for (std::size_t i = n2_; i < nn_; ++i) {
    delta_[i] = p_[i] + half_ * dx_[first(i)] - b_[i];
  }
}

// M = 1 - ∂(right side)/∂b
void Newmark::matrix() {
  std::fill_n(m_, nn_ * nn_, 0.0);
  for (std::size_t i = 0; i < nn_; ++i) m_[i * nn_ + i] = 1.0;
  for (std::size_t k = 0; k < pattern_.size(); ++k) {
    const auto [i, j] = pattern_[k];
    const Role row = layout_.role[i];
    if (row == Role::Position) continue;
    const Role column = layout_.role[j];
    const double own = column == Role::Position ? quarter_ : column == Role::Velocity ? half_ : 1.0;
    const double factor = row == Role::First ? half_ * own : own;
    m_[layout_.unknown[i] * nn_ + layout_.unknown[j]] -= factor * entries_[k];
  }
}

// Whether the last change is small: against the largest values so far, or against rounding.
bool Newmark::settled(double tolerance) const {
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
    if (change <= tolerance * scale) continue;
    if (!(second ? quarter_ * change <= 1e-13 * top_q : change <= 1e-13 * top_s)) return false;
  }
  return true;
}

void Newmark::accept() {
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
void Newmark::move_sensitivities(double t, const double* u) {
  for (std::size_t i = 0; i < n2_; ++i) {
    const std::size_t q = layout_.pairs[i].position * stride_;
    const std::size_t v = layout_.pairs[i].velocity * stride_;
    const double* a = q_ + i * stride_;
    for (std::size_t c = 0; c < stride_; ++c) {
      z_[q + c] = s_[q + c] + h_ * s_[v + c] + quarter_ * a[c];
      z_[v + c] = s_[v + c] + half_ * a[c];
    }
  }
  system_.slopes(t, x_, u, entries_, f_);
  matrix();
  right_sides();
  decompose_rows(nn_, m_, pivot_);
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
void Newmark::right_sides() {
  std::fill_n(rhs_, nn_ * stride_, 0.0);
  for (std::size_t k = 0; k < pattern_.size(); ++k) {
    const auto [i, j] = pattern_[k];
    if (layout_.role[i] == Role::Position || layout_.role[j] == Role::First) continue;
    double* target = rhs_ + layout_.unknown[i] * stride_;
    const double* source = z_ + j * stride_;
    for (std::size_t c = 0; c < stride_; ++c) target[c] += entries_[k] * source[c];
  }
  for (std::size_t i = 0; i < nx_; ++i) {
    if (layout_.role[i] == Role::Position) continue;
    double* target = rhs_ + layout_.unknown[i] * stride_;
    for (std::size_t c = 0; c < stride_; ++c) target[c] += f_[i * stride_ + c];
  }
  for (std::size_t i = n2_ * stride_; i < nn_ * stride_; ++i) rhs_[i] = q_[i] + half_ * rhs_[i];
}

}  // namespace alembert::integrate::ode
