#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "alembert/core/error.hpp"
#include "study/tasks/identify/identify_steps.hpp"

namespace alembert::study {
namespace {

using identify::Matrices;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double relative_difference(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& reference) {
  return (matrix - reference).norm() / reference.norm();
}

// rms of the residuals, each output by the noise that the main method found there.
double scaled_residual(const Eigen::VectorXd& noise, const Eigen::VectorXd& reference) {
  return std::sqrt((noise.array() / reference.array()).square().mean());
}

// What a compared method does: where it starts, whether and how it refines.
struct Recipe {
  StartMethod start = StartMethod::WeakForm;
  bool refine = false;
  integrate::Method method = integrate::Method::Exact;
};

Recipe recipe_for(RivalMethod method, StartMethod main_start) {
  using integrate::Method;
  switch (method) {
    case RivalMethod::WeakForm:
      return {StartMethod::WeakForm, false, Method::Exact};
    case RivalMethod::Rival:
      return {StartMethod::Subspace, false, Method::Exact};
    case RivalMethod::PublishedStart:
      return {StartMethod::Published, false, Method::Variational};
    case RivalMethod::Published:
      return {StartMethod::Published, true, Method::Variational};
    case RivalMethod::GreyBox:
      return {StartMethod::Model, true, Method::Exact};
    case RivalMethod::Exact:
      return {main_start, true, Method::Exact};
    case RivalMethod::Midpoint:
      return {main_start, true, Method::Variational};
    case RivalMethod::Gauss:
      break;
  }
  return {main_start, true, Method::Gauss};
}

void take(const Outcome& outcome, ComparedMethod& row) {
  row.status = outcome.status;
  row.message = outcome.message;
}

// Matrices and outcome of one method; the noise of its residuals, empty if there is none.
Eigen::VectorXd run_method(const IdentifyStudy& study, const Recipe& recipe,
                           const RunOptions& options, ComparedMethod& row) {
  identify::RefineOptions refine = study.settings.refinement;
  refine.method = recipe.method;
  refine.stop = options.stop;
  FoundStart start = find_start(study, recipe.start, options);
  take(start.estimate, row);
  if (!usable(start.estimate.matrices)) return {};
  row.matrices = start.estimate.matrices;
  const bool clip = recipe.start != StartMethod::Model;
  if (recipe.refine) {
    const identify::Refinement found =
        refined(study, clip ? identify::clipped(row.matrices) : row.matrices, refine);
    take(found, row);
    row.iterations = found.iterations;
    row.matrices = matrices_of(found.system);
    return found.noise;
  }
  const Matrices stable = identify::clipped(row.matrices);
  return identify::predict({stable.M, stable.D, stable.K, study.model.system.L}, output_map(study),
                           study.data.experiments, refine)
      .noise;
}

void judge(const IdentifyResult& result, const Eigen::VectorXd& noise, ComparedMethod& row) {
  row.residual = kUnknown;
  row.mass = row.damping = row.stiffness = kUnknown;
  if (noise.size() == result.refinement.noise.size()) {
    row.residual = scaled_residual(noise, result.refinement.noise);
  }
  if (!usable(row.matrices)) return;
  const Eigen::Vector3d difference =
      relative_differences(row.matrices, matrices_of(result.refinement.system));
  row.mass = difference(0);
  row.damping = difference(1);
  row.stiffness = difference(2);
  if (result.study.truth) {
    row.error = relative_differences(row.matrices, *result.study.truth);
  }
}

ComparedMethod main_method(const IdentifyResult& result) {
  ComparedMethod row;
  take(result, row);
  const IdentifySettings& settings = result.study.settings;
  row.name = fmt::format("{}{}", to_string(settings.start), settings.refine ? " + " : "");
  if (settings.refine) {
    row.name += settings.refinement.method == integrate::Method::Variational
                    ? "midpoint"
                    : std::string(name_of(settings.refinement.method));
  }
  row.matrices = matrices_of(result.refinement.system);
  row.iterations = result.refinement.iterations;
  row.seconds = result.start_seconds + result.refine_seconds;
  judge(result, result.refinement.noise, row);
  return row;
}

}  // namespace

Eigen::Vector3d relative_differences(const Matrices& matrices, const Matrices& reference) {
  return {relative_difference(matrices.M, reference.M),
          relative_difference(matrices.D, reference.D),
          relative_difference(matrices.K, reference.K)};
}

void compare_methods(const RunOptions& options, IdentifyResult& result) {
  const IdentifySettings& settings = result.study.settings;
  if (settings.compare.empty()) return;
  result.comparison.push_back(main_method(result));
  for (const RivalMethod method : settings.compare) {
    ComparedMethod row;
    row.name = to_string(method);
    Eigen::VectorXd noise;
    const StepClock clock;
    try {
      noise = run_method(result.study, recipe_for(method, settings.start), options, row);
    } catch (const InvalidInput& error) {
      // A rival that cannot use these data is a finding, not an error.
      row.status = Status::NotIdentifiable;
      row.message = error.what();
    }
    row.seconds = clock.seconds();
    judge(result, noise, row);
    result.comparison.push_back(std::move(row));
  }
}

}  // namespace alembert::study
