#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/status.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/identify/alternatives.hpp"
#include "alembert/identify/input_share.hpp"
#include "alembert/identify/output_error.hpp"
#include "alembert/model/equations.hpp"
#include "alembert/optimize/profile.hpp"

/// Parameters of differential equations given as text, from arrays, in one call: search,
/// statistics, held-back data, profiles, correlation of the residuals with the inputs, and what may
/// surprise in words. The method is that of output_error.hpp.
namespace alembert::identify {

/// The state at the first sample of held-back experiments.
enum class ValidationStart {
  Model,     ///< the start values of the model
  Periodic,  ///< the steady state of a periodic record
  Estimate,  ///< fitted to the first samples with the parameters held
  Free,      ///< fitted to all samples with the parameters held
  Data,      ///< outputs that are states: their first sample; the other states as in the model
  Continue   ///< where the data used end, of which the held-back ones are the last part
};
constexpr auto enum_names(ValidationStart) {
  return std::to_array<EnumName<ValidationStart>>({{ValidationStart::Model, "model"},
                                                   {ValidationStart::Periodic, "periodic"},
                                                   {ValidationStart::Estimate, "estimate"},
                                                   {ValidationStart::Free, "free"},
                                                   {ValidationStart::Data, "data"},
                                                   {ValidationStart::Continue, "continue"}});
}

/// Samples for each state that ValidationStart::Estimate looks at unless told otherwise.
inline constexpr Eigen::Index kStartSamplesPerState = 10;

/// How held-back data are simulated and scored.
struct ValidationSettings {
  ValidationStart start = ValidationStart::Model;
  /// Samples that Estimate looks at; 0 takes kStartSamplesPerState for each state.
  Eigen::Index start_samples = 0;
  Eigen::Index skip = 0;  ///< samples at the beginning that are not scored
  /// s. Above 0 the records are cut into windows of about this length, each from the state that
  /// fits it best with the parameters held, in place of `start`: for unstable, drifting and
  /// integrating plants.
  double window = 0.0;
  /// Each window goes on from where the one before ends, so that it is predicted without a look at
  /// it: up to one window ahead. The first window is not scored.
  bool ahead = false;
};

/// What the texts of a fit call the options that they advise to change. A program with names of its
/// own for them gives these.
struct EquationFitNames {
  std::string max_evaluations = "output_error.search.max_evaluations";
  std::string starts = "output_error.starts";
  std::string substeps = "output_error.simulation.substeps";
  std::string relative_tolerance = "output_error.simulation.relative_tolerance";
  std::string start_samples = "validation.start_samples";
  std::string window = "output_error.window";
  std::string loss = "output_error.loss = Huber";
  std::string compare = "compare";  ///< "": other equations cannot be compared in the same call
  std::string events =
      "output_error.simulation.events = true with output_error.simulation.integrator = "
      "DormandPrince";
};

/// Another set of equations for the same data, with the same inputs, outputs and constants.
struct EquationSet {
  std::string name;
  std::string equations;
  std::vector<optimize::Parameter> parameters;
  /// Start values; states without one take that of the first set where it has the state.
  std::vector<model::EquationStart> starts = {};
};

/// What a set of equations knows of the setup of another: inputs, outputs, constants, tables, and
/// the start values of states that it has and does not give itself. Units are not checked.
/// @throws model::EquationError for a text that breaks a rule of the language.
[[nodiscard]] model::EquationSetup setup_of(const EquationSet& set,
                                            const model::EquationSetup& given);

struct EquationFitOptions {
  OutputErrorOptions output_error = {};  ///< simulation, weights, search; threads and stop of all
  /// Free parameters whose profile-likelihood interval is wanted: the values that the data do not
  /// exclude at 95 %, all others fitted anew. It takes some ten further searches for each.
  std::vector<std::string> profiles = {};
  Experiments held_back = {};  ///< to be simulated with the parameters found
  ValidationSettings validation = {};
  model::EngineKind engine = model::EngineKind::Automatic;
  EquationFitNames names = {};
  /// Fit with the inputs held, linear and cubic between samples too, and take what clearly fits
  /// best: for data of which it is not known.
  bool compare_holds = false;
  /// Fitted to the same data and scored beside it.
  std::vector<EquationSet> compare = {};
  /// Where the fit is bad, look for the slip behind it: see find_alternatives().
  bool alternatives = true;
};

/// The simulation of held-back data with the parameters found.
struct EquationValidation {
  EquationPrediction prediction;
  std::vector<ResidualVerdict> outputs;  ///< without the samples that are skipped
  /// Rms of each output by which the prediction may be off since the data do not tell the
  /// parameters better, exceeded in 1 of 1000 sound records. 0 if that is not known, and where
  /// the prediction is as good as the fit, so that nobody asks.
  Eigen::VectorXd unsure;
  /// The states at the first sample of each experiment, where they are not those of the model.
  std::vector<Eigen::VectorXd> starts;
  std::vector<std::string> warnings;
};

/// How the data fit with inputs that do this between samples.
struct HoldScore {
  signal::BetweenSamples between = signal::BetweenSamples::Held;
  double residual = 0.0;  ///< geometric mean over the outputs of the rms of their residuals
  bool used = false;      ///< by the result
};

/// How one of several sets of equations does on the same data.
///
///   AIC = Σ n ln s² + 2 p,   BIC = Σ n ln s² + p ln Σn,   over the outputs,
///
/// s the rms of the residuals, n the samples that count as independent in the set that leaves
/// least.
struct EquationSetScore : Outcome {
  std::string name;  ///< "model" for the equations of the fit itself
  std::vector<std::string> parameter_names;
  Eigen::VectorXd parameters;
  Eigen::Index unknowns = 0;      ///< p: free parameters, and start states that were fitted
  Eigen::VectorXd rms;            ///< of the residuals of each output
  Eigen::VectorXd held_back_rms;  ///< the same for held-back data; empty without any
  double residual = 0.0;          ///< geometric mean of rms; infinite if nothing was found
  double held_back = 0.0;         ///< geometric mean of held_back_rms; infinite without any
  double aic_difference = 0.0;    ///< to the best set; infinite if nothing was found
  double bic_difference = 0.0;    ///< likewise
};

/// The profile-likelihood interval of one parameter.
struct ParameterProfile {
  std::string name;
  optimize::ProfileInterval interval;
  double limit = 0.0;  ///< the cost at its ends
};

/// Correlation of the residuals of an output with an input: what the model misses between them.
///
///   ρ_k = Σ e(t) u(t - k)/√(Σ e(t)² Σ u(t - k)²),  u without its mean
///
/// For white residuals that know nothing of the input √n ρ_k is normal, n pairs at lag k.
struct InputCorrelation {
  std::size_t output = 0, input = 0;  ///< places in the model
  Eigen::VectorXd values;             ///< ρ at lags 0, 1, ...
  Eigen::Index lag = 0;               ///< of the largest √n |ρ|
  double p_value = 1.0;               ///< of that one among all lags (Bonferroni)
};
/// Of every output with every input, over all experiments.
[[nodiscard]] std::vector<InputCorrelation> input_correlations(
    const Experiments& data, const std::vector<Eigen::MatrixXd>& residuals, Eigen::Index lags = 25);

/// What is known of one parameter after the estimation.
struct ParameterVerdict {
  enum class Role { Free, Fixed, Tied, AtBound } role = Role::Free;
  double value = 0.0;
  /// Standard deviation, whatever the colour of the residuals; 0 if fixed, NaN if not known.
  double deviation = 0.0;
  double white = 0.0;    ///< the same if the residuals were white
  double freedom = 0.0;  ///< degrees of freedom of the deviation; 0 if there is none
  optimize::Knowledge knowledge = optimize::Knowledge::Known;  ///< what the deviation is worth
  /// Half of the 95 % interval: Student's quantile times the deviation.
  double margin = 0.0;
};
constexpr auto enum_names(ParameterVerdict::Role) {
  using Role = ParameterVerdict::Role;
  return std::to_array<EnumName<Role>>({{Role::Free, "free"},
                                        {Role::Fixed, "fixed"},
                                        {Role::Tied, "tied"},
                                        {Role::AtBound, "at-bound"}});
}

/// What was found. Its status is that of the search, then that of the statistics.
struct EquationFit : Outcome {
  std::vector<optimize::Parameter> parameters;  ///< as they were given
  std::vector<std::string> input_names, output_names;
  OutputErrorResult estimate;
  /// As it was used in the end: where the steps that were asked for change the simulation by more
  /// than a hundredth of the residual, they are halved up to three times.
  SimulationOptions simulation;
  std::vector<InputCorrelation> inputs;  ///< how the residuals follow the inputs
  std::optional<EquationValidation> validation;
  std::vector<ParameterProfile> profiles;    ///< as asked for; none if the search failed
  std::vector<HoldScore> holds;              ///< the best first; empty unless asked for
  std::vector<EquationSetScore> comparison;  ///< this set first; empty without others
  std::vector<InputShare> input_shares;      ///< what the inputs still explain of each output
  std::vector<Alternative> alternatives;     ///< that fit better, where the fit is bad
  std::vector<std::string> warnings;         ///< what may surprise, in words
  Verdict verdict;                           ///< with the warnings among its reasons
  std::vector<std::string> remarks;          ///< what is worth knowing
  std::string engine;                        ///< "interpreter" or "native code"
  double compile_seconds = 0.0;
  double search_seconds = 0.0;
  double profile_seconds = 0.0;

