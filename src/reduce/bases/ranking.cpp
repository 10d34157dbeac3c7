#include "alembert/reduce/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "reduce/factor/shifted.hpp"
#include "reduce/modes/orthonormal.hpp"

namespace alembert::reduce {
namespace {

Ranking by_falling(Eigen::VectorXd score) {
  Ranking ranking{std::vector<Eigen::Index>(static_cast<std::size_t>(score.size())),
                  std::move(score)};
  std::iota(ranking.order.begin(), ranking.order.end(), Eigen::Index{0});
  std::stable_sort(ranking.order.begin(), ranking.order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return ranking.score(a) > ranking.score(b);
  });
  return ranking;
}

// η = Φᵀ M22 (x2 - B x1): with H = [I 0; B Φ] and Φᵀ M22 Φ = I it is Hᵀ M x less M12rᵀ x1.
Eigen::MatrixXd interior_coordinates(const HybridBasis& basis, const Eigen::MatrixXd& projected,
                                     const Eigen::MatrixXd& masters) {
  const Eigen::Index q = basis.interior();
  return projected.bottomRows(q) - basis.M.bottomLeftCorner(q, basis.masters) * masters;
}

Eigen::MatrixXd projected_on(const HybridBasis& basis, const Eigen::MatrixXd& mass_vectors) {
  Eigen::MatrixXd shares = Eigen::MatrixXd::Zero(basis.size(), mass_vectors.cols());
  add_transposed_product(basis.H, mass_vectors, shares);
  return shares;
}

// x1 of vectors of the whole structure.
Eigen::MatrixXd master_part(const HybridBasis& basis, const Eigen::MatrixXd& vectors) {
  return vectors(basis.master_rows, Eigen::all);
}

}  // namespace

ForcedResponse forced_response(const model::Structure& structure,
                               const std::vector<Eigen::Index>& masters, double frequency_hz,
                               const Eigen::VectorXcd& force) {
  check::positive("forced_response", "frequency_hz", frequency_hz);
  check::size("forced_response", "force", force.size(), static_cast<long long>(masters.size()));
  const double omega = 2.0 * std::numbers::pi * frequency_hz;
  ShiftedStructure shifted(structure.K, structure.M);
  if (!shifted.factor(omega * omega)) {
    throw InvalidInput({.function = "forced_response",
                        .argument = "frequency_hz",
                        .rule = "must not be a natural frequency, where an undamped structure has "
                                "no steady response",
                        .value = std::to_string(frequency_hz)});
  }
  Eigen::MatrixXd parts = Eigen::MatrixXd::Zero(structure.size(), 2);
  for (std::size_t i = 0; i < masters.size(); ++i) {
    const std::complex<double> amplitude = force(static_cast<Eigen::Index>(i));
    parts(masters[i], 0) = amplitude.real();
    parts(masters[i], 1) = amplitude.imag();
  }
  const Eigen::MatrixXd x = shifted.solve(parts);
  ForcedResponse found{frequency_hz, force, Eigen::VectorXcd(structure.size())};
  found.response.real() = x.col(0);
  found.response.imag() = x.col(1);
  return found;
}

Ranking rank_by_frequency(const HybridBasis& basis) {
  return by_falling(-basis.interior_eigenvalue);
}

ModeRanking rank_for_modes(const model::Structure& structure, const HybridBasis& basis,
                           const Eigen::MatrixXd& modes, const Eigen::VectorXd& weights) {
  check::size("rank_for_modes", "weights", weights.size(), modes.cols());
  // Rows of Hᵀ M u below the masters are u' M [0; φ_s].
  const Eigen::MatrixXd projected = projected_on(basis, sparse_times(structure.M, modes));
  const Eigen::MatrixXd eta = interior_coordinates(basis, projected, master_part(basis, modes));
  const Eigen::MatrixXd share =
      projected.bottomRows(basis.interior()).cwiseProduct(eta).transpose();
  Eigen::VectorXd score = Eigen::VectorXd::Zero(basis.interior());
  for (Eigen::Index i = 0; i < share.rows(); ++i) {
    const double norm = share.row(i).norm();
    if (norm > 0.0) score += weights(i) * share.row(i).cwiseAbs().transpose() / norm;
  }
  ModeRanking ranking;
  static_cast<Ranking&>(ranking) = by_falling(std::move(score));
  ranking.share = share;
  ranking.bound = Eigen::VectorXd::Zero(basis.interior() + 1);
  for (Eigen::Index k = basis.interior() - 1; k >= 0; --k) {
    const Eigen::Index dropped = ranking.order[static_cast<std::size_t>(k)];
    ranking.bound(k) = ranking.bound(k + 1) + weights.dot(share.col(dropped).cwiseAbs());
  }
  return ranking;
}

Ranking rank_for_forces(const model::Structure& structure, const HybridBasis& basis,
                        const std::vector<ForcedResponse>& responses) {
  Eigen::VectorXd energy = Eigen::VectorXd::Zero(basis.interior());
  const Eigen::MatrixXd coupling = basis.M.topRightCorner(basis.masters, basis.interior());
  for (const ForcedResponse& one : responses) {
    Eigen::MatrixXd x(structure.size(), 2);
    x.col(0) = one.response.real();
    x.col(1) = one.response.imag();
    const Eigen::MatrixXd x1 = master_part(basis, x);
    const Eigen::MatrixXd projected = projected_on(basis, sparse_times(structure.M, x));
    const Eigen::MatrixXd eta = interior_coordinates(basis, projected, x1);
    const double omega = 2.0 * std::numbers::pi * one.frequency_hz;
    for (Eigen::Index s = 0; s < basis.interior(); ++s) {
      const double own =
          0.5 * (basis.interior_eigenvalue(s) + omega * omega) * eta.row(s).squaredNorm();
      // |x_m| cos(phase difference) |η| = Re(x̄_m η)
      const double joint = coupling.col(s).dot(x1 * eta.row(s).transpose());
      energy(s) += std::abs(own + omega * omega * joint);
    }
  }
  return by_falling(std::move(energy));
}

Ranking rank_by_interface_mass(const HybridBasis& basis) {
  const Eigen::MatrixXd mass = basis.M.topLeftCorner(basis.masters, basis.masters);
  const Eigen::MatrixXd P = basis.M.topRightCorner(basis.masters, basis.interior());
  const Eigen::MatrixXd scaled = Eigen::LDLT<Eigen::MatrixXd>(mass).solve(P);
  return by_falling(P.cwiseProduct(scaled).colwise().sum().transpose());
}

Ranking rank_by_interface_moments(const HybridBasis& basis) {
  const Eigen::MatrixXd P = basis.M.topRightCorner(basis.masters, basis.interior());
  return by_falling(P.colwise().squaredNorm().transpose().cwiseQuotient(basis.interior_eigenvalue));
}

}  // namespace alembert::reduce
