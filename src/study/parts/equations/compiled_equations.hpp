#pragma once

#include <filesystem>

#include "alembert/model/equation_engine.hpp"

namespace alembert::study {

/// Makes a model ready. @throws StudyError if native code is demanded and cannot be had.
[[nodiscard]] model::CompiledEquations compiled_equations(const std::filesystem::path& study,
                                                          const model::EquationModel& model,
                                                          model::EngineKind engine,
                                                          model::Integrator integrator);

}  // namespace alembert::study
