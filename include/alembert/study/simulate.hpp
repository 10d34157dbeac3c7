#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "alembert/core/distributed.hpp"
#include "alembert/core/status.hpp"
#include "alembert/estimate/kinematic_observability.hpp"
#include "alembert/identify/output_error.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/model/modes.hpp"
#include "alembert/model/second_order.hpp"
#include "alembert/signal/excitation.hpp"
#include "alembert/signal/record.hpp"
#include "alembert/signal/sensor.hpp"
#include "alembert/study/mechanism_motion.hpp"
#include "alembert/study/run_options.hpp"

/// The task [simulate]: a linear mechanical system, equations given as text or a mechanism, what
/// moves it, and what real sensors would give.
namespace alembert::study {

/// A model that is given as equations, with known parameters.
struct EquationDescription {
  std::string text;
  model::EquationModel model{nullptr};  ///< its outputs are the signals below
  Eigen::VectorXd parameters;           ///< values, in the order of the model
  std::vector<std::string> parameter_units;
  std::vector<std::string> signals;  ///< what truth.csv holds: the states, then what sensors see
  std::vector<std::string> signal_units;
  identify::SimulationOptions simulation;
  model::EngineKind engine = model::EngineKind::Automatic;
};

/// The table [model]: M q'' + D q' + K q = L u, or equations, with names and units for everything;
/// or the table [mechanism].
struct ModelDescription {
  model::SecondOrder system;
  std::vector<std::string> coordinates;          ///< n names, q1, q2, ... by default
  std::vector<std::string> inputs;               ///< m names, u1, u2, ... by default
  std::vector<std::string> displacement_units;   ///< n labels
  std::vector<std::string> velocity_units;       ///< n labels
  std::vector<std::string> acceleration_units;   ///< n labels
  std::vector<std::string> force_units;          ///< m labels
  std::optional<EquationDescription> equations;  ///< then there are no matrices and coordinates
  std::optional<MovedMechanism> mechanism;       ///< then there is nothing else
};

/// An input that stays zero.
struct ZeroInput {};

/// An input read from the study's data file, on the simulation's sample times.
struct FileInput {
  std::string column;      ///< its name in the file
  std::string unit;        ///< its unit in the file, "" when the file has none
  double factor = 1.0;     ///< to the model's unit
  Eigen::VectorXd values;  ///< in the model's unit
};

using InputSource = std::variant<ZeroInput, FileInput, signal::SplineNoiseOptions,
                                 signal::MultisineOptions, signal::ChirpOptions,
                                 signal::PrbsOptions, signal::StepsOptions, signal::PulsesOptions>;

/// Where the signal of one model input comes from.
struct InputDescription {
  std::string name;
  std::string unit;
  std::string kind;  ///< as in the study: "multisine", "prbs", ..., "file", "zero"
  InputSource source;
};

/// What a simulated sensor observes.
enum class Quantity {
  Displacement,
  Velocity,
  Acceleration,
  Force,
  Signal  ///< a state or definition of equations; what a sensor of a mechanism reads
};

/// The name used in studies and results: "displacement", ...
[[nodiscard]] std::string to_string(Quantity quantity);

/// One simulated sensor: factor · Σ weights(i) x(i), then delay, sampling, noise, quantisation.
struct SensorDescription {
  std::string name;
  std::string column = {};  ///< of the record; "" for that of its name
  Quantity quantity = Quantity::Displacement;
  std::string place;        ///< where, in words: "q1", "q1 - q2"
  Eigen::VectorXd weights;  ///< of the coordinates, inputs (Force) or signals (Signal)
  std::string unit;         ///< of the record, sigma, bias and range
  double factor = 1.0;      ///< from the model's unit to the sensor's
  signal::SensorOptions options;
};

/// The names used in studies and results: "exact", ...; "zero", ...
[[nodiscard]] std::string method_name(integrate::Method method);
[[nodiscard]] std::string hold_name(integrate::Hold hold);
/// The same for inputs of equations: "held", ...
/// How equations are integrated, "Newmark, 20 steps a sample".
[[nodiscard]] std::string integrator_words(const identify::SimulationOptions& options);
/// As studies name it, "newmark".
[[nodiscard]] std::string integrator_name(identify::Integrator integrator);
[[nodiscard]] std::string between_name(identify::Interpolation between);

/// Everything that [simulate] needs, read from a study and checked.
struct SimulateStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  ModelDescription model;
  std::vector<InputDescription> inputs;  ///< one per model input
  std::vector<SensorDescription> sensors;
  double start_time = 0.0;  ///< of the first sample, s: that of the data file, else 0
  double step = 0.0;        ///< s
  Eigen::Index samples = 0;
  Eigen::VectorXd start_displacement, start_velocity;  ///< n each
  integrate::LinearSimulationOptions integration;
  std::uint64_t seed = 1;
  std::size_t experiments = 1;
  bool write_truth = true;
  std::vector<std::string> notes;  ///< unit conversions and the like
};

