#include "alembert/reduce/proof.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/algebra/blas.hpp"
#include "core/algebra/decompositions.hpp"
#include "core/algebra/lapack.hpp"
#include "reduce/modes/dense_modes.hpp"
#include "reduce/modes/orthonormal.hpp"

namespace alembert::reduce {
namespace {

Eigen::MatrixXd in_basis(const HybridBasis& basis, const Eigen::MatrixXd& vectors) {
  Eigen::MatrixXd shares = Eigen::MatrixXd::Zero(basis.size(), vectors.cols());
  add_transposed_product(basis.H, vectors, shares);
  return shares;
}

// Eigenvalues that differ from one by less than 1e-7 of it.
std::vector<Eigen::Index> same_frequency(const Eigen::VectorXd& eigenvalues, Eigen::Index one) {
  std::vector<Eigen::Index> same;
  for (Eigen::Index i = 0; i < eigenvalues.size(); ++i) {
    const double apart = std::abs(eigenvalues(i) - eigenvalues(one));
    if (i == one || apart < 1e-7 * std::abs(eigenvalues(one))) same.push_back(i);
  }
  return same;
}

}  // namespace

BasisJudge::BasisJudge(const model::Structure& structure, const HybridBasis& basis,
                       const StructureModes& modes, std::vector<Eigen::Index> numbers,
                       std::vector<ForcedResponse> responses, std::vector<bool> design)
    : masters_(basis.masters),
      M_(basis.M),
      K_(basis.K),
      gram_(in_basis(basis, basis.H)),
      numbers_(std::move(numbers)),
      responses_(std::move(responses)),
      design_(std::move(design)) {
  std::vector<Eigen::Index> which;
  for (const Eigen::Index number : numbers_) which.push_back(number - 1);
  const Eigen::MatrixXd u = modes.shapes(Eigen::all, which);
  frequency_hz_ = modes.frequency_hz(which);
  mass_modes_ = in_basis(basis, sparse_times(structure.M, u));
  plain_modes_ = in_basis(basis, u);
  mode_norms_ = u.colwise().squaredNorm().transpose();
  const auto count = static_cast<Eigen::Index>(responses_.size());
  plain_responses_.resize(basis.size(), count);
  master_responses_.resize(masters_, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::VectorXcd& x = responses_[static_cast<std::size_t>(k)].response;
    plain_responses_.col(k).real() = in_basis(basis, x.real());
    plain_responses_.col(k).imag() = in_basis(basis, x.imag());
    master_responses_.col(k) = x(basis.master_rows);
  }
}

std::vector<Eigen::Index> BasisJudge::columns(const std::vector<Eigen::Index>& interior) const {
  std::vector<Eigen::Index> which;
  for (Eigen::Index i = 0; i < masters_; ++i) which.push_back(i);
  for (const Eigen::Index i : interior) which.push_back(masters_ + i);
  return which;
}

std::vector<ModeError> BasisJudge::mode_errors(const std::vector<Eigen::Index>& interior) const {
  if (numbers_.empty()) return {};
  const std::vector<Eigen::Index> which = columns(interior);
  const Eigen::MatrixXd M = M_(which, which);
  const Eigen::MatrixXd K = K_(which, which);
  const double scale = (K.diagonal().array() / M.diagonal().array()).maxCoeff();
  const EigenPairs small = dense_modes(K, M, -1e-4 * scale);
  const Eigen::MatrixXd y = small.vectors;
  const Eigen::MatrixXd mass_products = mass_modes_(which, Eigen::all).transpose() * y;
  const Eigen::MatrixXd plain_products = plain_modes_(which, Eigen::all).transpose() * y;
  const Eigen::MatrixXd gram = gram_(which, which);
  std::vector<ModeError> errors;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    ModeError error{.mode = numbers_[i], .frequency_hz = frequency_hz_(row)};
    Eigen::Index nearest = 0;
    mass_products.row(row).cwiseAbs2().maxCoeff(&nearest);
    // Modes of one frequency are known up to a rotation: u* is the part of u among them.
    const std::vector<Eigen::Index> same = same_frequency(small.values, nearest);
    const Eigen::VectorXd shares = mass_products(row, same).transpose();
    // u and each y have unit mass: NCO = Σ (uᵀ M y)²
    error.nco = shares.squaredNorm();
    error.reduced_hz = std::sqrt(std::max(0.0, small.values(nearest))) / (2.0 * std::numbers::pi);
    const double distance = std::abs(error.reduced_hz - error.frequency_hz);
    error.frequency_error = error.frequency_hz > 0.0 ? distance / error.frequency_hz : distance;
    const Eigen::VectorXd combined = y(Eigen::all, same) * shares;
    const double norm = combined.dot(gram * combined);
    const double along = plain_products(row, same).dot(shares);
    error.mac = along * along / (norm * mode_norms_(row));
    errors.push_back(error);
  }
  return errors;
}

