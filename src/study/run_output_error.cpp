#include "alembert/core/error.hpp"
#include "alembert/study/output_error.hpp"
#include "study/identify_steps.hpp"
#include "study/output_error_words.hpp"
#include "study/rule_of.hpp"

namespace alembert::study {
namespace {

model::CompiledEquations compiled(const OutputErrorStudy& study) {
  try {
    return model::CompiledEquations(study.model, {.kind = study.engine});
  } catch (const InvalidInput& error) {
    throw StudyError({.file = study.file.string()},
                     "identify.engine = \"native\" cannot be had: " + rule_of(error));
  }
}

// The search decides, then whether the data tell the parameters apart.
void judge(OutputErrorOutcome& result) {
  const identify::OutputErrorResult& estimate = result.estimate;
  for (const Outcome* step :
       {static_cast<const Outcome*>(&estimate), static_cast<const Outcome*>(&estimate.prediction),
        static_cast<const Outcome*>(&estimate.statistics)}) {
    if (step->ok()) continue;
    result.status = step->status;
    result.message = step->message;
    return;
  }
}

void validate_equations(const model::CompiledEquations& model, OutputErrorOutcome& result) {
  const OutputErrorStudy& study = result.study;
  if (study.validation.empty() || !result.has_prediction()) return;
  EquationValidation validation;
  validation.prediction = identify::simulate_equations(
      model, result.estimate.parameters, study.validation.experiments, study.options.simulation);
  if (validation.prediction.ok()) {
    validation.outputs =
        identify::residual_verdicts(study.validation.experiments, validation.prediction.residuals);
  }
  result.validation = std::move(validation);
}

}  // namespace

OutputErrorOutcome run_output_error(const OutputErrorStudy& study, const RunOptions& options) {
  OutputErrorOutcome result;
  result.study = study;
  const StepClock compiling;
  const model::CompiledEquations model = compiled(study);
  result.compile_seconds = compiling.seconds();
  const bool native = model.engine() == model::EngineKind::Native;
  result.engine = native ? "native code" : "interpreter";
  identify::OutputErrorOptions search = study.options;
  search.threads = options.threads;
  search.search.stop = options.stop;
  try {
    const StepClock searching;
    result.estimate =
        identify::output_error(model, study.parameters, study.data.experiments, search);
    result.search_seconds = searching.seconds();
    judge(result);
    validate_equations(model, result);
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "data: " + rule_of(error));
  }
  warn_about_equations(result);
  return result;
}

}  // namespace alembert::study
