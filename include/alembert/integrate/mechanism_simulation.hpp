#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/integrate/ode/adaptive.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "alembert/model/planar/move_mechanism.hpp"

/// The motion of a rigid mechanism under forces.
namespace alembert::integrate {

/// Where a mechanism starts, and what it is like.
struct MechanismStart {
  Eigen::VectorXd z = {};        ///< coordinates
  Eigen::VectorXd zd = {};       ///< rates; empty: at rest
  Eigen::VectorXd lengths = {};  ///< p of the geometry parameters; empty: zero
};

/// A motion at its samples. NotIdentifiable: masses do not determine it, with the bodies to blame;
/// NotFinite: it could be followed to some time only, which the message has, and the rows before it
/// are kept.
struct [[nodiscard]] MechanismSimulation : Outcome {
  Eigen::VectorXd time;                ///< s
  model::planar::CoordinatePath path;  ///< z, z' and z''
  Eigen::MatrixXd forces;              ///< samples x forces
  Eigen::VectorXd kinetic, potential;  ///< energies, J
  Eigen::VectorXd work, loss;  ///< that the forces did and that dampers and friction took, J
};

/// Solves M z'' + bias = B F(t) by Dormand-Prince 5(4) with the tolerances of `steps`; work and
/// loss are integrated along, so that kinetic + potential − work + loss stays what it was.
/// @param forces one law in the time for each force of the mechanism.
/// @throws InvalidInput for wrong sizes, a start that cannot be assembled, or as
///   ode::solve_adaptive().
MechanismSimulation simulate_mechanism(const model::planar::Mechanism& mechanism,
                                       const MechanismStart& start,
                                       const std::vector<model::TimeFormula>& forces,
                                       const ode::SampleTimes& times,
                                       const ode::AdaptiveSteps& steps = {});

}  // namespace alembert::integrate
