#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/verdict.hpp"
#include "alembert/estimate/consistency.hpp"
#include "alembert/estimate/kinematic_observability.hpp"
#include "alembert/estimate/kinematic_observer.hpp"

/// What an estimate is worth: states with their units, sensors, innovations, what can be seen, and
/// errors where the truth is known.
namespace alembert::estimate {

/// One state of an observer in tables and files.
struct StateColumn {
  std::string name;    ///< "angle(crank)'"
  std::string column;  ///< "angle_crank_velocity"
  std::string unit;    ///< "rad/s"
  int derivative = 0;  ///< 0 position, 1 velocity, ...; -1 for lengths and biases
};
/// The coordinates of a mechanism and their derivatives in time, block by block.
/// @param blocks 1 to 4.
[[nodiscard]] std::vector<StateColumn> coordinate_columns(const model::planar::Mechanism& mechanism,
                                                          int blocks);
/// The states of an observer, in their order. @param names of them, as the observer has them.
[[nodiscard]] std::vector<StateColumn> state_columns(const model::planar::Mechanism& mechanism,
                                                     const KinematicObserverOptions& options,
                                                     const std::vector<std::string>& names);

/// The first sample at which positions, velocities and accelerations are as well known as ever in
/// the second half of the record.
[[nodiscard]] Eigen::Index settled_sample(const KinematicEstimate& estimate,
                                          const std::vector<StateColumn>& states);

/// What an observer does with a sensor.
enum class SensorRole {
  Output,  ///< it corrects the estimate
  Input,   ///< it drives the model
  Unused,
};
constexpr auto enum_names(SensorRole) {
  return std::to_array<EnumName<SensorRole>>({{SensorRole::Output, "output"},
                                              {SensorRole::Input, "input"},
                                              {SensorRole::Unused, "unused"}});
}

/// Readings of one sensor against what was expected of them.
struct SensorScore {
  using Role = SensorRole;
  Role role = Role::Unused;
  Eigen::Index readings = 0;     ///< that there are
  Eigen::Index rejected = 0;     ///< of these, that the gate kept out
  double innovation_rms = 0.0;   ///< of the scored ones, rejected too; NaN without
  double expected_rms = 0.0;     ///< what the filter expects; NaN without
  bool judged = false;           ///< there are enough
  SensorReport normalised = {};  ///< innovations over their expected deviations
  /// No sensor of a higher derivative sees what it sees: what the model of the motion does not
  /// foresee is in its innovations.
  bool highest = false;
};
/// Which sensors are the highest of what they see: S of the sensors that read higher derivatives
/// does not span their own S at most of the places.
/// @param path samples x coordinates; more columns are not looked at.
[[nodiscard]] std::vector<bool> highest_sensors(const model::planar::Mechanism& mechanism,
                                                const Eigen::MatrixXd& path);

/// The probability that one limit of a sensor must be kept with, so that in 99 of 100 sound records
/// all four limits (size, sums, neighbours, correlation) of so many sensors are.
[[nodiscard]] double limit_probability(std::size_t sensors);

/// Readings of each sensor against what was expected of them, from sample `first` on.
/// @param readings samples x sensors, as the estimate was made from.
[[nodiscard]] std::vector<SensorScore> score_sensors(
    const KinematicEstimate& estimate, const Eigen::Ref<const Eigen::MatrixXd>& readings,
    const KinematicObserverOptions& options, Eigen::Index first);

/// What the innovations of a sensor say against an estimate.
enum class SensorFault {
  TooLarge,  ///< the deviations are too small
  TooSmall,  ///< the deviations are much too large
  KeptOut,   ///< the gate keeps out more than outliers
  Strays,    ///< a position from which the estimate strays slowly
  Drifts,    ///< offset or drift against sensors of higher derivatives
  Follows,   ///< the estimate follows the noise of the sensor: neighbours have opposite signs
  Regular,   ///< a sine or another course that could have been known
};
/// One of them, with words for a verdict.
struct SensorFinding {
  int sensor = 0;
  SensorFault fault = SensorFault::TooLarge;
  TrustLevel level = TrustLevel::Caution;
  std::string reason, advice;
};
/// What the innovations of the sensors say against an estimate. The limits are in docs/verdict.md.
[[nodiscard]] std::vector<SensorFinding> find_faults(const model::planar::Mechanism& mechanism,
                                                     const std::vector<SensorScore>& scores);

/// Whether the filter can be believed, in figures and words.
struct ConsistencyVerdict {
  bool judged = false;  ///< false: too few samples
  SquaresReport squares;
  WhitenessReport whiteness;            ///< of the innovations, lags 1..20
  std::string words;                    ///< one or two sentences
  std::vector<std::string> too_large;   ///< sensors whose innovations are larger than expected
  std::vector<std::string> kept_out;    ///< sensors that the gate kept out too often
  std::vector<std::string> too_slow;    ///< position sensors from which the estimate strays slowly
  std::vector<SensorFinding> findings;  ///< these and all others
  bool good = false;      ///< the standard deviations can be believed, or are on the safe side
  bool cautious = false;  ///< they are larger than need be
};
/// Whether the covariances tell the truth, from sample `first` on.
/// @param scores of the sensors of the mechanism.
[[nodiscard]] ConsistencyVerdict judge_consistency(const model::planar::Mechanism& mechanism,
                                                   const KinematicEstimate& estimate,
                                                   const std::vector<SensorScore>& scores,
                                                   Eigen::Index first);

/// Where the sensors are examined; empty corners: where the estimate has been.
struct Workspace {
  Eigen::VectorXd lower = {}, upper = {};
  int points = 0;  ///< along each coordinate; 0: as many as are sensible
};

/// What the sensors of a mechanism see of its coordinates, where it has been.
struct SensorView {
  ObservabilityReport report;
  std::vector<std::string> words;  ///< sentences
};
/// What the sensors of a mechanism see over a workspace, in figures and words. Corners and points
/// that the workspace leaves open become those of the path; none if the mechanism cannot be
/// assembled at the start.
/// @param path samples x coordinates; more columns are not looked at.
[[nodiscard]] std::optional<SensorView> view_of_sensors(const model::planar::Mechanism& mechanism,
                                                        const Eigen::VectorXd& start,
                                                        const Eigen::MatrixXd& path,
                                                        Workspace& workspace);

/// Normalised squares that hang together in time, such as the NEES of one run.
struct CorrelatedSquares {
  double average = 0.0;   ///< of all samples
  double expected = 0.0;  ///< n, the entries of one sample
  /// χ² bounds of the average for as many independent samples as the present ones are worth:
  ///   χ²_{(1∓p)/2}(n N_eff)/N_eff
  double lower = 0.0, upper = 0.0;
  double effective_samples = 0.0;  ///< N_eff, from 1 to N
  bool consistent = false;         ///< lower <= average <= upper
};

/// Judges the squares |w_k|² of whitened errors w_k, one column for each sample, which have mean n
/// if the covariances are right. For Gaussian errors with R_l = E[w_k w_{k+l}ᵀ]
///
///   cov(|w_k|², |w_{k+l}|²) = 2 tr(R_l R_lᵀ),
///   N_eff = N / (1 + 2 Σ_l (1 − l/N) tr(R_l R_lᵀ) / tr(R_0 R_0ᵀ)),
///
/// with the sample's own R_l up to the first lag that is five times the sum, beyond which they are
/// noise.
/// Of more than 4096 samples every k-th is taken for R_l, which makes the bounds wider, not
/// narrower.
/// @throws InvalidInput unless there are at least 2 columns, all finite, and 0 < probability < 1.
[[nodiscard]] CorrelatedSquares judge_correlated_squares(
    const Eigen::Ref<const Eigen::MatrixXd>& whitened, double probability = 0.95);

/// The true course of some states, to compare an estimate with.
struct KnownMotion {
  std::vector<std::string> columns = {};  ///< names of states as StateColumn::column, each once
  Eigen::MatrixXd values = {};            ///< samples x columns; NaN where it is not known

