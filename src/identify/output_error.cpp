#include "alembert/identify/output_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/optimize/score_covariance.hpp"
#include "alembert/optimize/transformation.hpp"
#include "identify/equation_record.hpp"
#include "identify/finer_simulation.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Weights of several outputs are renewed so often, or until they change less than this.
constexpr int kWeighings = 10;
constexpr double kSameWeights = 0.01;
// Distance of a scaled variable from its bound, as in minimise().
constexpr double kAtBound = 1e-9;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<EquationRecord> records_of(const Experiments& data, const SimulationOptions& options) {
  std::vector<EquationRecord> records;
  records.reserve(data.size());
  for (const Experiment& experiment : data) records.emplace_back(experiment, options);
  return records;
}

void check_data(std::string_view function, const model::EquationModel& model,
                const Experiments& data, const SimulationOptions& options) {
  check_experiments(function, data);
  const Experiment& first = data.front();
  if (first.input.cols() != static_cast<Index>(model.inputs().size()) ||
      first.output.cols() != static_cast<Index>(model.outputs().size())) {
    throw InvalidInput(fmt::format(
        "{}: data must have the {} inputs and {} outputs of the model, got {} and {}", function,
        model.inputs().size(), model.outputs().size(), first.input.cols(), first.output.cols()));
  }
  check::at_least(function, "substeps", options.substeps, 1);
  if (options.between == Interpolation::BandLimited && options.start != StartState::Periodic) {
    throw InvalidInput(fmt::format(
        "{}: between = BandLimited takes the record for one period, so start must be Periodic",
        function));
  }
}

// The residuals w (y - ŷ) of all experiments; owns a workspace, so each search has its own.
class Residuals {
 public:
  Residuals(const model::CompiledEquations& compiled, const std::vector<EquationRecord>& records,
            StartState start, VectorXd weights)
      : records_(records), simulation_(compiled, records, start), weights_(std::move(weights)) {}

  double cost(const VectorXd& theta) {
    double sum = 0.0;
    for (std::size_t e = 0; e < records_.size(); ++e) {
      run(e, theta, false);
      visit(e, [&](std::size_t, std::size_t, double residual) { sum += residual * residual; });
    }
    return sum;
  }

  void add(const VectorXd& theta, optimize::NormalEquations& sums) {
    for (std::size_t e = 0; e < records_.size(); ++e) {
      run(e, theta, true);
      visit(e, [&](std::size_t k, std::size_t i, double residual) {
        row_ = -weights_(static_cast<Index>(i)) * simulation_.slope(k, i);
        sums.add(residual, row_);
      });
    }
  }

  // Scores of the wanted parameters, one a sample.
  void add_scores(const VectorXd& theta, const std::vector<Index>& wanted,
                  optimize::ScoreCovariance& scores) {
    for (std::size_t e = 0; e < records_.size(); ++e) {
      run(e, theta, true);
      VectorXd score = VectorXd::Zero(static_cast<Index>(wanted.size()));
      std::size_t sample = 0;
      const auto flush = [&](std::size_t next) {
        for (; sample < next; ++sample, score.setZero()) scores.add(score);
      };
      visit(e, [&](std::size_t k, std::size_t i, double residual) {
        flush(k);
        const double factor = -weights_(static_cast<Index>(i)) * residual;
        for (std::size_t j = 0; j < wanted.size(); ++j) {
          score(static_cast<Index>(j)) += factor * simulation_.slope(k, i)(wanted[j]);
        }
      });
      flush(static_cast<std::size_t>(records_[e].experiment().samples()));
      scores.interrupt();
    }
  }

 private:
  void run(std::size_t e, const VectorXd& theta, bool with_sensitivities) {
    if (!simulation_.run(e, theta, with_sensitivities)) {
      throw optimize::Infeasible(fmt::format("experiment {} cannot be simulated", e + 1));
    }
  }

  template <typename Visit>
  void visit(std::size_t e, const Visit& each) {
    const MatrixXd& measured = records_[e].experiment().output;
    for (Index k = 0; k < measured.rows(); ++k) {
      for (Index i = 0; i < measured.cols(); ++i) {
        const double y = measured(k, i);
        if (std::isnan(y)) continue;
        const auto sample = static_cast<std::size_t>(k);
        const auto output = static_cast<std::size_t>(i);
        each(sample, output, weights_(i) * (y - simulation_.output(sample, output)));
      }
    }
  }

  const std::vector<EquationRecord>& records_;
  EquationSimulation simulation_;
  VectorXd weights_, row_;
};

optimize::Objective objective_of(const std::shared_ptr<Residuals>& residuals) {
  return {.cost = [residuals](const VectorXd& theta) { return residuals->cost(theta); },
          .sums = [residuals](const VectorXd& theta,
                              optimize::NormalEquations& sums) { residuals->add(theta, sums); }};
}

