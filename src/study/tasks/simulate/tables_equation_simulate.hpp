#pragma once

#include <Eigen/Core>

#include "alembert/study/detail/keys.hpp"

namespace alembert::study {

/// Steps per sample where nothing is fitted, so that they may be many.
inline constexpr Eigen::Index kSimulateSubsteps = 20;

/// [simulate] of equations.
[[nodiscard]] const TableSpec& equation_simulate_table();

}  // namespace alembert::study
