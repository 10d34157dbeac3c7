#pragma once

#include <Eigen/Core>
#include <vector>

#include "identify/refine/fit.hpp"

/// Normal equations of the weighted output error; unknowns are θ, then the start state z = (q, h
/// q') of each experiment if it is free. Neither engine stores the sensitivities.
namespace alembert::identify {

struct NormalEquations {
  Eigen::MatrixXd H;         ///< Jᵀ W² J, both triangles
  Eigen::VectorXd gradient;  ///< Jᵀ W² e
};

/// Number of all unknowns.
[[nodiscard]] Eigen::Index unknown_count(const Fit& fit, const Guess& guess);

/// @param errors y - ŷ of each experiment, zero where missing. @param weights of the outputs.
[[nodiscard]] NormalEquations normal_equations(const Fit& fit, const Guess& guess,
                                               const std::vector<Eigen::MatrixXd>& errors,
                                               const Eigen::VectorXd& weights);

/// The upper triangular R with Rᵀ R = Jᵀ W² J, from orthogonal factorisations: twice the digits of
/// the normal equations, for the condition and the covariance.
[[nodiscard]] Eigen::MatrixXd sensitivity_factor(const Fit& fit, const Guess& guess,
                                                 const Eigen::VectorXd& weights);

/// Weighted errors with their sensitivities, each output of each experiment: the start states in
/// (q, q'). NaN where a sample is missing. N p P numbers.
[[nodiscard]] std::vector<optimize::ColouredBlock> sensitivity_blocks(
    const Fit& fit, const Guess& guess, const std::vector<Eigen::MatrixXd>& errors,
    const Eigen::VectorXd& weights);

/// By the recursion of the sensitivities themselves: O(N p P²), for any poles.
[[nodiscard]] NormalEquations direct_normal_equations(const Fit& fit, const Guess& guess,
                                                      const std::vector<Eigen::MatrixXd>& errors,
                                                      const Eigen::VectorXd& weights);
[[nodiscard]] Eigen::MatrixXd direct_factor(const Fit& fit, const Guess& guess,
                                            const Eigen::VectorXd& weights);

}  // namespace alembert::identify
