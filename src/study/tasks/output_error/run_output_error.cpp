#include <string_view>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/output_error.hpp"
#include "study/parts/equations/compiled_equations.hpp"
#include "study/tasks/identify/identify_steps.hpp"
#include "study/tasks/output_error/output_error_steps.hpp"

namespace alembert::study {
namespace {

// Messages of the library name its own options.
std::string in_keys_of_the_study(std::string message) {
  for (const std::string_view option : {"local.max_evaluations", "max_evaluations"}) {
    const std::size_t at = message.find(option);
    if (at == std::string::npos) continue;
    message.replace(at, option.size(), "identify.max-evaluations");
    break;
  }
  return message;
}

// The search decides, then whether the data tell the parameters apart.
void judge(OutputErrorOutcome& result) {
  const identify::OutputErrorResult& estimate = result.estimate;
  for (const Outcome* step :
       {static_cast<const Outcome*>(&estimate), static_cast<const Outcome*>(&estimate.prediction),
        static_cast<const Outcome*>(&estimate.statistics)}) {
    if (step->ok()) continue;
    result.status = step->status;
    result.message = in_keys_of_the_study(step->message);
    return;
  }
}

identify::OutputErrorOptions search_options(const OutputErrorStudy& study,
                                            const RunOptions& options, const Machines* machines) {
  identify::OutputErrorOptions search = study.options;
  search.threads = options.threads;
  search.on_progress = options.on_progress;
  search.machines = machines;
  search.search.stop = options.stop;
  if (options.on_best) {
    search.search.on_improvement = [report = options.on_best](const optimize::Improvement& found,
                                                              const Eigen::VectorXd&) {
      report(found.evaluations, found.cost);
    };
  }
  return search;
}

}  // namespace

OutputErrorOutcome run_output_error(const OutputErrorStudy& study, const RunOptions& options,
                                    const Machines* machines) {
  OutputErrorOutcome result;
  result.study = study;
  const StepClock compiling;
  const model::CompiledEquations model = compiled_equations(study.file, study.model, study.engine,
                                                            study.options.simulation.integrator);
  result.compile_seconds = compiling.seconds();
  const bool native = model.engine() == model::EngineKind::Native;
  result.engine = native ? "native code" : "interpreter";
  try {
    const StepClock searching;
    result.estimate = identify::output_error(model, study.parameters, study.data.experiments,
                                             search_options(study, options, machines));
    result.search_seconds = searching.seconds();
    if (machines != nullptr && !machines->is_first()) return result;
    judge(result);
    if (result.has_prediction()) {
      result.inputs =
          input_correlations(study.data.experiments, result.estimate.prediction.residuals);
    }
    validate_equations(model, result);
    const StepClock profiling;
    find_profiles(model, options, result);
    result.profile_seconds = profiling.seconds();
  } catch (const InvalidInput& error) {
    throw DataError({.file = study.file.string()}, "data: " + error.reason());
  }
  warn_about_equations(result);
  return result;
}

}  // namespace alembert::study
