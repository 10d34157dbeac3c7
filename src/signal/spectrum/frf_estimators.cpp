#include "alembert/signal/frf_estimators.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"
#include "signal/units/constants.hpp"

namespace alembert::signal {
namespace {

using Complex = std::complex<double>;
using ComplexMatrix = Eigen::Ref<const Eigen::MatrixXcd>;
using RealVector = Eigen::Ref<const Eigen::VectorXd>;

void check_sizes(std::string_view function, const ComplexMatrix& Suu, const ComplexMatrix& Syu) {
  check::at_least(function, "number of inputs", Suu.rows(), 1);
  check::size(function, "columns of Suu", Suu.cols(), Suu.rows());
  check::size(function, "columns of Syu", Syu.cols(), Suu.rows());
}

void check_sizes(std::string_view function, const ComplexMatrix& Suu, const ComplexMatrix& Syu,
                 const RealVector& Syy) {
  check_sizes(function, Suu, Syu);
  check::size(function, "Syy", Syy.size(), Syu.rows());
}

// 1/√S_ii, or 1 where a signal has no power.
Eigen::VectorXd inverse_scales(const Eigen::VectorXd& powers) {
  return (powers.array() > 0.0).select(powers.array().rsqrt(), 1.0);
}

Eigen::VectorXd input_scales_of(const ComplexMatrix& Suu) {
  return inverse_scales(Suu.diagonal().real());
}

// D S D with D = diag(scales).
Eigen::MatrixXcd scaled(const ComplexMatrix& S, const Eigen::VectorXd& left,
                        const Eigen::VectorXd& right) {
  return left.asDiagonal() * S * right.asDiagonal();
}

// Takes off what rounding added; NaN stays.
double to_unit_interval(double value) { return std::clamp(value, 0.0, 1.0); }

}  // namespace

Eigen::MatrixXcd frf_h1(const ComplexMatrix& Suu, const ComplexMatrix& Syu) {
  check_sizes("frf_h1", Suu, Syu);
  const Eigen::VectorXd d = input_scales_of(Suu);
  const Eigen::LLT<Eigen::MatrixXcd> factor(scaled(Suu, d, d));
  if (factor.info() != Eigen::Success) {
    return Eigen::MatrixXcd::Constant(Syu.rows(), Syu.cols(), Complex(kNaN, kNaN));
  }
  // H Suu = Syu, with u scaled: (H D⁻¹)(D Suu D) = Syu D
  const Eigen::MatrixXcd right = (Syu * d.asDiagonal()).adjoint();
  return factor.solve(right).adjoint() * d.asDiagonal();
}

Eigen::VectorXcd frf_h2(const RealVector& Syy, const Eigen::Ref<const Eigen::VectorXcd>& Syu) {
  check::size("frf_h2", "Syu", Syu.size(), Syy.size());
  // H2 = Syy / Suy
  return Syy.cast<Complex>().cwiseQuotient(Syu.conjugate());
}

Eigen::MatrixXcd frf_h2(const ComplexMatrix& Syy, const ComplexMatrix& Syu) {
  check::at_least("frf_h2", "number of inputs", Syu.cols(), 1);
  check::size("frf_h2", "number of outputs", Syu.rows(), Syu.cols());
  check::size("frf_h2", "rows of Syy", Syy.rows(), Syu.rows());
  check::size("frf_h2", "columns of Syy", Syy.cols(), Syu.rows());
  // H Suy = Syy, transposed: Syu Hᴴ = Syy (Hermitian). Rows and columns are scaled to size one.
  const Eigen::VectorXd rows = inverse_scales(Syu.rowwise().squaredNorm());
  const Eigen::MatrixXcd half = rows.asDiagonal() * Syu;
  const Eigen::VectorXd columns = inverse_scales(half.colwise().squaredNorm().transpose());
  const Eigen::PartialPivLU<Eigen::MatrixXcd> factor(half * columns.asDiagonal());
  if (!(factor.rcond() > std::numeric_limits<double>::epsilon())) {
    return Eigen::MatrixXcd::Constant(Syu.rows(), Syu.cols(), Complex(kNaN, kNaN));
  }
  const Eigen::MatrixXcd right = rows.asDiagonal() * Syy;
  return (columns.asDiagonal() * factor.solve(right)).adjoint();
}

Eigen::MatrixXcd frf_hv(const ComplexMatrix& Suu, const ComplexMatrix& Syu, const RealVector& Syy,
                        const RealVector& input_scales, const RealVector& output_scales) {
  check_sizes("frf_hv", Suu, Syu, Syy);
  const Eigen::Index p = Suu.rows();
  check::size("frf_hv", "input_scales", input_scales.size(), p);
  check::size("frf_hv", "output_scales", output_scales.size(), Syu.rows());
  const Eigen::VectorXd d = input_scales.cwiseInverse();
  Eigen::MatrixXcd S(p + 1, p + 1);
  S.topLeftCorner(p, p) = scaled(Suu, d, d);
  Eigen::MatrixXcd H(Syu.rows(), p);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> solver;
  for (Eigen::Index i = 0; i < Syu.rows(); ++i) {
    S.row(p).head(p) = Syu.row(i) * d.asDiagonal() / output_scales(i);
    S.col(p).head(p) = S.row(p).head(p).adjoint();
    S(p, p) = Syy(i) / (output_scales(i) * output_scales(i));
    solver.compute(S);
    // b = conj [h, -1]: E|h u - y|² = bᴴ S b is smallest along the first eigenvector.
    const Eigen::VectorXcd b = solver.eigenvectors().col(0);
    H.row(i) = -(b.head(p) / b(p)).adjoint() * d.asDiagonal() * output_scales(i);
  }
  return H;
}

Eigen::MatrixXd ordinary_coherence(const ComplexMatrix& Suu, const ComplexMatrix& Syu,
                                   const RealVector& Syy) {
  check_sizes("ordinary_coherence", Suu, Syu, Syy);
  const Eigen::VectorXd Sjj = Suu.diagonal().real();
  // γ²_ij = |Syu_ij|² / (Syy_ii Suu_jj)
  const Eigen::MatrixXd coherence =
      Syy.cwiseInverse().asDiagonal() * Syu.cwiseAbs2() * Sjj.cwiseInverse().asDiagonal();
  return coherence.unaryExpr(&to_unit_interval);
}

Eigen::VectorXd multiple_coherence(const ComplexMatrix& Suu, const ComplexMatrix& Syu,
                                   const RealVector& Syy) {
  check_sizes("multiple_coherence", Suu, Syu, Syy);
  // (Syu Suu⁻¹ Suy)_ii = Σ_j H1_ij conj Syu_ij
  const Eigen::VectorXd explained =
      frf_h1(Suu, Syu).cwiseProduct(Syu.conjugate()).rowwise().sum().real();
  return explained.cwiseQuotient(Syy).unaryExpr(&to_unit_interval);
}

double input_condition(const ComplexMatrix& Suu) {
  check_sizes("input_condition", Suu, Suu);
  if (!(Suu.diagonal().real().minCoeff() > 0.0)) {
    return std::numeric_limits<double>::infinity();
  }
  const Eigen::VectorXd d = input_scales_of(Suu);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> solver(scaled(Suu, d, d),
                                                               Eigen::EigenvaluesOnly);
  const double smallest = solver.eigenvalues()(0);
  const double largest = solver.eigenvalues()(Suu.rows() - 1);
  return smallest > 0.0 ? largest / smallest : std::numeric_limits<double>::infinity();
}

}  // namespace alembert::signal
