#include "alembert/reduce/flexible_reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"
#include "reduce/moving/body_turn.hpp"

namespace alembert::reduce {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::flexible::FlexibleMechanism;
using model::flexible::FlexibleState;

constexpr const char* kFlexibleReduction = "FlexibleReduction";
// Half of the digits: beyond it vectors of the interior depend on each other.
constexpr double kWorstBasis = 1e8;

/// M and K of (u, q) at a pose with straight links, and their parts.
struct PoseMatrices {
  MatrixXd M, K;
  MatrixXd M22, K22, K21;
  Eigen::LLT<MatrixXd> K22_factors;
  MatrixXd B;  ///< −K22⁻¹ K21
};

FlexibleState pose_of(const FlexibleMechanism& mechanism, const VectorXd& q) {
  check::size(kFlexibleReduction, "coordinates", q.size(), mechanism.coordinates());
  FlexibleState state = mechanism.start();
  VectorXd x = VectorXd::Zero(2 * mechanism.unknowns());
  x.segment(mechanism.elastic(), q.size()) = q;
  if (!mechanism.move({x.data(), static_cast<std::size_t>(x.size())}, state)) {
    throw InvalidInput({.function = kFlexibleReduction,
                        .argument = "coordinates",
                        .rule = "the mechanism cannot be there"});
  }
  return state;
}

PoseMatrices matrices_at(const FlexibleMechanism& mechanism, const FlexibleState& state,
                         const std::vector<Index>& masters, const std::vector<Index>& slaves) {
  const Index ne = mechanism.elastic();
  PoseMatrices made;
  made.M = mechanism.mass(state);
  made.K = MatrixXd::Zero(made.M.rows(), made.M.cols());
  made.K.topLeftCorner(ne, ne) = mechanism.matrices(state).K.topLeftCorner(ne, ne);
  made.M22 = made.M(slaves, slaves);
  made.K22 = made.K(slaves, slaves);
  made.K21 = made.K(slaves, masters);
  made.K22_factors.compute(made.K22);
  made.B = -made.K22_factors.solve(made.K21);
  return made;
}

/// Modes of K φ = λ M φ, φᵀMφ = 1, λ ascending.
struct DenseModes {
  VectorXd lambda;
  MatrixXd shapes;
};

DenseModes dense_modes(const MatrixXd& M, const MatrixXd& K) {
  const Eigen::LLT<MatrixXd> mass(M);
  MatrixXd scaled = mass.matrixL().solve(K);
  scaled = mass.matrixL().solve(MatrixXd(scaled.transpose()));
  const Eigen::SelfAdjointEigenSolver<MatrixXd> found(0.5 * (scaled + scaled.transpose()));
  return {found.eigenvalues(), mass.matrixU().solve(found.eigenvectors())};
}

/// The lowest modes that vibrate, of a model with `rigid` coordinates that nothing holds.
DenseModes vibrating(const MatrixXd& M, const MatrixXd& K, Index rigid, Index count) {
  const DenseModes all = dense_modes(M, K);
  const Index there = std::min(count, all.lambda.size() - rigid);
  return {all.lambda.segment(rigid, there), all.shapes.middleCols(rigid, there)};
}

// x2 − B x1 of whole modes.
MatrixXd residuals(const PoseMatrices& pose, const DenseModes& modes,
                   const std::vector<Index>& masters, const std::vector<Index>& slaves) {
  return modes.shapes(slaves, Eigen::all) - pose.B * modes.shapes(masters, Eigen::all);
}

// Interior mode ranking in closed form, [docs/theory/flexible.md]: share(i, s) =
// (u_iᵀ M [0; φ_s]) η_i,s with η_i = Φᵀ M22 (u2 − B u1), and Σ_i |share(i, s)| / |share(i, :)|.
std::vector<int> ranked(const PoseMatrices& pose, const DenseModes& modes, const MatrixXd& interior,
                        const std::vector<Index>& masters, const std::vector<Index>& slaves) {
  const MatrixXd eta = interior.transpose() * pose.M22 * residuals(pose, modes, masters, slaves);
  const MatrixXd reach = interior.transpose() * pose.M(slaves, Eigen::all) * modes.shapes;
  MatrixXd share = eta.cwiseProduct(reach);  // interior modes x modes of interest
  for (Index i = 0; i < share.cols(); ++i) share.col(i) /= share.col(i).norm();
  const VectorXd score = share.cwiseAbs().rowwise().sum();
  std::vector<int> order(static_cast<std::size_t>(score.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return score(a) > score(b); });
  return order;
}

// The interior modes that rank first.
MatrixXd ranked_modes(const PoseMatrices& pose, const DenseModes& modes, int count,
                      const std::vector<Index>& masters, const std::vector<Index>& slaves,
                      std::vector<int>& kept) {
  const DenseModes interior = dense_modes(pose.M22, pose.K22);
  kept = ranked(pose, modes, interior.shapes, masters, slaves);
  kept.resize(static_cast<std::size_t>(count));
  MatrixXd made = interior.shapes(Eigen::all, kept);
  for (int& one : kept) ++one;
  return made;
}

// The directions in which the residuals are largest, in the norm of K22.
MatrixXd residual_vectors(const PoseMatrices& pose, const DenseModes& modes, int count,
                          const std::vector<Index>& masters, const std::vector<Index>& slaves) {
  const MatrixXd R = residuals(pose, modes, masters, slaves);
  const MatrixXd scaled = pose.K22_factors.matrixU() * R;
  const Eigen::JacobiSVD<MatrixXd> svd(scaled, Eigen::ComputeThinU);
  return pose.K22_factors.matrixU().solve(svd.matrixU().leftCols(count));
}

// Orthonormal in M22, the same space.
MatrixXd orthonormal(const MatrixXd& vectors, const MatrixXd& M22) {
  const MatrixXd gram = vectors.transpose() * M22 * vectors;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> found(gram);
  const VectorXd& size = found.eigenvalues();
  if (!(size(0) > size.tail<1>()(0) / kWorstBasis)) {
    throw InvalidInput({.function = kFlexibleReduction,
                        .argument = "coordinates",
                        .rule = "the interior vectors depend on each other there: the pose is too "
                                "near to a singular one"});
  }
  return vectors * found.eigenvectors() * size.cwiseSqrt().cwiseInverse().asDiagonal();
}

std::vector<Index> master_rows(const FlexibleMechanism& mechanism,
                               const FlexibleReductionOptions& options) {
  std::vector<Index> rows;
  for (Index j = 0; j < mechanism.coordinates(); ++j) rows.push_back(mechanism.elastic() + j);
  for (const std::string& name : options.masters) {
    const int row = mechanism.displacement(name);
    const bool moves = row >= 0 && row < mechanism.elastic();
    const bool twice = moves && std::find(rows.begin(), rows.end(), row) != rows.end();
    if (moves && !twice) {
      rows.push_back(row);
      continue;
    }
    throw InvalidInput({.function = kFlexibleReduction,
                        .argument = "masters",
                        .rule = twice ? "must not name a displacement twice"
                                      : "must be displacements that are neither held nor zero",
                        .value = name});
  }
  return rows;
}

void check_counts(const FlexibleMechanism& mechanism, const FlexibleReductionOptions& options,
                  Index slaves) {
  check::at_least(kFlexibleReduction, "interior", options.interior, 1);
  check::at_least(kFlexibleReduction, "modes", options.modes, 1);
  const bool residual = options.basis == CarriedBasis::Residual;
  const Index most = residual ? std::min<Index>(slaves, options.modes) : slaves;
  if (options.interior > most) {
    throw InvalidInput({.function = kFlexibleReduction,
                        .argument = "interior",
                        .rule = fmt::format("must be {} at most", most),
                        .value = std::to_string(options.interior)});
  }
  if (options.modes > mechanism.elastic()) {
    throw InvalidInput({.function = kFlexibleReduction,
                        .argument = "modes",
                        .rule = fmt::format("must be {} at most", mechanism.elastic()),
                        .value = std::to_string(options.modes)});
  }
}

}  // namespace

