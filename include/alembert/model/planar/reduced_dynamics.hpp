#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/model/planar/detail/small_lu.hpp"
#include "alembert/model/planar/jet.hpp"

namespace alembert::model::planar {

/// Reduced equations of motion, M z'' + bias = B1 F1 + B2 F2, with their derivatives and the memory
/// that finds them. Made by Mechanism::make_dynamics(), owned by the caller.
struct ReducedDynamics {
  Eigen::MatrixXd M;     ///< RᵀM R
  Eigen::VectorXd bias;  ///< Rᵀ(M c + M_v − Q), Q of gravity and of passive forces
  Eigen::MatrixXd B1;    ///< of the known forces, in their order
  Eigen::MatrixXd B2;    ///< of the unknown forces

  /// τ = M z'' + bias − B F and its derivatives: set by Mechanism::inverse_dynamics() and
  /// Mechanism::differentiate_dynamics(). ∂τ/∂z'' = M and ∂τ/∂F = −B.
  Eigen::VectorXd tau;
  Eigen::MatrixXd tau_z, tau_zd, tau_p;

  /// Generalised forces y of all bodies that the joints must supply, 3 a body, and what the
  /// constraints and coordinates take of it: Aᵀ ν = y.
  Eigen::VectorXd load, multipliers;
  SmallLu lu;  ///< factors of M
  // A motion along a column of R, with slopes.
  std::vector<BodyMotion<Dual>> trial;
};

/// What a joint does to its body b, in the world: it does the opposite to a.
struct JointReaction {
  std::string joint;
  Eigen::Vector2d force = Eigen::Vector2d::Zero();  ///< N, at the point of b
  double torque = 0.0;                              ///< N m, about that point
};

}  // namespace alembert::model::planar