// Root mean square of the entries of a column that are there.
double rms_of(const std::vector<MatrixXd>& matrices, Index column, bool about_mean) {
  double sum = 0.0;
  double squares = 0.0;
  double count = 0.0;
  for (const MatrixXd& matrix : matrices) {
    for (Index k = 0; k < matrix.rows(); ++k) {
      const double value = matrix(k, column);
      if (std::isnan(value)) continue;
      sum += value;
      squares += value * value;
      count += 1.0;
    }
  }
  const double mean = about_mean ? sum / count : 0.0;
  return std::sqrt(std::max(squares / count - mean * mean, 0.0));
}

VectorXd inverse_or_one(VectorXd values) {
  for (double& value : values) value = value > 0.0 ? 1.0 / value : 1.0;
  return values;
}

VectorXd first_weights(const Experiments& data, const VectorXd& given) {
  const Index outputs = data.front().output.cols();
  if (given.size() > 0) return given;
  if (outputs == 1) return VectorXd::Ones(1);
  std::vector<MatrixXd> measured;
  for (const Experiment& experiment : data) measured.push_back(experiment.output);
  VectorXd sizes(outputs);
  for (Index i = 0; i < outputs; ++i) sizes(i) = rms_of(measured, i, true);
  return inverse_or_one(std::move(sizes));
}

// As minimise() says it, which the many starts do not.
std::vector<std::string> at_bound_of(const std::vector<optimize::Parameter>& parameters,
                                     const VectorXd& theta) {
  const optimize::Transformation map(parameters);
  const VectorXd x = map.to_free(theta);
  std::vector<std::string> names;
  for (Index j = 0; j < map.free_size(); ++j) {
    if (x(j) - map.lower()(j) <= kAtBound || map.upper()(j) - x(j) <= kAtBound) {
      names.push_back(parameters[static_cast<std::size_t>(map.parameter_of(j))].name);
    }
  }
  return names;
}

// One estimation with given weights.
class Estimation {
 public:
  Estimation(const model::CompiledEquations& model, const std::vector<EquationRecord>& records,
             const OutputErrorOptions& options)
      : model_(model), records_(records), options_(options) {}

  [[nodiscard]] optimize::Objective objective(const VectorXd& weights) const {
    return objective_of(
        std::make_shared<Residuals>(model_, records_, options_.simulation.start, weights));
  }

  // `machines` help with several starts; where they are given all processes must come here.
  void search(std::vector<optimize::Parameter>& parameters, OutputErrorResult& result,
              const Machines* machines = nullptr) const {
    if (options_.starts > 1) {
      const optimize::MultiStartResult found =
          optimize::minimise_from_many(parameters, [&] { return objective(result.weights); },
                                       {.starts = options_.starts,
                                        .seed = options_.seed,
                                        .local = options_.search,
                                        .threads = options_.threads,
                                        .on_progress = options_.on_progress,
                                        .machines = machines});
      take(found, result);
      result.optima = found.optima;
      result.at_bound = at_bound_of(parameters, found.parameters);
    } else {
      const optimize::Minimum found =
          optimize::minimise({parameters, objective(result.weights)}, options_.search);
      take(found, result);
      result.at_bound = found.at_bound;
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      parameters[i].guess = result.parameters(static_cast<Index>(i));
    }
  }

 private:
  template <typename Found>
  static void take(const Found& found, OutputErrorResult& result) {
    result.status = found.status;
    result.message = found.message;
    result.parameters = found.parameters;
    result.cost = found.cost;
    result.evaluations += found.evaluations;
  }

  const model::CompiledEquations& model_;
  const std::vector<EquationRecord>& records_;
  const OutputErrorOptions& options_;
};

// The places of the names of the statistics in the parameter vector.
std::vector<Index> places_of(const std::vector<std::string>& names,
                             const std::vector<optimize::Parameter>& parameters) {
  std::vector<Index> places;
  for (const std::string& name : names) {
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      if (parameters[k].name == name) places.push_back(static_cast<Index>(k));
    }
  }
  return places;
}

void find_statistics(const model::CompiledEquations& model,
                     const std::vector<EquationRecord>& records,
                     const std::vector<optimize::Parameter>& parameters,
                     const OutputErrorOptions& options, OutputErrorResult& result) {
  const auto residuals =
      std::make_shared<Residuals>(model, records, options.simulation.start, result.weights);
  const optimize::Problem problem{parameters, objective_of(residuals)};
  optimize::Minimum minimum;
  minimum.parameters = result.parameters;
  minimum.cost = result.cost;
  minimum.at_bound = result.at_bound;
  const auto free = static_cast<std::size_t>(optimize::Transformation(parameters).free_size());
  if (result.at_bound.size() == free) {
    static_cast<Outcome&>(result.statistics) = {
        Status::NotIdentifiable,
        "every free parameter ended at a bound, so that none is estimated; widen the bounds"};
    result.statistics.held = result.at_bound;
    return;
  }
  result.statistics = optimize::estimate_statistics(problem, minimum);
  const std::vector<Index> wanted = places_of(result.statistics.names, parameters);
  const bool tied = std::any_of(parameters.begin(), parameters.end(),
                                [](const optimize::Parameter& p) { return p.tie.has_value(); });
  if (wanted.empty() || tied || !result.statistics.ok()) return;
  Index samples = 0;
  for (const EquationRecord& record : records) samples += record.experiment().samples();
  optimize::ScoreCovariance scores(static_cast<Index>(wanted.size()),
                                   optimize::largest_useful_lag(samples));
  residuals->add_scores(result.parameters, wanted, scores);
  result.robust = optimize::estimate_statistics(
      problem, minimum, {.score_covariance = scores.covariance(scores.automatic_lag())});
}

