#include "identify/refine/modal/modal_sensitivity.hpp"

#include <algorithm>

#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"
#include "identify/refine/modal/modal_grams.hpp"

namespace alembert::identify {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;

// Outputs that share a Gram matrix, with all that their sums need.
struct GroupTerms {
  const ModalCoefficients& coefficients;
  const OutputGroup& group;
  const Eigen::VectorXd& weights;
  const Eigen::MatrixXd& gram;  // of the real columns
  const std::vector<Index>& owners;
  const Eigen::MatrixXd& coordinates;  // columns x own rows: ξ and u from the signals
};

// The real columns of ξ = Σ_c β_c s_c and of u as combinations of the signals' columns.
Eigen::MatrixXd coordinate_map(const ModalCoefficients& coefficients,
                               const Eigen::MatrixXcd& beta) {
  const SignalLayout& layout = coefficients.layout();
  const Index signals = layout.signals();
  Eigen::MatrixXd map = Eigen::MatrixXd::Zero(layout.columns(), coefficients.own_rows());
  for (Index mode = 0; mode < layout.modes; ++mode) {
    for (Index channel = 0; channel < layout.channels(); ++channel) {
      const Index signal = layout.plain(channel, mode);
      const Complex factor = beta(mode, channel);
      map(signal, mode) = factor.real();
      map(signals + signal, mode) = -factor.imag();
      map(signal, layout.modes + mode) = factor.imag();
      map(signals + signal, layout.modes + mode) = factor.real();
    }
  }
  if (layout.direct_input) {
    map.bottomRightCorner(layout.inputs, layout.inputs).setIdentity();
  }
  return map;
}

// Σ_i w_i² Σ_k Re(c_a e σ_a) Re(c_b e' σ_b) as a form in (Re e, Im e). With the Gram matrices
// G1 = Σ σ σᵀ, G2 = Σ σ σᴴ and the output products K1 = Σ w² c cᵀ, K2 = Σ w² c cᴴ it is
// ½ Re(eᵀ (G1 ∘ K1) e' + eᵀ (G2 ∘ K2) ē').
Eigen::MatrixXd common_form(const GroupTerms& terms) {
  const Index signals = static_cast<Index>(terms.owners.size());
  const Index modes = terms.coefficients.layout().modes;
  Eigen::MatrixXcd K1 = Eigen::MatrixXcd::Zero(modes, modes);
  Eigen::MatrixXcd K2 = K1;
  for (const Index i : terms.group.outputs) {
    const Eigen::VectorXcd c = terms.weights(i) * terms.coefficients.outputs().row(i).transpose();
    K1 += c * c.transpose();
    K2 += c * c.adjoint();
  }
  Eigen::MatrixXd form(2 * signals, 2 * signals);
  const Eigen::MatrixXd& G = terms.gram;
  for (Index b = 0; b < signals; ++b) {
    for (Index a = 0; a < signals; ++a) {
      const double xx = G(a, b), yy = G(signals + a, signals + b);
      const double xy = G(a, signals + b), yx = G(signals + a, b);
      const Index ta = terms.owners[static_cast<std::size_t>(a)];
      const Index tb = terms.owners[static_cast<std::size_t>(b)];
      const Complex Q1 = Complex(xx - yy, xy + yx) * K1(ta, tb);
      const Complex Q2 = Complex(xx + yy, yx - xy) * K2(ta, tb);
      form(a, b) = 0.5 * (Q2.real() + Q1.real());
      form(signals + a, signals + b) = 0.5 * (Q2.real() - Q1.real());
      form(a, signals + b) = 0.5 * (Q2.imag() - Q1.imag());
      form(signals + a, b) = -0.5 * (Q2.imag() + Q1.imag());
    }
  }
  return form;
}

// Columns for (Re e, Im e) from columns for (Re σ, Im σ): Re(c e σ) by e.
Eigen::MatrixXd by_coefficients(const GroupTerms& terms, Index output,
                                const Eigen::Ref<const Eigen::MatrixXd>& by_signals) {
  const Index signals = static_cast<Index>(terms.owners.size());
  Eigen::MatrixXd result(by_signals.rows(), 2 * signals);
  for (Index a = 0; a < signals; ++a) {
    const Complex c =
        terms.coefficients.outputs()(output, terms.owners[static_cast<std::size_t>(a)]);
    const auto x = by_signals.col(a);
    const auto y = by_signals.col(signals + a);
    result.col(a) = c.real() * x - c.imag() * y;
    result.col(signals + a) = -c.imag() * x - c.real() * y;
  }
  return result;
}

// A root Sᵀ S of a Gram matrix.
Eigen::MatrixXd root(const Eigen::MatrixXd& gram) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
  return solver.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal() *
         solver.eigenvectors().transpose();
}

