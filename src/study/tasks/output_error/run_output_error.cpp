#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/study/output_error.hpp"
#include "study/parts/equations/compiled_equations.hpp"

namespace alembert::study {
namespace {

identify::OutputErrorOptions search_options(const OutputErrorStudy& study,
                                            const RunOptions& options, const Machines* machines) {
  identify::OutputErrorOptions search = study.options.output_error;
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

identify::EquationFitOptions fit_options(const OutputErrorStudy& study, const RunOptions& options,
                                         const Machines* machines) {
  identify::EquationFitOptions fit = study.options;
  fit.output_error = search_options(study, options, machines);
  fit.held_back = study.validation.experiments;
  fit.names = {.max_evaluations = "identify.max-evaluations",
               .starts = "identify.starts",
               .substeps = "identify.substeps",
               .relative_tolerance = "identify.relative-tolerance",
               .start_samples = "data.validation.start-samples",
               .window = "identify.window",
               .loss = "identify.loss = \"huber\"",
               .compare = "[identify.compare]",
               .events = "identify.integrator = \"dormand-prince\" and identify.events = true"};
  return fit;
}

}  // namespace

OutputErrorOutcome run_output_error(const OutputErrorStudy& study, const RunOptions& options,
                                    const Machines* machines) {
  OutputErrorOutcome result;
  result.study = study;
  try {
    static_cast<identify::EquationFit&>(result) =
        identify::fit_equations(study.equations, study.setup, study.parameters,
                                study.data.experiments, fit_options(study, options, machines));
  } catch (const InvalidInput& error) {
    if (error.parts().argument == "engine") throw no_native_code(study.file, error.parts().rule);
    throw DataError({.file = study.file.string()}, "data: " + error.reason());
  }
  for (std::string& remark : result.remarks) result.study.notes.push_back(std::move(remark));
  result.remarks.clear();
  return result;
}

}  // namespace alembert::study
