#pragma once

#include <Eigen/Core>
#include <vector>

#include "identify/refine/modal/modal_coefficients.hpp"
#include "identify/refine/sensitivity.hpp"

namespace alembert::identify {

/// By modal signals: O(N (n m)²).
[[nodiscard]] NormalEquations modal_normal_equations(const Fit& fit, const Guess& guess,
                                                     const ModalCoefficients& coefficients,
                                                     const std::vector<Eigen::MatrixXd>& errors,
                                                     const Eigen::VectorXd& weights);
[[nodiscard]] Eigen::MatrixXd modal_factor(const Fit& fit, const Guess& guess,
                                           const ModalCoefficients& coefficients,
                                           const Eigen::VectorXd& weights);

}  // namespace alembert::identify
