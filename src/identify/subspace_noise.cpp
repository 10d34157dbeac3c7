#include "identify/subspace_noise.hpp"

#include "alembert/core/linear_algebra.hpp"
#include "core/decompositions.hpp"
#include "core/dense.hpp"
#include "identify/blas.hpp"

namespace alembert::identify::realisation {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

constexpr int kMostRiccatiSteps = 5000;
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

struct Residuals {
  MatrixXd Q, S, R;
};

Residuals state_residuals(const Compression& data, const MatrixXd& F, const MatrixXd& G,
                          const MatrixXd& H, const MatrixXd& J) {
  const Index p = data.outputs;
  const Index m = data.inputs;
  const Index s = data.horizon;
  const Index known = data.future_inputs() + data.past();
  const MatrixXd gamma = observability(F, H, s);
  const MatrixXd T = markov_matrix(gamma, G, J, s);
  // Rows of the future in the coordinates of (U_f, W_p, y(s)).
  const MatrixXd U = data.L.topLeftCorner(s * m, known + p);
  MatrixXd Y = data.L.block(known, 0, s * p, known + p);
  const MatrixXd now = Y.topRows(p);
  MatrixXd free = Y - product(T, U);
  const MatrixXd later =
      free.bottomRows((s - 1) * p) + product(T.bottomLeftCorner((s - 1) * p, m), U.topRows(m));
  // X(s) must not know y(s).
  free.rightCols(p).setZero();
  const MatrixXd X = dense::least_squares(gamma, free);
  const MatrixXd next = dense::least_squares(gamma.topRows((s - 1) * p), later);
  const MatrixXd w = next - F * X - G * U.topRows(m);
  const MatrixXd v = now - H * X - J * U.topRows(m);
  const double columns = static_cast<double>(data.columns);
  return {w * w.transpose() / columns, w * v.transpose() / columns, v * v.transpose() / columns};
}

}  // namespace

NoiseModel noise_model(const Compression& data, const MatrixXd& F, const MatrixXd& G,
                       const MatrixXd& H, const MatrixXd& J) {
  const Residuals residuals = state_residuals(data, F, G, H, J);
  const Index n = F.rows();
  NoiseModel model{MatrixXd::Zero(n, H.rows()), MatrixXd::Zero(H.rows(), H.rows()), false};
  const Eigen::LLT<MatrixXd> check(residuals.R);
  if (check.info() != Eigen::Success || residuals.R.diagonal().minCoeff() < kNoNoise ||
      !residuals.Q.allFinite()) {
    return model;
  }
  MatrixXd P = MatrixXd::Zero(n, n);
  for (int step = 0; step < kMostRiccatiSteps; ++step) {
    model.covariance = symmetrised(H * P * H.transpose() + residuals.R);
    const MatrixXd cross = F * P * H.transpose() + residuals.S;
    // Kg = (F P Hᵀ + S)(H P Hᵀ + R)⁻¹,   P ← F P Fᵀ + Q - Kg (H P Hᵀ + R) Kgᵀ
    model.gain = dense::positive_solve(model.covariance, cross.transpose()).transpose();
    const MatrixXd next =
        symmetrised(F * P * F.transpose() + residuals.Q - model.gain * cross.transpose());
    const double change = (next - P).norm();
    P = next;
    if (change <= kRiccatiTolerance * P.norm()) break;
  }
  model.estimated = model.gain.allFinite();
  return model;
}

}  // namespace alembert::identify::realisation
