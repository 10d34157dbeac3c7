#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "study/tasks/output_error/output_error_steps.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Samples `first` to `first + count - 1` of an experiment.
identify::Experiment part_of(const identify::Experiment& whole, Index first, Index count) {
  return {.input = whole.input.middleRows(first, count),
          .output = whole.output.middleRows(first, count),
          .step = whole.step,
          .start_time = whole.start_time + static_cast<double>(first) * whole.step};
}

// The first sample of each output that is a state; NaN for the other states.
VectorXd measured_states(const OutputErrorStudy& study, const identify::Experiment& experiment) {
  const std::vector<std::string>& states = study.model.states();
  VectorXd values = VectorXd::Constant(static_cast<Index>(states.size()),
                                       std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < study.outputs.size(); ++i) {
    const auto found = std::find(states.begin(), states.end(), study.outputs[i].name);
    if (found == states.end()) continue;
    values(found - states.begin()) = experiment.output(0, static_cast<Index>(i));
  }
  return values;
}

/// The equations with the state at the first sample as further parameters.
class FreeStartModel {
 public:
  FreeStartModel(const OutputErrorStudy& study, const VectorXd& parameters)
      : study_(study),
        setup_(with_free_start(study)),
        model_(model::parse_equations(study.equations, setup_), {.kind = study.engine}),
        parameters_(parameters),
        start_(start_of_model()) {}

  [[nodiscard]] const model::CompiledEquations& model() const { return model_; }
  /// The state at the first sample as the study has it.
  [[nodiscard]] const VectorXd& start() const { return start_; }

  [[nodiscard]] VectorXd with_start(const VectorXd& start) const {
    VectorXd all(parameters_.size() + start.size());
    all << parameters_, start;
    return all;
  }

  /// Known parameters, and the start as unknowns with a guess.
  [[nodiscard]] std::vector<optimize::Parameter> unknowns(const VectorXd& guess) const {
    std::vector<optimize::Parameter> list;
    const VectorXd values = with_start(guess);
    for (std::size_t k = 0; k < setup_.parameters.size(); ++k) {
      const auto at = static_cast<Index>(k);
      list.push_back({.name = setup_.parameters[k].name,
                      .guess = values(at),
                      .fixed = at < parameters_.size()});
    }
    return list;
  }

 private:
  // Whether the study may mean something by a name.
  static bool is_taken(const OutputErrorStudy& study, const std::string& name) {
    const auto in = [&](const auto& list) {
      return std::any_of(list.begin(), list.end(),
                         [&](const auto& one) { return one.name == name; });
    };
    return study.equations.find(name) != std::string::npos || in(study.setup.inputs) ||
           in(study.setup.parameters) || in(study.setup.constants);
  }

  static model::EquationSetup with_free_start(const OutputErrorStudy& study) {
    model::EquationSetup setup = study.setup;
    setup.starts.clear();
    for (const std::string& state : study.model.states()) {
      std::string name = fmt::format("start_{}", setup.starts.size() + 1);
      while (is_taken(study, name)) name += '_';
      setup.starts.push_back({state, name});
      setup.parameters.push_back({name, ""});
    }
    return setup;
  }

  [[nodiscard]] VectorXd start_of_model() const {
    const model::CompiledEquations plain(study_.model, {.kind = model::EngineKind::Interpreter});
    model::EquationEvaluator evaluator(plain);
    evaluator.set_parameters({parameters_.data(), static_cast<std::size_t>(parameters_.size())});
    VectorXd start(static_cast<Index>(study_.model.states().size()));
    evaluator.start({start.data(), static_cast<std::size_t>(start.size())});
    return start;
  }

  const OutputErrorStudy& study_;
  model::EquationSetup setup_;
  model::CompiledEquations model_;
  VectorXd parameters_, start_;
};

// The start that fits the first samples best, the parameters held.
VectorXd fitted_start(const FreeStartModel& free, const OutputErrorOutcome& result, std::size_t e,
                      std::vector<std::string>& warnings) {
  const OutputErrorStudy& study = result.study;
  const identify::Experiment& whole = study.validation.experiments[e];
  const Index samples = std::min(study.held_back.start_samples, whole.samples());
  VectorXd guess = measured_states(study, whole);
  guess = guess.array().isNaN().select(free.start(), guess);
  if (whole.output.topRows(samples).array().isNaN().all()) {
    warnings.push_back(
        fmt::format("the first {} samples of held-back experiment {} are missing; the start of the "
                    "model is taken. Raise data.validation.start-samples",
                    samples, e + 1));
    return guess;
  }
  identify::OutputErrorOptions options;
  options.simulation = study.options.simulation;
  options.simulation.start = identify::StartState::Model;
  options.weights = result.estimate.weights;
  options.strategy = identify::StartStrategy::Plain;
  const identify::OutputErrorResult found = identify::output_error(
      free.model(), free.unknowns(guess), {part_of(whole, 0, samples)}, options);
  if (!found.ok()) {
    warnings.push_back(fmt::format("the start of held-back experiment {} was not found: {}", e + 1,
                                   found.message));
  } else if (!found.statistics.ok()) {
    warnings.push_back(
        fmt::format("the first {} samples of held-back experiment {} do not tell all states at its "
                    "start; raise "
                    "data.validation.start-samples",
                    samples, e + 1));
  }
  return found.parameters.tail(guess.size());
}

