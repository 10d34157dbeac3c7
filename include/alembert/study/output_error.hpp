#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/identify/output_error.hpp"
#include "alembert/optimize/profile.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/simulate.hpp"

/// The task [identify] with method = "output-error": parameters of a model given as equations.
namespace alembert::study {

/// The state at the first sample of held-back experiments.
enum class ValidationStart {
  Model,     ///< the start values of the model
  Periodic,  ///< the steady state of a periodic record
  Estimate,  ///< fitted to the first samples with the parameters held
  Data,      ///< outputs that are states: their first sample; the other states as in the model
  Continue   ///< where the data used end, of which the held-back ones are the last part
};
/// The name used in studies and results: "model", "periodic", ...
[[nodiscard]] std::string to_string(ValidationStart start);

/// How held-back data are simulated and scored.
struct ValidationSettings {
  ValidationStart start = ValidationStart::Model;
  Eigen::Index start_samples = 0;  ///< that Estimate looks at
  Eigen::Index skip = 0;           ///< samples at the beginning that are not scored
};

/// Everything that the task needs, read from a study and checked.
struct OutputErrorStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  std::string equations;               ///< text of the model
  model::EquationSetup setup;          ///< what the study says about its names
  model::EquationModel model{nullptr};
  model::EngineKind engine = model::EngineKind::Automatic;
  std::vector<ColumnUse> inputs, outputs;       ///< in the order of the model
  std::vector<optimize::Parameter> parameters;  ///< in the order of the model
  std::vector<std::string> parameter_units;     ///< "" where not known
  identify::OutputErrorOptions options;
  std::vector<std::string> profiles;  ///< parameters whose profile-likelihood interval is wanted
  MeasuredData data;                  ///< to identify from
  MeasuredData validation;            ///< held back; may be empty
  ValidationSettings held_back;
  std::vector<std::string> notes;

  [[nodiscard]] double step() const { return data.experiments.front().step; }
};

/// The simulation of held-back data with the parameters found.
struct EquationValidation {
  identify::EquationPrediction prediction;
  std::vector<identify::ResidualVerdict> outputs;  ///< without the samples that are skipped
  /// The states at the first sample of each experiment, where they are not those of the model.
  std::vector<Eigen::VectorXd> starts;
  std::vector<std::string> warnings;
};

/// The profile-likelihood interval of one parameter: the values that the data do not exclude at
/// 95 %, all other parameters fitted anew.
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
  std::size_t output = 0, input = 0;  ///< places in the study
  Eigen::VectorXd values;             ///< ρ at lags 0, 1, ...
  Eigen::Index lag = 0;               ///< of the largest √n |ρ|
  double p_value = 1.0;               ///< of that one among all lags (Bonferroni)
};
/// Of every output with every input, over all experiments.
[[nodiscard]] std::vector<InputCorrelation> input_correlations(
    const identify::Experiments& data, const std::vector<Eigen::MatrixXd>& residuals,
    Eigen::Index lags = 25);

/// What was found. Its status is that of the search, then that of the statistics.
struct OutputErrorOutcome : Outcome {
  OutputErrorStudy study;
  identify::OutputErrorResult estimate;
  std::optional<EquationValidation> validation;
  std::vector<InputCorrelation> inputs;    ///< how the residuals follow the inputs
  std::vector<ParameterProfile> profiles;  ///< as asked for; none if the search failed
  std::vector<std::string> warnings;
  std::string engine;            ///< "interpreter" or "native code"; not in result files
  double compile_seconds = 0.0;  ///< not in result files
  double search_seconds = 0.0;   ///< not in result files
  double profile_seconds = 0.0;  ///< not in result files

  /// Whether there is a simulation of the data to show.
  [[nodiscard]] bool has_prediction() const noexcept {
    return !estimate.prediction.outputs.empty() && estimate.prediction.ok();
  }
};

/// What is known of one parameter after the estimation.
struct ParameterVerdict {
  enum class Role { Free, Fixed, Tied, AtBound } role = Role::Free;
  double value = 0.0;
  double deviation = 0.0;  ///< for white residuals; 0 if fixed, NaN if not known
  double robust = 0.0;     ///< for coloured residuals; the same
  /// Half of the 95 % interval: Student's quantile times the robust deviation if the residuals are
  /// not white, else times the other one.
  double margin = 0.0;
};
/// The name used in results: "free", "fixed", "tied", "at-bound".
[[nodiscard]] std::string to_string(ParameterVerdict::Role role);
/// Parameter `index` of the study.
/// A fit in per cent as text, "86.7" or "below -1000".
[[nodiscard]] std::string fit_words(double fit);

[[nodiscard]] ParameterVerdict parameter_verdict(const OutputErrorOutcome& result,
                                                 std::size_t index);

/// Estimates the parameters, judges them and simulates the held-back data.
///
/// Several starts are spread over machines; the whole result is on the first one, the others hold
/// nothing of use. It is the same for any number of them.
/// @throws StudyError or DataError if the methods cannot use what the study asks for.
[[nodiscard]] OutputErrorOutcome run_output_error(const OutputErrorStudy& study,
                                                  const RunOptions& options = {},
                                                  const Machines* machines = nullptr);

/// Writes result.json, prediction.csv and validation.csv (numbered with several experiments) into
/// an existing folder. @throws DataError if a file cannot be written.
void write_output_error_result(const OutputErrorOutcome& result,
                               const std::filesystem::path& folder);

}  // namespace alembert::study
