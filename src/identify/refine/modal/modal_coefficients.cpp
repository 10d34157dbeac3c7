#include "identify/refine/modal/modal_coefficients.hpp"

#include <algorithm>

#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "identify/parametrisation/entry_index.hpp"

namespace alembert::identify {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;

// Two signals s_r, s_s of poles at the distance δ lose 1/(δ τ)² of the digits of a Gram matrix.
constexpr double kCloseLimit = 1e-3;
// Eigenvectors amplify rounding by the square of their condition number.
constexpr double kModalConditionLimit = 1e4;

// ∂/∂X of xᵀ X y by the entries of the half vector of X.
Eigen::RowVectorXcd half_product(const Eigen::VectorXcd& x, const Eigen::VectorXcd& y) {
  const Index n = x.size();
  Eigen::RowVectorXcd product(half_size(n));
  Index place = 0;
  for (Index column = 0; column < n; ++column) {
    product(place++) = x(column) * y(column);
    for (Index row = column + 1; row < n; ++row) {
      product(place++) = x(row) * y(column) + x(column) * y(row);
    }
  }
  return product;
}

// Derivatives of xᵀ (λ² M + h λ D + h² K) y by the stack.
Eigen::RowVectorXcd stack_product(const Eigen::VectorXcd& x, const Eigen::VectorXcd& y,
                                  Complex pole, double step) {
  const Eigen::RowVectorXcd half = half_product(x, y);
  Eigen::RowVectorXcd stack(3 * half.size());
  stack << pole * pole * half, step * pole * half, step * step * half;
  return stack;
}

}  // namespace

ModalCoefficients::ModalCoefficients(const Fit& fit, const Guess& guess)
    : fit_(fit), guess_(guess), basis_(modal_basis(guess.system, fit.step)) {
  if (!basis_.usable || !(basis_.condition < kModalConditionLimit)) return;
  Index longest = 0;
  for (const Experiment& experiment : fit.data) longest = std::max(longest, experiment.samples());
  close_ = close_pairs(basis_, longest, kCloseLimit);
  if (close_.crossing) return;
  usable_ = true;
  set_layout();
  const double h = fit.step;
  const Eigen::LLT<Eigen::MatrixXd> mass(guess.system.M);
  forces_ = h * h * mass.solve(fit.L);
  sensing_ = mass.solve(fit.outputs.acceleration.transpose()) / (h * h);
  // c_r = (Cq + (λ/h) Cv + (λ/h)² Ca) v_r
  const Eigen::VectorXcd rate = basis_.poles / h;
  const Eigen::MatrixXcd velocity = basis_.v * rate.asDiagonal();
  const Eigen::MatrixXcd acceleration = velocity * rate.asDiagonal();
  all_outputs_ = dense::times(fit.outputs.displacement, basis_.v) +
                 dense::times(fit.outputs.velocity, velocity) +
                 dense::times(fit.outputs.acceleration, acceleration);
  c_ = all_outputs_(Eigen::all, basis_.kept);
  set_own();
}

void ModalCoefficients::set_layout() {
  const auto place = [this](Index pole) {
    return static_cast<Index>(std::find(basis_.kept.begin(), basis_.kept.end(), pole) -
                              basis_.kept.begin());
  };
  layout_.modes = static_cast<Index>(basis_.kept.size());
  layout_.inputs = fit_.inputs();
  layout_.free_motion = fit_.free_start;
  layout_.direct_input = fit_.acceleration_sensed;
  for (const auto& [r, s] : close_.pairs) layout_.pairs.emplace_back(place(r), place(s));
  kept_poles_ = basis_.poles(basis_.kept);
}

bool ModalCoefficients::close(Index r, Index s) const {
  return std::find(close_.pairs.begin(), close_.pairs.end(), std::pair<Index, Index>{r, s}) !=
         close_.pairs.end();
}

void ModalCoefficients::set_own() {
  const Index rows = own_rows();
  const Index modes = layout_.modes;
  const Index outputs = fit_.output_count();
  std::vector<Eigen::MatrixXcd> lefts;
  for (Index mode = 0; mode < modes; ++mode) {
    const Index t = basis_.kept[static_cast<std::size_t>(mode)];
    Eigen::VectorXcd inverse = Eigen::VectorXcd::Zero(basis_.poles.size());
    for (Index r = 0; r < inverse.size(); ++r) {
      if (r != t && !close(t, r)) inverse(r) = 1.0 / (basis_.poles(t) - basis_.poles(r));
    }
    lefts.emplace_back(dense::sandwich(basis_.u, inverse, all_outputs_) + sensing_.cast<Complex>());
  }
  own_.resize(rows * outputs, guess_.unknowns());
  // Output by output: the derivatives by the stack are many more than those by the unknowns.
  for (Index i = 0; i < outputs; ++i) {
    Eigen::MatrixXd stack = Eigen::MatrixXd::Zero(rows, guess_.jacobian.rows());
    for (Index mode = 0; mode < modes; ++mode) {
      const Index t = basis_.kept[static_cast<std::size_t>(mode)];
      const Eigen::RowVectorXcd g = -stack_product(lefts[static_cast<std::size_t>(mode)].col(i),
                                                   basis_.v.col(t), basis_.poles(t), fit_.step);
      stack.row(mode) = g.real();
      stack.row(modes + mode) = -g.imag();
    }
    for (Index c = 0; layout_.direct_input && c < layout_.inputs; ++c) {
      stack.row(2 * modes + c).head(half_size(fit_.coordinates())) =
          -half_product(sensing_.col(i).cast<Complex>(), forces_.col(c).cast<Complex>()).real();
    }
    own_.middleRows(i * rows, rows) = stack * guess_.jacobian;
  }
}

