#pragma once

#include <string_view>

#include "alembert/identify/refine.hpp"

namespace alembert::identify {

/// Checks that the parametrisation fits L and that weights, if given, are positive, one per output.
/// @throws InvalidInput with a message that begins with `function`.
void check_problem(std::string_view function, const LinearProblem& problem,
                   const RefineOptions& options);

/// Checks that the noise on forces, if given, has one value per force, from 0 to half of its rms.
/// @throws InvalidInput likewise.
void check_input_noise(std::string_view function, const Experiments& data,
                       const RefineOptions& options);

/// Checks that M, D, K are n x n, finite and symmetric, and M positive definite.
/// @throws InvalidInput naming the matrix as `name`.M and so on.
void check_start(std::string_view function, std::string_view name, const Matrices& start,
                 Eigen::Index n);

}  // namespace alembert::identify