FlexibleReduction::FlexibleReduction(const FlexibleMechanism& mechanism,
                                     const Eigen::Ref<const VectorXd>& reference,
                                     FlexibleReductionOptions options)
    : mechanism_(mechanism), options_(std::move(options)) {
  masters_ = master_rows(mechanism_, options_);
  for (Index i = 0; i < mechanism_.elastic(); ++i) {
    if (std::find(masters_.begin(), masters_.end(), i) == masters_.end()) slaves_.push_back(i);
  }
  check_counts(mechanism_, options_, static_cast<Index>(slaves_.size()));
  const FlexibleState state = pose_of(mechanism_, reference);
  const PoseMatrices pose = matrices_at(mechanism_, state, masters_, slaves_);
  const DenseModes modes = vibrating(pose.M, pose.K, mechanism_.coordinates(), options_.modes);
  vectors_ = options_.basis == CarriedBasis::Residual
                 ? orthonormal(residual_vectors(pose, modes, options_.interior, masters_, slaves_),
                               pose.M22)
                 : ranked_modes(pose, modes, options_.interior, masters_, slaves_, kept_);
  if (options_.basis != CarriedBasis::Fixed) {
    vectors_ = turned_with_bodies(mechanism_, state, slaves_, vectors_, false);
  }
}