Eigen::MatrixXcd ModalCoefficients::all_beta(Index experiment) const {
  Eigen::MatrixXcd beta(basis_.poles.size(), layout_.channels());
  // W B = (W_2 M⁻¹) h² L and W z(0)
  beta.rightCols(layout_.inputs) =
      (fit_.step * fit_.step) *
      dense::times(Eigen::MatrixXd(fit_.L.transpose()), basis_.u).transpose();
  if (layout_.free_motion) {
    beta.col(0) = basis_.W * guess_.start.col(experiment).cast<Complex>();
  }
  return beta;
}

Eigen::MatrixXcd ModalCoefficients::beta(Index experiment) const {
  return all_beta(experiment)(basis_.kept, Eigen::all);
}

// e_tc of all channels and P_tt of one kept pole.
void ModalCoefficients::add_plain(Index mode, const Eigen::MatrixXcd& beta,
                                  Eigen::MatrixXcd& rows) const {
  const Index t = basis_.kept[static_cast<std::size_t>(mode)];
  const double h = fit_.step;
  const Index half = half_size(fit_.coordinates());
  Eigen::VectorXcd inverse = Eigen::VectorXcd::Zero(basis_.poles.size());
  for (Index s = 0; s < inverse.size(); ++s) {
    if (s != t && !close(t, s)) inverse(s) = 1.0 / (basis_.poles(s) - basis_.poles(t));
  }
  const Eigen::MatrixXcd weighted = inverse.asDiagonal() * beta;
  const Eigen::MatrixXcd once = basis_.poles.asDiagonal() * weighted;
  const Eigen::MatrixXcd twice = basis_.poles.asDiagonal() * once;
  const Eigen::MatrixXcd stiffness = h * h * dense::times(basis_.v, weighted);
  const Eigen::MatrixXcd damping = h * dense::times(basis_.v, once);
  Eigen::MatrixXcd mass = dense::times(basis_.v, twice);
  mass.rightCols(layout_.inputs) -= forces_.cast<Complex>();
  const Eigen::VectorXcd u = basis_.u.col(t);
  for (Index c = 0; c < layout_.channels(); ++c) {
    const Index row = layout_.plain(c, mode);
    rows.row(row).head(half) = half_product(u, mass.col(c));
    rows.row(row).segment(half, half) = half_product(u, damping.col(c));
    rows.row(row).tail(half) = half_product(u, stiffness.col(c));
  }
  rows.row(layout_.slope(mode)) = -stack_product(u, basis_.v.col(t), basis_.poles(t), h);
}

// P_rs β_sc of the close pairs.
void ModalCoefficients::add_pairs(const Eigen::MatrixXcd& beta, Eigen::MatrixXcd& rows) const {
  for (std::size_t p = 0; p < close_.pairs.size(); ++p) {
    const auto [r, s] = close_.pairs[p];
    const Eigen::RowVectorXcd P =
        -stack_product(basis_.u.col(r), basis_.v.col(s), basis_.poles(s), fit_.step);
    for (Index c = 0; c < layout_.channels(); ++c) {
      rows.row(layout_.pair(static_cast<Index>(p), c)) = beta(s, c) * P;
    }
  }
}

Eigen::MatrixXd ModalCoefficients::common(Index experiment) const {
  const Index signals = layout_.signals();
  const Index unknowns = guess_.unknowns();
  const Eigen::MatrixXcd beta = all_beta(experiment);
  Eigen::MatrixXcd stack = Eigen::MatrixXcd::Zero(signals, guess_.jacobian.rows());
  for (Index mode = 0; mode < layout_.modes; ++mode) add_plain(mode, beta, stack);
  add_pairs(beta, stack);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(2 * signals, unknowns + fit_.start_size());
  result.topLeftCorner(signals, unknowns) = Eigen::MatrixXd(stack.real()) * guess_.jacobian;
  result.bottomLeftCorner(signals, unknowns) = Eigen::MatrixXd(stack.imag()) * guess_.jacobian;
  for (Index mode = 0; fit_.free_start && mode < layout_.modes; ++mode) {
    // ∂(W z(0))_t/∂z(0) = W_t
    const Eigen::RowVectorXcd row = basis_.W.row(basis_.kept[static_cast<std::size_t>(mode)]);
    result.row(layout_.plain(0, mode)).tail(row.size()) = row.real();
    result.row(signals + layout_.plain(0, mode)).tail(row.size()) = row.imag();
  }
  return result;
}

}  // namespace alembert::identify