/// What one sensor did in one experiment.
struct SensorOutcome {
  double sigma = 0.0;            ///< standard deviation of the noise, sensor's unit
  std::optional<double> snr_db;  ///< achieved: 10 log10(Σ x² / Σ (y - x)²), bias and
                                 ///< quantisation included; none if the error or truth is zero
  Eigen::Index clipped = 0;      ///< samples outside the converter's range
  Eigen::Index samples = 0;      ///< samples taken
};

/// What the sensors of a mechanism see of its coordinates, where it has been.
struct SensorView {
  estimate::ObservabilityReport report;
  std::vector<std::string> words;  ///< sentences
};

/// One finished experiment.
struct Experiment {
  std::size_t number = 1;  ///< 1, 2, ...
  signal::Record record;   ///< inputs, then sensors; NaN where a sensor took no sample
  signal::Record truth;    ///< inputs, then displacement, velocity, acceleration and signals
  std::vector<SensorOutcome> sensors;  ///< in the order of the study
};

/// The result of [simulate]. Status Stopped: some experiments are missing. NotFinite: an
/// experiment left the range of doubles and is missing; the message names it.
struct SimulateResult : Outcome {
  SimulateStudy study;
  model::SecondOrderCheck definiteness;
  std::vector<model::DampedMode> modes;
  std::optional<SensorView> seen;       ///< of a mechanism
  std::vector<Experiment> experiments;  ///< the finished ones, ascending
  std::vector<std::string> warnings;
};

/// Simulates all experiments, spread over machines and threads; the whole result is on the first
/// machine, the others hold no experiments.
///
/// Experiment e draws from RandomStream(seed, e); each input and each sensor from a child stream
/// chosen by a hash of its kind and name, so that adding one leaves the noise of the others as it
/// is.
/// @throws InvalidInput if the study contradicts itself (load_study never returns such a one).
/// @throws StudyError if a mechanism cannot be moved as the study says.
SimulateResult run_simulate(const SimulateStudy& study, const Machines& machines,
                            const RunOptions& options = {});

/// Writes result.json and the records (record.csv, truth.csv; numbered with several experiments)
/// into an existing folder. @throws DataError if a file cannot be written.
void write_simulate_result(const SimulateResult& result, const std::filesystem::path& folder);

/// Bytes of memory that the data of a run take at their peak: the records of all experiments, and
/// what making them takes beside, one experiment for each thread. What the allocator keeps of freed
/// memory comes on top, more with several threads, and the report and the program itself.
/// @param threads as RunOptions::threads.
[[nodiscard]] double memory_needed(const SimulateStudy& study, int threads = 0);

/// File name of a record: "record.csv", or "record-03.csv" with several experiments.
[[nodiscard]] std::string record_file_name(const std::string& stem, std::size_t number,
                                           std::size_t experiments);

}  // namespace alembert::study
