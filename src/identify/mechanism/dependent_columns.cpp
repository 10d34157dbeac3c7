#include "identify/mechanism/dependent_columns.hpp"

#include <cmath>

#include "core/algebra/decompositions.hpp"

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kDependent = 1e-6;  // of the size of the column
constexpr double kZero = 1e-10;      // of the largest column
constexpr double kNoPart = 1e-7;     // of the size of the column: a factor that rounding made

// The part of a column outside of an orthonormal basis; twice, against rounding.
VectorXd outside(const MatrixXd& basis, Index size, VectorXd column) {
  for (int turn = 0; turn < 2; ++turn) {
    column -= basis.leftCols(size) * (basis.leftCols(size).transpose() * column);
  }
  return column;
}

}  // namespace

DependentColumns dependent_columns(const MatrixXd& columns) {
  DependentColumns found;
  const VectorXd sizes = columns.colwise().norm();
  const double largest = sizes.size() > 0 ? sizes.maxCoeff() : 0.0;
  MatrixXd basis(columns.rows(), std::min(columns.rows(), columns.cols()));
  MatrixXd kept(columns.rows(), basis.cols());
  Index count = 0;
  for (Index j = 0; j < columns.cols(); ++j) {
    if (!(sizes(j) > kZero * largest)) {
      found.zero.push_back(static_cast<int>(j));
      continue;
    }
    if (count == basis.cols()) continue;
    const VectorXd rest = outside(basis, count, columns.col(j) / sizes(j));
    if (rest.norm() <= kDependent) continue;
    basis.col(count) = rest.normalized();
    kept.col(count++) = columns.col(j) / sizes(j);
    found.independent.push_back(static_cast<int>(j));
  }
  found.factors = MatrixXd::Zero(count, columns.cols());
  if (count == 0) return found;
  const Eigen::HouseholderQR<MatrixXd> qr(kept.leftCols(count));
  for (Index j = 0; j < columns.cols(); ++j) {
    if (!(sizes(j) > kZero * largest)) continue;
    const VectorXd parts = qr.solve(columns.col(j) / sizes(j));
    for (Index k = 0; k < count; ++k) {
      const auto lead = static_cast<Index>(found.independent[static_cast<std::size_t>(k)]);
      if (std::abs(parts(k)) > kNoPart) found.factors(k, j) = parts(k) * sizes(j) / sizes(lead);
    }
  }
  // An independent column is itself, without rounding.
  for (Index k = 0; k < count; ++k) {
    const auto lead = static_cast<Index>(found.independent[static_cast<std::size_t>(k)]);
    found.factors.col(lead) = VectorXd::Unit(count, k);
  }
  return found;
}

}  // namespace alembert::identify
