#include "identify/refine/problem_checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "core/algebra/decompositions.hpp"
#include "identify/parametrisation/entry_index.hpp"

namespace alembert::identify {

void check_problem(std::string_view function, const LinearProblem& problem,
                   const RefineOptions& options) {
  const Parametrisation& unknowns = problem.unknowns;
  const Eigen::Index entries = 3 * half_size(problem.L.rows());
  check::size(function, "degrees of freedom of the unknowns", unknowns.degrees_of_freedom,
              problem.L.rows());
  check::size(function, "rows of unknowns.basis", unknowns.basis.rows(), entries);
  check::size(function, "length of unknowns.offset", unknowns.offset.size(), entries);
  check::size(function, "number of names", static_cast<long long>(unknowns.names.size()),
              unknowns.size());
  check::at_least(function, "number of unknowns", unknowns.size(), 1);
  check::at_least(function, "max_iterations", options.max_iterations, 0);
  if (options.weights.size() == 0) return;
  check::size(function, "weights", options.weights.size(), problem.outputs.outputs());
  for (Eigen::Index i = 0; i < options.weights.size(); ++i) {
    check::positive(function, fmt::format("weights({})", i + 1), options.weights(i));
  }
}

void check_input_noise(std::string_view function, const Experiments& data,
                       const RefineOptions& options) {
  const Eigen::VectorXd& noise = options.input_noise;
  if (noise.size() == 0) return;
  const Eigen::Index forces = data.front().input.cols();
  if (noise.size() != 1) check::size(function, "input_noise", noise.size(), forces);
  for (Eigen::Index j = 0; j < forces; ++j) {
    double squares = 0.0;
    double samples = 0.0;
    for (const Experiment& one : data) {
      squares += one.input.col(j).squaredNorm();
      samples += static_cast<double>(one.samples());
    }
    // Forces that are mostly noise leave nothing to identify by.
    const double most = 0.5 * std::sqrt(squares / samples);
    const double own = noise.size() == 1 ? noise(0) : noise(j);
    if (own >= 0.0 && own <= most) continue;
    throw InvalidInput({.function = std::string(function),
                        .argument = fmt::format("input_noise({})", j + 1),
                        .rule = fmt::format("must be in [0, {:.4g}], up to half of the rms of the "
                                            "force",
                                            most),
                        .value = fmt::format("{}", own)});
  }
}

void check_start(std::string_view function, std::string_view name, const Matrices& start,
                 Eigen::Index n) {
  const auto check_one = [&](char letter, const Eigen::MatrixXd& matrix) {
    const std::string argument = fmt::format("{}.{}", name, letter);
    check::shape(function, argument, matrix, n, n);
    check::all_finite(function, argument, matrix);
    check::symmetric(function, argument, matrix);
  };
  check_one('M', start.M);
  check_one('D', start.D);
  check_one('K', start.K);
  if (Eigen::LLT<Eigen::MatrixXd>(start.M).info() != Eigen::Success) {
    throw InvalidInput({.function = std::string(function),
                        .argument = fmt::format("{}.M", name),
                        .rule = "must be positive definite"});
  }
}

}  // namespace alembert::identify
