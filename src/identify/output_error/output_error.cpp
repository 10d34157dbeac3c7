#include "alembert/identify/output_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "identify/output_error/equation_residuals.hpp"
#include "identify/output_error/loss/output_error_run.hpp"
#include "identify/output_error/loss/robust.hpp"
#include "identify/output_error/search.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void check_data(std::string_view function, const model::EquationModel& model,
                const Experiments& data, const SimulationOptions& options) {
  check_experiments(function, data);
  const Experiment& first = data.front();
  if (first.input.cols() != static_cast<Index>(model.inputs().size()) ||
      first.output.cols() != static_cast<Index>(model.outputs().size())) {
    throw InvalidInput(
        {.function = std::string(function),
         .argument = "data",
         .rule = fmt::format("must have the {} inputs and {} outputs of the model",
                             model.inputs().size(), model.outputs().size()),
         .value = fmt::format("{} and {}", first.input.cols(), first.output.cols())});
  }
  check::at_least(function, "substeps", options.substeps, 1);
  const Eigen::MatrixXd& starts = options.start_values;
  if (starts.size() > 0) {
    check::shape(function, "start_values", starts, static_cast<Index>(model.states().size()),
                 static_cast<Index>(data.size()));
  }
  if (options.start_weights.size() > 0) {
    check::shape(function, "start_weights", options.start_weights, first.output.cols(), 1);
  }
  if (options.between == signal::BetweenSamples::BandLimited &&
      options.start != StartState::Periodic) {
    throw InvalidInput(
        {.function = std::string(function),
         .rule =
             "between = BandLimited takes the record for one period, so start must be Periodic"});
  }
}

void check_parameters(const model::EquationModel& model,
                      const std::vector<optimize::Parameter>& parameters) {
  const std::vector<std::string>& names = model.parameters();
  bool same = names.size() == parameters.size();
  for (std::size_t i = 0; same && i < names.size(); ++i) same = names[i] == parameters[i].name;
  if (!same) {
    throw InvalidInput({.function = "output_error",
                        .argument = "parameters",
                        .rule = "must be those of the model in their order",
                        .value = fmt::format("{} for {}", parameters.size(), names.size())});
  }
}

void check_weights(const Experiments& data, const OutputErrorOptions& options) {
  constexpr const char* kName = "output_error";
  if (options.weights.size() > 0) {
    check::shape(kName, "weights", options.weights, data.front().output.cols(), 1);
  }
  const VectorXd& weights = options.experiment_weights;
  if (weights.size() == 0) return;
  check::shape(kName, "experiment_weights", weights, static_cast<Index>(data.size()), 1);
  for (const double weight : weights) check::positive(kName, "experiment_weights", weight);
}

// The first sample of outputs that are states, in place of a start by data.
SimulationOptions with_data_starts(const model::EquationModel& model, const Experiments& data,
                                   SimulationOptions options) {
  if (options.start != StartState::Data) return options;
  options.start = StartState::Model;
  MatrixXd& starts = options.start_values;
  const std::vector<std::string>& states = model.states();
  if (starts.size() == 0) {
    starts = MatrixXd::Constant(static_cast<Index>(states.size()), static_cast<Index>(data.size()),
                                kNaN);
  }
  for (std::size_t i = 0; i < model.outputs().size(); ++i) {
    const auto state = std::find(states.begin(), states.end(), model.outputs()[i]);
    if (state == states.end()) continue;
    for (std::size_t e = 0; e < data.size(); ++e) {
      const double seen = data[e].output(0, static_cast<Index>(i));
      if (!std::isnan(seen)) starts(state - states.begin(), static_cast<Index>(e)) = seen;
    }
  }
  return options;
}

}  // namespace

EquationPrediction simulate_equations(const model::CompiledEquations& model,
                                      const VectorXd& parameters, const Experiments& data,
                                      const SimulationOptions& options) {
  check_data("simulate_equations", model.model(), data, options);
  const SimulationOptions used = with_data_starts(model.model(), data, options);
  const std::vector<EquationRecord> records = records_of(data, used);
  const auto states = static_cast<Index>(model.model().states().size());
  EquationSimulation simulation(model, records, used.start,
                                first_weights(data, options.start_weights));
  EquationPrediction prediction;
  prediction.starts = MatrixXd::Constant(states, static_cast<Index>(data.size()), kNaN);
  for (std::size_t e = 0; e < data.size(); ++e) {
    if (!simulation.run(e, parameters, false)) {
      prediction.status = Status::NotFinite;
      prediction.message = fmt::format(
          "{} cannot be simulated: a state leaves the range of numbers, or the steps of "
          "the integrator fail{}",
          data.size() > 1 ? fmt::format("experiment {}", e + 1) : "the model",
          options.start == StartState::Periodic ? ", or it has no periodic motion" : "");
      return prediction;
    }
    MatrixXd y(data[e].output.rows(), data[e].output.cols());
    for (Index k = 0; k < y.rows(); ++k) {
      for (Index i = 0; i < y.cols(); ++i) {
        y(k, i) = simulation.output(static_cast<std::size_t>(k), static_cast<std::size_t>(i));
      }
    }
    prediction.starts_seen = prediction.starts_seen && simulation.start_seen(e);
    prediction.starts.col(static_cast<Index>(e)) =
        Eigen::Map<const VectorXd>(simulation.start().data(), states);
    prediction.residuals.push_back(data[e].output - y);
    prediction.outputs.push_back(std::move(y));
  }
  prediction.rms = VectorXd::Constant(data.front().output.cols(), kNaN);
  for (Index i = 0; i < prediction.rms.size(); ++i) {
    prediction.rms(i) = rms_of(prediction.residuals, i, false);
  }
  return prediction;
}

optimize::Objective output_error_objective(const model::CompiledEquations& model,
                                           const Experiments& data,
                                           const SimulationOptions& options,
                                           const VectorXd& weights) {
  check_data("output_error_objective", model.model(), data, options);
  check::shape("output_error_objective", "weights", weights, data.front().output.cols(), 1);
  struct Owned {
    std::vector<EquationRecord> records;
    EquationResiduals residuals;
    Owned(const model::CompiledEquations& compiled, const Experiments& measured,
          const SimulationOptions& simulation, const VectorXd& factors)
        : records(records_of(measured, simulation)),
          residuals(compiled, records, simulation.start, factors, StartFit::Exact) {}
  };
  const auto owned =
      std::make_shared<Owned>(model, data, with_data_starts(model.model(), data, options), weights);
  return objective_of(std::shared_ptr<EquationResiduals>(owned, &owned->residuals));
}

OutputErrorResult output_error(const model::CompiledEquations& model,
                               const std::vector<optimize::Parameter>& parameters,
                               const Experiments& data, const OutputErrorOptions& given) {
  check_data("output_error", model.model(), data, given.simulation);
  check_parameters(model.model(), parameters);
  check_weights(data, given);
  OutputErrorOptions options = given;
  const Experiments used = with_weights(data, given.experiment_weights);
  options.experiment_weights.resize(0);
  const std::vector<Outlier> gross = gross_samples(used);
  const bool plain = given.loss == Loss::Squares && gross.empty();
  options.simulation = with_data_starts(model.model(), gross.empty() ? used : without(used, gross),
                                        given.simulation);
  OutputErrorRun run(model, parameters, options);
  if (plain) {
    run.search(used);
  } else {
    run.search_robustly(used, gross);
  }
  return run.result(used);
}

}  // namespace alembert::identify