// Adds Σ_i w_i² J_iᵀ J_i of a group to the lower triangle of H.
void add_squares(const GroupTerms& terms, const Eigen::MatrixXd& common, Eigen::MatrixXd& H) {
  const Index signals = static_cast<Index>(terms.owners.size());
  const Index rows = terms.coefficients.own_rows();
  const Index unknowns = terms.coefficients.own().cols();
  const Index outputs = static_cast<Index>(terms.group.outputs.size());
  const Eigen::MatrixXd seen = product(terms.gram, terms.coordinates);  // columns x rows
  const Eigen::MatrixXd half = root(terms.coordinates.transpose() * seen);
  const Eigen::MatrixXd crossed = seen.topRows(2 * signals).transpose();
  Eigen::MatrixXd cross(rows * outputs, 2 * signals), own(rows * outputs, unknowns),
      weighted(rows * outputs, unknowns);
  for (Index j = 0; j < outputs; ++j) {
    const Index i = terms.group.outputs[static_cast<std::size_t>(j)];
    const double w = terms.weights(i);
    own.middleRows(j * rows, rows) = terms.coefficients.own().middleRows(i * rows, rows);
    cross.middleRows(j * rows, rows) = w * w * by_coefficients(terms, i, crossed);
    weighted.middleRows(j * rows, rows) = w * product(half, own.middleRows(j * rows, rows));
  }
  // H += Eᵀ Q E + Cᵀ E + Eᵀ C + Σ gᵀ Ξ g with C = Σ w² Xᵀ g
  Eigen::MatrixXd Y = 0.5 * product(common_form(terms), common);
  add_transposed_product(cross, own, Y.leftCols(unknowns));
  Eigen::MatrixXd Z = Eigen::MatrixXd::Zero(H.rows(), H.cols());
  add_transposed_product(common, Y, Z);
  H += Z + Z.transpose();
  add_gram(weighted, H.topLeftCorner(unknowns, unknowns));
}

// Adds Σ_i w_i² J_iᵀ e_i of a group.
void add_gradient(const GroupTerms& terms, const Eigen::MatrixXd& common,
                  const Eigen::MatrixXd& products, Eigen::VectorXd& gradient) {
  const Index signals = static_cast<Index>(terms.owners.size());
  const Index rows = terms.coefficients.own_rows();
  const Index unknowns = terms.coefficients.own().cols();
  for (const Index i : terms.group.outputs) {
    const double square = terms.weights(i) * terms.weights(i);
    const Eigen::VectorXd own = square * (terms.coordinates.transpose() * products.col(i));
    gradient.head(unknowns) +=
        terms.coefficients.own().middleRows(i * rows, rows).transpose() * own;
    const Eigen::MatrixXd row = products.col(i).head(2 * signals).transpose();
    gradient += square * common.transpose() * by_coefficients(terms, i, row).transpose();
  }
}

// J_i = S T_i: coefficients of the real columns S of the signals.
Eigen::MatrixXd explicit_coefficients(const GroupTerms& terms, Index output,
                                      const Eigen::MatrixXd& common) {
  const Index signals = static_cast<Index>(terms.owners.size());
  const Index rows = terms.coefficients.own_rows();
  const Index unknowns = terms.coefficients.own().cols();
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(terms.coordinates.rows(), common.cols());
  T.leftCols(unknowns) =
      terms.coordinates * terms.coefficients.own().middleRows(output * rows, rows);
  for (Index a = 0; a < signals; ++a) {
    const Complex c =
        terms.coefficients.outputs()(output, terms.owners[static_cast<std::size_t>(a)]);
    T.row(a) += c.real() * common.row(a) - c.imag() * common.row(signals + a);
    T.row(signals + a) -= c.imag() * common.row(a) + c.real() * common.row(signals + a);
  }
  return T;
}

// Adds the equations of one experiment to those of all.
void scatter(const NormalEquations& part, Index unknowns, Index experiment,
             NormalEquations& total) {
  const Index size = part.gradient.size() - unknowns;
  const Index place = unknowns + experiment * size;
  total.H.topLeftCorner(unknowns, unknowns) += part.H.topLeftCorner(unknowns, unknowns);
  total.H.block(place, 0, size, unknowns) += part.H.bottomLeftCorner(size, unknowns);
  total.H.block(place, place, size, size) += part.H.bottomRightCorner(size, size);
  total.gradient.head(unknowns) += part.gradient.head(unknowns);
  total.gradient.segment(place, size) += part.gradient.tail(size);
}

