#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"
#include "alembert/identify/delay.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/identify/output_error/missing_term.hpp"
#include "alembert/identify/slips/gain_change.hpp"
#include "alembert/identify/verdict.hpp"
#include "alembert/integrate/equation_simulator.hpp"
#include "alembert/optimize/coloured_covariance.hpp"
#include "alembert/optimize/estimate.hpp"
#include "alembert/optimize/multi_start.hpp"
#include "alembert/signal/between_samples.hpp"

/// Parameters of a model given as differential equations, by the output-error method: the
/// simulated output is held against the measured one, whose noise is all that is random
/// [Brunot2017].
namespace alembert::identify {

/// The state at the first sample of each experiment.
enum class StartState {
  Model,    ///< the start values of the model, which may depend on its parameters and the inputs
  Free,     ///< unknown: fitted to each experiment for any parameters, and eliminated
  Data,     ///< outputs that are states: their first sample; the other states as in the model
  Periodic  ///< the steady state of an input that repeats the record, found by shooting
};

constexpr auto enum_names(StartState) {
  return std::to_array<EnumName<StartState>>({{StartState::Model, "model"},
                                              {StartState::Free, "free"},
                                              {StartState::Data, "data"},
                                              {StartState::Periodic, "periodic"}});
}

using integrate::Integrator;

/// How a model is simulated along the records.
struct SimulationOptions {
  signal::BetweenSamples between = signal::BetweenSamples::Held;
  StartState start = StartState::Model;
  /// Steps per sample of RungeKutta4 and Newmark. The other methods choose their steps; cubic and
  /// band-limited inputs are then polynomials through 2·max(substeps, 4) points per sample.
  Eigen::Index substeps = 4;
  Integrator integrator = Integrator::RungeKutta4;  ///< see integrate::Integrator
  double newton_tolerance = 1e-4;                   ///< of Newmark; see RecordTask
  /// Of the methods that choose their steps; see ode::AdaptiveSteps. Nothing: that of the method,
  /// integrate::default_relative_tolerance().
  std::optional<double> relative_tolerance = {};
  double absolute_tolerance = 1e-12;  ///< likewise
  Eigen::VectorXd state_scales = {};  ///< one per state, positive; empty: 1 for all
  double largest_step = 0.0;          ///< s; 0 for no limit
  Eigen::Index max_steps = 1000000;   ///< per record, besides one for each sample
  bool events = false;                ///< DormandPrince ends steps at the kinks of the model
  /// States at the first sample, states x experiments, in place of those of the model where they
  /// are numbers; guesses for Free. Empty: none.
  Eigen::MatrixXd start_values = {};
  /// Of Free: factors of the residuals by which the states are fitted. Empty: those of
  /// OutputErrorOptions::weights.
  Eigen::VectorXd start_weights = {};

