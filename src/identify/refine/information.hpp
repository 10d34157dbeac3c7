#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "identify/refine/fit.hpp"

namespace alembert::identify {

/// What a triangular factor of the sensitivities says about the unknowns.
struct Information {
  Eigen::MatrixXd covariance;         ///< (Rᵀ R)⁻¹ of θ and the start states (q(0), q'(0))
  Eigen::MatrixXd matrix_covariance;  ///< of stacked(M, D, K)
  double condition = 0.0;             ///< of R with columns of unit length
  Eigen::VectorXd weakest;  ///< direction of the smallest singular value, scaled unknowns, unit
  bool identifiable = false;
};
/// @param R upper triangular, unknowns θ and then z(0) = (q, h q') of each experiment.
/// Variances of unknowns that take part in a direction without information are infinite.
[[nodiscard]] Information information(const Fit& fit, const Guess& guess, const Eigen::MatrixXd& R);

/// The unknowns with the largest parts in a direction: "M22, K22, ...".
[[nodiscard]] std::string involved_unknowns(const Fit& fit, const Parametrisation& unknowns,
                                            const Eigen::VectorXd& direction);

}  // namespace alembert::identify
