#pragma once

#include <Eigen/Core>

#include "alembert/identify/parametrisation.hpp"

namespace alembert::identify {

/// True if the matrix is positive semidefinite, judged with its diagonal scaled to one.
[[nodiscard]] bool semidefinite(const Eigen::MatrixXd& symmetric);

/// θ near the given one with D and K positive semidefinite: eigenvalues are clipped and the
/// matrices brought back to the parametrisation, in turns; what is left of the violation after
/// some turns stays.
[[nodiscard]] Eigen::VectorXd with_positive_matrices(const Parametrisation& unknowns,
                                                     const Eigen::VectorXd& theta);

}  // namespace alembert::identify