VectorXd start_from_data(const FreeStartModel& free, const OutputErrorStudy& study, std::size_t e,
                         std::vector<std::string>& warnings) {
  const VectorXd measured = measured_states(study, study.validation.experiments[e]);
  for (const ColumnUse& output : study.outputs) {
    const auto& states = study.model.states();
    const auto found = std::find(states.begin(), states.end(), output.name);
    if (found == states.end() || !std::isnan(measured(found - states.begin()))) continue;
    warnings.push_back(
        fmt::format("{} has no first sample in held-back experiment {}; the start of the model is "
                    "taken for it",
                    output.name, e + 1));
  }
  return measured.array().isNaN().select(free.start(), measured);
}

void add_to(identify::EquationPrediction& all, const identify::EquationPrediction& one) {
  if (!one.ok() && all.ok()) static_cast<Outcome&>(all) = one;
  all.outputs.insert(all.outputs.end(), one.outputs.begin(), one.outputs.end());
  all.residuals.insert(all.residuals.end(), one.residuals.begin(), one.residuals.end());
}

// Each experiment from a start of its own.
void simulate_from_starts(OutputErrorOutcome& result, EquationValidation& validation) {
  const OutputErrorStudy& study = result.study;
  const FreeStartModel free(study, result.estimate.parameters);
  identify::SimulationOptions options = study.options.simulation;
  options.start = identify::StartState::Model;
  for (std::size_t e = 0; e < study.validation.experiments.size(); ++e) {
    validation.starts.push_back(study.held_back.start == ValidationStart::Estimate
                                    ? fitted_start(free, result, e, validation.warnings)
                                    : start_from_data(free, study, e, validation.warnings));
    add_to(validation.prediction,
           identify::simulate_equations(free.model(), free.with_start(validation.starts.back()),
                                        {study.validation.experiments[e]}, options));
  }
}

// The data used and what follows them are one record; of its simulation the last part counts.
void simulate_on(const model::CompiledEquations& model, OutputErrorOutcome& result,
                 EquationValidation& validation) {
  const OutputErrorStudy& study = result.study;
  identify::Experiments whole;
  for (std::size_t e = 0; e < study.validation.experiments.size(); ++e) {
    const identify::Experiment& used = study.data.experiments[e];
    const identify::Experiment& held = study.validation.experiments[e];
    identify::Experiment joined;
    joined.step = used.step;
    joined.start_time = used.start_time;
    joined.input.resize(used.samples() + held.samples(), used.input.cols());
    joined.input << used.input, held.input;
    joined.output.resize(joined.input.rows(), used.output.cols());
    joined.output << used.output, held.output;
    whole.push_back(std::move(joined));
  }
  validation.prediction = identify::simulate_equations(model, result.estimate.parameters, whole,
                                                       study.options.simulation);
  for (std::size_t e = 0; e < validation.prediction.outputs.size(); ++e) {
    const Index count = study.validation.experiments[e].samples();
    for (std::vector<Eigen::MatrixXd>* list :
         {&validation.prediction.outputs, &validation.prediction.residuals}) {
      (*list)[e] = Eigen::MatrixXd((*list)[e].bottomRows(count));
    }
  }
}

// The verdict without the samples that are not scored.
void score(OutputErrorOutcome& result, EquationValidation& validation) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const Index skip = result.study.held_back.skip;
  identify::Experiments data = result.study.validation.experiments;
  std::vector<Eigen::MatrixXd> residuals = validation.prediction.residuals;
  for (std::size_t e = 0; e < data.size(); ++e) {
    data[e].output.topRows(skip).setConstant(none);
    residuals[e].topRows(skip).setConstant(none);
  }
  validation.outputs = identify::residual_verdicts(data, residuals);
  validation.prediction.rms.resize(static_cast<Index>(validation.outputs.size()));
  for (Index i = 0; i < validation.prediction.rms.size(); ++i) {
    validation.prediction.rms(i) = validation.outputs[static_cast<std::size_t>(i)].rms;
  }
}

}  // namespace

void validate_equations(const model::CompiledEquations& model, OutputErrorOutcome& result) {
  const OutputErrorStudy& study = result.study;
  if (study.validation.empty() || !result.has_prediction()) return;
  EquationValidation validation;
  switch (study.held_back.start) {
    case ValidationStart::Estimate:
    case ValidationStart::Data:
      simulate_from_starts(result, validation);
      break;
    case ValidationStart::Continue:
      simulate_on(model, result, validation);
      break;
    case ValidationStart::Model:
    case ValidationStart::Periodic: {
      identify::SimulationOptions options = study.options.simulation;
      options.start = study.held_back.start == ValidationStart::Periodic
                          ? identify::StartState::Periodic
                          : identify::StartState::Model;
      validation.prediction = identify::simulate_equations(model, result.estimate.parameters,
                                                           study.validation.experiments, options);
      break;
    }
  }
  if (validation.prediction.ok()) score(result, validation);
  result.validation = std::move(validation);
}

}  // namespace alembert::study
