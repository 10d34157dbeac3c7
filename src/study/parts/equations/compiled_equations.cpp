#include "study/parts/equations/compiled_equations.hpp"

namespace alembert::study {

StudyError no_native_code(const std::filesystem::path& study, const std::string& reason) {
  return {{.file = study.string()}, "engine = \"native\" cannot be had: " + reason};
}

model::CompiledEquations compiled_equations(const std::filesystem::path& study,
                                            const model::EquationModel& model,
                                            model::EngineKind engine,
                                            integrate::Integrator integrator) {
  try {
    return model::CompiledEquations(model,
                                    {.kind = engine, .loops = integrate::native_loops(integrator)});
  } catch (const InvalidInput& error) {
    throw no_native_code(study, error.reason());
  }
}

}  // namespace alembert::study
