#pragma once

#include "reproductions/reproduce.hpp"

namespace alembert::reproductions::manipulator {

/// SᵀMS of both variants.
void add_rigid_mass(Reproduction& result);
/// SᵀK = 0, MG S q' = 0 and dM/dt = MG + MGᵀ.
void add_identities(Reproduction& result);
/// Energy without damping and torque, of the published and of the complete equations.
void add_energy(Reproduction& result);
/// 50 ms under torques, from rest.
void add_driven_run(Reproduction& result);

}  // namespace alembert::reproductions::manipulator
