#include "alembert/identify/parametrisation.hpp"

#include <cmath>

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/parametrisation/entry_index.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Triplets = std::vector<Eigen::Triplet<double>>;

// n of a half vector of this length, or 0 if there is none.
Index size_of_half(Index length) {
  const Index n = static_cast<Index>(
      std::lround((std::sqrt(8.0 * static_cast<double>(length) + 1.0) - 1.0) / 2.0));
  return half_size(n) == length ? n : 0;
}

// Weight of each entry of the stack: that of the Frobenius norm of each matrix over its size.
Eigen::VectorXd entry_weights(const Matrices& wanted) {
  const Index n = wanted.M.rows();
  Eigen::VectorXd weights(3 * half_size(n));
  const Eigen::MatrixXd* parts[] = {&wanted.M, &wanted.D, &wanted.K};
  for (Index part = 0; part < 3; ++part) {
    const double norm = parts[part]->norm();
    const double scale = norm > 0.0 ? 1.0 / norm : 1.0;
    for (Index column = 0; column < n; ++column) {
      for (Index row = column; row < n; ++row) {
        weights(part * half_size(n) + half_index(n, row, column)) =
            scale * (row == column ? 1.0 : std::sqrt(2.0));
      }
    }
  }
  return weights;
}

// Least squares for a sparse matrix with few unknowns or with orthogonal columns.
Eigen::VectorXd least_squares(const Eigen::SparseMatrix<double>& A, const Eigen::VectorXd& b) {
  const Eigen::SparseMatrix<double> normal = A.transpose() * A;
  const Eigen::VectorXd diagonal = normal.diagonal();
  const double largest = diagonal.size() > 0 ? diagonal.maxCoeff() : 0.0;
  if (normal.squaredNorm() - diagonal.squaredNorm() <= 1e-28 * normal.squaredNorm()) {
    const Eigen::VectorXd rhs = A.transpose() * b;
    return rhs.binaryExpr(diagonal, [largest](double value, double square) {
      return square > 1e-28 * largest ? value / square : 0.0;
    });
  }
  const Eigen::VectorXd length =
      diagonal.cwiseSqrt().unaryExpr([](double value) { return value > 0.0 ? 1.0 / value : 1.0; });
  const Eigen::MatrixXd scaled = Eigen::MatrixXd(A) * length.asDiagonal();
  return length.cwiseProduct(
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(scaled).solve(b));
}

// α and β of the wanted D for given M and K.
Eigen::Vector2d damping_factors(const Matrices& fitted, const Eigen::MatrixXd& wanted) {
  const Index n = wanted.rows();
  Eigen::MatrixXd columns(n * n, 2);
  columns << fitted.M.reshaped(), fitted.K.reshaped();
  const Eigen::RowVector2d length =
      columns.colwise().norm().unaryExpr([](double v) { return v > 0.0 ? 1.0 / v : 1.0; });
  const Eigen::MatrixXd scaled = columns * length.asDiagonal();
  const Eigen::VectorXd right = wanted.reshaped();
  const Eigen::VectorXd solution =
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(scaled).solve(right);
  return solution.cwiseProduct(length.transpose());
}

}  // namespace

Matrices matrices_of(const model::SecondOrder& system) { return {system.M, system.D, system.K}; }

Eigen::VectorXd half_vector(const Eigen::Ref<const Eigen::MatrixXd>& symmetric) {
  const Index n = symmetric.rows();
  check::shape("half_vector", "symmetric", symmetric, n, n);
  Eigen::VectorXd half(half_size(n));
  for (Index column = 0; column < n; ++column) {
    half.segment(half_index(n, column, column), n - column) =
        symmetric.col(column).tail(n - column);
  }
  return half;
}

Eigen::MatrixXd from_half_vector(const Eigen::Ref<const Eigen::VectorXd>& half) {
  const Index n = size_of_half(half.size());
  check::size("from_half_vector", "length of half, n (n + 1)/2,", half.size(), half_size(n));
  Eigen::MatrixXd matrix(n, n);
  for (Index column = 0; column < n; ++column) {
    matrix.col(column).tail(n - column) = half.segment(half_index(n, column, column), n - column);
    matrix.row(column).tail(n - column) = matrix.col(column).tail(n - column).transpose();
  }
  return matrix;
}

