#include "alembert/identify/refine.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/linear_algebra.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/core/text.hpp"
#include "alembert/optimize/group_scatter.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/experiment/noise_options.hpp"
#include "identify/refine/force_noise.hpp"
#include "identify/refine/force_shape.hpp"
#include "identify/refine/information.hpp"
#include "identify/refine/positive.hpp"
#include "identify/refine/problem_checks.hpp"
#include "identify/refine/refiner.hpp"
#include "identify/refine/sensitivity.hpp"

namespace alembert::identify {

namespace {

using Eigen::Index;

constexpr int kPolishIterations = 30;
// Sensitivities, and their squares in bands, are stored for coloured residuals up to so many
// numbers: 240 MB.
constexpr double kMostEntries = 3e7;
constexpr double kBands = 400.0;

Eigen::MatrixXd in_velocities(const Fit& fit, Eigen::MatrixXd start) {
  start.bottomRows(fit.coordinates()) /= fit.step;
  return start;
}

// Clips D and K and lets the other unknowns settle again. True if they are positive afterwards.
bool enforce_positive(const Fit& fit, const Parametrisation& unknowns, Refiner& refiner) {
  const auto project = [&](const Eigen::VectorXd& theta) {
    return with_positive_matrices(unknowns, theta);
  };
  const Eigen::VectorXd theta = project(refiner.best().theta);
  const Matrices at = matrices(unknowns, theta);
  if (!semidefinite(at.D) || !semidefinite(at.K)) return false;
  Trial trial = evaluate(fit, unknowns, theta, refiner.best().guess.start);
  if (trial.valid) {
    trial =
        evaluate(fit, unknowns, theta, fitted_start(fit, trial.guess.system, refiner.weights()));
  }
  Trial nearest = refiner.feasible(project);
  const Eigen::VectorXd& weights = refiner.weights();
  if (nearest.valid && !(trial.valid && trial.cost(weights) < nearest.cost(weights))) {
    trial = std::move(nearest);
  }
  if (!trial.valid) return false;
  refiner.restart(std::move(trial));
  refiner.run(kPolishIterations, project);
  return true;
}

// Residual noise with the unknowns taken off the samples: σ² = Σ e²/(N - P/p).
Eigen::VectorXd reduced_counts(const Fit& fit, Index unknowns) {
  const Eigen::VectorXd counts = measured_counts(fit);
  return (counts.array() - static_cast<double>(unknowns) / static_cast<double>(fit.output_count()))
      .max(1.0);
}

void store_residuals(const Fit& fit, const Trial& best, Refinement& result) {
  for (std::size_t e = 0; e < best.errors.size(); ++e) {
    const Eigen::MatrixXd& y = fit.data[e].output;
    Eigen::MatrixXd residual = best.errors[e];
    residual = y.array().isNaN().select(kNaN, residual);
    result.residuals.push_back(std::move(residual));
  }
  result.predictions = predicted(fit, best.guess.system, best.guess.start);
}

// What the residuals look like: outputs that come late, or whose gain changed.
void look_for_slips(const Fit& fit, const Trial& best, const Eigen::VectorXd& weights,
                    const std::vector<optimize::ColouredBlock>& blocks, Refinement& result) {
  const std::vector<Eigen::MatrixXd> outputs = predicted(fit, best.guess.system, best.guess.start);
  std::vector<Eigen::VectorXd> scaled;
  for (const optimize::ColouredBlock& block : blocks) {
    const Index i = block.channel;
    scaled.push_back(weights(i) * outputs[static_cast<std::size_t>(block.experiment)].col(i));
  }
  const auto channels = static_cast<int>(fit.output_count());
  result.delays = estimate_delays(blocks, scaled, channels);
  result.gain_changes = estimate_gain_changes(blocks, scaled, channels);
}

// F of without_noise(); the identity where the forces are exact.
Eigen::MatrixXd noise_factor(const Fit& fit, const Trial& best, const Eigen::VectorXd& weights,
                             const Eigen::MatrixXd& covariance) {
  if (!fit.force_noise) return Eigen::MatrixXd::Identity(covariance.rows(), covariance.cols());
  const auto response = fit.force_noise->response(best.guess.system);
  return without_noise(covariance, fit.force_noise->equations(best.guess, response, weights).H);
}

Eigen::MatrixXd sandwiched(const Eigen::MatrixXd& F, const Eigen::MatrixXd& covariance) {
  return symmetrised(F * covariance * F.transpose());
}

// The same with the deviations that belong to it.
void apply_factor(const Eigen::MatrixXd& F, optimize::ColouredCovariance& found) {
  found.covariance = sandwiched(F, found.covariance);
  const Eigen::VectorXd deviations = found.covariance.diagonal().cwiseSqrt();
  const Eigen::VectorXd growth = deviations.cwiseQuotient(found.deviations);
  found.white = found.white.cwiseProduct(growth);
  found.attainable = found.attainable.cwiseProduct(growth);
  found.deviations = deviations;
}

// What the noise on forces did to θ, in first order: C g, C the covariance of θ for white residuals
// and g the gradient of the noise. For white forces, whose noise scales M, D and K, it is the whole
// bias (docs/theory/refinement.md, section 7).
Eigen::VectorXd force_shift(const Fit& fit, const Trial& best, const Eigen::VectorXd& weights,
                            const Eigen::VectorXd& seen, const Refinement& result) {
  const RefineOptions options{
      .method = fit.rule.method, .hold = fit.rule.hold, .gauss_stages = fit.rule.stages};
  const ForceNoise noise(fit, seen.cwiseMin(force_floors(fit.data)), options);
  const auto response = noise.response(best.guess.system);
  if (response.errors.empty()) return {};
  return -result.white_covariance * noise.equations(best.guess, response, weights).gradient;
}

// The size of noise that is given is 1, whatever the residuals made of it: few bins of a narrow
// resonance tell it badly. Its scores S are known, and its part of the covariance is C S C.
void add_given_noise(const Eigen::MatrixXd& C, const optimize::NoiseShape& shape,
                     optimize::ColouredCovariance& found) {
  if (found.shape_size == 0.0) return;
  found.covariance += (1.0 - found.shape_size) * (C * shape.scores() * C);
}

// The covariance for coloured residuals in place of that for white ones. F of noise_factor(), C the
// covariance for white residuals of all unknowns.
void store_coloured(const Fit& fit, const Trial& best, const Eigen::VectorXd& weights,
                    const Eigen::MatrixXd& F, const Eigen::MatrixXd& C, Refinement& result) {
  const Index size = best.theta.size();
  const auto unknowns = static_cast<double>(unknown_count(fit, best.guess));
  const double squares =
      0.5 * kBands * unknowns * unknowns * static_cast<double>(fit.output_count());
  if (measured_counts(fit).sum() * unknowns > kMostEntries || squares > kMostEntries) return;
  const auto blocks = sensitivity_blocks(fit, best.guess, best.errors, weights);
  optimize::ColouredOptions options = noise_options();
  const Eigen::VectorXd sizes = force_sizes(fit.data);
  const Eigen::VectorXd shaped = fit.force_noise ? fit.force_noise->deviations() : sizes;
  options.shape = force_shape(fit, best.guess.system, blocks, weights, shaped);
  optimize::ColouredCovariance found = optimize::coloured_covariance(blocks, options);
  if (!found.ok()) return;
  if (!fit.force_noise) {
    optimize::allow_for_scatter(blocks, size, optimize::whole_experiments(blocks), {}, found);
  }
  look_for_slips(fit, best, weights, blocks, result);
  if (fit.force_noise) {
    result.force_noise = shaped.norm() / sizes.norm();
    add_given_noise(C, options.shape, found);
    apply_factor(F, found);
  } else if (found.shape_size > 0.0) {
    result.force_noise = share_of_noise(found.shape_size);
    result.force_shift = force_shift(fit, best, weights, result.force_noise * sizes, result);
  }
  const Eigen::MatrixXd spread = best.guess.jacobian * found.covariance.topLeftCorner(size, size);
  result.start_covariance = found.covariance;
  result.covariance = found.covariance.topLeftCorner(size, size);
  result.matrix_covariance = best.guess.jacobian * spread.transpose();
  result.coloured = std::move(found);
}

// The covariance for white residuals after the noise on forces was taken off.
void store_without_noise(const Trial& best, const Eigen::MatrixXd& covariance, Refinement& result) {
  const Index size = best.theta.size();
  const Eigen::MatrixXd of_theta = covariance.topLeftCorner(size, size);
  result.start_covariance = covariance;
  result.covariance = result.white_covariance = of_theta;
  const Eigen::MatrixXd spread = best.guess.jacobian * of_theta;
  result.matrix_covariance = best.guess.jacobian * spread.transpose();
}

void store_information(const Fit& fit, const Parametrisation& unknowns, const Trial& best,
                       const RefineOptions& options, Refinement& result) {
  const Index size = best.theta.size();
  const Eigen::VectorXd counts = reduced_counts(fit, unknown_count(fit, best.guess));
  const Eigen::VectorXd weights = inverse_deviations(fit, best.squares, counts);
  result.noise = (best.squares.array() / counts.array()).sqrt();
  // Σ (w e)²
  result.cost = (weights.array().square() * best.squares.array()).sum();
  const Information found =
      information(fit, best.guess, sensitivity_factor(fit, best.guess, weights));
  result.covariance = found.covariance.topLeftCorner(size, size);
  result.white_covariance = result.covariance;
  result.start_covariance = found.covariance;
  result.matrix_covariance = found.matrix_covariance;
  result.condition = found.condition;
  if (found.identifiable) {
    const Eigen::MatrixXd F = noise_factor(fit, best, weights, found.covariance);
    if (fit.force_noise) store_without_noise(best, sandwiched(F, found.covariance), result);
    if (options.coloured) store_coloured(fit, best, weights, F, found.covariance, result);
  }
  if (!found.identifiable && result.status != Status::Stopped) {
    result.status = Status::NotIdentifiable;
    result.message = fmt::format(
        "the data do not determine some unknowns (condition {:.1e}): {}; fix or tie some of them, "
        "or move a force or a sensor",
        found.condition, involved_unknowns(fit, unknowns, found.weakest));
  }
}

// What the fit was before D and K were made positive.
void store_free(const Fit& fit, const Trial& free, const Trial& forced, Refinement& result) {
  result.free_matrices = matrices_of(free.guess.system);
  const Eigen::VectorXd counts = measured_counts(fit);
  for (Index i = 0; i < counts.size(); ++i) {
    if (free.squares(i) > 0.0) {
      result.enforcement_cost += counts(i) * std::log(forced.squares(i) / free.squares(i));
    }
  }
}

void check_positive(const Trial& best, Refinement& result) {
  std::vector<std::string> indefinite;
  if (!semidefinite(best.guess.system.D)) indefinite.emplace_back("D");
  if (!semidefinite(best.guess.system.K)) indefinite.emplace_back("K");
  if (result.status != Status::Success || indefinite.empty()) return;
  result.status = Status::Indefinite;
  result.message = fmt::format(
      "{} came out indefinite: the record is too short or too noisy for the weak part; use "
      "enforce_positive or fewer unknowns",
      join(indefinite, " and "));
}

Refinement unusable_start(const Fit& fit, const Trial& trial) {
  Refinement result;
  const bool mass = Eigen::LLT<Eigen::MatrixXd>(trial.guess.system.M).info() != Eigen::Success;
  result.status = mass ? Status::Indefinite : Status::NotFinite;
  result.message = mass ? "the start's M is not positive definite in this parametrisation"
                        : "the motion of the start leaves the range of doubles; clip its D and K";
  result.system = trial.guess.system;
  result.theta = trial.theta;
  result.start = in_velocities(fit, trial.guess.start);
  return result;
}

Trial first_trial(const Fit& fit, const Parametrisation& unknowns, const Matrices& start) {
  const Eigen::VectorXd theta = nearest_parameters(unknowns, start);
  const Eigen::MatrixXd rest =
      Eigen::MatrixXd::Zero(2 * fit.coordinates(), static_cast<Index>(fit.data.size()));
  Trial trial = evaluate(fit, unknowns, theta, rest);
  if (!trial.valid || !fit.free_start) return trial;
  const Eigen::VectorXd weights =
      inverse_deviations(fit, output_square_sums(fit), measured_counts(fit));
  Trial fitted = evaluate(fit, unknowns, theta, fitted_start(fit, trial.guess.system, weights));
  return fitted.valid && fitted.cost(weights) < trial.cost(weights) ? fitted : trial;
}

// The fit with the noise on its forces, and its first trial.
Trial prepared_trial(const LinearProblem& problem, const Matrices& start,
                     const RefineOptions& options, Fit& fit) {
  if (options.input_noise.size() > 0 && !options.input_noise.isZero(0.0)) {
    const Eigen::VectorXd& given = options.input_noise;
    const Eigen::VectorXd each =
        given.size() == 1 ? Eigen::VectorXd::Constant(fit.inputs(), given(0)) : given;
    fit.force_noise = std::make_shared<ForceNoise>(fit, each, options);
  }
  Trial first = first_trial(fit, problem.unknowns, start);
  if (fit.force_noise && first.valid) {
    fit.first_noise = first.squares - first.counted;
    first.counted = first.squares;
  }
  return first;
}

}  // namespace

Refinement refine(const LinearProblem& problem, const Experiments& data, const Matrices& start,
                  const RefineOptions& options) {
  Fit fit("refine", data, problem.L, problem.outputs, options);
  check_problem("refine", problem, options);
  check_input_noise("refine", data, options);
  check_start("refine", "start", start, fit.coordinates());
  const Parametrisation& unknowns = problem.unknowns;
  Trial first = prepared_trial(problem, start, options, fit);
  if (!first.valid) return unusable_start(fit, first);
  Refiner refiner(fit, unknowns, options, std::move(first));
  refiner.run(options.max_iterations);
  Refinement result;
  const auto positive = [&] {
    const model::SecondOrder& system = refiner.best().guess.system;
    return semidefinite(system.D) && semidefinite(system.K);
  };
  static_cast<Outcome&>(result) = refiner.outcome();
  if (options.enforce_positive && result.ok() && !positive()) {
    const Trial free = refiner.best();
    result.positive_enforced = enforce_positive(fit, unknowns, refiner);
    if (result.positive_enforced) store_free(fit, free, refiner.best(), result);
    // The polish may end at its limit; the point before it had converged.
    if (refiner.outcome().status == Status::Stopped) {
      static_cast<Outcome&>(result) = refiner.outcome();
    }
  }
  const Trial& best = refiner.best();
  result.system = best.guess.system;
  result.theta = best.theta;
  result.start = in_velocities(fit, best.guess.start);
  result.cost_history = refiner.cost_history();
  result.iterations = refiner.iterations();
  store_information(fit, unknowns, best, options, result);
  check_positive(best, result);
  if (options.compute_residuals) store_residuals(fit, best, result);
  return result;
}

}  // namespace alembert::identify
