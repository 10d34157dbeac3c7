#pragma once

#include "reproductions/reproduce.hpp"

/// Digging force and payload of an excavator from coarse load cells.
namespace alembert::reproductions::excavator {

/// Observers of studies/excavator on records that differ in their noise, and an alarm.
[[nodiscard]] Reproduction run(const ReproduceOptions& options);

}  // namespace alembert::reproductions::excavator
