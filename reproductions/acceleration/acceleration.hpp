#pragma once

#include "reproductions/reproduce.hpp"

/// The reproductions of [identify] with method = "acceleration".
namespace alembert::reproductions::acceleration {

/// `alembert reproduce duffing`: the published tables on a simulated free decay.
Reproduction run_duffing(const ReproduceOptions& options);

/// `alembert reproduce friction-terms`: dry friction, drag and quintic stiffness, errors and
/// reported standard deviations side by side.
Reproduction run_friction_terms(const ReproduceOptions& options);

}  // namespace alembert::reproductions::acceleration
