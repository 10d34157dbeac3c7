#pragma once

#include "reproductions/reproduce.hpp"

/// The five-link manipulator of [MultibodyThesis, chapter 4]: its vibration and its equations.
namespace alembert::reproductions::manipulator {

/// Frequencies of both variants, identities, energy and a reference run.
Reproduction run_modes(const ReproduceOptions& options);

/// Small models of 13 coordinates in one pose and over the workspace.
Reproduction run_reduction(const ReproduceOptions& options);

/// Parameters from the measured frequencies, and from synthetic modes whose truth is known.
Reproduction run_updating(const ReproduceOptions& options);

}  // namespace alembert::reproductions::manipulator
