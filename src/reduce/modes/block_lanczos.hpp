#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>

#include "reduce/factor/shifted.hpp"

namespace alembert::reduce {

/// How far a run of block Lanczos goes.
struct LanczosOptions {
  Eigen::Index block = 8;    ///< columns that are worked on at a time
  Eigen::Index basis = 200;  ///< most columns of the basis
  double tolerance = 1e-10;  ///< of |OP x - θ x| against |θ|
  std::uint64_t seed = 1;
  /// Whether the converged eigenvalues suffice; asked now and then.
  std::function<bool(const Eigen::VectorXd& converged)> enough;
  Eigen::Index ask_from = 0;  ///< size of the basis at which it is asked first
};

/// Converged eigenpairs, nearest to the shift first.
struct LanczosRun {
  Eigen::VectorXd values;   ///< λ
  Eigen::MatrixXd vectors;  ///< columns x, xᵀ M x = 1
  Eigen::Index solves = 0;  ///< right sides solved for
  bool enough = false;
};

/// Eigenpairs of K x = λ M x near the shift of the factored operator OP = (K - s M)⁻¹ M, whose
/// eigenvalues are θ = 1/(λ - s): block Lanczos with full reorthogonalisation, no restart.
/// @param locked known eigenvectors, orthonormal in M, that are kept out.
[[nodiscard]] LanczosRun block_lanczos(const ShiftedStructure& factored,
                                       const Eigen::MatrixXd& locked,
                                       const LanczosOptions& options);

}  // namespace alembert::reduce
