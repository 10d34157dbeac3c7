#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/distributed.hpp"
#include "alembert/core/error.hpp"
#include "core/step_clock.hpp"
#include "identify/output_error/equation_fit/alternatives.hpp"
#include "identify/output_error/equation_fit/compare_holds.hpp"
#include "identify/output_error/equation_fit/compare_sets.hpp"
#include "identify/output_error/equation_fit/evidence.hpp"
#include "identify/output_error/equation_fit/finer_steps.hpp"
#include "identify/output_error/equation_fit/profiles.hpp"
#include "identify/output_error/equation_fit/validation.hpp"
#include "identify/output_error/equation_fit/warnings.hpp"
#include "identify/output_error/loss/robust.hpp"
#include "identify/output_error/search.hpp"

namespace alembert::identify {
namespace {

constexpr const char* kFit = "fit_equations";

model::EquationSetup with_parameters(const model::EquationSetup& given,
                                     const std::vector<optimize::Parameter>& parameters) {
  model::EquationSetup setup = given;
  if (!setup.parameters.empty()) return setup;
  for (const optimize::Parameter& one : parameters) setup.parameters.push_back({one.name, ""});
  return setup;
}

model::CompiledEquations compiled(std::string_view equations, const model::EquationSetup& setup,
                                  const EquationFitOptions& options) {
  model::EquationModel model = model::parse_equations(equations, setup);
  try {
    return model::CompiledEquations(
        std::move(model),
        {.kind = options.engine,
         .loops = integrate::native_loops(options.output_error.simulation.integrator)});
  } catch (const InvalidInput& error) {
    throw InvalidInput({.function = kFit, .argument = "engine", .rule = error.reason()});
  }
}

void check_profiles(const std::vector<std::string>& names,
                    const std::vector<optimize::Parameter>& parameters) {
  for (const std::string& name : names) {
    const bool is_free = std::any_of(
        parameters.begin(), parameters.end(),
        [&](const optimize::Parameter& one) { return one.name == name && !one.fixed && !one.tie; });
    if (is_free) continue;
    throw InvalidInput({.function = kFit,
                        .argument = "profiles",
                        .rule = "must name free parameters",
                        .value = fmt::format("\"{}\"", name)});
  }
}

// Something must be left to score, and what continues must belong to what went before.
void check_held_back(const FitProblem& problem) {
  const EquationFitOptions& options = problem.options;
  if (options.validation.start == ValidationStart::Continue &&
      options.held_back.size() > problem.data.size()) {
    throw InvalidInput(
        {.function = kFit,
         .argument = "held_back",
         .rule = "must continue the experiments of the data",
         .value = fmt::format("{} for {}", options.held_back.size(), problem.data.size())});
  }
  for (const Experiment& experiment : options.held_back) {
    const Eigen::Index skip = options.validation.skip;
    if (skip >= 0 && skip + 1 < experiment.samples()) continue;
    throw InvalidInput(
        {.function = kFit,
         .argument = "validation.skip",
         .rule = fmt::format("must leave two samples or more of {}", experiment.samples()),
         .value = fmt::format("{}", skip)});
  }
}

// The search decides, then whether the data tell the parameters apart.
void judge(EquationFit& fit) {
  const OutputErrorResult& estimate = fit.estimate;
  for (const Outcome* step :
       {static_cast<const Outcome*>(&estimate), static_cast<const Outcome*>(&estimate.prediction),
        static_cast<const Outcome*>(&estimate.statistics)}) {
    if (step->ok()) continue;
    static_cast<Outcome&>(fit) = *step;
    return;
  }
}

void search(const FitProblem& problem, EquationFit& fit) {
  const StepClock clock;
  OutputErrorOptions options = problem.options.output_error;
  options.search.max_evaluations_name = problem.options.names.max_evaluations;
  fit.simulation = options.simulation;
  fit.estimate = output_error(problem.model, fit.parameters, problem.data, options);
  if (options.machines == nullptr || options.machines->is_first()) {
    compare_holds(problem, fit);
    search_with_finer_steps(problem, fit);
  }
  fit.search_seconds = clock.seconds();
}

void follow_up(const FitProblem& problem, EquationFit& fit) {
  judge(fit);
  const StopFlag* stop = problem.options.output_error.search.stop;
  if (stop != nullptr && stop->requested()) {
    judge_trust(problem.data, problem.options.names, fit);
    return;
  }
  const Experiments clean =
      without(with_weights(problem.data, problem.options.output_error.experiment_weights),
              fit.estimate.outliers);
  if (fit.has_prediction()) {
    fit.inputs = input_correlations(clean, fit.estimate.prediction.residuals);
    fit.input_shares = input_shares(clean, fit.estimate.prediction.residuals);
  }
  validate_fit(problem, fit);
  const StepClock clock;
  find_profiles(problem, fit);
  fit.profile_seconds = clock.seconds();
  fit.comparison = compare_sets(problem, fit);
  warn_about_fit(problem.options, fit);
  if (problem.options.alternatives && is_doubtful(clean, fit)) {
    fit.alternatives = find_equation_alternatives(problem, fit);
  }
  judge_trust(clean, problem.options.names, fit);
}

}  // namespace

EquationFit fit_equations(std::string_view equations, const model::EquationSetup& given,
                          const std::vector<optimize::Parameter>& parameters,
                          const Experiments& data, const EquationFitOptions& options) {
  check_profiles(options.profiles, parameters);
  EquationFit fit;
  const StepClock clock;
  const model::EquationSetup setup = with_parameters(given, parameters);
  const model::CompiledEquations model = compiled(equations, setup, options);
  fit.compile_seconds = clock.seconds();
  fit.engine = model.engine() == model::EngineKind::Native ? "native code" : "interpreter";
  fit.parameters = parameters;
  fit.input_names = model.model().inputs();
  fit.output_names = model.model().outputs();
  EquationFitOptions used = options;
  const FitProblem problem{equations, setup, model, data, used};
  check_held_back(problem);
  search(problem, fit);
  used.output_error.simulation =
      simulation_of(fit.estimate, fit.simulation);  // what follows simulates as the search did
  const Machines* machines = options.output_error.machines;
  if (machines == nullptr || machines->is_first()) follow_up(problem, fit);
  return fit;
}

}  // namespace alembert::identify
