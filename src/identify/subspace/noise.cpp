#include "identify/subspace/noise.hpp"

#include "alembert/core/linear_algebra.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

constexpr int kMostDoublings = 13;
constexpr double kRiccatiTolerance = 1e-12;
// Residuals below this share of the (unit) output power are rounding.
constexpr double kNoNoise = 1e-18;

// (H; H F; ...) with `blocks` block rows.
MatrixXd observability(const MatrixXd& F, const MatrixXd& H, Index blocks) {
  MatrixXd gamma(blocks * H.rows(), F.rows());
  MatrixXd row = H;
  for (Index i = 0; i < blocks; ++i) {
    gamma.middleRows(i * H.rows(), H.rows()) = row;
    row = row * F;
  }
  return gamma;
}

// Block lower triangular Toeplitz matrix of J, H G, H F G, ...
MatrixXd markov_matrix(const MatrixXd& gamma, const MatrixXd& G, const MatrixXd& J, Index blocks) {
  const Index p = J.rows();
  const Index m = J.cols();
  const MatrixXd impulse = gamma * G;
  MatrixXd T = MatrixXd::Zero(blocks * p, blocks * m);
  for (Index j = 0; j < blocks; ++j) {
    T.block(j * p, j * m, p, m) = J;
    const Index left = (blocks - 1 - j) * p;
    T.block((j + 1) * p, j * m, left, m) = impulse.topRows(left);
  }
  return T;
}

MatrixXd left_inverse(const MatrixXd& gamma) {
  return gamma.colPivHouseholderQr().solve(MatrixXd::Identity(gamma.rows(), gamma.rows()));
}

StateNoise state_residuals(const Compression& data, const MatrixXd& F, const MatrixXd& G,
                           const MatrixXd& H, const MatrixXd& J) {
  const Index p = data.outputs;
  const Index m = data.inputs;
  const Index s = data.horizon;
  const Index known = data.future_inputs() + data.past();
  const MatrixXd gamma = observability(F, H, s);
  const MatrixXd T = markov_matrix(gamma, G, J, s);
  const Index later = (s - 1) * p;
  // Rows of the future in the coordinates of (U_f, W_p, y(s)).
  const MatrixXd U = data.L.topLeftCorner(s * m, known + p);
  const MatrixXd Y = data.L.block(known, 0, s * p, known + p);
  const MatrixXd now = Y.topRows(p);
  // Γ⁺ has few rows: it goes first.
  const MatrixXd inverse = left_inverse(gamma);
  const MatrixXd shorter = left_inverse(gamma.topRows(later));
  MatrixXd X = product(inverse, Y) - product(product(inverse, T), U);
  // X(s) must not know y(s).
  X.rightCols(p).setZero();
  // The inputs from s + 1 on; that of s has acted already.
  const MatrixXd acting = T.bottomRightCorner(later, (s - 1) * m);
  const MatrixXd next = product(shorter, Y.bottomRows(later)) -
                        product(product(shorter, acting), U.bottomRows((s - 1) * m));
  const MatrixXd w = next - F * X - G * U.topRows(m);
  const MatrixXd v = now - H * X - J * U.topRows(m);
  const double columns = static_cast<double>(data.columns);
  return {w * w.transpose() / columns, w * v.transpose() / columns, v * v.transpose() / columns};
}

// The limit of P ← F P Fᵀ + Q - (F P Hᵀ + S)(H P Hᵀ + R)⁻¹(...)ᵀ from P = 0.
//
// Without the correlation S, by A = (F - S R⁻¹ H)ᵀ and Q - S R⁻¹ Sᵀ, the step is
// P ← Aᵀ P (I + G P)⁻¹ A + Q with G = Hᵀ R⁻¹ H, and two such steps are one of the same form:
//   A ← A W A,  G ← G + A W G Aᵀ,  Q ← Q + Aᵀ Q W A,  W = (I + G Q)⁻¹,
// so that Q is P after 1, 2, 4, 8, ... steps.
MatrixXd riccati_limit(const MatrixXd& F, const MatrixXd& H, const StateNoise& residuals) {
  const Eigen::LLT<MatrixXd> R(residuals.R);
  MatrixXd A = (F - residuals.S * R.solve(H)).transpose();
  MatrixXd G = symmetrised(H.transpose() * R.solve(H));
  MatrixXd P = symmetrised(residuals.Q - residuals.S * R.solve(residuals.S.transpose()));
  const MatrixXd identity = MatrixXd::Identity(F.rows(), F.rows());
  for (int doubling = 0; doubling < kMostDoublings; ++doubling) {
    const MatrixXd sum = identity + G * P;
    const Eigen::PartialPivLU<MatrixXd> factor(sum);
    const MatrixXd WA = factor.solve(A);
    const MatrixXd change = A.transpose() * P * WA;
    G = symmetrised(G + A * factor.solve(G * A.transpose()));
    A = A * WA;
    P = symmetrised(P + change);
    if (!(change.norm() > kRiccatiTolerance * P.norm())) break;
  }
  return P;
}

}  // namespace

NoiseModel steady_noise(const MatrixXd& F, const MatrixXd& H, const StateNoise& noise) {
  const MatrixXd P = riccati_limit(F, H, noise);
  NoiseModel model;
  // Kg = (F P Hᵀ + S)(H P Hᵀ + R)⁻¹
  model.covariance = symmetrised(H * P * H.transpose() + noise.R);
  const MatrixXd cross = F * P * H.transpose() + noise.S;
  model.gain = dense::positive_solve(model.covariance, cross.transpose()).transpose();
  model.estimated = model.gain.allFinite();
  return model;
}

NoiseModel noise_model(const Compression& data, const MatrixXd& F, const MatrixXd& G,
                       const MatrixXd& H, const MatrixXd& J) {
  const StateNoise residuals = state_residuals(data, F, G, H, J);
  const Index n = F.rows();
  NoiseModel model{MatrixXd::Zero(n, H.rows()), MatrixXd::Zero(H.rows(), H.rows()), false};
  const Eigen::LLT<MatrixXd> check(residuals.R);
  if (check.info() != Eigen::Success || residuals.R.diagonal().minCoeff() < kNoNoise ||
      !residuals.Q.allFinite()) {
    return model;
  }
  return steady_noise(F, H, residuals);
}

}  // namespace alembert::identify::realisation
