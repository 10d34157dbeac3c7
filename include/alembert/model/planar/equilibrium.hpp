#pragma once

#include <Eigen/Core>
#include <span>

#include "alembert/core/status.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "alembert/model/second_order.hpp"

/// Rest positions of mechanisms, and small motions about them.
namespace alembert::model::planar {

/// A position in which nothing accelerates. NotConverged: none was found from there, with the
/// reason; z is then where the search ended.
struct [[nodiscard]] Equilibrium : Outcome {
  Eigen::VectorXd z;      ///< coordinates
  int iterations = 0;     ///< Newton steps
  double residual = 0.0;  ///< largest generalised force that is left, N or N m
  bool stable = false;    ///< ∂τ/∂z is positive definite: it returns after a small push
};

/// Seeks z with τ(z, 0, 0; F) = 0 by damped Newton steps. It finds the rest position whose valley
/// or hill the start lies on: unstable ones too, and says so.
/// @param start coordinates; the mechanism is assembled there. @param forces F, empty: zero.
/// @throws InvalidInput for wrong sizes.
Equilibrium find_equilibrium(const Mechanism& mechanism,
                             const Eigen::Ref<const Eigen::VectorXd>& start,
                             std::span<const double> forces = {});

/// Small motions about a position at rest, M x'' + D x' + K x = B u with x = z − z₀ and u the
/// change of the forces: D = ∂τ/∂z' and K = ∂τ/∂z, exact. Smooth friction is viscous here, with the
/// slope that it has at rest. Modes: model::damped_modes().
/// @throws InvalidInput for wrong sizes, or if the mechanism cannot be assembled at z.
[[nodiscard]] SecondOrder linearise(const Mechanism& mechanism,
                                    const Eigen::Ref<const Eigen::VectorXd>& z,
                                    std::span<const double> forces = {});

}  // namespace alembert::model::planar
