#include "identify/modes/ambient/stochastic_orders.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/lapack.hpp"

namespace alembert::identify::modes {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr double kSmallestValue = 1e-10;  // of the largest one

}  // namespace

StochasticOrders::StochasticOrders(const BlockCovariances& covariances, Index q, Index largest)
    : covariances_(covariances), q_(q), largest_(largest) {
  const SingularParts parts = singular_parts(covariance_hankel(covariances, q));
  values_ = parts.values;
  while (largest_ > 1 && !(values_(largest_ - 1) > kSmallestValue * values_(0))) --largest_;
  U_ = parts.left.leftCols(largest_);
  scaled_V_ = parts.right_transposed.topRows(largest_).transpose() *
              values_.head(largest_).cwiseInverse().asDiagonal();
  const Index l = covariances.outputs;
  const MatrixXd upper = U_.topRows(U_.rows() - l);
  const Eigen::HouseholderQR<MatrixXd> qr(upper);
  Q_ = qr.householderQ() * MatrixXd::Identity(upper.rows(), largest_);
  R_ = qr.matrixQR().topRows(largest_).triangularView<Eigen::Upper>();
  shifted_ = product(Q_.transpose(), U_.bottomRows(U_.rows() - l));
}

AmbientOrder StochasticOrders::poles(int order, double step, double largest_damping) const {
  AmbientOrder found{.order = order, .poles = {}};
  const Index n = order;
  const MatrixXd A = R_.topLeftCorner(n, n).triangularView<Eigen::Upper>().solve(
      shifted_.topLeftCorner(n, n).eval());
  const Eigen::EigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success) return found;
  const MatrixXcd right = solver.eigenvectors();
  const MatrixXcd left =
      Eigen::PartialPivLU<MatrixXcd>(right).inverse();  // rows w^H with w^H v = 1
  for (Index i = 0; i < n; ++i) {
    const Complex z = solver.eigenvalues()(i);
    if (!(z.imag() > 0.0) || !(std::abs(z) < 1.0)) continue;
    AmbientPole pole{.pole = std::log(z) / step, .shape = {}};
    pole.frequency_hz = std::abs(pole.pole) / (2.0 * std::numbers::pi);
    pole.damping_ratio = -pole.pole.real() / std::abs(pole.pole);
    if (!(pole.damping_ratio < largest_damping)) continue;
    pole.shape = U_.topLeftCorner(covariances_.outputs, n) * right.col(i);
    set_deviations(left.row(i).adjoint(), right.col(i), z, step, n, pole);
    found.poles.push_back(std::move(pole));
  }
  std::sort(found.poles.begin(), found.poles.end(), [](const AmbientPole& a, const AmbientPole& b) {
    return a.frequency_hz < b.frequency_hz;
  });
  return found;
}

// dz = cᴴ dH t, c = (I - U Uᵀ)([0; a] - conj(z) [a; 0]), a = Q R⁻ᵀ w, t = V S⁻¹ v: a change of
// basis inside the range of U moves no pole. dH holds dR_{i+j+1}, so that dz = Σ_k <M_k, dR_k>, M_k
// = Σ_{i+j+1=k} conj(c_i) t_jᵀ.
void StochasticOrders::set_deviations(const VectorXcd& left, const VectorXcd& right, Complex z,
                                      double step, Index n, AmbientPole& pole) const {
  if (covariances_.deviations.empty()) return;
  const Index l = covariances_.outputs;
  const Index r = covariances_.references;
  const VectorXcd solved =
      R_.topLeftCorner(n, n).transpose().triangularView<Eigen::Lower>().solve(left);
  const VectorXcd a = Q_.leftCols(n) * solved;
  VectorXcd c = VectorXcd::Zero(q_ * l);
  c.tail(a.size()) = a;
  c.head(a.size()) -= std::conj(z) * a;
  c -= (U_.leftCols(n) * (U_.leftCols(n).transpose() * c)).eval();
  const VectorXcd t = scaled_V_.leftCols(n) * right;
  MatrixXcd weights = MatrixXcd::Zero(l * r, covariances_.lags);
  for (Index i = 0; i < q_; ++i) {
    const VectorXcd own = c.segment(i * l, l).conjugate();
    for (Index j = 0; j < q_; ++j) {
      weights.col(i + j).reshaped(l, r) += own * t.segment(j * r, r).transpose();
    }
  }
  const Complex rate = 1.0 / (z * step);  // dλ = dz/(z step)
  const double x = pole.pole.real();
  const double y = pole.pole.imag();
  const double size = std::abs(pole.pole);
  double of_frequency = 0.0;
  double of_damping = 0.0;
  for (const MatrixXd& dR : covariances_.deviations) {
    const Complex dz(weights.real().cwiseProduct(dR).sum(), weights.imag().cwiseProduct(dR).sum());
    const Complex d = rate * dz;
    of_frequency += std::pow((x * d.real() + y * d.imag()) / (2.0 * std::numbers::pi * size), 2);
    of_damping += std::pow((-y * y * d.real() + x * y * d.imag()) / std::pow(size, 3), 2);
  }
  pole.frequency_deviation = std::sqrt(of_frequency);
  pole.damping_deviation = std::sqrt(of_damping);
}

}  // namespace alembert::identify::modes
