#pragma once

#include <Eigen/Core>

#include "reproductions/simulated_modes/modal_test.hpp"

namespace alembert::reproductions::simulated_modes {

/// States x' = λ x + f from rest, one column per pole, exact for a force that is linear between
/// samples.
[[nodiscard]] Eigen::MatrixXcd modal_states(const Eigen::VectorXcd& poles,
                                            const Eigen::VectorXd& force, double step);

/// Accelerations Σ φ_r q_r'' with q_r'' = Re(λ_r² x_r/(i Im λ_r)) + load_r.
[[nodiscard]] Eigen::MatrixXd accelerations(const KnownStructure& structure,
                                            const Eigen::MatrixXcd& states,
                                            const Eigen::MatrixXd& loads);

/// λ²/(i Im λ), what an acceleration has of a state.
[[nodiscard]] std::complex<double> acceleration_factor(std::complex<double> pole);

}  // namespace alembert::reproductions::simulated_modes
