#pragma once

#include <Eigen/Core>
#include <limits>

#include "alembert/core/random.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/identify/parametrisation.hpp"
#include "alembert/identify/refine.hpp"
#include "alembert/model/second_order.hpp"

/// Simulated experiments on linear systems, for the reproductions of published identifications.
namespace alembert::reproductions::variational {

/// How the forces of a simulated experiment run.
enum class ForceKind {
  Spline,  ///< independent not-a-knot cubic splines through N(0, 1) knots
  Binary   ///< independent random +-1, held for a clock period
};

/// A system, its sensors and an experiment on it; starts at rest.
struct LinearCase {
  model::SecondOrder system;
  model::OutputMap outputs;
  double step = 0.0;         ///< h in s
  Eigen::Index samples = 0;  ///< N
  ForceKind force = ForceKind::Spline;
  double spacing = 0.0;  ///< of knots or clock in s; 0: one in each sample
  double snr_db = std::numeric_limits<double>::infinity();  ///< of every output
  /// The simulation runs on this step, a divisor of `step` on which the knots fall, so that it is
  /// exact; 0 takes `step`.
  double base_step = 0.0;
};

/// One data set: new forces and new noise for each random stream.
struct SimulatedCase {
  identify::Experiments data;
  Eigen::VectorXd noise;  ///< true standard deviation on each output; 0 without noise
};
[[nodiscard]] SimulatedCase simulate_case(const LinearCase& linear, const RandomStream& random);

/// Displacements of all coordinates.
[[nodiscard]] model::OutputMap all_displacements(const model::SecondOrder& system);

using identify::matrices_of;

/// The problem of finding all entries of M, D, K.
[[nodiscard]] identify::LinearProblem free_problem(const LinearCase& linear);

/// Square root of the expected square of identify::relative_differences() for a covariance of
/// stacked(M, D, K).
[[nodiscard]] Eigen::Vector3d relative_deviations(const Eigen::MatrixXd& matrix_covariance,
                                                  const identify::Matrices& truth);

/// Mean over the outputs of (residual rms / true noise)²: 1 at the truth.
[[nodiscard]] double noise_ratio(const Eigen::VectorXd& residual, const Eigen::VectorXd& noise);

}  // namespace alembert::reproductions::variational
