#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/identify/alternatives.hpp"
#include "alembert/identify/experiment.hpp"
#include "alembert/identify/input_share.hpp"
#include "alembert/identify/linear_options.hpp"
#include "alembert/identify/partial_sensing.hpp"
#include "alembert/identify/refine.hpp"
#include "alembert/identify/verdict.hpp"
#include "alembert/identify/weak_form.hpp"

/// Symmetric M, D and K of M q'' + D q' + K q = L u from records of forces and responses, in one
/// call: start, refinement, verdict, validation, comparison of methods.
namespace alembert::identify {

/// The first estimate and how it came about; what a method does not know stays empty.
struct StartEstimate : Outcome {
  StartMethod method = StartMethod::WeakForm;  ///< tried first; words say if another took over
  std::string words;                           ///< "weak form, window 0.31 s"
  Matrices matrices;                           ///< symmetric, not clipped
  double window = 0.0;                         ///< s, of the weak form
  std::vector<WindowTrial> windows;
  std::vector<Candidate> candidates;    ///< of partial sensing
  Eigen::Index order = 0, horizon = 0;  ///< of a subspace step
  Eigen::VectorXd singular_values;
  double asymmetry = 0.0;  ///< largest relative antisymmetric part before symmetrising

  /// Whether all three matrices are there and finite.
  [[nodiscard]] bool usable() const;
};

/// One line of the comparison of methods.
struct ComparedMethod : Outcome {
  std::string name;
  Matrices matrices;                                  ///< empty if the method gave none
  double mass = 0.0, damping = 0.0, stiffness = 0.0;  ///< |X - X_main|/|X_main|, Frobenius
  std::optional<Eigen::Vector3d> error;               ///< the same against the truth
  double residual = 0.0;  ///< rms of the residuals, each by its sensor's noise
  int iterations = 0;
  double seconds = 0.0;  ///< of computing
};

/// The prediction of held-back data.
struct ValidationVerdict {
  Prediction prediction;
  std::vector<ResidualVerdict> outputs;
};

/// How much was measured.
struct RecordSizes {
  std::size_t experiments = 0;
  Eigen::Index samples = 0;    ///< of all experiments
  Eigen::Index held_back = 0;  ///< samples of the validation
  double step = 0.0;           ///< h in s
};

/// M, D and K and how far they can be trusted. The status is that of the step that decides: the
/// refinement, or the start if that gave nothing to refine.
struct LinearIdentification : Outcome {
  LinearProblem problem;  ///< with the defaults filled in
  LinearNames names;      ///< likewise
  RecordSizes records;
  bool refined = false;  ///< whether a refinement was asked for
  std::vector<DataRemark> remarks;
  Coverage coverage;
  StartEstimate start;
  Refinement refinement;  ///< without refinement: system, predictions, residuals, noise
  Matrices deviations;    ///< standard deviations of the entries; empty without refinement
  model::SecondOrderCheck definiteness;
  std::vector<ModeVerdict> modes;
  std::vector<ResidualVerdict> outputs;
  std::vector<InputShare> input_shares;  ///< what the inputs still explain of each output
  std::vector<CorrelatedPair> pairs;
  std::optional<ValidationVerdict> validation;
  std::optional<Eigen::Vector3d> error;           ///< of M, D, K against the truth
  std::optional<Eigen::Vector3d> expected_error;  ///< √Σσ²/|X|, from the covariance
  std::vector<ComparedMethod> comparison;         ///< the main method first; empty unless asked for
  std::vector<Alternative> alternatives;          ///< that fit better, where the fit is bad
  std::vector<std::string> warnings;  ///< the reasons of the verdict, without how it ended
  Verdict verdict;
  double start_seconds = 0.0, refine_seconds = 0.0;  ///< of computing

  /// Whether there are matrices to show.
  [[nodiscard]] bool has_system() const noexcept { return refinement.system.M.size() > 0; }

  /// What the command-line tool says: sizes, start, refinement, M, D, K with deviations (up to four
  /// coordinates), modes in Hz, fit, whiteness, definiteness, comparison, remarks and warnings.
  [[nodiscard]] std::string summary() const;
};

/// Identifies M, D and K from one or several experiments on one system. One thread but for the
/// subspace step.
///
///   const auto fit = identify_linear({{.input = u, .output = y, .step = h}},
///                                    {.degrees_of_freedom = 8});
///   fmt::print("{}\n", fit.summary());
///
/// The records are read where they are and not kept.
/// @throws InvalidInput naming the option that does not fit the others or the records, or the
///   method that cannot use them.
[[nodiscard]] LinearIdentification identify_linear(const Experiments& experiments,
                                                   const LinearOptions& options = {});

/// The same, and judges how well the system predicts data that took no part in it.
/// @param held_back may be empty; like the experiments else.
[[nodiscard]] LinearIdentification identify_linear(const Experiments& experiments,
                                                   const Experiments& held_back,
                                                   const LinearOptions& options);

/// Whether all three matrices are there and finite.
[[nodiscard]] bool usable(const Matrices& matrices);

/// |X - R|/|R| of M, D and K in the Frobenius norm.
[[nodiscard]] Eigen::Vector3d relative_differences(const Matrices& matrices,
                                                   const Matrices& reference);

/// The method of a refinement in words: "exact, cubic hold".
[[nodiscard]] std::string refine_words(const RefineOptions& options);

}  // namespace alembert::identify
