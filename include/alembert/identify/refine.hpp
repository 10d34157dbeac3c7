#pragma once

#include <Eigen/Core>
#include <vector>

#include "alembert/core/progress.hpp"
#include "alembert/core/status.hpp"
#include "alembert/identify/delay.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/identify/parametrisation.hpp"
#include "alembert/identify/slips/gain_change.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/model/second_order.hpp"
#include "alembert/optimize/coloured_covariance.hpp"

/// Structured prediction-error refinement: the symmetric M, D, K that predict the responses best.
namespace alembert::identify {

/// What is known besides the data.
struct LinearProblem {
  Eigen::MatrixXd L;         ///< n x m force distribution
  model::OutputMap outputs;  ///< what the sensors see, p x n
  Parametrisation unknowns;  ///< of M, D, K
};

/// How sensitivities are computed. Both ways give the same numbers.
enum class Sensitivities {
  Automatic,  ///< from modal signals; directly where poles are defective or nearly so
  Direct      ///< by the recursion of each sensitivity: slower, for checks
};

struct RefineOptions {
  integrate::Method method = integrate::Method::Exact;          ///< Exact, Variational or Gauss
  signal::BetweenSamples hold = signal::BetweenSamples::Cubic;  ///< of Exact and Gauss
  int gauss_stages = 2;                                         ///< of Gauss, 1 to 3
  bool free_start = true;        ///< estimate q(0), q'(0) of each experiment; false: at rest
  Eigen::VectorXd weights = {};  ///< 1/σ of each output; empty: from the residuals, updated
  int weight_updates = 2;        ///< after the cost has settled to 1e-3
  /// σ of white noise on each measured force (one value: on all), >= 0 and at most half of its rms;
  /// empty: they are exact. What the noise adds to the cost is taken off: without that M, D and K
  /// come out too large.
  Eigen::VectorXd input_noise = {};
  int max_iterations = 200;       ///< of the search
  double tolerance = 1e-9;        ///< relative decrease of the cost
  bool enforce_positive = true;   ///< clip and polish when D or K comes out indefinite
  bool compute_residuals = true;  ///< predictions and residuals of all experiments
  /// Deviations for coloured residuals (optimize/coloured_covariance.hpp). False: for white ones.
  bool coloured = true;
  Sensitivities sensitivities = Sensitivities::Automatic;
  const StopFlag* stop = nullptr;
  OnProgress on_progress = {};
};

/// The refined system and how sure it is.
///
/// Cost: J(θ) = Σ (w e)², e = y - ŷ(θ), over all measured samples, less what noise on the forces
/// adds to it where `input_noise` is given. Covariance of θ and of the start states: for coloured
/// residuals, or (Jᵀ W J)⁻¹ with W = diag(1/σ̂²), σ̂² = Σ e²/(N - P/p) per output, where these are
/// not asked for, the data cannot tell unknowns apart, or N p P > 3e7. Status: Success;
/// NotConverged after max_iterations; NotIdentifiable if the scaled normal matrix is singular (the
/// message names the unknowns involved, infinite variances mark them); Indefinite if D or K is not
/// positive semidefinite and was not enforced; NotFinite if the motion of the start overflows;
/// Stopped. Where positivity was enforced, the covariance is that of the free unknowns at the
/// point.
struct Refinement : Outcome {
  model::SecondOrder system;
  Eigen::VectorXd theta;
  Eigen::MatrixXd covariance;         ///< of θ, size x size
  Eigen::MatrixXd matrix_covariance;  ///< of stacked(M, D, K)
  Eigen::MatrixXd start;              ///< 2n x experiments: (q(0), q'(0))
  Eigen::MatrixXd start_covariance;   ///< joint covariance of θ and all start states, (size+2nE)²
  Eigen::MatrixXd white_covariance;   ///< of θ if the residuals were white: (Jᵀ W J)⁻¹
  /// Of θ and the start states (q, q'): degrees of freedom, and what the deviations are worth.
  /// Empty where the covariance is that for white residuals.
  optimize::ColouredCovariance coloured;
  Delays delays;  ///< by what is left of the outputs, where `coloured` is there
  std::vector<GainChange> gain_changes;  ///< by output, as the delays
  Eigen::VectorXd noise;                 ///< σ̂ of each output
  /// Unmeasured forces at the places of the measured ones that the residuals show, as a part of the
  /// rms of these; 0: none seen. Deviations hold them. They may be noise of the force sensors.
  double force_noise = 0.0;
  /// What θ would move by if that noise, as far as the spectra of the measured forces allow it,
  /// were taken off (input_noise). Empty where it is given or none is seen.
  Eigen::VectorXd force_shift;
  double cost = 0.0;  ///< Σ (w e)² at the end, weights 1/σ̂
  std::vector<double> cost_history;
  int iterations = 0;
  double condition = 0.0;  ///< of the scaled sensitivities, √(cond Jᵀ J)
  bool positive_enforced = false;
  Matrices free_matrices;  ///< before positivity was enforced; empty otherwise
  /// Σ N ln(σ̂²/σ̂²_free) over the outputs: what enforcing it cost, in units of the χ² of a
  /// likelihood-ratio test; 0 if nothing was enforced.
  double enforcement_cost = 0.0;
  std::vector<Eigen::MatrixXd> predictions;  ///< ŷ of each experiment, N x p
  std::vector<Eigen::MatrixXd> residuals;    ///< y - ŷ; NaN where missing
};

/// Levenberg-Marquardt from a start. Cost O(N (n m)²) per iteration; the sensitivities are never
/// stored; docs/theory/refinement.md. One thread.
/// @param start M, D, K to begin with; only M must be positive definite.
/// @throws InvalidInput if sizes disagree or the data break check_experiments().
Refinement refine(const LinearProblem& problem, const Experiments& data, const Matrices& start,
                  const RefineOptions& options = {});

/// Cost and start states of a given system on the data: simulation with start states by least
/// squares (or zero), weights as in refine() from its own residuals when none are given.
struct Prediction {
  Eigen::MatrixXd start;                     ///< 2n x experiments
  std::vector<Eigen::MatrixXd> predictions;  ///< N x p each
  std::vector<Eigen::MatrixXd> residuals;
  Eigen::VectorXd noise;  ///< rms of the residuals of each output
};
/// @throws InvalidInput as refine().
Prediction predict(const model::SecondOrder& system, const model::OutputMap& outputs,
                   const Experiments& data, const RefineOptions& options = {});

/// Cramer-Rao bound: the covariance of θ (first) and the start states at the given system, for
/// white noise of standard deviation σ on each output. Variances are infinite where the data cannot
/// tell; the status is then NotIdentifiable. The start states, if free, are those that fit the
/// outputs best; otherwise the outputs only say which samples are measured.
struct Bound : Outcome {
  Eigen::MatrixXd covariance;         ///< of θ
  Eigen::MatrixXd matrix_covariance;  ///< of stacked(M, D, K)
  double condition = 0.0;             ///< of the scaled sensitivities
  Eigen::VectorXd weakest;            ///< θ-direction of the smallest eigenvalue, scaled
};
Bound cramer_rao_bound(const LinearProblem& problem, const Experiments& data, const Matrices& truth,
                       const Eigen::Ref<const Eigen::VectorXd>& noise,
                       const RefineOptions& options = {});

}  // namespace alembert::identify