  /// Whether there is a simulation of the data to show.
  [[nodiscard]] bool has_prediction() const noexcept {
    return !estimate.prediction.outputs.empty() && estimate.prediction.ok();
  }
  /// The verdict on the parameter of a name. @throws InvalidInput if there is none.
  [[nodiscard]] ParameterVerdict parameter(std::string_view name) const;
  /// Parameters with 95 % intervals, fit of each output, held-back data, warnings: some lines of
  /// plain text.
  [[nodiscard]] std::string summary() const;
};

/// The verdict on parameter `index`.
[[nodiscard]] ParameterVerdict parameter_verdict(const EquationFit& fit, std::size_t index);

/// How many outliers each output has and where the farthest one is, as text; "" without any.
/// @param data the experiments of the fit.
[[nodiscard]] std::string outlier_words(const EquationFit& fit, const Experiments& data);

/// A fit in per cent as text, "86.7" or "below -1000".
[[nodiscard]] std::string fit_words(double fit);

/// Estimates the parameters of equations, judges them and simulates the held-back data.
///
/// @param equations the text, see docs/equations.md.
/// @param setup inputs and outputs in the order of the columns of the data, constants, start
/// values. Without parameters it takes those of `parameters`.
/// @param parameters guesses and bounds, in the order of the setup.
/// @throws model::EquationError for a text that breaks a rule of the language; InvalidInput with
/// the argument "engine" if native code is demanded and cannot be had, else as output_error() does.
[[nodiscard]] EquationFit fit_equations(std::string_view equations,
                                        const model::EquationSetup& setup,
                                        const std::vector<optimize::Parameter>& parameters,
                                        const Experiments& data,
                                        const EquationFitOptions& options = {});

}  // namespace alembert::identify
