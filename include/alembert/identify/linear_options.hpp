#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/identify/parametrisation.hpp"
#include "alembert/identify/refine.hpp"
#include "alembert/identify/subspace.hpp"
#include "alembert/identify/to_continuous.hpp"
#include "alembert/identify/variational.hpp"
#include "alembert/model/second_order.hpp"

/// How identify_linear() finds M, D and K.
namespace alembert::identify {

/// The first estimate, which the refinement begins with.
enum class StartMethod {
  WeakForm,   ///< weak_form(): one kind of motion at all coordinates
  Partial,    ///< identify_partially_sensed(): one kind of motion at some coordinates
  Subspace,   ///< projected_subspace(): subspace model, matrix logarithm, projection
  Companion,  ///< variational_start(): subspace model, block companion form of the midpoint rule
  Nominal     ///< the nominal model
};
constexpr auto enum_names(StartMethod) {
  return std::to_array<EnumName<StartMethod>>({{StartMethod::WeakForm, "weak-form"},
                                               {StartMethod::Partial, "partial"},
                                               {StartMethod::Subspace, "subspace"},
                                               {StartMethod::Companion, "companion"},
                                               {StartMethod::Nominal, "model"}});
}
constexpr auto old_enum_names(StartMethod) {
  return std::to_array<EnumName<StartMethod>>({{StartMethod::Companion, "published"}});
}

/// A whole way to M, D and K, to compare with on the same data.
enum class LinearMethod {
  WeakForm,           ///< weak form without refinement
  Subspace,           ///< subspace model, matrix logarithm, projection, without refinement
  Companion,          ///< subspace model, block companion form, without refinement
  CompanionMidpoint,  ///< the same, then refinement by the midpoint rule [Bruschetta2014]
  GreyBox,            ///< exact refinement from the nominal model
  Exact,              ///< refinement by this rule from the main start
  Midpoint,
  Gauss
};
constexpr auto enum_names(LinearMethod) {
  return std::to_array<EnumName<LinearMethod>>(
      {{LinearMethod::WeakForm, "weak-form"},
       {LinearMethod::Subspace, "subspace"},
       {LinearMethod::Companion, "companion"},
       {LinearMethod::CompanionMidpoint, "companion-midpoint"},
       {LinearMethod::GreyBox, "grey-box"},
       {LinearMethod::Exact, "exact"},
       {LinearMethod::Midpoint, "midpoint"},
       {LinearMethod::Gauss, "gauss"}});
}
constexpr auto old_enum_names(LinearMethod) {
  return std::to_array<EnumName<LinearMethod>>({{LinearMethod::Subspace, "rival"},
                                                {LinearMethod::Companion, "published-start"},
                                                {LinearMethod::CompanionMidpoint, "published"}});
}

/// What a method does: where it starts, whether it refines, and by which rule.
struct MethodSteps {
  std::optional<StartMethod> start = std::nullopt;  ///< none: where the main method starts
  bool refine = false;
  integrate::Method rule = integrate::Method::Exact;  ///< of refinement and prediction
};
[[nodiscard]] MethodSteps steps_of(LinearMethod method);

/// Names for messages, remarks and warnings; an empty list gives q1, ..., u1, ..., y1, ...
struct LinearNames {
  std::vector<std::string> coordinates = {};
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};
};

/// What is known besides the records, and how to identify. Everything has a default: one force and
/// one displacement per coordinate, every entry of the three symmetric matrices unknown.
struct LinearOptions {
  /// n; 0: as L, outputs, unknowns or nominal say, else as many as there are outputs.
  Eigen::Index degrees_of_freedom = 0;
  Eigen::MatrixXd L = {};         ///< n x m force distribution; empty: the identity
  model::OutputMap outputs = {};  ///< what the sensors see; empty: the displacements
  Parametrisation unknowns = {};  ///< of M, D, K; without entries: free_matrices(n)
  std::optional<Matrices> nominal = std::nullopt;  ///< a model that is nearly right
  std::optional<Matrices> truth = std::nullopt;    ///< of simulated data: errors are told
  LinearNames names = {};
  /// Look at the records first. What is odd becomes a remark, what makes them useless ends the
  /// work with NotIdentifiable. Off: the caller has done so with identify::examine().
  bool examine_records = true;

  /// Empty: the weak form with one kind of motion at all coordinates, partial sensing where that
  /// leads nowhere or some coordinates have no sensor, else the nominal model.
  std::optional<StartMethod> start = std::nullopt;
  double window = 0.0;            ///< s, of the weak form; 0: the best of a grid
  int max_candidates = 10;        ///< of partial sensing
  SubspaceOptions subspace = {};  ///< of Subspace and Companion: horizon, weighting
  MassScaling mass_scaling = MassScaling::Markov;                      ///< of Subspace
  VariationalInput companion_input = VariationalInput::DiscreteForce;  ///< of Companion

  bool refine = true;             ///< false: the start is the estimate, without deviations
  RefineOptions refinement = {};  ///< its hold is that of the weak form and of partial sensing too
  std::vector<LinearMethod> compare = {};  ///< to run besides
  /// Where the fit is bad, look for the slip behind it, see find_alternatives().
  bool alternatives = true;
  int threads = 0;  ///< that it may use; 0: all cores; the result is the same for any number
};

/// Outputs that measure one coordinate each, with weight 1, by the same kind of motion.
struct LikeOutputs {
  model::Motion motion = model::Motion::Displacement;
  std::vector<Eigen::Index> outputs;      ///< indices, in the order of the coordinates
  std::vector<Eigen::Index> coordinates;  ///< that they measure, ascending
};
/// The largest group of like outputs; the first kind of displacement, velocity and acceleration
/// among equals. A second sensor at a coordinate does not count.
[[nodiscard]] LikeOutputs like_outputs(const model::OutputMap& outputs);

/// Whether a matrix parametrisation leaves every entry free.
[[nodiscard]] bool all_entries_free(const Parametrisation& unknowns);

/// The start that sensors and forces allow.
struct ChosenStart {
  StartMethod start = StartMethod::WeakForm;
  /// Tried where the first one, which nobody asked for, leads nowhere.
  std::optional<StartMethod> second;
  /// The same for data with missing samples, which no subspace step takes.
  std::optional<StartMethod> second_with_gaps;
};
/// The start of identify_linear() for options whose L and outputs are given.
/// @throws InvalidInput, argument "start", if it cannot be used or none can.
[[nodiscard]] ChosenStart choose_start(const LinearOptions& options);

/// Checks that the compared methods are different and can be used with these sensors and forces.
/// @throws InvalidInput, argument "compare", the name of the method in its rule.
void check_compared(const LinearOptions& options);

/// Whether a start or a method has a subspace step, which takes no missing samples.
[[nodiscard]] bool has_subspace_step(StartMethod method);
[[nodiscard]] bool has_subspace_step(LinearMethod method);

/// What has an effect, by the steps of the main method and of those that are compared: a start, the
/// refinement, the stages of Gauss methods, the forces between samples.
/// @throws InvalidInput as choose_start().
[[nodiscard]] bool uses_start(const LinearOptions& options, StartMethod start);
[[nodiscard]] bool uses_refinement(const LinearOptions& options);
[[nodiscard]] bool uses_gauss_stages(const LinearOptions& options);
[[nodiscard]] bool uses_hold(const LinearOptions& options);

/// Whether the refinement takes the forces as smooth between samples, so that steps in them are
/// worth a remark. The midpoint rule takes them as samples, whatever they do between.
[[nodiscard]] bool takes_smooth_forces(const LinearOptions& options);

}  // namespace alembert::identify