// R of the rows w_i R_S T_i, some outputs at a time.
void add_rows(const GroupTerms& terms, const Eigen::MatrixXd& factor, const Eigen::MatrixXd& common,
              Index place, Eigen::MatrixXd& R) {
  const Index unknowns = terms.coefficients.own().cols();
  const Index outputs = static_cast<Index>(terms.group.outputs.size());
  // About four times as many new rows as old ones: memory stays bounded, little is done twice.
  const Index together = std::max<Index>(1, 4 * R.cols() / std::max<Index>(1, factor.rows()));
  for (Index first = 0; first < outputs; first += together) {
    const Index count = std::min(together, outputs - first);
    Eigen::MatrixXd tall = Eigen::MatrixXd::Zero(R.rows() + count * factor.rows(), R.cols());
    tall.topRows(R.rows()) = R;
    for (Index j = 0; j < count; ++j) {
      const Index i = terms.group.outputs[static_cast<std::size_t>(first + j)];
      const Eigen::MatrixXd rows =
          terms.weights(i) * product(factor, explicit_coefficients(terms, i, common));
      const Index top = R.rows() + j * factor.rows();
      tall.block(top, 0, factor.rows(), unknowns) = rows.leftCols(unknowns);
      tall.block(top, place, factor.rows(), rows.cols() - unknowns) =
          rows.rightCols(rows.cols() - unknowns);
    }
    R = triangular_factor(tall);
  }
}

}  // namespace

NormalEquations modal_normal_equations(const Fit& fit, const Guess& guess,
                                       const ModalCoefficients& coefficients,
                                       const std::vector<Eigen::MatrixXd>& errors,
                                       const Eigen::VectorXd& weights) {
  const Index size = unknown_count(fit, guess);
  const std::vector<Index> owners = coefficients.layout().owners();
  NormalEquations total{Eigen::MatrixXd::Zero(size, size), Eigen::VectorXd::Zero(size)};
  for (std::size_t e = 0; e < fit.data.size(); ++e) {
    const Index experiment = static_cast<Index>(e);
    const Eigen::MatrixXd common = coefficients.common(experiment);
    const Eigen::MatrixXd map = coordinate_map(coefficients, coefficients.beta(experiment));
    const ModalGrams grams = modal_grams(fit, coefficients, experiment, errors[e]);
    NormalEquations part{Eigen::MatrixXd::Zero(common.cols(), common.cols()),
                         Eigen::VectorXd::Zero(common.cols())};
    for (std::size_t g = 0; g < fit.groups[e].size(); ++g) {
      const GroupTerms terms{coefficients, fit.groups[e][g], weights, grams.grams[g], owners, map};
      add_squares(terms, common, part.H);
      add_gradient(terms, common, grams.products, part.gradient);
    }
    scatter(part, guess.unknowns(), experiment, total);
  }
  total.H = dense::mirrored(total.H);
  return total;
}

Eigen::MatrixXd modal_factor(const Fit& fit, const Guess& guess,
                             const ModalCoefficients& coefficients,
                             const Eigen::VectorXd& weights) {
  const std::vector<Index> owners = coefficients.layout().owners();
  Eigen::MatrixXd R(0, unknown_count(fit, guess));
  for (std::size_t e = 0; e < fit.data.size(); ++e) {
    const Index experiment = static_cast<Index>(e);
    const Eigen::MatrixXd common = coefficients.common(experiment);
    const Eigen::MatrixXd map = coordinate_map(coefficients, coefficients.beta(experiment));
    const std::vector<Eigen::MatrixXd> factors =
        modal_signal_factors(fit, coefficients, experiment);
    const Index place = guess.unknowns() + experiment * fit.start_size();
    for (std::size_t g = 0; g < factors.size(); ++g) {
      const GroupTerms terms{coefficients, fit.groups[e][g], weights, factors[g], owners, map};
      add_rows(terms, factors[g], common, place, R);
    }
  }
  Eigen::MatrixXd square = Eigen::MatrixXd::Zero(R.cols(), R.cols());
  square.topRows(R.rows()) = R;
  return square;
}

}  // namespace alembert::identify
