#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "identify/subspace/hankel.hpp"

/// G, J and the start states by least squares on the simulated output.
namespace alembert::identify::realisation {

/// F = V Λ V⁻¹ with real block-diagonal Λ: a block λ for a real pole, (a b; -b a) for a pair
/// a ± i b.
struct RealModes {
  Eigen::MatrixXd V;
  std::vector<std::complex<double>> poles;  ///< one for each state; a pair stands at its first
  std::vector<Eigen::Index> block;          ///< first state of the block of each state
  double condition = 0.0;                   ///< of V
};
[[nodiscard]] RealModes real_modes(const Eigen::Ref<const Eigen::MatrixXd>& F);

/// All in the scaled channels.
struct InputFit {
  Eigen::MatrixXd G, J;
  Eigen::MatrixXd start;              ///< state at the first sample of each sequence
  Eigen::MatrixXd covariance;         ///< of the output error y - ŷ
  double reciprocal_condition = 0.0;  ///< of the scaled normal matrix; tiny: not identifiable
};

/// Minimises Σ |y - ŷ|² over G, J and the start of each sequence:
///
///   ŷ(k) = H (F^k x(0) + Σ_i F^(k-1-i) G u(i)) + J u(k)
///
/// In the modes of F the response to entry (l, j) of V⁻¹G is input j filtered by the pole l, seen
/// through column l of H V. The normal equations are therefore made of products of the filtered
/// inputs, n m columns, without regard to the number of outputs, and start states are eliminated
/// sequence by sequence. One correction with the residuals of the first solution restores the
/// digits that normal equations lose. Unstable modes are simulated in pieces, each with a start.
/// @param threads for long records; 0 takes all cores. The digits do not depend on it.
[[nodiscard]] InputFit fit_inputs(const std::vector<Sequence>& data, const ChannelScales& scales,
                                  const RealModes& modes, const Eigen::MatrixXd& H,
                                  bool feedthrough, int threads = 0);

}  // namespace alembert::identify::realisation
