#include "alembert/reduce/substructure.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "alembert/core/error.hpp"
#include "alembert/core/random.hpp"
#include "core/algebra/blas.hpp"
#include "core/algebra/lapack.hpp"
#include "reduce/factor/shifted.hpp"
#include "reduce/modes/dense_modes.hpp"
#include "reduce/modes/orthonormal.hpp"

namespace alembert::reduce {
namespace {

using model::SparseMatrix;

[[noreturn]] void refuse_masters(std::string rule, std::string value = {}) {
  throw InvalidInput({.function = "split_structure",
                      .argument = "masters",
                      .rule = std::move(rule),
                      .value = std::move(value)});
}

std::vector<Eigen::Index> slaves_of(Eigen::Index n, const std::vector<Eigen::Index>& masters) {
  if (masters.empty()) refuse_masters("must hold at least one row");
  std::vector<bool> taken(static_cast<std::size_t>(n), false);
  for (const Eigen::Index row : masters) {
    if (row < 0 || row >= n) {
      refuse_masters("must lie in [0, " + std::to_string(n - 1) + "]", std::to_string(row));
    }
    if (taken[static_cast<std::size_t>(row)]) {
      refuse_masters("must hold each row once", std::to_string(row) + " twice");
    }
    taken[static_cast<std::size_t>(row)] = true;
  }
  std::vector<Eigen::Index> slaves;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!taken[static_cast<std::size_t>(i)]) slaves.push_back(i);
  }
  if (slaves.empty()) refuse_masters("must leave rows for the interior");
  return slaves;
}

// Rows and columns of a sparse matrix by their new numbers; -1: left out.
SparseMatrix block_of(const SparseMatrix& A, const std::vector<int>& row,
                      const std::vector<int>& column, Eigen::Index rows, Eigen::Index columns) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index c = 0; c < A.outerSize(); ++c) {
    const int new_column = column[static_cast<std::size_t>(c)];
    if (new_column < 0) continue;
    for (SparseMatrix::InnerIterator entry(A, c); entry; ++entry) {
      const int new_row = row[static_cast<std::size_t>(entry.row())];
      if (new_row >= 0) entries.emplace_back(new_row, new_column, entry.value());
    }
  }
  SparseMatrix block(rows, columns);
  block.setFromTriplets(entries.begin(), entries.end());
  return block;
}

std::vector<int> numbers_of(const std::vector<Eigen::Index>& rows, Eigen::Index n) {
  std::vector<int> number(static_cast<std::size_t>(n), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    number[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
  }
  return number;
}

[[noreturn]] void refuse_mechanism() {
  refuse_masters(
      "must hold the interior: with the masters at rest it can still move without stiffness; add "
      "masters, or a spring where the interior is loose");
}

// The largest K_ii / M_ii.
double largest_ratio(const SparseMatrix& K, const SparseMatrix& M) {
  const Eigen::VectorXd stiffness = K.diagonal();
  const Eigen::VectorXd mass = M.diagonal();
  double largest = 0.0;
  for (Eigen::Index i = 0; i < mass.size(); ++i) {
    if (mass(i) > 0.0) largest = std::max(largest, stiffness(i) / mass(i));
  }
  return largest;
}

// A mechanism has ω² = 0 up to rounding; what lies further below is a K that is indefinite.
[[noreturn]] void refuse_negative(const Substructure& split, ShiftedStructure& interior) {
  const double rounding = 1e-9 * largest_ratio(split.K22, split.M22);
  if (!interior.factor(-rounding) || interior.below() == 0) refuse_mechanism();
  throw InvalidInput({.function = "split_structure",
                      .argument = "K",
                      .rule = "must be positive semidefinite: with the masters at rest it has " +
                              std::to_string(interior.below()) + " negative eigenvalue(s)"});
}

// Solves with K22, which must be positive definite well above rounding.
void check_held(const Substructure& split, ShiftedStructure& interior, double scale) {
  if (interior.below() != 0) refuse_negative(split, interior);
  RandomStream random(7);
  Eigen::MatrixXd x = random.normal_vector(interior.size());
  for (int i = 0; i < 2; ++i) {
    x = interior.solve(x);
    x /= x.norm();
  }
  const double lowest = (x.transpose() * sparse_times(interior.stiffness(), x))(0);
  if (!(lowest > 1e-14 * scale)) refuse_mechanism();
}

}  // namespace

Substructure split_structure(const model::Structure& structure,
                             const std::vector<Eigen::Index>& masters) {
  const Eigen::Index n = structure.size();
  Substructure split;
  split.masters = masters;
  split.slaves = slaves_of(n, masters);
  const std::vector<int> first = numbers_of(split.masters, n);
  const std::vector<int> second = numbers_of(split.slaves, n);
  const auto m = static_cast<Eigen::Index>(split.masters.size());
  const auto s = static_cast<Eigen::Index>(split.slaves.size());
  split.K22 = block_of(structure.K, second, second, s, s);
  split.M22 = block_of(structure.M, second, second, s, s);
  const Eigen::MatrixXd K21 = block_of(structure.K, second, first, s, m);
  const Eigen::MatrixXd M21 = block_of(structure.M, second, first, s, m);
  const Eigen::MatrixXd K11 = block_of(structure.K, first, first, m, m);
  const Eigen::MatrixXd M11 = block_of(structure.M, first, first, m, m);
  ShiftedStructure interior(split.K22, split.M22);
  if (!interior.factor(0.0)) refuse_mechanism();
  check_held(split, interior, split.K22.diagonal().maxCoeff());
  // B = -K22⁻¹ K21
  split.B = -interior.solve(K21);
  const Eigen::MatrixXd MB = sparse_times(split.M22, split.B);
  split.coupling = (M21 + MB).transpose();
  split.mass = M11;
  add_transposed_product(split.B, M21, split.mass);
  add_transposed_product(M21, split.B, split.mass);
  add_transposed_product(split.B, MB, split.mass);
  split.stiffness = K11;
  add_transposed_product(K21, split.B, split.stiffness);
  split.mass = 0.5 * (split.mass + split.mass.transpose()).eval();
  split.stiffness = 0.5 * (split.stiffness + split.stiffness.transpose()).eval();
  return split;
}