  /// The relative tolerance that is used.
  [[nodiscard]] double tolerance() const {
    return relative_tolerance.value_or(integrate::default_relative_tolerance(integrator));
  }
};

/// How a search gets from a poor guess to the neighbourhood of the optimum; see
/// docs/theory/output-error.md, "Starts".
enum class StartStrategy {
  Automatic,     ///< plain; where its residuals are not as noise, the others too; the best is kept
  Plain,         ///< whole records from the guess
  Windows,       ///< multiple shooting: short windows with free start states, joined by and by
  EquationError  ///< regression of the equations on smoothed outputs, where these show all states
};

constexpr auto enum_names(StartStrategy) {
  return std::to_array<EnumName<StartStrategy>>({{StartStrategy::Automatic, "automatic"},
                                                 {StartStrategy::Plain, "plain"},
                                                 {StartStrategy::Windows, "windows"},
                                                 {StartStrategy::EquationError, "equation-error"}});
}
/// The name used in results: "plain", "windows", ...
[[nodiscard]] std::string_view to_string(StartStrategy strategy);

/// What a large residual counts.
enum class Loss {
  Squares,  ///< its square
  Huber,    ///< its square up to 1.345 standard deviations, its size beyond
  Bisquare  ///< less and less, and from 4.685 standard deviations on no more than there
};

constexpr auto enum_names(Loss) {
  return std::to_array<EnumName<Loss>>(
      {{Loss::Squares, "squares"}, {Loss::Huber, "huber"}, {Loss::Bisquare, "bisquare"}});
}

struct OutputErrorOptions {
  SimulationOptions simulation = {};
  /// Factors of the residuals of each output. Empty: one output has the factor 1; several have
  /// one over the standard deviation of the output, and then, in further searches until it stays,
  /// one over the rms of its residuals.
  Eigen::VectorXd weights = {};
  /// Factors of the residuals of each experiment, positive, beside Experiment::weight, which is
  /// that of single samples. Empty: 1.
  Eigen::VectorXd experiment_weights = {};
  /// Huber and Bisquare keep outliers from deciding: weights by the residuals, whose standard
  /// deviation is that of the median of their sizes, renewed until they stay. Bisquare begins where
  /// Huber ends. With Squares, samples far outside of their record are left out if the estimate
  /// from the others misses them by half of their size and 20 standard deviations.
  Loss loss = Loss::Squares;
  optimize::MinimiseOptions search = {.solver = optimize::Solver::LevenbergMarquardt};
  /// Searches from so many starts; the first is the guess.
  Eigen::Index starts = 1;
  std::uint64_t seed = 1;       ///< of the other starts, and of guesses that a strategy draws
  int threads = 0;              ///< of the searches; 0 takes all cores
  OnProgress on_progress = {};  ///< finished searches, of several starts
  /// Spreads the first searches from several starts over all processes of a job; all must call,
  /// and only the first one has a result.
  const Machines* machines = nullptr;
  StartStrategy strategy = StartStrategy::Automatic;
  /// s. Above 0 the estimate is that of windows of about this length with free start states, cut
  /// from all records: for unstable plants, and where small faults of the model add up over a
  /// record. 0: whole records, unless they depart from any simulation.
  double window = 0.0;
  /// The length of the windows is found: the longest one whose residuals have no more than twice
  /// the variance of the best, so that faults of the model do not add up beyond the noise.
  bool find_window = false;
  /// Whether statistics, delays and the error of the steps are wanted; false saves their time where
  /// only the fit is looked at.
  bool statistics = true;
  /// With statistics: look for terms that the equations have not and the residuals show, such as
  /// dry friction. It costs one simulation with sensitivities.
  bool missing_terms = true;
};

/// One way to begin, and the search from there over whole records.
struct StartTrial : Outcome {
  StartStrategy strategy = StartStrategy::Plain;
  double cost = 0.0;     ///< of whole records; infinite if the way led nowhere
  long evaluations = 0;  ///< of the way and the search
};

/// A sample that the estimate does not follow.
struct Outlier {
  std::size_t experiment = 0, output = 0;
  Eigen::Index sample = 0;
  double value = 0.0;       ///< as measured
  double residual = 0.0;    ///< y - ŷ
  double deviations = 0.0;  ///< |residual| over the standard deviation of the others
};

/// A length of windows that was tried.
struct WindowLength {
  double length = 0.0;    ///< s
  double variance = 0.0;  ///< of the weighted residuals, with the start states among the unknowns
};

/// A simulation of all experiments.
struct EquationPrediction : Outcome {
  std::vector<Eigen::MatrixXd> outputs;    ///< N x p
  std::vector<Eigen::MatrixXd> residuals;  ///< y - ŷ, NaN where missing or an outlier
  Eigen::VectorXd rms;                     ///< of the residuals of each output
  Eigen::MatrixXd starts;   ///< states at the first sample x experiments; empty for windows
  bool starts_seen = true;  ///< free starts: whether each experiment tells all its states
};

/// What the data say about the parameters.
struct OutputErrorResult : Outcome {
  Eigen::VectorXd parameters;  ///< in the order of the problem
  double cost = 0.0;           ///< Σ (w (y - ŷ))²
  Eigen::VectorXd weights;     ///< those of the last search
  long evaluations = 0;
  std::vector<std::string> at_bound;        ///< parameters that ended at a bound
  optimize::EstimateStatistics statistics;  ///< for white residuals
  /// For coloured residuals, the ones to trust: the covariance of `coloured`. Empty if it has none.
  optimize::EstimateStatistics robust;
  /// Noise, degrees of freedom and what the deviations are worth, of statistics.names.
  optimize::ColouredCovariance coloured;
  EquationPrediction prediction;
  /// Of prediction.starts, states x experiments, with StartState::Free and statistics; NaN where a
  /// record does not show the state. Else empty.
  Eigen::MatrixXd start_deviations;
  std::vector<ResidualVerdict> outputs;
  Delays delays;  ///< by what is left of the outputs; empty for windows and where equations jump
  std::vector<GainChange> gain_changes;  ///< by output, as the delays
  /// Terms that the equations have not and the residuals show beyond chance, the surest first: more
  /// than 999 of 1000 sound records have none.
  std::vector<UnmodelledTerm> missing_terms;
  /// |Δŷ|/|y - ŷ| over all samples when the substeps are doubled, or the tolerances of a method
  /// that chooses its steps divided by 10: whether they were fine enough.
  double step_error = 0.0;
  std::vector<optimize::Optimum> optima;          ///< of several starts
  StartStrategy strategy = StartStrategy::Plain;  ///< which way won
  std::vector<StartTrial> trials;                 ///< all that were tried, with the first weights
  /// ln of the largest factor by which a change of the start state grows along a record, as far as
  /// windows were tried or the statistics ask for it.
  double growth = 0.0;
  /// 0: whole records. Otherwise windows were asked for, or the records depart from any simulation
  /// as a whole (chaos), and the result is that of so many windows with free start states: cost,
  /// prediction and residuals are those of the windows, and the statistics count their states
  /// among the unknowns.
  Eigen::Index windows = 0;
  std::vector<WindowLength> window_lengths;  ///< that were tried, with find_window
  /// The equations jump along the records (sign or floor) and the integrator does not
  /// end its steps there: the derivatives miss what the jumps do, so that no deviation is known.
  bool jumps = false;
  /// Samples with little or no part in the estimate, the farthest first: with a loss those beyond
  /// five standard deviations of the others. The prediction has no residuals there.
  std::vector<Outlier> outliers;
  /// Factors of the residuals of all samples in the last search, those of the data, of the
  /// experiments and of the loss; 0 where a sample is left out. Empty: 1.
  std::vector<Eigen::MatrixXd> sample_weights;
  std::string note;  ///< what was found about the start, in words

