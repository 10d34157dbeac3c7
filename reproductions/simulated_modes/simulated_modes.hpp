#pragma once

#include "reproductions/reproduce.hpp"

/// Modes of simulated impact, shaker and ambient tests: errors next to reported deviations.
namespace alembert::reproductions::simulated_modes {

[[nodiscard]] Reproduction run(const ReproduceOptions& options);

}  // namespace alembert::reproductions::simulated_modes
