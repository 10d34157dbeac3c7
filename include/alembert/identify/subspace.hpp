#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"
#include "alembert/identify/experiment.hpp"

/// Subspace identification of a discrete linear system from input and output records.
namespace alembert::identify {

/// How the projection of the future on the past is weighted before its singular values are taken
/// [VanOverschee1996, ch. 4].
enum class SubspaceWeighting {
  N4sid,  ///< none: the oblique projection, with the future inputs taken off the past too
  Moesp,  ///< future inputs projected out
  Cva     ///< canonical correlations: also scaled by the covariance of the future outputs
};
constexpr auto enum_names(SubspaceWeighting) {
  return std::to_array<EnumName<SubspaceWeighting>>({{SubspaceWeighting::Moesp, "moesp"},
                                                     {SubspaceWeighting::Cva, "cva"},
                                                     {SubspaceWeighting::N4sid, "n4sid"}});
}

struct SubspaceOptions {
  SubspaceWeighting weighting = SubspaceWeighting::Moesp;
  /// n, at most (horizon - 1) times outputs; 0 takes the largest gap of the singular values among
  /// the upper 40 % of those that stand above the noise.
  Eigen::Index order = 0;
  /// Block rows s of past and of future; 0 takes 1.25 periods of the fastest motion in the outputs
  /// as far as the record allows (2.5 Hankel columns per row). A quarter period is the least that
  /// works; longer ones average more noise at a cost of s³.
  Eigen::Index horizon = 0;
  /// Block rows are this many samples apart, columns at every sample. For inputs that are smooth
  /// over a stride; what a rough input does between the rows is lost.
  Eigen::Index stride = 1;
  bool feedthrough = true;  ///< estimate J; else J = 0
  bool innovation = true;   ///< also estimate the Kalman gain
  /// Threads; 0 takes all cores. They pay from 10,000 samples on; the result is the same.
  int threads = 0;
};

/// x(k+1) = F x(k) + G u(k) + Kg e(k),  y(k) = H x(k) + J u(k) + e(k), cov e = noise.
/// With stride r the step from k to k + 1 is r samples long.
struct DiscreteModel {
  Eigen::MatrixXd F, G, H, J;
  Eigen::MatrixXd gain;   ///< Kg; empty unless asked for
  Eigen::MatrixXd noise;  ///< covariance of the innovations; of the output error without gain
  Eigen::MatrixXd start;  ///< state at the first sample of each experiment, order x experiments
  double step = 0.0;      ///< s, stride included
};

/// How well the input excites, from the input block Hankel matrix with 2s block rows.
struct Excitation {
  Eigen::Index rank = 0;   ///< singular values above 1e-6 of the largest
  Eigen::Index full = 0;   ///< rows
  double condition = 0.0;  ///< largest by smallest; a lower bound beyond 1e6
};

struct SubspaceModel : Outcome {
  DiscreteModel model;
  Eigen::Index order = 0, horizon = 0;
  Eigen::VectorXd singular_values;  ///< of the weighted projection
  Excitation excitation;
  std::vector<std::string> warnings;
};
/// Identifies a discrete state-space model from one or several experiments.
///
/// The block Hankel matrix of inputs and outputs is compressed to a triangle, at a cost linear in
/// the number of samples N and in memory that does not depend on N. The observability matrix comes
/// from the singular vectors of a weighted projection, F and H from its shift structure, G, J and
/// the start states from least squares on the simulated output, the Kalman gain from the residuals
/// of the state sequences. Channels are scaled by their rms first: units change nothing. The
/// outputs should have no offset (see signal/detrend.hpp); one shows as a pole at 1.
///
/// The first call in a process readies OpenBLAS: one thread, and kernels for this processor unless
/// the environment variable OPENBLAS_CORETYPE names some. No other thread should be inside OpenBLAS
/// then.
///
/// Experiments without inputs (N x 0) are allowed: the model is then that of the noise alone.
/// Status NotIdentifiable if no singular value stands above the noise, or if the inputs cannot be
/// told apart (the message names them); Unstable if a pole has a magnitude above 1; NotFinite. The
/// model is kept in the first two cases.
/// @throws InvalidInput for missing samples, a record shorter than the horizon needs, or an order
///   beyond horizon times outputs.
SubspaceModel subspace(const Experiments& data, const SubspaceOptions& options = {});

/// Poles over model orders: one row per pole.
struct StabilisationRow {
  Eigen::Index order = 0;
  double frequency_hz = 0.0;
  double damping = 0.0;           ///< ratio
  bool stable_frequency = false;  ///< within 1 % of a pole of the next lower order
  bool stable_damping = false;    ///< and within 5 % in damping
  bool stable_shape = false;      ///< and modal assurance above 0.98
};
/// The stabilisation table for orders 2, 4, ..., highest from one compression of the data: the
/// oscillating poles of each order (one of each pair), ascending in frequency. A pole is compared
/// with the nearest in frequency of the next lower order. options.order has no effect.
/// @throws InvalidInput as subspace(), or if highest < 2.
[[nodiscard]] std::vector<StabilisationRow> stabilisation(const Experiments& data,
                                                          Eigen::Index highest,
                                                          const SubspaceOptions& options = {});

}  // namespace alembert::identify