int FlexibleReduction::size() const noexcept {
  return static_cast<int>(masters_.size()) + options_.interior;
}

ReducedPose FlexibleReduction::at(const Eigen::Ref<const VectorXd>& coordinates) const {
  const FlexibleState state = pose_of(mechanism_, coordinates);
  const PoseMatrices pose = matrices_at(mechanism_, state, masters_, slaves_);
  MatrixXd psi = options_.basis == CarriedBasis::Fixed
                     ? vectors_
                     : turned_with_bodies(mechanism_, state, slaves_, vectors_, true);
  ReducedPose made;
  made.departure =
      (psi.transpose() * pose.M22 * psi - MatrixXd::Identity(options_.interior, options_.interior))
          .cwiseAbs()
          .maxCoeff();
  if (options_.basis == CarriedBasis::Iterated) {
    psi = orthonormal(pose.K22_factors.solve(pose.M22 * psi), pose.M22);
  } else if (options_.basis == CarriedBasis::Recomputed) {
    std::vector<int> kept;
    const DenseModes modes = vibrating(pose.M, pose.K, mechanism_.coordinates(), options_.modes);
    psi = ranked_modes(pose, modes, options_.interior, masters_, slaves_, kept);
  }
  const auto m = static_cast<Index>(masters_.size());
  made.H = MatrixXd::Zero(mechanism_.unknowns(), size());
  for (Index j = 0; j < m; ++j) made.H(masters_[static_cast<std::size_t>(j)], j) = 1.0;
  made.H(slaves_, Eigen::seqN(0, m)) = pose.B;
  made.H(slaves_, Eigen::seqN(m, options_.interior)) = psi;
  made.M = made.H.transpose() * pose.M * made.H;
  made.K = made.H.transpose() * pose.K * made.H;
  return made;
}

ReducedPoseAccuracy FlexibleReduction::accuracy(
    const Eigen::Ref<const VectorXd>& coordinates) const {
  const FlexibleState state = pose_of(mechanism_, coordinates);
  const PoseMatrices pose = matrices_at(mechanism_, state, masters_, slaves_);
  const ReducedPose reduced = at(coordinates);
  const Index rigid = mechanism_.coordinates();
  const DenseModes whole = vibrating(pose.M, pose.K, rigid, options_.modes);
  const DenseModes small = vibrating(reduced.M, reduced.K, rigid, reduced.M.rows() - rigid);
  const MatrixXd cross = whole.shapes.transpose() * pose.M * reduced.H * small.shapes;
  ReducedPoseAccuracy made;
  const Index count = whole.lambda.size();
  made.frequency_hz = whole.lambda.cwiseSqrt() / (2.0 * std::numbers::pi);
  made.frequency_error.resize(count);
  made.orthogonality.resize(count);
  for (Index i = 0; i < count; ++i) {
    Index nearest = 0;
    made.orthogonality(i) = cross.row(i).cwiseAbs2().maxCoeff(&nearest);
    made.frequency_error(i) = std::abs(std::sqrt(small.lambda(nearest) / whole.lambda(i)) - 1.0);
  }
  return made;
}

}  // namespace alembert::reduce
