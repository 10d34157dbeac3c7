#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/reduce/ranking.hpp"

namespace alembert::reduce {

/// Vectors of the whole structure in levels: the first ends[0] columns are a basis, the first
/// ends[1] a better one, and so on.
struct LevelledVectors {
  Eigen::MatrixXd vectors;
  std::vector<Eigen::Index> ends;
};

/// Responses, then their derivatives by ω², level by level:
///
///   x, (K - ω² M)⁻¹ M x, ((K - ω² M)⁻¹ M)² x, ...
///
/// made orthonormal in M for each response (Arnoldi), since near a natural frequency all of them
/// point along its mode. A small model of `derivatives` + 1 levels is exact at ω, with that many
/// derivatives of the response and as many again by symmetry.
[[nodiscard]] LevelledVectors response_levels(const model::Structure& structure,
                                              const std::vector<ForcedResponse>& responses,
                                              int derivatives);

}  // namespace alembert::reduce