// |Δŷ|/|y - ŷ| with twice the substeps.
double step_error(const model::CompiledEquations& model, const Experiments& data,
                  const OutputErrorOptions& options, const OutputErrorResult& result) {
  const EquationPrediction check =
      simulate_equations(model, result.parameters, data, finer(options.simulation));
  if (!check.ok()) return std::numeric_limits<double>::infinity();
  double change = 0.0;
  double residual = 0.0;
  for (std::size_t e = 0; e < data.size(); ++e) {
    change += (check.outputs[e] - result.prediction.outputs[e]).squaredNorm();
    residual += result.prediction.residuals[e]
                    .array()
                    .isNaN()
                    .select(0.0, result.prediction.residuals[e])
                    .squaredNorm();
  }
  return residual > 0.0 ? std::sqrt(change / residual) : 0.0;
}

void check_parameters(const model::EquationModel& model,
                      const std::vector<optimize::Parameter>& parameters) {
  const std::vector<std::string>& names = model.parameters();
  bool same = names.size() == parameters.size();
  for (std::size_t i = 0; same && i < names.size(); ++i) same = names[i] == parameters[i].name;
  if (!same) {
    throw InvalidInput(
        fmt::format("output_error: parameters must be those of the model in their order, got {} "
                    "for {}",
                    parameters.size(), names.size()));
  }
}

}  // namespace

EquationPrediction simulate_equations(const model::CompiledEquations& model,
                                      const VectorXd& parameters, const Experiments& data,
                                      const SimulationOptions& options) {
  check_data("simulate_equations", model.model(), data, options);
  const std::vector<EquationRecord> records = records_of(data, options);
  EquationSimulation simulation(model, records, options.start);
  EquationPrediction prediction;
  for (std::size_t e = 0; e < data.size(); ++e) {
    if (!simulation.run(e, parameters, false)) {
      prediction.status = Status::NotFinite;
      prediction.message = fmt::format(
          "experiment {} cannot be simulated: a state leaves the range of numbers{}", e + 1,
          options.start == StartState::Periodic ? ", or it has no periodic motion" : "");
      return prediction;
    }
    MatrixXd y(data[e].output.rows(), data[e].output.cols());
    for (Index k = 0; k < y.rows(); ++k) {
      for (Index i = 0; i < y.cols(); ++i) {
        y(k, i) = simulation.output(static_cast<std::size_t>(k), static_cast<std::size_t>(i));
      }
    }
    prediction.residuals.push_back(data[e].output - y);
    prediction.outputs.push_back(std::move(y));
  }
  prediction.rms = VectorXd::Constant(data.front().output.cols(), kNaN);
  for (Index i = 0; i < prediction.rms.size(); ++i) {
    prediction.rms(i) = rms_of(prediction.residuals, i, false);
  }
  return prediction;
}

OutputErrorResult output_error(const model::CompiledEquations& model,
                               const std::vector<optimize::Parameter>& parameters,
                               const Experiments& data, const OutputErrorOptions& options) {
  check_data("output_error", model.model(), data, options.simulation);
  check_parameters(model.model(), parameters);
  if (options.weights.size() > 0) {
    check::shape("output_error", "weights", options.weights, data.front().output.cols(), 1);
  }
  const std::vector<EquationRecord> records = records_of(data, options.simulation);
  const Estimation estimation(model, records, options);
  std::vector<optimize::Parameter> current = parameters;
  OutputErrorResult result;
  result.weights = first_weights(data, options.weights);
  estimation.search(current, result, options.machines);
  if (options.machines != nullptr && !options.machines->is_first()) return result;
  result.prediction = simulate_equations(model, result.parameters, data, options.simulation);
  const bool weigh_again = options.weights.size() == 0 && result.weights.size() > 1;
  for (int turn = 0; weigh_again && turn < kWeighings; ++turn) {
    if (!result.ok() || !result.prediction.ok()) break;
    const VectorXd weights = inverse_or_one(result.prediction.rms);
    const bool settled = (weights - result.weights).cwiseQuotient(weights).norm() < kSameWeights;
    result.weights = weights;
    estimation.search(current, result);
    result.prediction = simulate_equations(model, result.parameters, data, options.simulation);
    if (settled) break;
  }
  if (!result.prediction.ok()) return result;
  result.outputs = residual_verdicts(data, result.prediction.residuals);
  result.step_error = step_error(model, data, options, result);
  find_statistics(model, records, parameters, options, result);
  return result;
}

}  // namespace alembert::identify
