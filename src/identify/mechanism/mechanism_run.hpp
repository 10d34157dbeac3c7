#pragma once

// A mechanism along a record of the forces on it, in fixed steps.

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/identify/mechanism/mechanism_parameters.hpp"
#include "alembert/model/detail/added_terms.hpp"
#include "alembert/model/planar/move_mechanism.hpp"
#include "alembert/signal/between_samples.hpp"

namespace alembert::identify {

/// Fixed steps of the classical Runge-Kutta rule.
struct RunSteps {
  Eigen::Index substeps = 4;
  signal::BetweenSamples between = signal::BetweenSamples::Held;  ///< or Linear
};

/// Forces along coordinates that the description has not: Σ q φ, where the equation of a term is a
/// coordinate, and its argument a place in (z, z').
struct CoordinateForces {
  std::vector<model::AddedTerm> terms = {};
  Eigen::VectorXd coefficients = {};  ///< q
};

/// What a run leaves: the path as far as it was followed, and the readings of the motion sensors.
struct MechanismRun : Outcome {
  model::planar::CoordinatePath path;
  Eigen::MatrixXd readings;  ///< samples x motion sensors, with their offsets
};

/// Sensors that read the motion: all but force and torque cells, as places in the description.
[[nodiscard]] std::vector<int> motion_sensors(const model::planar::Mechanism& mechanism);

/// Simulates M z'' + bias = B G u from the start; G holds the gains.
/// @param columns u, samples x forces.
/// @throws InvalidInput if the description is no mechanism (a mass below zero).
[[nodiscard]] MechanismRun run_mechanism(const MechanismValues& values, const Eigen::VectorXd& z,
                                         const Eigen::VectorXd& zd, const Eigen::MatrixXd& columns,
                                         double step, const RunSteps& steps,
                                         const CoordinateForces& added = {});

/// Gives every body the pose in which the mechanism is assembled at z as its rough start, so that
/// other numbers lead to the same assembly.
/// @throws InvalidInput with the reason if it cannot be assembled.
void keep_assembly(const Eigen::VectorXd& z, MechanismValues& values);

}  // namespace alembert::identify
