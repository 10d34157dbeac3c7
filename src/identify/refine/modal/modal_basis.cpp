#include "identify/refine/modal/modal_basis.hpp"

#include <algorithm>
#include <cmath>

#include "core/algebra/decompositions.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

// A in the coordinates (x, h x'/σ) with x = Rᵀ q, M = R Rᵀ: unit mass, and off-diagonal blocks of
// the size ω h both. σ is a power of two.
struct BalancedForm {
  Eigen::MatrixXd A;
  double sigma = 1.0;
};
BalancedForm balanced_form(const Eigen::LLT<Eigen::MatrixXd>& mass,
                           const model::SecondOrder& system, double step) {
  const Index n = system.degrees_of_freedom();
  const auto normalised = [&](const Eigen::MatrixXd& matrix) {
    const Eigen::MatrixXd half = mass.matrixL().solve(matrix);
    return Eigen::MatrixXd(mass.matrixL().solve(half.transpose()));
  };
  const Eigen::MatrixXd K = step * step * normalised(system.K);
  const double norm = K.cwiseAbs().rowwise().sum().maxCoeff();
  BalancedForm form;
  form.sigma =
      norm > 0.0 && std::isfinite(norm) ? std::exp2(std::round(0.5 * std::log2(norm))) : 1.0;
  form.A = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  form.A.topRightCorner(n, n).diagonal().setConstant(form.sigma);
  form.A.bottomLeftCorner(n, n) = -K / form.sigma;
  form.A.bottomRightCorner(n, n) = -step * normalised(system.D);
  return form;
}

bool real(std::complex<double> pole) { return pole.imag() == 0.0; }

}  // namespace

ModalBasis modal_basis(const model::SecondOrder& system, double step) {
  ModalBasis basis;
  const Index n = system.degrees_of_freedom();
  const Eigen::LLT<Eigen::MatrixXd> mass(system.M);
  if (mass.info() != Eigen::Success) return basis;
  const BalancedForm form = balanced_form(mass, system, step);
  if (!form.A.allFinite()) return basis;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(form.A);
  if (solver.info() != Eigen::Success) return basis;
  const Eigen::MatrixXcd V = solver.eigenvectors();
  const Eigen::MatrixXcd W = dense::inverse(V);
  if (!W.allFinite()) return basis;
  basis.poles = solver.eigenvalues();
  basis.condition = V.norm() * W.norm() / static_cast<double>(2 * n);
  const Eigen::MatrixXd R = mass.matrixL();
  const Eigen::MatrixXcd complex_R = R.cast<std::complex<double>>();
  // q = R⁻ᵀ x
  basis.v = complex_R.transpose().triangularView<Eigen::Upper>().solve(V.topRows(n));
  // W_2 M⁻¹ = W̃_2 R⁻¹/σ
  basis.u = complex_R.transpose().triangularView<Eigen::Upper>().solve(W.rightCols(n).transpose()) /
            form.sigma;
  basis.W.resize(2 * n, 2 * n);
  basis.W.leftCols(n) = W.leftCols(n) * complex_R.transpose();
  basis.W.rightCols(n) = W.rightCols(n) * complex_R.transpose() / form.sigma;
  for (Index r = 0; r < 2 * n; ++r) {
    if (basis.poles(r).imag() >= 0.0) basis.kept.push_back(r);
  }
  basis.usable = basis.v.allFinite() && basis.u.allFinite();
  return basis;
}

ClosePairs close_pairs(const ModalBasis& basis, Index samples, double limit) {
  ClosePairs close;
  for (const Index r : basis.kept) {
    const std::complex<double> pole = basis.poles(r);
    const double memory =
        std::min(static_cast<double>(samples), 1.0 / std::max(std::abs(pole.real()), 1e-300));
    for (Index s = 0; s < basis.poles.size(); ++s) {
      if (s == r || !(std::abs(pole - basis.poles(s)) * memory < limit)) continue;
      close.pairs.emplace_back(r, s);
      close.crossing =
          close.crossing || basis.poles(s).imag() < 0.0 || real(pole) != real(basis.poles(s));
    }
  }
  // Both orders of a pair or none: the memory of the two may differ.
  const std::size_t count = close.pairs.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::pair<Index, Index> turned{close.pairs[i].second, close.pairs[i].first};
    if (std::find(close.pairs.begin(), close.pairs.end(), turned) == close.pairs.end()) {
      close.pairs.push_back(turned);
    }
  }
  return close;
}

}  // namespace alembert::identify
