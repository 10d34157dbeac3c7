#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/model/flexible/mechanism.hpp"
#include "alembert/model/second_order.hpp"

/// Rest positions of flexible mechanisms, and small motions about them.
namespace alembert::model::flexible {

/// A position in which nothing accelerates. NotConverged: none was found from there; x is where
/// the search ended.
struct [[nodiscard]] FlexibleEquilibrium : Outcome {
  Eigen::VectorXd x;      ///< (u, q, 0, 0), 2 n numbers
  int iterations = 0;     ///< Newton steps
  double residual = 0.0;  ///< largest generalised force that is left, N or N m
};

/// Seeks (u, q) at which gravity, springs and forces are in balance, by damped Newton steps.
/// @param start coordinates; the mechanism is followed there from its own start. @param forces
///   empty: zero. @throws InvalidInput for wrong sizes or a start that cannot be reached.
FlexibleEquilibrium find_equilibrium(const FlexibleMechanism& mechanism,
                                     const Eigen::Ref<const Eigen::VectorXd>& start,
                                     std::span<const double> forces = {});

/// The displacements that gravity, springs and forces make while the coordinates are held; residual
/// is that of the elastic displacements. @throws InvalidInput as find_equilibrium().
FlexibleEquilibrium find_deflection(const FlexibleMechanism& mechanism,
                                    const Eigen::Ref<const Eigen::VectorXd>& coordinates,
                                    std::span<const double> forces = {});

/// Small motions about a position at rest, M y'' + D y' + K y = B F with y the change of (u, q).
///
/// M is that of the form of the equations. K is −∂(generalised forces)/∂(u, q), of which the
/// elastic part is exact and the part of gravity, springs and forces comes from central
/// differences. D is α M + β K of the displacements, zero for q, and the dampers of springs are not
/// in it. [MultibodyThesis, eq. (4.24)] with the terms of gravity and springs in full.
/// @param x (u, q, 0, 0) as find_equilibrium() gives it.
/// @throws InvalidInput for wrong sizes or a position that cannot be reached.
[[nodiscard]] SecondOrder linearise(const FlexibleMechanism& mechanism,
                                    const Eigen::Ref<const Eigen::VectorXd>& x,
                                    std::span<const double> forces = {});

}  // namespace alembert::model::flexible
