#pragma once

// Closing the joints of a mechanism from rough poses, and what can be said where that fails.

#include "model/planar/motion.hpp"

namespace alembert::model::planar {

/// How well a set of rows could be closed.
struct Closing {
  double gap = 0.0;  ///< largest scaled residual
  int worst_row = 0;

  [[nodiscard]] bool closed() const { return gap <= 1e-10; }
};

/// Damped least squares on the first `rows` functions from state.q (constraints alone, or with the
/// coordinates z). Leaves the best position in the state.
Closing close_joints(const Layout& layout, const Eigen::VectorXd& z, int rows,
                     MechanismState& state);

/// C_q, and with the coordinates b_q, with lengths in sizes of the mechanism.
[[nodiscard]] Eigen::MatrixXd scaled_jacobian(const Layout& layout, const MechanismState& state,
                                              int rows);

/// Examines a closed mechanism: redundancy, degrees of freedom, singularity.
void examine(const Layout& layout, const MechanismState& state, Assembly& assembly);

/// Adds a finding; the first sets status and message.
void report(Assembly& assembly, Status status, Finding finding);

/// The names of rows (or bodies) with large entries in a null vector, largest first.
[[nodiscard]] std::vector<std::string> row_culprits(const Layout& layout,
                                                    const Eigen::VectorXd& left);
[[nodiscard]] std::vector<std::string> body_culprits(const Layout& layout,
                                                     const Eigen::VectorXd& right);

/// Names in quotes, with commas.
[[nodiscard]] std::string quoted(const std::vector<std::string>& names);

}  // namespace alembert::model::planar
