#pragma once

#include <Eigen/Core>
#include <limits>
#include <string>
#include <string_view>

#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::integrate {

/// Factorises the effective matrix of an implicit method once for all right-hand sides. LU instead
/// of Cholesky, because a system with negative stiffness or damping is still a valid one.
/// @throws InvalidInput in the name of `function` if it is singular to working precision.
inline Eigen::PartialPivLU<Eigen::MatrixXd> factorised(std::string_view function,
                                                       std::string_view formula,
                                                       const Eigen::MatrixXd& matrix) {
  Eigen::PartialPivLU<Eigen::MatrixXd> lu(matrix);
  const Eigen::VectorXd pivots = lu.matrixLU().diagonal().cwiseAbs();
  if (!matrix.allFinite() || pivots.minCoeff() == 0.0) {
    throw InvalidInput({.function = std::string(function),
                        .argument = std::string(formula),
                        .rule = "must be finite and regular",
                        .value = "a matrix without inverse; change step"});
  }
  return lu;
}

}  // namespace alembert::integrate
