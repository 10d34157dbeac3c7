#include "identify/linear/comparison.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "core/step_clock.hpp"
#include "identify/linear/start.hpp"

namespace alembert::identify {
namespace {

double relative_difference(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& reference) {
  return (matrix - reference).norm() / reference.norm();
}

// rms of the residuals, each output by the noise that the main method found there.
double scaled_residual(const Eigen::VectorXd& noise, const Eigen::VectorXd& reference) {
  return std::sqrt((noise.array() / reference.array()).square().mean());
}

void take_outcome(const Outcome& outcome, ComparedMethod& row) {
  row.status = outcome.status;
  row.message = outcome.message;
}

// Matrices and outcome of one method; the noise of its residuals, empty if there is none.
Eigen::VectorXd run_method(const LinearSetup& setup, const MethodSteps& steps,
                           ComparedMethod& row) {
  RefineOptions options = setup.options.refinement;
  options.method = steps.rule;
  options.coloured = false;  // nobody looks at the deviations
  const StartMethod from = steps.start.value_or(setup.chosen.start);
  const FoundStart start = find_start(setup, from);
  take_outcome(start.estimate, row);
  if (!start.estimate.usable()) return {};
  row.matrices = start.estimate.matrices;
  if (!steps.refine) return prediction_of(setup, row.matrices, options).noise;
  const Refinement found =
      refine(setup.problem, setup.data, refinable(row.matrices, from), options);
  take_outcome(found, row);
  row.iterations = found.iterations;
  row.matrices = matrices_of(found.system);
  return found.noise;
}

void judge_method(const LinearSetup& setup, const LinearIdentification& result,
                  const Eigen::VectorXd& noise, ComparedMethod& row) {
  row.residual = kNaN;
  row.mass = row.damping = row.stiffness = kNaN;
  if (noise.size() == result.refinement.noise.size()) {
    row.residual = scaled_residual(noise, result.refinement.noise);
  }
  if (!usable(row.matrices)) return;
  const Eigen::Vector3d difference =
      relative_differences(row.matrices, matrices_of(result.refinement.system));
  row.mass = difference(0);
  row.damping = difference(1);
  row.stiffness = difference(2);
  if (setup.options.truth) row.error = relative_differences(row.matrices, *setup.options.truth);
}

// The midpoint rule is the variational integrator of a linear system.
std::string_view refinement_name(integrate::Method method) {
  return method == integrate::Method::Variational ? "midpoint" : name_of(method);
}

ComparedMethod main_method(const LinearSetup& setup, const LinearIdentification& result) {
  ComparedMethod row;
  take_outcome(result, row);
  row.name = name_of(setup.chosen.start);
  if (setup.options.refine) {
    row.name += fmt::format(" + {}", refinement_name(setup.options.refinement.method));
  }
  row.matrices = matrices_of(result.refinement.system);
  row.iterations = result.refinement.iterations;
  row.seconds = result.start_seconds + result.refine_seconds;
  judge_method(setup, result, result.refinement.noise, row);
  return row;
}

ComparedMethod compared(const LinearSetup& setup, LinearMethod method,
                        const LinearIdentification& result) {
  ComparedMethod row;
  row.name = name_of(method);
  Eigen::VectorXd noise;
  const StepClock clock;
  try {
    noise = run_method(setup, steps_of(method), row);
  } catch (const InvalidInput& error) {
    // A method that cannot use these data is a finding, not an error.
    row.status = Status::NotIdentifiable;
    row.message = error.reason();
  }
  row.seconds = clock.seconds();
  judge_method(setup, result, noise, row);
  return row;
}

}  // namespace

Eigen::Vector3d relative_differences(const Matrices& matrices, const Matrices& reference) {
  return {relative_difference(matrices.M, reference.M),
          relative_difference(matrices.D, reference.D),
          relative_difference(matrices.K, reference.K)};
}

void compare_methods(const LinearSetup& setup, LinearIdentification& result) {
  if (setup.options.compare.empty()) return;
  result.comparison.push_back(main_method(setup, result));
  for (const LinearMethod method : setup.options.compare) {
    result.comparison.push_back(compared(setup, method, result));
  }
}

}  // namespace alembert::identify
