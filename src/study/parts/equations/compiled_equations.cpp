#include "study/parts/equations/compiled_equations.hpp"

#include "alembert/core/error.hpp"

namespace alembert::study {

model::CompiledEquations compiled_equations(const std::filesystem::path& study,
                                            const model::EquationModel& model,
                                            model::EngineKind engine,
                                            model::Integrator integrator) {
  try {
    return model::CompiledEquations(model, {.kind = engine, .integrator = integrator});
  } catch (const InvalidInput& error) {
    throw StudyError({.file = study.string()},
                     "engine = \"native\" cannot be had: " + error.reason());
  }
}

}  // namespace alembert::study
