#include "alembert/identify/mechanism/mechanism_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/identify/output_error/function_fit.hpp"
#include "alembert/optimize/objective.hpp"
#include "core/mapped.hpp"
#include "identify/mechanism/mechanism_problem.hpp"
#include "identify/mechanism/missing_forces.hpp"
#include "identify/output_error/equation_fit/evidence.hpp"
#include "identify/output_error/equation_fit/exact_simulation.hpp"
#include "identify/output_error/search.hpp"
#include "identify/output_error/statistics/statistics.hpp"
#include "identify/verdict/fit_evidence.hpp"

namespace alembert::identify {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Finer steps should not change the simulation by more than this part of the residual.
constexpr double kMostStepError = 0.05;
// Residuals larger than the sigma of the sensor by this factor are no noise of it.
constexpr double kMoreThanNoise = 1.5;

// A result loses trust by one more reason.
void speak_against(TrustLevel level, const std::string& reason, const std::string& advice,
                   EquationFit& fit) {
  fit.warnings.push_back(reason);
  fit.verdict.level = std::max(fit.verdict.level, level);
  fit.verdict.reasons.push_back(reason);
  if (!advice.empty()) fit.verdict.advice.push_back(advice);
}

// The samples of a function fit are its experiments, told apart by their place.
ExactSimulation simulation_of_problem(const MechanismProblem& problem) {
  const auto place = [&problem](const Experiment& experiment) {
    return static_cast<std::size_t>(&experiment - problem.data().data());
  };
  return {.values =
              [&problem, place](const VectorXd& theta, const Experiment& experiment) {
                return problem.readings(theta, place(experiment));
              },
          .slopes =
              [&problem, place](const VectorXd& theta, const Experiment& experiment) {
                return problem.slopes(theta, place(experiment));
              }};
}

std::vector<std::string> force_names(const MechanismProblem& problem) {
  return mapped(problem.description().forces, [](const auto& force) { return force.name; });
}

VectorXd weights_for(const MechanismProblem& problem, const MechanismFitOptions& options) {
  return options.weights.size() > 0 ? options.weights : problem.sigma_weights();
}

std::vector<std::string> start_names(const MechanismProblem& problem) {
  std::vector<std::string> names;
  for (std::size_t i = problem.names().size(); i < problem.parameters().size(); ++i) {
    names.push_back(problem.parameters()[i].name);
  }
  return names;
}

FunctionFitOptions function_options(const MechanismProblem& problem,
                                    const MechanismFitOptions& options) {
  return {.weights = weights_for(problem, options),
          .search = options.search,
          .nuisance = start_names(problem),
          .input_names = force_names(problem),
          .output_names = problem.sensor_names()};
}

bool is_free(const optimize::Parameter& one) { return !one.fixed && !one.tie; }

// The free numbers of the mechanism that have a part in its motion.
struct FreeNumbers {
  std::vector<std::string> names;
  std::vector<Index> at;  // their places in θ

