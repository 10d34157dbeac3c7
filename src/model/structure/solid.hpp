#pragma once

#include <Eigen/Core>

#include "alembert/model/structure/elements.hpp"

namespace alembert::model {

/// Strains (εx, εy, εz, γxy, γyz, γzx) of displacements in space with these gradients, 3 x
/// functions; three columns for each function.
[[nodiscard]] Eigen::MatrixXd solid_strains(const Eigen::MatrixXd& gradients);

/// Hooke's law for these strains.
[[nodiscard]] Eigen::MatrixXd solid_elasticity(const Material& material);

/// Adds weight N Nᵀ for each direction of space.
void add_solid_mass(const Eigen::VectorXd& functions, double weight, Eigen::MatrixXd& mass);

}  // namespace alembert::model
