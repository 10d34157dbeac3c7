#pragma once

#include <filesystem>

#include "alembert/core/error.hpp"
#include "alembert/integrate/equation_simulator.hpp"
#include "alembert/model/equation_engine.hpp"

namespace alembert::study {

/// What a study is told when native code is demanded and cannot be had.
[[nodiscard]] StudyError no_native_code(const std::filesystem::path& study,
                                        const std::string& reason);

/// Makes a model ready. @throws StudyError if native code is demanded and cannot be had.
[[nodiscard]] model::CompiledEquations compiled_equations(const std::filesystem::path& study,
                                                          const model::EquationModel& model,
                                                          model::EngineKind engine,
                                                          integrate::Integrator integrator);

}  // namespace alembert::study
