#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "alembert/identify/acceleration_regression.hpp"
#include "alembert/identify/output_error.hpp"

/// What follows the regression of regress_acceleration(): output error without its bias,
/// comparison of equations, repeatability over records.
namespace alembert::identify {

/// A simulated motion.
struct SimulatedMotion : Outcome {
  Eigen::VectorXd time, displacement, velocity, acceleration;
};

/// Simulates an equation of motion from x0, v0 at samples start_time + k·step.
///
/// By the method of Dormand and Prince with relative tolerance 1e-11, ending steps at the kinks of
/// the equation (friction); inputs are lines between the samples.
/// @param forcing samples x inputs; empty for an equation without inputs.
/// @throws InvalidInput for wrong sizes.
[[nodiscard]] SimulatedMotion simulate_motion(const EquationOfMotion& equation,
                                              const Eigen::VectorXd& parameters, double x0,
                                              double v0, double step, Eigen::Index samples,
                                              const Eigen::MatrixXd& forcing = {},
                                              double start_time = 0.0);

/// How the output error simulates.
enum class RefineSimulation {
  Automatic,   ///< Events if the equation has kinks, else RungeKutta
  RungeKutta,  ///< order 4, fixed steps
  Events       ///< Dormand-Prince, steps end at kinks
};

struct EquationRefineOptions {
  RefineSimulation simulation = RefineSimulation::Automatic;
  /// Runge-Kutta steps per sample; 0 takes as many as give 100 steps per cycle.
  Eigen::Index substeps = 0;
  /// Whether the offset of the acceleration is an unknown; Automatic: as in the regression.
  Choice offset = Choice::Automatic;
  /// Guesses, bounds and fixed parameters by name; those not here are free without bounds.
  std::vector<optimize::Parameter> parameters = {};
  /// Part of the record that is used, from its beginning: 0 < part <= 1.
  double part = 1.0;
  model::EngineKind engine = model::EngineKind::Automatic;
  const StopFlag* stop = nullptr;  ///< looked at before each simulation
};

/// Output error on the acceleration: unknowns are the parameters, x0, v0 and the offset.
struct RefinedEquation : Outcome {
  std::vector<std::string> names;  ///< of the parameters of the equation
  Eigen::VectorXd parameters;
  /// Standard deviations for the residuals found: the larger of white and coloured (sandwich).
  Eigen::VectorXd deviations;
  Eigen::MatrixXd covariance;  ///< of the parameters, for white residuals
  double x0 = 0.0, x0_deviation = 0.0;
  double v0 = 0.0, v0_deviation = 0.0;
  double offset = 0.0, offset_deviation = 0.0;
  bool offset_fitted = false;
  double residual = 0.0;     ///< rms, m/s²
  double aic = 0.0;          ///< N_e ln(rss/N) + 2 n, n unknowns, N_e effective samples
  double bic = 0.0;          ///< N_e ln(rss/N) + n ln N_e
  Eigen::Index samples = 0;  ///< N
  Eigen::Index unknowns = 0;
  /// Parameters that can hardly be told apart, |ρ| > 0.95.
  std::vector<optimize::CorrelatedParameters> correlated;
  OutputErrorResult search;  ///< all that the method knows; unknowns named as there
};

/// Refines what regress_acceleration() found, from its first good window carried back to the first
/// sample, with the mean parameters or those of that window, whichever fit better; or from `start`.
///
/// Where the equation jumps (sign), samples next to a jump are left out: the cost would jump when
/// one passes a sample.
/// @throws InvalidInput for wrong sizes, names or options.
[[nodiscard]] RefinedEquation refine_equation(const EquationOfMotion& equation,
                                              const AccelerationRecord& record,
                                              const AccelerationRegression& regression,
                                              const EquationRefineOptions& options = {});
[[nodiscard]] RefinedEquation refine_equation(const EquationOfMotion& equation,
                                              const AccelerationRecord& record,
                                              const FitGuess& start, bool with_offset,
                                              const EquationRefineOptions& options = {});

/// One equation in a comparison.
struct EquationCandidate {
  std::string name;
  EquationOfMotion equation;
};

struct EquationComparisonOptions {
  RegressionOptions regression = {};  ///< of each equation
  EquationRefineOptions refine = {};  ///< of each equation
  double identification_part = 0.5;   ///< of the record for the test by prediction, from its start
};

/// How well one equation does.
struct EquationScore : Outcome {
  std::string name;
  AccelerationRegression regression;  ///< whole record
  RefinedEquation refined;            ///< whole record
  double aic_difference = 0.0;        ///< to the best
  double bic_difference = 0.0;        ///< to the best
  double weight = 0.0;                ///< Akaike weight: part of exp(-ΔAIC/2)
  /// Rms of A - Â where the equation was not fitted, after a fit of identification_part, m/s²; and
  /// the same over the rms of A there.
  double prediction_error = 0.0;
  double relative_prediction_error = 0.0;
  double predicted_from = 0.0;  ///< s
  Eigen::VectorXd predicted;    ///< acceleration over the whole record by that fit
};

struct EquationComparison : Outcome {
  std::vector<EquationScore> scores;  ///< in the order of the candidates
  std::vector<Eigen::Index> by_bic;   ///< indices, best first; failed ones last
  std::vector<Eigen::Index> by_prediction;
};

/// Ranks scores of one record, which may come from several comparisons. AIC and BIC are computed
/// anew for the largest number of samples: fits of equations with jumps leave some samples out. The
/// share of effective ones is that of the fit with the smallest residuals.
[[nodiscard]] EquationComparison rank_equations(std::vector<EquationScore> scores);

/// Fits all candidates to one record and ranks them.
/// @throws InvalidInput if there is no candidate or identification_part is not in (0, 1).
[[nodiscard]] EquationComparison compare_equations(const std::vector<EquationCandidate>& candidates,
                                                   const AccelerationRecord& record,
                                                   const EquationComparisonOptions& options = {});

/// One parameter over several records.
struct RepeatedParameter {
  std::string name;
  double mean = 0.0;
  double spread = 0.0;           ///< standard deviation over the records
  double relative_spread = 0.0;  ///< spread/|mean|
  double reported = 0.0;         ///< rms of the deviations that the records reported
  double weighted_mean = 0.0;    ///< with weights 1/deviation²
  double weighted_deviation = 0.0;
  double chi_square = 0.0;   ///< Σ ((p_i - weighted mean)/deviation_i)²
  Eigen::Index freedom = 0;  ///< records - 1
  double probability = 0.0;  ///< of a larger χ² if only the reported noise acts
  bool consistent = true;    ///< probability >= 0.01
};

/// @param parameters records x parameters. @param deviations as many, positive.
/// @throws InvalidInput for wrong sizes, fewer than 2 records, or a deviation that is not positive.
[[nodiscard]] std::vector<RepeatedParameter> repeatability(const std::vector<std::string>& names,
                                                           const Eigen::MatrixXd& parameters,
                                                           const Eigen::MatrixXd& deviations);

}  // namespace alembert::identify
