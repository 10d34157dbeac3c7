#pragma once

#include "reproductions/reproduce.hpp"

/// Modes of public measured records, from the raw files, by the studies of studies/measured-modes.
namespace alembert::reproductions::measured_modes {

/// `alembert reproduce measured-modes`: needs the public records.
[[nodiscard]] Reproduction run(const ReproduceOptions& options);

}  // namespace alembert::reproductions::measured_modes
