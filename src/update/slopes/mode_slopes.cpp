#include "alembert/update/mode_slopes.hpp"

#include <cmath>

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"
#include "update/slopes/bordered.hpp"

namespace alembert::update {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Number of eigenvalues from `first` on that count as one.
Index cluster_size(const Eigen::Ref<const VectorXd>& values, Index first, double repeated) {
  const double size = values.cwiseAbs().maxCoeff();
  Index last = first;
  while (last + 1 < values.size() && values(last + 1) - values(last) <=
                                         repeated * std::max(std::abs(values(last)), 1e-6 * size)) {
    ++last;
  }
  return last - first + 1;
}

// The part of φ' inside the space of a repeated eigenvalue, in the basis Ψ that diagonalises
// Ψᵀ(K' - λM')Ψ = diag(λ'):
//   c_ij = (ψ_iᵀ(K' - λM')v_j - λ'_j ψ_iᵀM'ψ_j) / (λ'_j - λ'_i),  c_jj = -½ ψ_jᵀM'ψ_j
MatrixXd inner_part(const MatrixXd& G_v, const MatrixXd& mass, const VectorXd& slope) {
  const Index size = slope.size();
  MatrixXd c = -0.5 * mass;
  const double scale = slope.cwiseAbs().maxCoeff();
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j < size; ++j) {
      const double apart = slope(j) - slope(i);
      // Slopes that agree too leave the direction open: the smaller change is taken.
      if (i == j || std::abs(apart) <= 1e-10 * scale) continue;
      c(i, j) = (G_v(i, j) - slope(j) * mass(i, j)) / apart;
    }
  }
  return c;
}

}  // namespace

ModeSlopes mode_slopes(const Eigen::Ref<const MatrixXd>& K, const Eigen::Ref<const MatrixXd>& M,
                       const Eigen::Ref<const VectorXd>& eigenvalues,
                       const Eigen::Ref<const MatrixXd>& modes, const std::vector<MatrixXd>& dK,
                       const std::vector<MatrixXd>& dM, double repeated) {
  constexpr const char* kName = "mode_slopes";
  const Index n = K.rows();
  const Index count = eigenvalues.size();
  check::shape(kName, "K", K, n, n);
  check::shape(kName, "M", M, n, n);
  check::shape(kName, "modes", modes, n, count);
  check::size(kName, "number of dM", static_cast<long long>(dM.size()),
              static_cast<long long>(dK.size()));
  ModeSlopes found;
  found.eigenvalue.resize(count, static_cast<Index>(dK.size()));
  found.shapes.assign(dK.size(), MatrixXd(n, count));
  found.bases.assign(dK.size(), modes);
  for (Index first = 0; first < count;) {
    const Index size = cluster_size(eigenvalues, first, repeated);
    const double lambda = eigenvalues.segment(first, size).mean();
    const MatrixXd phi = modes.middleCols(first, size);
    const BorderedModes bordered(K - lambda * M, M * phi);
    for (std::size_t k = 0; k < dK.size(); ++k) {
      check::shape(kName, "dK", dK[k], n, n);
      check::shape(kName, "dM", dM[k], n, n);
      const MatrixXd G = dK[k] - lambda * dM[k];
      const Eigen::SelfAdjointEigenSolver<MatrixXd> inner(phi.transpose() * G * phi);
      const VectorXd& slope = inner.eigenvalues();
      const MatrixXd psi = phi * inner.eigenvectors();
      // (K - λM) v = -(K' - λM' - λ'M) ψ,  ΨᵀMv = 0
      const MatrixXd v = bordered.solve(M * psi * slope.asDiagonal() - G * psi);
      const MatrixXd c = inner_part(psi.transpose() * G * v, psi.transpose() * dM[k] * psi, slope);
      found.eigenvalue.block(first, static_cast<Index>(k), size, 1) = slope;
      found.bases[k].middleCols(first, size) = psi;
      found.shapes[k].middleCols(first, size) = v + psi * c;
    }
    first += size;
  }
  return found;
}

}  // namespace alembert::update
