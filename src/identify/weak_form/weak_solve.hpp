#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "identify/weak_form/weak_equations.hpp"

/// The linear algebra of the weak form.
namespace alembert::identify {

/// Solves A θ = b with columns and rows scaled by d. The rank is judged on the scaled matrix.
/// Status NotFinite or NotIdentifiable; the message names the first unknown that is lost.
[[nodiscard]] Outcome solve_weak_system(const WeakSystem& system,
                                        const Eigen::Ref<const Eigen::VectorXd>& d,
                                        const std::vector<std::string>& names,
                                        Eigen::VectorXd& theta);

/// θ of the smallest κ in R x = κ N x, x = (θ, 1); false if R is not positive definite.
[[nodiscard]] bool solve_weak_pencil(const WeakPencil& pencil, Eigen::VectorXd& theta);

}  // namespace alembert::identify
