#include "optimize/coloured/freedom.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <vector>

#include "core/algebra/blas.hpp"
#include "core/algebra/lapack.hpp"
#include "optimize/coloured/band_traces.hpp"

namespace alembert::optimize {

namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// c_i L_ib of the atoms that matter, bands x atoms.
MatrixXd present_atoms(const ChannelNoise& noise, const NoiseAtoms& atoms) {
  std::vector<Index> kept;
  for (Index i = 0; i < noise.weights.size(); ++i) {
    if (noise.weights(i) > 1e-4 * noise.weights.sum()) kept.push_back(i);
  }
  MatrixXd result(atoms.spectra.rows(), static_cast<Index>(kept.size()));
  for (Index i = 0; i < result.cols(); ++i) {
    const Index atom = kept[static_cast<std::size_t>(i)];
    result.col(i) = noise.weights(atom) * atoms.spectra.col(atom);
  }
  return result;
}

// Relative variance of V_jj by the information on ln c, with a prior of variance 1:
//   1/ν_F = gᵀ I⁻¹ g/(2 V_jj²),  g_i = Σ_b a_bj c_i L_ib
//   I_il = ½ Σ_b (n_b - lev_b) c_i L_ib c_l L_lb/S_b² + δ_il,  lev_b = tr(H_b Vg)/S_b
ArrayXd inverse_freedom_by_information(const BandSums& sums, const ChannelNoise& noise,
                                       const NoiseAtoms& atoms, const MatrixXd& weighted) {
  const MatrixXd cL = present_atoms(noise, atoms);
  const ArrayXd S = noise.spectrum.array();
  const VectorXd traces = traces_with(sums, weighted);
  // Without noise of known shape, which has its own place, S may be small where Vg has it in: a
  // band has no less than nothing left.
  const ArrayXd left = (sums.bins.array() - traces.array() / S).max(0.0);
  MatrixXd I = 0.5 * cL.transpose() * (left / S.square()).matrix().asDiagonal() * cL;
  I += MatrixXd::Identity(I.rows(), I.cols());
  const MatrixXd g = cL.transpose() * sums.sensitivity;
  const MatrixXd solved = I.ldlt().solve(g);
  const ArrayXd V = (sums.sensitivity.transpose() * noise.spectrum).array();
  return g.cwiseProduct(solved).colwise().sum().transpose().array() / (2.0 * V.square());
}

// P = (Σ a_b S_b)²/Σ (a_b S_b)²/n_b
ArrayXd bands_used(const BandSums& sums, const ChannelNoise& noise) {
  const MatrixXd aS = noise.spectrum.asDiagonal() * sums.sensitivity;
  const ArrayXd total = aS.colwise().sum().transpose().array();
  // An empty band has a_b = 0.
  const VectorXd inverse = (sums.bins.array() > 0.0).select(sums.bins.cwiseInverse(), 0.0);
  const ArrayXd squares = (aS.cwiseAbs2().transpose() * inverse).array();
  return total.square() / squares;
}

// The same by the rows, by Cholesky factors of OpenBLAS.
MatrixXd inverse_of_sums(const std::vector<BandSums>& sums,
                         const std::vector<ChannelNoise>& noise) {
  const Index r = sums.front().rank;
  MatrixXd information = MatrixXd::Zero(r, r);
  for (std::size_t c = 0; c < sums.size(); ++c) {
    information += weighted_squares(sums[c], noise[c].spectrum.cwiseInverse());
    if (sums[c].fixed.size() > 0) information += from_packed(sums[c].fixed, r);
  }
  MatrixXd L = information;
  if (!cholesky_in_place(L)) return information.ldlt().solve(MatrixXd::Identity(r, r));
  MatrixXd inverse = MatrixXd::Identity(r, r);
  solve_lower(L, inverse);
  MatrixXd result = MatrixXd::Zero(r, r);  // lower triangle
  add_gram(inverse, result);
  return result.selfadjointView<Eigen::Lower>();
}

}  // namespace

MatrixXd weighted_covariance(const std::vector<BandSums>& sums,
                             const std::vector<ChannelNoise>& noise) {
  const Index p = sums.front().rank;
  if (!sums.front().rows.empty()) return inverse_of_sums(sums, noise);
  VectorXd information = VectorXd::Zero(sums.front().squares.rows());
  for (std::size_t c = 0; c < sums.size(); ++c) {
    information += sums[c].squares * noise[c].spectrum.cwiseInverse();
    if (sums[c].fixed.size() > 0) information += sums[c].fixed;
  }
  return from_packed(information, p).ldlt().solve(MatrixXd::Identity(p, p));
}

VectorXd freedom_of_atoms(const BandSums& sums, const ChannelNoise& noise, const NoiseAtoms& atoms,
                          const MatrixXd& weighted, double factor) {
  const ArrayXd information = inverse_freedom_by_information(sums, noise, atoms, weighted);
  const ArrayXd bands = bands_used(sums, noise);
  // 1/ν = 1/ν_F + 1/(factor P + 2)
  return (information + (factor * bands + 2.0).inverse()).inverse().matrix();
}

VectorXd freedom_of_peaks(const BandSums& sums, const ChannelNoise& noise, const PeakBase& base,
                          const LocalRatio& local) {
  // V_jj = Σ_b a_b base_b (K u/base)_b/(K n)_b = Σ_b w_b u_b, and var u_b = 2 n_b S_b²
  const VectorXd scale = base.spectrum.cwiseQuotient(local.bins);
  const MatrixXd w = base.spectrum.cwiseInverse().asDiagonal() *
                     (local.kernel.transpose() * (scale.asDiagonal() * sums.sensitivity));
  const ArrayXd V = (sums.sensitivity.transpose() * noise.spectrum).array();
  const VectorXd variance = sums.bins.cwiseProduct(noise.spectrum.cwiseAbs2());
  const ArrayXd squares = (w.cwiseAbs2().transpose() * variance).array();
  return (V.square() / squares).max(4.0).matrix();
}

}  // namespace alembert::optimize