Eigen::VectorXd stacked(const Matrices& matrices) {
  const Index n = matrices.M.rows();
  check::shape("stacked", "D", matrices.D, n, n);
  check::shape("stacked", "K", matrices.K, n, n);
  Eigen::VectorXd stack(3 * half_size(n));
  stack << half_vector(matrices.M), half_vector(matrices.D), half_vector(matrices.K);
  return stack;
}

Matrices unstacked(const Eigen::Ref<const Eigen::VectorXd>& stack) {
  const Index half = stack.size() / 3;
  check::size("unstacked", "length of stack, 3 n (n + 1)/2,", stack.size(),
              3 * half_size(size_of_half(half)));
  return {from_half_vector(stack.head(half)), from_half_vector(stack.segment(half, half)),
          from_half_vector(stack.tail(half))};
}

Matrices matrices(const Parametrisation& parametrisation,
                  const Eigen::Ref<const Eigen::VectorXd>& theta) {
  check::size("matrices", "length of theta", theta.size(), parametrisation.size());
  const Index linear = parametrisation.basis.cols();
  const Eigen::VectorXd stack = parametrisation.offset + parametrisation.basis * theta.head(linear);
  Matrices result = unstacked(stack);
  if (parametrisation.proportional_damping) {
    // D = α M + β K
    result.D = theta(linear) * result.M + theta(linear + 1) * result.K;
  }
  return result;
}

Eigen::SparseMatrix<double> jacobian(const Parametrisation& parametrisation,
                                     const Eigen::Ref<const Eigen::VectorXd>& theta) {
  check::size("jacobian", "length of theta", theta.size(), parametrisation.size());
  if (!parametrisation.proportional_damping) return parametrisation.basis;
  const Index linear = parametrisation.basis.cols();
  const Index half = parametrisation.offset.size() / 3;
  const Matrices at = matrices(parametrisation, theta);
  const Eigen::VectorXd M = half_vector(at.M);
  const Eigen::VectorXd K = half_vector(at.K);
  Triplets triplets;
  for (Index column = 0; column < linear; ++column) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(parametrisation.basis, column); it; ++it) {
      if (it.row() >= half && it.row() < 2 * half) continue;
      triplets.emplace_back(it.row(), column, it.value());
      // ∂D = α ∂M + β ∂K
      const bool mass = it.row() < half;
      triplets.emplace_back(mass ? it.row() + half : it.row() - half, column,
                            theta(linear + (mass ? 0 : 1)) * it.value());
    }
  }
  for (Index entry = 0; entry < half; ++entry) {
    triplets.emplace_back(half + entry, linear, M(entry));
    triplets.emplace_back(half + entry, linear + 1, K(entry));
  }
  Eigen::SparseMatrix<double> result(3 * half, linear + 2);
  result.setFromTriplets(triplets.begin(), triplets.end());
  return result;
}

Eigen::VectorXd nearest_parameters(const Parametrisation& parametrisation, const Matrices& wanted) {
  const Index n = parametrisation.degrees_of_freedom;
  check::shape("nearest_parameters", "wanted.M", wanted.M, n, n);
  check::shape("nearest_parameters", "wanted.D", wanted.D, n, n);
  check::shape("nearest_parameters", "wanted.K", wanted.K, n, n);
  const Index linear = parametrisation.basis.cols();
  const Eigen::VectorXd weights = entry_weights(wanted);
  const Eigen::SparseMatrix<double> weighted = weights.asDiagonal() * parametrisation.basis;
  Eigen::VectorXd theta = Eigen::VectorXd::Zero(parametrisation.size());
  theta.head(linear) =
      least_squares(weighted, weights.cwiseProduct(stacked(wanted) - parametrisation.offset));
  if (parametrisation.proportional_damping) {
    theta.tail<2>() = damping_factors(matrices(parametrisation, theta), wanted.D);
  }
  return theta;
}

}  // namespace alembert::identify
