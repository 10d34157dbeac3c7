#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/identify/output_error.hpp"
#include "alembert/optimize/coloured_covariance.hpp"

namespace alembert::identify {

/// Residuals at an estimate with their derivatives by the parameters, by the coefficients of
/// possible terms (which are 0 there) and by start states that were fitted.
struct TermColumns {
  std::vector<std::string> names;  ///< p free parameters, also those at a bound
  Eigen::VectorXd deviations;      ///< of these, as they are told; NaN where they are not known
  Eigen::Index terms = 0;          ///< K
  /// J has p columns, K columns, then those of start states.
  std::vector<optimize::ColouredBlock> blocks;
  Eigen::MatrixXd prior;  ///< derivatives of prior residuals of variance 1, p columns
  Eigen::VectorXd prior_residual;
  bool weighed = false;  ///< samples have weights, which may not be those of their noise
};

/// The deviations of these names that a result tells; NaN where it tells none.
[[nodiscard]] Eigen::VectorXd told_deviations(const std::vector<std::string>& names,
                                              const OutputErrorResult& result);

/// A term beyond chance.
struct FoundTerm {
  Eigen::Index place = 0;  ///< among the K
  UnmodelledTerm term;     ///< without its texts and its share
};

/// Adds each possible term by itself to the estimate, in first order: the score test with the noise
/// of the residuals that the term leaves.
/// @return those beyond what 999 of 1000 sound records show, all terms together, the surest first.
[[nodiscard]] std::vector<FoundTerm> test_terms(const TermColumns& columns);

}  // namespace alembert::identify
