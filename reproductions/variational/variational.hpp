#pragma once

#include "reproductions/reproduce.hpp"

/// The reproductions of M, D, K identification.
namespace alembert::reproductions::variational {

/// `alembert reproduce variational-8dof`.
Reproduction run_eight_dof(const ReproduceOptions& options);
/// `alembert reproduce variational-3dof`.
Reproduction run_three_dof(const ReproduceOptions& options);
/// `alembert reproduce large-step`: the bias of each discretisation and its cure.
Reproduction run_large_step(const ReproduceOptions& options);
/// `alembert reproduce start-sensitivity`: refinement from perturbed starts.
Reproduction run_start_sensitivity(const ReproduceOptions& options);
/// `alembert reproduce interval-coverage`: how often the 95 % intervals hold.
Reproduction run_interval_coverage(const ReproduceOptions& options);
/// `alembert reproduce partial-sensing`.
Reproduction run_partial_sensing(const ReproduceOptions& options);
/// `alembert reproduce random-systems`.
Reproduction run_random_systems(const ReproduceOptions& options);

}  // namespace alembert::reproductions::variational
