#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/identify/verdict.hpp"
#include "alembert/model/modes.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::identify {

namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

// (λ² dM + λ dD + dK) ψ for a unit change of each entry of stacked(M, D, K); n x 3 n (n + 1)/2.
MatrixXcd forcing(const VectorXcd& shape, Complex pole) {
  const Index n = shape.size();
  const Index half = n * (n + 1) / 2;
  MatrixXcd columns = MatrixXcd::Zero(n, 3 * half);
  const Complex factors[] = {pole * pole, pole, 1.0};
  for (Index b = 0; b < 3; ++b) {
    Index column = b * half;
    for (Index j = 0; j < n; ++j) {
      for (Index i = j; i < n; ++i, ++column) {
        columns(i, column) += factors[b] * shape(j);
        if (i != j) columns(j, column) += factors[b] * shape(i);
      }
    }
  }
  return columns;
}

// Rows 0..n-1: ∂ψ/∂stack, row n: ∂λ/∂stack, for the shape whose entry k stays 1:
//
//   | Q(λ)  Q'(λ)ψ | | dψ |     | (λ² dM + λ dD + dK) ψ |
//   | e_kᵀ    0    | | dλ | = - |           0           |,   Q = λ² M + λ D + K
MatrixXcd mode_derivatives(const model::SecondOrder& system, const model::DampedMode& mode) {
  const Index n = mode.shape.size();
  const Complex pole = mode.pole;
  Index k = 0;
  mode.shape.cwiseAbs().maxCoeff(&k);
  MatrixXcd bordered = MatrixXcd::Zero(n + 1, n + 1);
  bordered.topLeftCorner(n, n) = pole * pole * system.M + pole * system.D + system.K;
  bordered.topRightCorner(n, 1) = (2.0 * pole * system.M + system.D) * mode.shape;
  bordered(n, k) = 1.0;
  // Rows and the last column are brought to one size, so that the rank does not depend on units.
  const double column_scale = bordered.col(n).norm();
  bordered.col(n) /= column_scale;
  VectorXd row_scale = bordered.rowwise().norm();
  row_scale(n) = 1.0;
  MatrixXcd right = MatrixXcd::Zero(n + 1, 3 * n * (n + 1) / 2);
  right.topRows(n) = -forcing(mode.shape, pole);
  const MatrixXcd scaled = row_scale.cwiseInverse().asDiagonal() * bordered;
  const Eigen::PartialPivLU<MatrixXcd> factor(scaled);
  MatrixXcd result = factor.solve(row_scale.cwiseInverse().asDiagonal() * right);
  result.row(n) /= column_scale;
  // Repeated poles: the mode has no derivative.
  if (factor.rcond() < 1e-13) result.setConstant(std::numeric_limits<double>::infinity());
  return result;
}

// √(g Σ gᵀ) of the rows g of a real sensitivity matrix.
VectorXd deviations(const MatrixXd& sensitivities, const MatrixXd& covariance) {
  if (!sensitivities.allFinite()) {
    return VectorXd::Constant(sensitivities.rows(), std::numeric_limits<double>::infinity());
  }
  const MatrixXd spread = sensitivities * covariance;
  return spread.cwiseProduct(sensitivities).rowwise().sum().cwiseMax(0.0).cwiseSqrt();
}

ModeVerdict verdict_of(const model::SecondOrder& system, const model::DampedMode& mode,
                       const MatrixXd& covariance) {
  const Index n = mode.shape.size();
  const MatrixXcd derivatives = mode_derivatives(system, mode);
  const MatrixXd shape_real = derivatives.topRows(n).real();
  const MatrixXd shape_imag = derivatives.topRows(n).imag();
  const double size = std::abs(mode.pole);
  // d|λ| = Re(conj λ dλ)/|λ|
  const MatrixXd d_size = (std::conj(mode.pole) * derivatives.row(n)).real() / size;
  // ζ = -Re λ/|λ|, dζ = -(Re dλ + ζ d|λ|)/|λ|
  const MatrixXd d_damping = -(derivatives.row(n).real() + mode.damping_ratio * d_size) / size;
  ModeVerdict verdict;
  verdict.frequency_hz = mode.frequency_hz;
  verdict.damping = mode.damping_ratio;
  verdict.shape = mode.shape;
  verdict.frequency_deviation = deviations(d_size, covariance)(0) / (2.0 * std::numbers::pi);
  verdict.damping_deviation = deviations(d_damping, covariance)(0);
  verdict.shape_deviation = (deviations(shape_real, covariance).array().square() +
                             deviations(shape_imag, covariance).array().square())
                                .sqrt();
  return verdict;
}

}  // namespace

std::vector<ModeVerdict> mode_verdicts(const model::SecondOrder& system,
                                       const Eigen::Ref<const MatrixXd>& matrix_covariance) {
  model::check_matrices("mode_verdicts", system);
  const Index n = system.degrees_of_freedom();
  const Index size = 3 * n * (n + 1) / 2;
  check::shape("mode_verdicts", "matrix_covariance", matrix_covariance, size, size);
  std::vector<ModeVerdict> verdicts;
  for (const model::DampedMode& mode : model::damped_modes(system)) {
    if (mode.pole.imag() > 0.0) verdicts.push_back(verdict_of(system, mode, matrix_covariance));
  }
  return verdicts;
}

}  // namespace alembert::identify
