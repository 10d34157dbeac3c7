#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/status.hpp"
#include "alembert/estimate/consistency.hpp"
#include "alembert/estimate/kinematic_observability.hpp"
#include "alembert/estimate/kinematic_observer.hpp"
#include "alembert/model/planar/mechanism.hpp"
#include "alembert/signal/record.hpp"
#include "alembert/study/run_options.hpp"
#include "alembert/study/simulate.hpp"

/// The task [observe]: the motion of a mechanism from its sensors.
namespace alembert::study {

/// A column of the data and the sensor behind it, both in the order of the mechanism.
struct SensorColumn {
  std::string column;       ///< name in the file
  std::string column_unit;  ///< as the file says it, "" when it does not
  std::string unit;         ///< of the readings; "count" for an encoder that counts
  double factor = 1.0;      ///< from the unit of the column
  double delay = 0.0;       ///< s, how long after its instant a reading is stamped
};

/// Where the sensors are examined; empty corners: where the estimate has been.
struct Workspace {
  Eigen::VectorXd lower = {}, upper = {};
  int points = 0;  ///< along each coordinate; 0: as many as are sensible
};

/// What [observe.start] gives itself; the rest comes from the first readings.
struct GivenStart {
  bool coordinates = false, velocities = false, accelerations = false;
  bool coordinate_sigma = false, velocity_sigma = false, acceleration_sigma = false;
};

/// Everything that the task needs, read from a study and checked.
struct ObserveStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  std::shared_ptr<const model::planar::Mechanism> mechanism;  // constant, shared with observers
  std::vector<SensorColumn> columns;  ///< one for each sensor of the mechanism
  std::string source;                 ///< name of the data file
  std::string time_column;            ///< for streams; "" without
  double step = 0.0;                  ///< s, for streams without a time column; 0: not given
  signal::TimeAxis time;              ///< of the samples
  Eigen::MatrixXd readings;           ///< samples x sensors, as units of `columns`; NaN: missing
  estimate::KinematicObserverOptions options;
  GivenStart given;            ///< of options.start
  bool fit_density = false;    ///< the density of the motion is to be found from the readings
  std::vector<int> fit_sigma;  ///< and the standard deviations of these sensors
  bool smooth = false;
  std::optional<double> scored_from;  ///< s after the first sample; else when it has settled
  Workspace workspace;
  std::vector<std::string> notes;
};

/// The name that studies and results use: "ekf", "white-jerk", ...
[[nodiscard]] std::string to_string(estimate::ObserverFilter filter);
[[nodiscard]] std::string to_string(estimate::MotionModel motion);
[[nodiscard]] std::string to_string(estimate::Discretisation discretisation);
[[nodiscard]] std::string to_string(estimate::AccelerationScheme scheme);
[[nodiscard]] std::string to_string(model::planar::SensorKind kind);

/// The unit of what a sensor reads, in SI: "rad", "m/s^2", ...
[[nodiscard]] std::string sensor_unit(model::planar::SensorKind kind);

/// One state of the observer in tables and files.
struct StateColumn {
  std::string name;    ///< "angle(crank)'"
  std::string column;  ///< "angle_crank_velocity"
  std::string unit;    ///< "rad/s"
  int derivative = 0;  ///< 0 position, 1 velocity, ...; -1 for lengths and biases
};
/// The states of an observer of this study, in their order.
[[nodiscard]] std::vector<StateColumn> state_columns(const ObserveStudy& study,
                                                     const std::vector<std::string>& names);

/// Readings of one sensor against what was expected of them.
struct SensorScore {
  enum class Role { Output, Input, Unused } role = Role::Unused;
  Eigen::Index readings = 0;               ///< that there are
  Eigen::Index rejected = 0;               ///< of these, that the gate kept out
  double innovation_rms = 0.0;             ///< of the scored ones, rejected too; NaN without
  double expected_rms = 0.0;               ///< what the filter expects; NaN without
  bool judged = false;                     ///< there are enough
  estimate::SensorReport normalised = {};  ///< innovations over their expected deviations
};
/// The name used in results: "output", "input", "unused".
[[nodiscard]] std::string to_string(SensorScore::Role role);

/// Whether the filter can be believed, in figures and words.
struct ConsistencyVerdict {
  bool judged = false;  ///< false: too few samples
  estimate::SquaresReport squares;
  estimate::WhitenessReport whiteness;  ///< of the innovations, lags 1..20
  std::string words;                    ///< one or two sentences
  std::vector<std::string> too_large;   ///< sensors whose innovations are larger than expected
  std::vector<std::string> kept_out;    ///< sensors that the gate kept out too often
  std::vector<std::string> too_slow;    ///< position sensors from which the estimate strays slowly
  bool good = false;      ///< the standard deviations can be believed, or are on the safe side
  bool cautious = false;  ///< they are larger than need be
};

/// A noise level that was found from the readings.
struct FittedLevel {
  std::string name;  ///< "density of angle(crank)", "sigma of encoder"
  double value = 0.0;
  double log_deviation = 0.0;  ///< standard deviation of ln(value); NaN where it is not known
};

/// What was found.
struct ObserveResult : Outcome {
  ObserveStudy study;
  estimate::KinematicEstimate estimate;
  std::vector<FittedLevel> fitted;  ///< noise levels, where the study asked for them
  std::vector<StateColumn> states;
  std::vector<SensorScore> sensors;  ///< one for each sensor of the mechanism
  ConsistencyVerdict consistency;
  Eigen::Index scored = 0;   ///< samples that the verdict looks at
  double scored_from = 0.0;  ///< s after the first sample
  estimate::ObservabilityReport observability;
  std::vector<std::string> observability_words;  ///< sentences
  std::vector<std::string> warnings;
  double seconds = 0.0;  ///< of the estimation; not in result files
};

/// Estimates the motion and judges it. Status Stopped: there is nothing to use.
/// @throws StudyError or DataError if the observer cannot use what the study asks for.
[[nodiscard]] ObserveResult run_observe(const ObserveStudy& study, const RunOptions& options = {});

/// Writes result.json and estimates.csv into an existing folder.
/// @throws DataError if a file cannot be written.
void write_observe_result(const ObserveResult& result, const std::filesystem::path& folder);

}  // namespace alembert::study