  [[nodiscard]] VectorXd of(const VectorXd& theta) const {
    VectorXd values(static_cast<Index>(at.size()));
    for (std::size_t i = 0; i < at.size(); ++i) values(static_cast<Index>(i)) = theta(at[i]);
    return values;
  }
};

FreeNumbers free_numbers(const MechanismProblem& problem) {
  FreeNumbers found;
  for (std::size_t i = 0; i < problem.names().size(); ++i) {
    if (!is_free(problem.parameters()[i])) continue;
    found.names.push_back(problem.names()[i]);
    found.at.push_back(static_cast<Index>(i));
  }
  return found;
}

// The mechanism with all its numbers at θ, those that are fixed as well.
MechanismValues values_at(const MechanismProblem& problem, const VectorXd& theta) {
  return with_parameters(values_of(problem.description()), problem.names(),
                         theta.head(static_cast<Index>(problem.names().size())));
}

// Parameters that nothing can tell apart are refused before any search.
void check_dependences(const MechanismProblem& problem) {
  const VectorXd guess = problem.guess();
  const MechanismRun run = problem.run(guess, 0, 1);
  if (run.path.z.rows() == 0 || !run.ok()) return;  // the search will say why
  const FreeNumbers numbers = free_numbers(problem);
  const std::vector<ParameterDependence> found =
      find_dependences(values_at(problem, guess), numbers.names, numbers.of(guess), run.path,
                       problem.data().front().input);
  if (found.empty()) return;
  throw InvalidInput(
      {.function = "fit_mechanism",
       .argument = "parameters",
       .rule = fmt::format("cannot all be found: {}; keep {} as given, or measure more",
                           join(mapped(found, [](const auto& one) { return one.words; }), "; "),
                           found.front().name)});
}

// By inverse dynamics, from the guess.
std::vector<InverseDynamicsFit> find_rivals(const MechanismProblem& problem,
                                            const MechanismFitOptions& options) {
  std::vector<InverseDynamicsFit> rivals;
  const FreeNumbers numbers = free_numbers(problem);
  if (!options.inverse_dynamics || numbers.names.empty()) return rivals;
  const VectorXd guess = problem.guess();
  const MechanismValues given = values_at(problem, guess);
  VectorXd theta = numbers.of(guess);
  for (const InverseRule rule : {InverseRule::LeastSquares, InverseRule::Instruments}) {
    rivals.push_back(fit_inverse_dynamics(
        given, numbers.names, theta, problem.data(), problem.measured(), rule,
        {.between = options.between, .substeps = std::min<Index>(options.substeps, 2)}));
    if (rivals.back().ok()) theta = rivals.back().parameters;
  }
  return rivals;
}

// θ with the numbers of a rival, within the bounds.
VectorXd with_rival(const MechanismProblem& problem, const InverseDynamicsFit& rival) {
  VectorXd theta = problem.guess();
  const FreeNumbers numbers = free_numbers(problem);
  for (std::size_t i = 0; i < numbers.at.size(); ++i) {
    const optimize::Parameter& one = problem.parameters()[static_cast<std::size_t>(numbers.at[i])];
    theta(numbers.at[i]) =
        std::clamp(rival.parameters(static_cast<Index>(i)), one.lower, one.upper);
  }
  return theta;
}

// The search begins where the simulation is nearest to the readings.
std::vector<optimize::Parameter> best_start(const MechanismProblem& problem, MechanismFit& fit,
                                            const VectorXd& given) {
  const VectorXd weights = first_weights(problem.data(), given);
  VectorXd best = problem.guess();
  double least = problem.cost(best, weights);
  fit.begun = "guess";
  for (const InverseDynamicsFit& rival : fit.rivals) {
    if (!rival.ok()) continue;
    const VectorXd theta = with_rival(problem, rival);
    const double cost = problem.cost(theta, weights);
    if (!(cost < least)) continue;
    least = cost;
    best = theta;
    fit.begun = fmt::format("inverse dynamics, {}", name_of(rival.rule));
  }
  std::vector<optimize::Parameter> parameters = problem.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (is_free(parameters[i])) parameters[i].guess = best(static_cast<Index>(i));
  }
  return parameters;
}

// |Δŷ|/|y − ŷ| when the steps are halved.
void examine_steps(const MechanismProblem& problem, const MechanismFitOptions& options,
                   MechanismFit& fit) {
  if (!fit.has_prediction()) return;
  std::vector<MatrixXd> finer;
  try {
    for (std::size_t e = 0; e < problem.data().size(); ++e) {
      finer.push_back(problem.readings(fit.estimate.parameters, e, 2 * options.substeps));
    }
  } catch (const optimize::Infeasible&) {
    return;
  }
  fit.estimate.step_error = relative_change(fit.estimate.prediction, finer, fit.estimate.weights);
  if (fit.estimate.step_error <= kMostStepError) return;
  speak_against(TrustLevel::Caution,
                fmt::format("finer steps change the simulation by {:.2g} of the residual",
                            fit.estimate.step_error),
                "raise substeps", fit);
}

// Residuals that the noise of the sensors does not explain.
void compare_with_sigma(const MechanismProblem& problem, const MechanismFitOptions& options,
                        MechanismFit& fit) {
  const VectorXd weights = problem.sigma_weights();
  if (!fit.has_prediction() || weights.size() == 0 || options.weights.size() > 0) return;
  for (Index i = 0; i < weights.size(); ++i) {
    const double ratio = fit.estimate.prediction.rms(i) * weights(i);
    if (!(ratio > kMoreThanNoise)) continue;
    speak_against(
        TrustLevel::Caution,
        fmt::format("the residuals of {} are {:.2g} times the noise of the sensor: the mechanism "
                    "moves otherwise than described, or sigma is too small",
                    fit.output_names[static_cast<std::size_t>(i)], ratio),
        "look for friction, springs, play or masses that the description has not, and for the "
        "noise and the sign of the forces",
        fit);
  }
}

void judge_missing_forces(MechanismFit& fit) {
  Evidence evidence;
  judge_missing_terms(fit.estimate.missing_terms, "", evidence);
  const Verdict verdict = evidence.verdict();
  if (verdict.reasons.empty()) return;
  speak_against(verdict.level, verdict.reasons.front(), verdict.advice.front(), fit);
}