  [[nodiscard]] bool empty() const noexcept { return columns.empty(); }
};

/// Errors of one state.
struct StateError {
  int state = 0;                ///< of the estimate
  double bias = 0.0;            ///< mean error
  double rms = 0.0;             ///< root mean square error
  double reported = 0.0;        ///< root mean square of the reported standard deviations
  double covered = 0.0;         ///< share of errors within 1.96 deviations
  double smoothed_rms = 0.0;    ///< the same as `rms` of the smoothed estimate; NaN without
  CorrelatedSquares nees = {};  ///< of this state alone, expected 1
};

/// Errors of an estimate against the truth.
struct TruthReport {
  Eigen::Index samples = 0;        ///< with estimate and truth of all states compared
  std::vector<StateError> states;  ///< those that are known, in the order of the estimate
  CorrelatedSquares joint;         ///< eᵀ P⁻¹ e over all of them
};

/// Compares an estimate from sample `first` on with the truth. The estimate must have kept its
/// covariances. Columns of the truth that are no states are passed over. None unless two samples
/// have a truth. @throws InvalidInput if sizes differ or covariances are missing.
[[nodiscard]] std::optional<TruthReport> compare_with_truth(const KinematicEstimate& estimate,
                                                            const std::vector<StateColumn>& states,
                                                            const KnownMotion& truth,
                                                            Eigen::Index first);

}  // namespace alembert::estimate
