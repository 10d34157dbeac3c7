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
#include "alembert/document/result_tree.hpp"
#include "alembert/estimate/judge.hpp"
#include "alembert/identify/output_error.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/model/modes.hpp"
#include "alembert/model/second_order.hpp"
#include "alembert/signal/record.hpp"
#include "alembert/study/equation_system.hpp"
#include "alembert/study/flexible_motion.hpp"
#include "alembert/study/inputs.hpp"
#include "alembert/study/linear_model.hpp"
#include "alembert/study/mechanism_motion.hpp"
#include "alembert/study/run_options.hpp"
#include "alembert/study/sensors.hpp"

/// The task [simulate]: a linear mechanical system, equations given as text or a mechanism, what
/// moves it, and what real sensors would give.
namespace alembert::study {

/// What moves: a linear system, equations, a mechanism along a motion that is known, or one with
/// flexible bodies. A new kind is one more here; the compiler then shows every place that has to
/// know it.
using SimulatedModel = std::variant<LinearModel, EquationSystem, MovedMechanism, MovedFlexible>;

/// Everything that [simulate] needs, read from a study and checked.
struct SimulateStudy {
  std::string title;
  std::filesystem::path file;          ///< the study
  std::string text;                    ///< the study as written, for the report
  std::vector<std::string> overrides;  ///< `key=value` from the command line
  SimulatedModel model;
  std::vector<InputDescription> inputs;  ///< one per model input
  std::vector<SensorDescription> sensors;
  double start_time = 0.0;  ///< of the first sample, s: that of the data file, else 0
  double step = 0.0;        ///< s
  Eigen::Index samples = 0;
  Eigen::VectorXd start_displacement, start_velocity;  ///< of a linear system, n each
  integrate::LinearSimulationOptions integration;      ///< of a linear system
  std::uint64_t seed = 1;
  std::size_t experiments = 1;
  bool write_truth = true;
  std::vector<std::string> notes;  ///< unit conversions and the like

  /// The model where it is of that kind, else nullptr.
  [[nodiscard]] const LinearModel* linear() const { return std::get_if<LinearModel>(&model); }
  [[nodiscard]] const EquationSystem* equations() const {
    return std::get_if<EquationSystem>(&model);
  }
  [[nodiscard]] const MovedMechanism* mechanism() const {
    return std::get_if<MovedMechanism>(&model);
  }
  [[nodiscard]] const MovedFlexible* flexible() const { return std::get_if<MovedFlexible>(&model); }
};

/// What one sensor did in one experiment.
struct SensorOutcome {
  double sigma = 0.0;            ///< standard deviation of the noise, sensor's unit
  std::optional<double> snr_db;  ///< achieved: 10 log10(Σ x² / Σ (y - x)²), bias and
                                 ///< quantisation included; none if the error or truth is zero
  Eigen::Index clipped = 0;      ///< samples outside the converter's range
  Eigen::Index samples = 0;      ///< samples taken
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
  std::optional<estimate::SensorView> seen;  ///< of a mechanism
  std::optional<FlexibleOutcome> flexible;   ///< of a mechanism with flexible bodies
  std::vector<Experiment> experiments;       ///< the finished ones, ascending
  std::vector<std::string> warnings;
};

/// The verdict by the warnings, and by what a mechanism with flexible bodies shows.
[[nodiscard]] Verdict verdict_of(const SimulateResult& result);

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

/// All that result.json says, and what tables on a terminal and in a report are made of.
[[nodiscard]] document::ResultTree describe(const SimulateResult& result);

/// Writes result.json and the records (record.csv, truth.csv; numbered with several experiments),
/// for flexible bodies small_motions.mat with M, D, K, L and the state space A, B, into an existing
/// folder. @throws DataError if a file cannot be written.
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