std::vector<ResponseError> BasisJudge::response_errors(
    const std::vector<Eigen::Index>& interior) const {
  if (responses_.empty()) return {};
  const std::vector<Eigen::Index> which = columns(interior);
  const Eigen::MatrixXd gram = gram_(which, which);
  std::vector<ResponseError> errors;
  for (std::size_t k = 0; k < responses_.size(); ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    const ForcedResponse& full = responses_[k];
    const Eigen::MatrixXd parts = response_of(full, which);
    Eigen::VectorXcd z(parts.rows());
    z.real() = parts.col(0);
    z.imag() = parts.col(1);
    const Eigen::VectorXcd shares = plain_responses_(which, column);
    const double norm = (parts.transpose() * (gram * parts)).trace();
    ResponseError error{.frequency_hz = full.frequency_hz, .design = design_[k]};
    error.mac = std::norm(shares.dot(z)) / (norm * full.response.squaredNorm());
    Eigen::Index most = 0;
    master_responses_.col(column).cwiseAbs().maxCoeff(&most);
    const std::complex<double> exact = master_responses_(most, column);
    error.gain_error = std::abs(exact - z(most)) / std::abs(exact);
    errors.push_back(error);
  }
  return errors;
}

// (K - ω² M) z = f with f on the masters alone. The interior block is diag(ω_s² - ω²) and couples
// by -ω² P with the masters:
//   (A11 - ω⁴ P diag(1/(ω_s² - ω²)) Pᵀ) z1 = f1,  z2 = ω² diag(1/(ω_s² - ω²)) Pᵀ z1
Eigen::MatrixXd BasisJudge::response_of(const ForcedResponse& full,
                                        const std::vector<Eigen::Index>& which) const {
  constexpr double kNearPole = 1e-6;  // of ω²; there the complement would lose digits
  const double omega = 2.0 * std::numbers::pi * full.frequency_hz;
  const double square = omega * omega;
  const auto q = static_cast<Eigen::Index>(which.size()) - masters_;
  Eigen::MatrixXd f = Eigen::MatrixXd::Zero(masters_ + q, 2);
  f.col(0).head(masters_) = full.force.real();
  f.col(1).head(masters_) = full.force.imag();
  const Eigen::VectorXd own = K_.diagonal()(which).tail(q).array() - square;
  if (q > 0 && own.cwiseAbs().minCoeff() < kNearPole * square) {
    const Eigen::MatrixXd A = K_(which, which) - square * M_(which, which);
    return Eigen::PartialPivLU<Eigen::MatrixXd>(A).solve(f);
  }
  const Eigen::MatrixXd P = M_.topRows(masters_)(Eigen::all, which).rightCols(q);
  const Eigen::MatrixXd scaled = square * P * own.cwiseInverse().asDiagonal();
  const Eigen::MatrixXd A11 =
      K_.topLeftCorner(masters_, masters_) - square * M_.topLeftCorner(masters_, masters_);
  const Eigen::MatrixXd complement = A11 - square * scaled * P.transpose();
  Eigen::MatrixXd z(masters_ + q, 2);
  z.topRows(masters_) = Eigen::PartialPivLU<Eigen::MatrixXd>(complement).solve(f.topRows(masters_));
  z.bottomRows(q) = scaled.transpose() * z.topRows(masters_);
  return z;
}

double worst_frequency_error(const std::vector<ModeError>& errors) {
  double worst = 0.0;
  for (const ModeError& error : errors) worst = std::max(worst, error.frequency_error);
  return worst;
}

double worst_nco(const std::vector<ModeError>& errors) {
  double worst = 1.0;
  for (const ModeError& error : errors) worst = std::min(worst, error.nco);
  return worst;
}

}  // namespace alembert::reduce