// Base parameters at the estimate, with the covariance of the estimate.
void estimate_base(const MechanismProblem& problem, MechanismFit& fit) {
  if (!fit.has_prediction()) return;
  const auto count = static_cast<Index>(problem.names().size());
  const VectorXd theta = fit.estimate.parameters.head(count);
  const MechanismRun run = problem.run(fit.estimate.parameters, 0, 1);
  if (!run.ok()) return;
  fit.base = base_parameters(values_at(problem, fit.estimate.parameters), run.path);
  const auto betas = [&](const VectorXd& at) {
    const std::vector<LinearTerm> terms =
        linear_terms(with_parameters(values_of(problem.description()), problem.names(), at));
    VectorXd pi(static_cast<Index>(terms.size()));
    for (std::size_t j = 0; j < terms.size(); ++j) pi(static_cast<Index>(j)) = terms[j].value;
    return VectorXd(fit.base.combinations * pi);
  };
  const VectorXd beta = betas(theta);
  const optimize::EstimateStatistics& statistics = fit.estimate.trusted();
  const auto known = static_cast<Index>(statistics.names.size());
  MatrixXd slopes = MatrixXd::Zero(beta.size(), known);
  for (Index j = 0; j < known; ++j) {
    const auto place = std::find(problem.names().begin(), problem.names().end(),
                                 statistics.names[static_cast<std::size_t>(j)]);
    if (place == problem.names().end()) continue;
    const Index i = place - problem.names().begin();
    const double d = 1e-5 * (theta(i) != 0.0 ? std::abs(theta(i)) : 1.0);
    VectorXd above = theta, below = theta;
    above(i) += d;
    below(i) -= d;
    slopes.col(j) = (betas(above) - betas(below)) / (2.0 * d);
  }
  const bool whole = statistics.covariance.rows() == known;
  for (Index i = 0; i < beta.size(); ++i) {
    const double variance =
        whole ? slopes.row(i) * statistics.covariance * slopes.row(i).transpose() : 0.0;
    fit.base_estimates.push_back({beta(i), std::sqrt(std::max(variance, 0.0))});
  }
}

// The same numbers on other records, whose start states are fitted.
void validate_mechanism(const MechanismProblem& problem, const MechanismFitOptions& options,
                        MechanismFit& fit) {
  if (options.held_back.empty() || !fit.has_prediction()) return;
  std::vector<optimize::Parameter> held;
  for (std::size_t i = 0; i < problem.names().size(); ++i) {
    held.push_back({.name = problem.names()[i],
                    .guess = fit.estimate.parameters(static_cast<Index>(i)),
                    .fixed = true});
  }
  MechanismFitOptions other = options;
  other.starts.resize(0, 0);
  other.fit_start = true;
  const MechanismProblem fresh(problem.description(), held, options.held_back, other);
  FunctionFitOptions how = function_options(fresh, options);
  how.weights = fit.estimate.weights;
  const EquationFit found =
      fit_simulation(simulation_of_problem(fresh), fresh.parameters(), fresh.data(), how);
  fit.validation.emplace();
  fit.validation->prediction = found.estimate.prediction;
  fit.validation->outputs = found.estimate.outputs;
  if (!found.has_prediction()) {
    speak_against(TrustLevel::Caution, "the held-back data cannot be simulated: " + found.message,
                  "", fit);
    return;
  }
  Evidence evidence;
  judge_held_back(fit.output_names, fit.validation->outputs, fit.estimate.prediction.rms, evidence);
  const Verdict verdict = evidence.verdict();
  for (std::size_t i = 0; i < verdict.reasons.size(); ++i) {
    speak_against(verdict.level, verdict.reasons[i],
                  i < verdict.advice.size() ? verdict.advice[i] : "", fit);
  }
}

}  // namespace

MechanismFit fit_mechanism(const model::planar::MechanismDescription& description,
                           const std::vector<optimize::Parameter>& parameters,
                           const Experiments& data, const MechanismFitOptions& options) {
  const MechanismProblem problem(description, parameters, data, options);
  check_dependences(problem);
  MechanismFit fit;
  fit.rivals = find_rivals(problem, options);
  const std::vector<optimize::Parameter> begun =
      best_start(problem, fit, weights_for(problem, options));
  static_cast<EquationFit&>(fit) = fit_simulation(
      simulation_of_problem(problem), begun, problem.data(), function_options(problem, options));
  fit.engine = problem.engine();
  fit.parameters = problem.parameters();  // with the guesses as they were given
  fit.unknowns = problem.names().size();
  fit.units = problem.units();
  fit.simulation.substeps = options.substeps;
  fit.simulation.between = options.between;
  examine_steps(problem, options, fit);
  compare_with_sigma(problem, options, fit);
  find_missing_forces(problem, options, fit);
  judge_missing_forces(fit);
  estimate_base(problem, fit);
  validate_mechanism(problem, options, fit);
  return fit;
}

}  // namespace alembert::identify