StructureModes interior_modes(const Substructure& split, Eigen::Index count,
                              const ModesOptions& options) {
  return lowest_modes(split.K22, split.M22, count, options);
}

HybridBasis hybrid_basis(const model::Structure& structure, const Substructure& split,
                         const Eigen::MatrixXd& interior, const Eigen::VectorXd& eigenvalue) {
  const auto m = static_cast<Eigen::Index>(split.masters.size());
  const Eigen::Index q = interior.cols();
  HybridBasis basis;
  basis.masters = m;
  basis.master_rows = split.masters;
  basis.interior_eigenvalue = eigenvalue;
  basis.H = Eigen::MatrixXd::Zero(split.size(), m + q);
  for (Eigen::Index i = 0; i < m; ++i) {
    basis.H(split.masters[static_cast<std::size_t>(i)], i) = 1.0;
  }
  for (std::size_t i = 0; i < split.slaves.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    basis.H.row(split.slaves[i]).head(m) = split.B.row(row);
    basis.H.row(split.slaves[i]).tail(q) = interior.row(row);
  }
  // M12r = (M12 + Bᵀ M22) Q, M22r = I, K12r = 0, K22r = diag(ω²)
  basis.M = Eigen::MatrixXd::Identity(m + q, m + q);
  basis.M.topLeftCorner(m, m) = split.mass;
  basis.M.topRightCorner(m, q) = product(split.coupling, interior);
  basis.M.bottomLeftCorner(q, m) = basis.M.topRightCorner(m, q).transpose();
  basis.K = Eigen::MatrixXd::Zero(m + q, m + q);
  basis.K.topLeftCorner(m, m) = split.stiffness;
  basis.K.diagonal().tail(q) = eigenvalue;
  if (structure.D.nonZeros() > 0) {
    basis.D = Eigen::MatrixXd::Zero(m + q, m + q);
    add_transposed_product(basis.H, sparse_times(structure.D, basis.H), basis.D);
  }
  return basis;
}

namespace {

// Gram and Schmidt in M, twice: products of nearly parallel columns would lose half of the digits.
Eigen::MatrixXd orthonormal_columns(const Eigen::MatrixXd& vectors, const SparseMatrix& M) {
  constexpr double kDependent = 1e-10;
  Eigen::MatrixXd Q(vectors.rows(), vectors.cols());
  Eigen::MatrixXd MQ(vectors.rows(), vectors.cols());
  Eigen::Index k = 0;
  const auto mass_norm = [&](const Eigen::VectorXd& v) {
    return std::sqrt(std::max(0.0, v.dot(sparse_times(M, v).col(0))));
  };
  for (Eigen::Index c = 0; c < vectors.cols(); ++c) {
    Eigen::VectorXd v = vectors.col(c);
    const double before = mass_norm(v);
    if (!(before > 0.0)) continue;
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index i = 0; i < k; ++i) v -= MQ.col(i).dot(v) * Q.col(i);
    }
    const double left = mass_norm(v);
    if (!(left > kDependent * before)) continue;
    Q.col(k) = v / left;
    MQ.col(k) = sparse_times(M, Q.col(k));
    ++k;
  }
  return Q.leftCols(k);
}

}  // namespace

HybridBasis hybrid_basis(const model::Structure& structure, const Substructure& split,
                         const Eigen::MatrixXd& vectors) {
  const Eigen::MatrixXd Q = orthonormal_columns(vectors, split.M22);
  if (Q.cols() == 0) return hybrid_basis(structure, split, Q, Eigen::VectorXd(0));
  const EigenPairs pairs = rayleigh_ritz(Q, sparse_times(split.K22, Q), sparse_times(split.M22, Q));
  return hybrid_basis(structure, split, pairs.vectors, pairs.values);
}

HybridBasis selected(const HybridBasis& basis, const std::vector<Eigen::Index>& interior) {
  std::vector<Eigen::Index> which;
  for (Eigen::Index i = 0; i < basis.masters; ++i) which.push_back(i);
  for (const Eigen::Index i : interior) which.push_back(basis.masters + i);
  HybridBasis part;
  part.masters = basis.masters;
  part.master_rows = basis.master_rows;
  part.H = basis.H(Eigen::all, which);
  part.M = basis.M(which, which);
  part.K = basis.K(which, which);
  if (basis.D.size() > 0) part.D = basis.D(which, which);
  part.interior_eigenvalue = basis.interior_eigenvalue(interior);
  return part;
}

Eigen::MatrixXd interior_residuals(const Substructure& split, const Eigen::MatrixXd& vectors) {
  const Eigen::MatrixXd first = vectors(split.masters, Eigen::all);
  return vectors(split.slaves, Eigen::all) - product(split.B, first);
}

}  // namespace alembert::reduce
