#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/identify/partial_sensing.hpp"
#include "alembert/identify/refine.hpp"
#include "alembert/identify/to_continuous.hpp"
#include "alembert/identify/variational.hpp"
#include "alembert/identify/verdict.hpp"
#include "alembert/identify/weak_form.hpp"
#include "alembert/study/linear_model.hpp"
#include "alembert/study/measured_data.hpp"
#include "alembert/study/simulate.hpp"

/// The task [identify]: M, D and K from records of forces and responses.
namespace alembert::study {

/// A measured output: Σ weights(i) x(i), with x the displacements, velocities or accelerations.
struct OutputSensor {
  ColumnUse column;
  model::Motion motion = model::Motion::Displacement;
  std::string place;             ///< where, in words: "q1", "q1 - q2"
  Eigen::VectorXd weights;       ///< n
  Eigen::Index coordinate = -1;  ///< that it measures alone with weight 1; -1: a combination
  std::optional<double> sigma;   ///< known noise, in the model's unit
};

/// The first estimate.
enum class StartMethod { WeakForm, Partial, Subspace, Published, Model };
/// The name used in studies and results: "weak-form", ...
[[nodiscard]] std::string to_string(StartMethod method);

/// Another way to M, D, K on the same data.
enum class RivalMethod {
  WeakForm,        ///< weak form without refinement
  Rival,           ///< subspace, matrix logarithm, projection
  PublishedStart,  ///< published pipeline up to its structured start
  Published,       ///< the same, then refinement by the midpoint rule
  GreyBox,         ///< exact refinement from the nominal model
  Exact,           ///< refinement by this rule from the main start
  Midpoint,
  Gauss
};
/// The name used in studies and results: "weak-form", "rival", ...
[[nodiscard]] std::string to_string(RivalMethod method);

/// How to identify.
struct IdentifySettings {
  StartMethod start = StartMethod::WeakForm;
  /// Tried where the first one, which the study did not name, leads nowhere.
  std::optional<StartMethod> second_start;
  bool refine = true;
  identify::RefineOptions refinement;  ///< method, hold, weights, ...
  double window = 0.0;                 ///< s; 0: automatic
  int candidates = 10;                 ///< of the start for partial sensing
  identify::SubspaceOptions subspace;  ///< horizon, weighting
  identify::MassScaling mass_scaling = identify::MassScaling::Markov;
  identify::VariationalInput published_input = identify::VariationalInput::DiscreteForce;
  std::vector<RivalMethod> compare;
};

/// Everything that [identify] needs, read from a study and checked.
struct IdentifyStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  LinearModel model;                   ///< L, names, units; M, D, K: nominal ones, or empty
  std::vector<ColumnUse> inputs;       ///< one per model input
  std::vector<OutputSensor> outputs;
  identify::Parametrisation unknowns;
  std::string structure;  ///< of the unknowns, in words
  IdentifySettings settings;
  MeasuredData data;        ///< to identify from
  MeasuredData validation;  ///< held back; may be empty
  std::optional<identify::Matrices> truth;
  std::vector<identify::DataRemark> remarks;  ///< what is odd about the data, none fatal
  std::vector<std::string> notes;             ///< unit conversions and the like

  /// Whether [model] gives nominal matrices.
  [[nodiscard]] bool has_nominal() const noexcept { return model.system.M.size() > 0; }
  [[nodiscard]] double step() const { return data.experiments.front().step; }
};

/// What the outputs see, as the methods take it.
[[nodiscard]] model::OutputMap output_map(const IdentifyStudy& study);

/// Outputs that measure one coordinate each by the same kind of motion.
struct LikeOutputs {
  model::Motion motion = model::Motion::Displacement;
  std::vector<Eigen::Index> outputs;      ///< indices, in the order of the coordinates
  std::vector<Eigen::Index> coordinates;  ///< that they measure, ascending
};
/// The largest group of like outputs; the first kind of displacement, velocity and acceleration
/// among equals. A second sensor at a coordinate does not count.
[[nodiscard]] LikeOutputs like_outputs(const std::vector<OutputSensor>& outputs);

/// The first estimate and how it came about; what a method does not know stays empty.
struct StartEstimate : Outcome {
  std::string words;            ///< "weak form, window 0.31 s"
  identify::Matrices matrices;  ///< symmetric, not clipped
  double window = 0.0;          ///< s, of the weak form
  std::vector<identify::WindowTrial> windows;
  std::vector<identify::Candidate> candidates;  ///< of partial sensing
  Eigen::Index order = 0, horizon = 0;          ///< of a subspace step
  Eigen::VectorXd singular_values;
  double asymmetry = 0.0;  ///< largest relative antisymmetric part before symmetrising
};

/// One line of the comparison of methods.
struct ComparedMethod : Outcome {
  std::string name;
  identify::Matrices matrices;                        ///< empty if the method gave none
  double mass = 0.0, damping = 0.0, stiffness = 0.0;  ///< |X - X_main|/|X_main|, Frobenius
  std::optional<Eigen::Vector3d> error;               ///< the same against the truth
  double residual = 0.0;  ///< rms of the residuals, each by its sensor's noise
  int iterations = 0;
  double seconds = 0.0;  ///< not in result files, which must not depend on the machine
};

/// The prediction of held-back data.
struct ValidationVerdict {
  identify::Prediction prediction;
  std::vector<identify::ResidualVerdict> outputs;
};

/// The result of [identify]. Its status is that of the step that decides: the refinement, or the
/// start if that gave nothing to refine.
struct IdentifyResult : Outcome {
  IdentifyStudy study;
  identify::Coverage coverage;
  StartEstimate start;
  identify::Refinement refinement;  ///< without refinement: system, predictions, residuals, noise
  identify::Matrices deviations;    ///< standard deviations; empty without refinement
  model::SecondOrderCheck definiteness;
  std::vector<identify::ModeVerdict> modes;
  std::vector<identify::ResidualVerdict> outputs;
  std::vector<identify::CorrelatedPair> pairs;
  std::optional<ValidationVerdict> validation;
  std::optional<Eigen::Vector3d> error;           ///< of M, D, K against the truth
  std::optional<Eigen::Vector3d> expected_error;  ///< √Σσ²/|X|, from the covariance
  std::vector<ComparedMethod> comparison;         ///< the main method first; empty unless asked for
  std::vector<std::string> warnings;
  double start_seconds = 0.0, refine_seconds = 0.0;  ///< not in result files

  /// Whether there are matrices to show.
  [[nodiscard]] bool has_system() const noexcept { return refinement.system.M.size() > 0; }
};

/// Identifies M, D, K: start, refinement, verdict, validation, comparison. One thread.
/// @throws StudyError if a method cannot use the data, with the file of the study.
IdentifyResult run_identify(const IdentifyStudy& study, const RunOptions& options = {});

/// Writes result.json, mass.csv, damping.csv, stiffness.csv, prediction.csv and validation.csv (the
/// last two numbered with several experiments) into an existing folder.
/// @throws DataError if a file cannot be written.
void write_identify_result(const IdentifyResult& result, const std::filesystem::path& folder);

}  // namespace alembert::study