  /// The statistics to show: for coloured residuals where they are known.
  [[nodiscard]] const optimize::EstimateStatistics& trusted() const noexcept {
    return robust.deviations.size() > 0 ? robust : statistics;
  }
};

/// Simulates the experiments with given parameters.
///
/// Status NotFinite if a state leaves the range of numbers, the steps of the integrator fail, or no
/// periodic state is found; the message says which are possible.
/// @throws InvalidInput as output_error().
[[nodiscard]] EquationPrediction simulate_equations(const model::CompiledEquations& model,
                                                    const Eigen::VectorXd& parameters,
                                                    const Experiments& data,
                                                    const SimulationOptions& options = {});

/// The cost Σ (w (y - ŷ))² of whole records, with derivatives, for further work on an estimate such
/// as optimize::profile_interval(). Model and data must outlive it; each thread needs its own.
/// @throws InvalidInput as output_error().
[[nodiscard]] optimize::Objective output_error_objective(const model::CompiledEquations& model,
                                                         const Experiments& data,
                                                         const SimulationOptions& options,
                                                         const Eigen::VectorXd& weights);

/// Estimates parameters: θ = argmin Σ (w (y - ŷ(θ)))². Where none is free, the given ones are
/// simulated and scored.
///
/// @param parameters one for each of model().parameters(), in their order and with their names.
/// @throws InvalidInput if names, channels or sizes do not fit, and as minimise() does.
[[nodiscard]] OutputErrorResult output_error(const model::CompiledEquations& model,
                                             const std::vector<optimize::Parameter>& parameters,
                                             const Experiments& data,
                                             const OutputErrorOptions& options = {});

}  // namespace alembert::identify
