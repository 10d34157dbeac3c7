#pragma once

#include "alembert/identify/output_error.hpp"
#include "alembert/model/equation_engine.hpp"
#include "study/schema/bound_keys.hpp"

/// How equations are simulated, for every task that does it.
namespace alembert::study {

/// between, start, integrator, ..., substeps, engine.
/// @param substeps the default of that key, which is finer where nothing is fitted.
[[nodiscard]] BoundKeys<identify::SimulationOptions> simulation_keys(
    Eigen::Index substeps = identify::SimulationOptions{}.substeps);

/// engine.
[[nodiscard]] const BoundKeys<model::EngineOptions>& engine_keys();

/// Reads them all but engine. @throws StudyError for settings that contradict each other.
[[nodiscard]] identify::SimulationOptions read_simulation_options(
    const TableReader& table, Eigen::Index substeps = identify::SimulationOptions{}.substeps);

/// Reads engine.
[[nodiscard]] model::EngineKind read_engine(const TableReader& table);

}  // namespace alembert::study
