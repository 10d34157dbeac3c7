#pragma once

#include <Eigen/Core>
#include <string>
#include <string_view>

#include "alembert/identify/parametrisation.hpp"

/// Checks that the ways from a state-space model to M, D, K share.
namespace alembert::identify {

/// Smallest by largest singular value; 0 for a matrix with a NaN.
[[nodiscard]] double reciprocal_condition(const Eigen::Ref<const Eigen::MatrixXd>& matrix);

/// @throws InvalidInput unless L is n x n, finite and invertible.
void check_force_distribution(std::string_view function, const Eigen::Ref<const Eigen::MatrixXd>& L,
                              Eigen::Index coordinates);

/// |X - Xᵀ| / (2 |X|).
[[nodiscard]] double antisymmetric_share(const Eigen::Ref<const Eigen::MatrixXd>& matrix);

/// Names of the matrices that are not positive (D: semi-) definite, "" if none.
[[nodiscard]] std::string indefinite_matrices(const Matrices& matrices);

}  // namespace alembert::identify
