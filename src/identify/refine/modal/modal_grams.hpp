#pragma once

#include <Eigen/Core>
#include <vector>

#include "identify/refine/fit.hpp"
#include "identify/refine/modal/modal_coefficients.hpp"

/// Products of the modal signals of one experiment, summed over its samples.
namespace alembert::identify {

struct ModalGrams {
  std::vector<Eigen::MatrixXd> grams;  ///< of each output group, over its measured samples
  Eigen::MatrixXd products;            ///< signals ᵀ errors, columns x outputs
};
/// @param errors y - ŷ of the experiment, zero where missing.
[[nodiscard]] ModalGrams modal_grams(const Fit& fit, const ModalCoefficients& coefficients,
                                     Eigen::Index experiment, const Eigen::MatrixXd& errors);

/// Triangular factors of the signals of each output group, over its measured samples.
[[nodiscard]] std::vector<Eigen::MatrixXd> modal_signal_factors(
    const Fit& fit, const ModalCoefficients& coefficients, Eigen::Index experiment);

}  // namespace alembert::identify
