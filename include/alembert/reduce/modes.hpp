#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "alembert/core/status.hpp"
#include "alembert/model/structure/structure.hpp"

/// Undamped modes of structures, K φ = ω² M φ, with a proof that none is missing.
///
/// Shift-invert block Lanczos on sparse LDLᵀ factors. By Sylvester's law of inertia the number of
/// negative pivots of K - s M is that of the eigenvalues below s: counted at both ends of an
/// interval it says how many modes there are, and they are sought until all are found.
namespace alembert::reduce {

/// How modes are sought. The defaults suit all sizes.
struct ModesOptions {
  Eigen::Index block = 0;          ///< columns at a time; 0: 8, or 16 from 100,000 rows on
  Eigen::Index per_shift = 128;    ///< most modes sought from one factorisation of a band
  Eigen::Index dense_below = 600;  ///< up to this size LAPACK takes the matrices as dense
  double tolerance = 1e-10;        ///< of the Lanczos residual against |θ|, θ = 1/(ω² - s)
  bool prove = true;               ///< count by inertia; costs one or two factorisations
  std::uint64_t seed = 1;          ///< of the start block
};

/// Modes in rising order, φᵀ M φ = 1, the largest entry of each shape positive.
struct StructureModes : Outcome {
  Eigen::VectorXd eigenvalue;    ///< ω², rad²/s²
  Eigen::VectorXd frequency_hz;  ///< ω/2π; 0 for rigid-body modes
  Eigen::MatrixXd shapes;        ///< columns φ
  /// |K φ - ω² M φ| / (max(ω², 1e-3 of the largest) |M φ|)
  Eigen::VectorXd residual;
  Eigen::Index counted = -1;  ///< modes up to `proven_to`, by inertia; -1: not counted
  Eigen::Index found = 0;     ///< modes found up to there
  double proven_to_hz = 0.0;  ///< upper end of the interval that was counted
  int factorisations = 0;
  Eigen::Index solves = 0;      ///< right sides solved for
  double factor_entries = 0.0;  ///< numbers in the factors

  [[nodiscard]] bool proven() const { return counted >= 0 && counted == found; }
  [[nodiscard]] Eigen::Index count() const { return eigenvalue.size(); }
};

/// The lowest modes.
/// @param count at least 1; at most a quarter of the rows unless the dense path takes them.
/// @throws InvalidInput if the sizes do not agree, count is out of range, or K or M is indefinite.
[[nodiscard]] StructureModes lowest_modes(const model::SparseMatrix& K,
                                          const model::SparseMatrix& M, Eigen::Index count,
                                          const ModesOptions& options = {});

/// All modes from one frequency up to another; from 0 Hz on with the rigid-body modes.
/// @throws InvalidInput as lowest_modes(), or unless 0 <= from_hz < to_hz.
[[nodiscard]] StructureModes modes_in_band(const model::SparseMatrix& K,
                                           const model::SparseMatrix& M, double from_hz,
                                           double to_hz, const ModesOptions& options = {});

/// The number of modes below a frequency, by inertia alone.
[[nodiscard]] Eigen::Index count_modes_below(const model::SparseMatrix& K,
                                             const model::SparseMatrix& M, double frequency_hz);

}  // namespace alembert::reduce
