#pragma once

#include <Eigen/Core>
#include <vector>

namespace alembert::model::flexible {

/// Factors A = L Lᵀ in place. Row i of the lower part stands as column i of the upper part, from
/// row_start[i] on; the rest is neither read nor written. The diagonal of L is stored inverted.
/// @return false if a pivot is not positive.
[[nodiscard]] bool factor_skyline(const std::vector<int>& row_start, Eigen::MatrixXd& A) noexcept;

/// Overwrites b by the solution of L Lᵀ x = b.
void solve_skyline(const std::vector<int>& row_start, const Eigen::MatrixXd& L,
                   Eigen::VectorXd& b) noexcept;

}  // namespace alembert::model::flexible
