#pragma once

#include <Eigen/Core>

/// Frequency response functions H (q x p) of p inputs u and q outputs y, y = H u, from their
/// spectral densities at one frequency:
///
///   Suu = E[u uᴴ]  (p x p),   Syu = E[y uᴴ]  (q x p),   Syy = E[y yᴴ]  (q x q)
///
/// All scale each signal to unit power first: units and channels of very different size change
/// nothing. None of them checks that numbers are finite. Each throws InvalidInput if sizes
/// disagree.
namespace alembert::signal {

/// H1 = Syu Suu⁻¹: least squares with all error on the outputs; unbiased with output noise.
/// NaN where Suu is not positive definite; see input_condition().
[[nodiscard]] Eigen::MatrixXcd frf_h1(const Eigen::Ref<const Eigen::MatrixXcd>& Suu,
                                      const Eigen::Ref<const Eigen::MatrixXcd>& Syu);

/// H2 = Syy_ii / conj(Syu_i) of one input, output by output: all error on the input; unbiased with
/// input noise. @param Syy the q densities of the outputs.
[[nodiscard]] Eigen::VectorXcd frf_h2(const Eigen::Ref<const Eigen::VectorXd>& Syy,
                                      const Eigen::Ref<const Eigen::VectorXcd>& Syu);

/// H2 = Syy Suy⁻¹, Suy = Syuᴴ, of as many outputs as inputs. NaN where Syu is singular.
[[nodiscard]] Eigen::MatrixXcd frf_h2(const Eigen::Ref<const Eigen::MatrixXcd>& Syy,
                                      const Eigen::Ref<const Eigen::MatrixXcd>& Syu);

/// Hv, total least squares, output by output [Rocklin1985]: the row [h, -1] that makes
/// E|h u - y_i|² smallest with all signals in units of their scales and the row of unit length,
/// which is the eigenvector to the smallest eigenvalue of the (p+1) x (p+1) spectral matrix.
///
/// With scales proportional to the standard deviations of the noise on each signal it is unbiased
/// with noise on all of them. With scales √Suu_jj and √Syy_ii and one input, |Hv|² = |H1| |H2|.
/// @param Syy the q densities of the outputs.
/// @param input_scales p values > 0. @param output_scales q values > 0.
[[nodiscard]] Eigen::MatrixXcd frf_hv(const Eigen::Ref<const Eigen::MatrixXcd>& Suu,
                                      const Eigen::Ref<const Eigen::MatrixXcd>& Syu,
                                      const Eigen::Ref<const Eigen::VectorXd>& Syy,
                                      const Eigen::Ref<const Eigen::VectorXd>& input_scales,
                                      const Eigen::Ref<const Eigen::VectorXd>& output_scales);

/// γ²_ij = |Syu_ij|² / (Syy_ii Suu_jj), 0..1: the share of the power of output i that goes with
/// input j. NaN where a signal has no power.
[[nodiscard]] Eigen::MatrixXd ordinary_coherence(const Eigen::Ref<const Eigen::MatrixXcd>& Suu,
                                                 const Eigen::Ref<const Eigen::MatrixXcd>& Syu,
                                                 const Eigen::Ref<const Eigen::VectorXd>& Syy);

/// γ²_i = (Syu Suu⁻¹ Suy)_ii / Syy_ii, 0..1: the share that goes with all inputs together.
/// NaN where an output has no power or Suu is not positive definite.
[[nodiscard]] Eigen::VectorXd multiple_coherence(const Eigen::Ref<const Eigen::MatrixXcd>& Suu,
                                                 const Eigen::Ref<const Eigen::MatrixXcd>& Syu,
                                                 const Eigen::Ref<const Eigen::VectorXd>& Syy);

/// Ratio of the largest to the smallest eigenvalue of Suu scaled to a unit diagonal: 1 for
/// uncorrelated inputs, infinite for inputs of which one follows from the others or is zero.
[[nodiscard]] double input_condition(const Eigen::Ref<const Eigen::MatrixXcd>& Suu);

}  // namespace alembert::signal
