#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/identify/experiment.hpp"
#include "alembert/identify/parametrisation.hpp"
#include "alembert/integrate/one_step_map.hpp"
#include "alembert/model/second_order.hpp"

namespace alembert::identify {

/// Sampled kernels of one window; correlation sums with them are integrals against φ.
struct WeakKernels {
  Eigen::Index half = 0;     ///< W/2 in samples; taps run from -half to half
  Eigen::Index stride = 1;   ///< samples between equations
  Eigen::MatrixXd response;  ///< taps x 3: h φ'', -h φ', h φ
  Eigen::VectorXd force;     ///< taps: the integral of φ (-φ', φ'') against the held input

  /// Number of windows in a record of N samples.
  [[nodiscard]] Eigen::Index positions(Eigen::Index samples) const;
};
/// @param window in s; rounded to an even number of samples.
[[nodiscard]] WeakKernels weak_kernels(double window, double step, model::Motion motion,
                                       signal::BetweenSamples hold);

/// The weak equations M r0 + D r1 + K r2 = f of one experiment, one row per window.
struct WeakRows {
  Eigen::MatrixXd response;  ///< positions x 3n: (r0, r1, r2)
  Eigen::MatrixXd force;     ///< positions x n: f
  Eigen::MatrixXd valid;     ///< positions x n: 1 where equation i is complete, else 0; empty: all
};
/// Correlates all columns of the records with the three response kernels.
[[nodiscard]] Eigen::MatrixXd correlated(const WeakKernels& kernels,
                                         const Eigen::Ref<const Eigen::MatrixXd>& records);
/// @param unknowns says which coordinates each equation needs.
[[nodiscard]] WeakRows weak_rows(const WeakKernels& kernels, const Experiment& experiment,
                                 const Eigen::Ref<const Eigen::MatrixXd>& L,
                                 const Parametrisation& unknowns);

/// Linear equations A θ = b for the unknowns.
struct WeakSystem {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};
/// Sum over experiments, windows and coordinates i of instrument times equation:
///
///   A = Bᵀ (Σ_i w_i E_iᵀ Zᵀ P E_i) B,   b = Bᵀ Σ_i w_i E_iᵀ Zᵀ (f_i - P E_i c)
///
/// where E_i picks row i of (M, D, K) from the stack c + B θ.
/// @param instruments Z of each experiment, positions x 3n; P itself gives least squares.
/// @param weights w of each coordinate's equations.
[[nodiscard]] WeakSystem weak_system(const std::vector<WeakRows>& rows,
                                     const std::vector<Eigen::MatrixXd>& instruments,
                                     const Eigen::Ref<const Eigen::VectorXd>& weights,
                                     const Parametrisation& unknowns);

/// Squares in x = (θ, 1): xᵀ residual x = Σ w_i |P E_i (c + B θ) - f_i|² and xᵀ noise x, its mean
/// if the responses were white noise with the given deviations.
struct WeakPencil {
  Eigen::MatrixXd residual, noise;
};
[[nodiscard]] WeakPencil weak_pencil(const WeakKernels& kernels, const std::vector<WeakRows>& rows,
                                     const Eigen::Ref<const Eigen::VectorXd>& deviations,
                                     const Eigen::Ref<const Eigen::VectorXd>& weights,
                                     const Parametrisation& unknowns);

/// Inverse mean square of the residual f_i - P E_i (c + B θ) of each coordinate's equations: the
/// weights under which the estimate does not depend on the units of the coordinates. A residual
/// below 1e-10 of the equation's terms counts as that.
[[nodiscard]] Eigen::VectorXd equation_weights(const std::vector<WeakRows>& rows,
                                               const Matrices& matrices);

}  // namespace alembert::identify
