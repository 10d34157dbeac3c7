#pragma once

#include "reproductions/reproduce.hpp"

/// Intervals of equation parameters.
namespace alembert::reproductions::equation_coverage {

/// `alembert reproduce equation-coverage`: how often intervals of parameters hold.
[[nodiscard]] Reproduction run(const ReproduceOptions& options);

}  // namespace alembert::reproductions::equation_coverage
