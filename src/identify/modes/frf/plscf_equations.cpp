#include "identify/modes/frf/plscf_equations.hpp"

#include <numbers>

#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/lapack.hpp"

namespace alembert::identify::modes {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Re Σ w² x e^{idθ} of many sequences x: cosine part even, sine part odd in d.
struct Sequences {
  MatrixXd even, odd;  // (p + 1) x sequences

  [[nodiscard]] double at(Index d, Index column) const {
    return d >= 0 ? even(d, column) - odd(d, column) : even(-d, column) + odd(-d, column);
  }
};

struct Waves {
  MatrixXd cosine, sine;  // lines x (p + 1)
};

Waves waves_of(const VectorXd& frequencies, Index count) {
  const double first = frequencies(0);
  const double width = frequencies(frequencies.size() - 1) - first;
  // θ = π (f - f0)/(f1 - f0)
  const VectorXd theta = std::numbers::pi * (frequencies.array() - first) / width;
  Waves waves{MatrixXd(theta.size(), count), MatrixXd(theta.size(), count)};
  for (Index d = 0; d < count; ++d) {
    waves.cosine.col(d) = (static_cast<double>(d) * theta.array()).cos();
    waves.sine.col(d) = (static_cast<double>(d) * theta.array()).sin();
  }
  return waves;
}

// Re (a + ib)(cos + i sin) = a cos - b sin.
Sequences sequences_of(const Waves& waves, const VectorXd& weight, const MatrixXcd& values) {
  Sequences all{MatrixXd::Zero(waves.cosine.cols(), values.cols()),
                MatrixXd::Zero(waves.cosine.cols(), values.cols())};
  const MatrixXd real = weight.asDiagonal() * values.real();
  const MatrixXd imaginary = weight.asDiagonal() * values.imag();
  add_transposed_product(waves.cosine, real, all.even);
  add_transposed_product(waves.sine, imaginary, all.odd);
  return all;
}

// H of equal noise in all outputs.
MatrixXcd scaled_values(const FrfData& data) {
  MatrixXcd values = data.values;
  for (Index c = 0; data.output_deviation.size() > 0 && c < values.cols(); ++c) {
    values.col(c) /= data.output_deviation(c % data.outputs);
  }
  return values;
}

// Σ_o conj(H_oi) H_oi', column i m + i'.
MatrixXcd pair_products(const FrfData& data, const MatrixXcd& values) {
  const Index m = data.inputs;
  MatrixXcd pairs(values.rows(), m * m);
  for (Index i = 0; i < m; ++i) {
    for (Index k = 0; k < m; ++k) {
      pairs.col(i * m + k) = values.middleCols(i * data.outputs, data.outputs)
                                 .conjugate()
                                 .cwiseProduct(values.middleCols(k * data.outputs, data.outputs))
                                 .rowwise()
                                 .sum();
    }
  }
  return pairs;
}

}  // namespace

PlscfEquations::PlscfEquations(const FrfData& data, int largest_order)
    : inputs_(data.inputs), outputs_(data.outputs), columns_((largest_order + 1) * data.inputs) {
  const Index count = largest_order + 1;
  const Index m = inputs_;
  VectorXd weight = VectorXd::Ones(data.lines());
  if (data.line_deviation.size() > 0) weight = data.line_deviation.array().square().inverse();
  weight /= weight.mean();
  const Waves waves = waves_of(data.frequencies_hz, count);
  const MatrixXcd values = scaled_values(data);
  const MatrixXcd ones = MatrixXcd::Ones(data.lines(), 1);
  const Sequences r = sequences_of(waves, weight, ones);
  const Sequences s = sequences_of(waves, weight, values);
  const Sequences t = sequences_of(waves, weight, pair_products(data, values));
  MatrixXd L(count, count);
  eliminated_.resize(count, outputs_ * columns_);
  normal_.resize(columns_, columns_);
  for (Index k = 0; k < count; ++k) {
    for (Index j = 0; j < count; ++j) {
      L(j, k) = r.at(k - j, 0);
      for (Index i = 0; i < m; ++i) {
        for (Index o = 0; o < outputs_; ++o) {
          eliminated_(j, o * columns_ + k * m + i) = -s.at(k - j, i * outputs_ + o);
        }
        for (Index n = 0; n < m; ++n) normal_(j * m + i, k * m + n) = t.at(k - j, i * m + n);
      }
    }
  }
  // R is well conditioned as long as the band fills the half circle.
  (void)cholesky_in_place(L);
  solve_lower(L, eliminated_);
}

void PlscfEquations::advance() {
  ++order_;
  const VectorXd row = eliminated_.row(order_);
  const Eigen::Map<const MatrixXd> rows(row.data(), columns_, outputs_);
  add_outer_gram(rows, -1.0, normal_);
}

MatrixXd PlscfEquations::normal() const {
  const Index size = (order_ + 1) * inputs_;
  return normal_.topLeftCorner(size, size).selfadjointView<Eigen::Lower>();
}

MatrixXd PlscfEquations::coefficients() const {
  const Index size = order_ * inputs_;
  MatrixXd M = normal_.block(inputs_, inputs_, size, size);
  const MatrixXd right = -normal_.block(inputs_, 0, size, inputs_);
  MatrixXd factor = M;
  if (cholesky_in_place(factor)) {
    MatrixXd X = right;
    solve_lower(factor, X);
    return factor.transpose().triangularView<Eigen::Upper>().solve(X);
  }
  // FRFs without noise of an order below: M is singular to rounding.
  const MatrixXd whole = M.selfadjointView<Eigen::Lower>();
  return Eigen::LDLT<MatrixXd>(whole).solve(right);
}

}  // namespace alembert::identify::modes
