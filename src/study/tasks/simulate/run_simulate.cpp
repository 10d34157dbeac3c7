#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/parallel.hpp"
#include "alembert/core/text.hpp"
#include "alembert/study/simulate.hpp"
#include "study/tasks/simulate/experiment.hpp"
#include "study/tasks/simulate/simulate_channels.hpp"
#include "study/tasks/simulate/simulate_warnings.hpp"
#include "study/tasks/simulate/simulators/simulator.hpp"

namespace alembert::study {
namespace {

// ", numbers 1 to 7, 9": which experiments are there, at most eight runs of numbers.
std::string finished_numbers(const std::vector<Experiment>& experiments) {
  constexpr std::size_t kMostRuns = 8;
  std::vector<std::string> runs;
  for (std::size_t i = 0; i < experiments.size() && runs.size() <= kMostRuns;) {
    std::size_t last = i;
    while (last + 1 < experiments.size() &&
           experiments[last + 1].number == experiments[last].number + 1) {
      ++last;
    }
    runs.push_back(last == i
                       ? std::to_string(experiments[i].number)
                       : fmt::format("{} to {}", experiments[i].number, experiments[last].number));
    i = last + 1;
  }
  if (runs.size() > kMostRuns) {
    runs.back() = "...";
  }
  return runs.empty() ? "" : ", numbers " + join(runs, ", ");
}

// The first failure decides the status; a stop request shows as missing experiments.
void collect(std::vector<std::optional<Eigen::MatrixXd>> packed, SimulateResult& result) {
  const SimulateStudy& study = result.study;
  std::size_t stopped = 0;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    if (!packed[i]) {
      ++stopped;
    } else if (!is_failure(*packed[i])) {
      result.experiments.push_back(unpacked_experiment(study, i, *packed[i]));
      packed[i].reset();  // Many long experiments need not stand in memory twice.
    } else {
      const Outcome failure = unpacked_failure(*packed[i]);
      if (failure.status == Status::Stopped) {
        ++stopped;
      } else if (result.ok()) {
        result.status = failure.status;
        result.message = fmt::format("experiment {}: {}", i + 1, failure.message);
      }
    }
  }
  if (stopped > 0 && result.ok()) {
    result.status = Status::Stopped;
    result.message = fmt::format("stopped on request: {} of {} experiments finished{}",
                                 result.experiments.size(), study.experiments,
                                 finished_numbers(result.experiments));
  }
}

// What the sensors see of a mechanism where it has been.
void look_at_mechanism(const MovedMechanism& moved, SimulateResult& result) {
  if (result.experiments.empty()) return;
  const Eigen::MatrixXd path =
      result.experiments.front().truth.samples().leftCols(moved.mechanism->coordinates());
  estimate::Workspace workspace;
  result.seen = view_of_sensors(*moved.mechanism, path.row(0).transpose(), path, workspace);
  if (!result.seen || result.seen->words.empty()) return;
  const estimate::SensorSetReport& positions = result.seen->report.position_sensors;
  if (positions.lowest_rank < result.seen->report.coordinates) {
    result.warnings.push_back(result.seen->words.front());
  }
}

/// What is known of the model before it moves; one overload for each kind.
struct LookBefore {
  SimulateResult& result;

  void operator()(const LinearModel& model) const {
    result.definiteness = model::check_second_order(model.system);
    result.modes = model::damped_modes(model.system);
    warn_about_model(result);
  }
  void operator()(const EquationSystem&) const {}
  void operator()(const MovedMechanism&) const {}
  void operator()(const MovedFlexible& moved) const {
    result.flexible = move_flexible(moved, result.study.step, result.study.samples);
  }
};

/// What the experiments show of the model; one overload for each kind.
struct LookAfter {
  SimulateResult& result;

  void operator()(const LinearModel&) const { warn_about_inputs(result); }
  void operator()(const EquationSystem&) const { warn_about_inputs(result); }
  void operator()(const MovedMechanism& moved) const { look_at_mechanism(moved, result); }
  void operator()(const MovedFlexible&) const {
    if (!result.ok()) return;
    result.status = result.flexible->run.status;
    result.message = result.flexible->run.message;
  }
};

}  // namespace

double memory_needed(const SimulateStudy& study, int threads) {
  const auto m = static_cast<double>(study.inputs.size());
  const auto motion = static_cast<double>(motion_channels(study.model).size());
  const auto sensors = static_cast<double>(study.sensors.size());
  const auto experiments = static_cast<double>(study.experiments);
  const double at_once = std::min(static_cast<double>(thread_count(threads)), experiments);
  const auto from_file = static_cast<double>(
      std::count_if(study.inputs.begin(), study.inputs.end(), [](const InputDescription& input) {
        return std::holds_alternative<FileInput>(input.source);
      }));
  // Signals of one length. A packed experiment holds inputs, motion (three signals a coordinate)
  // and sensors; an unpacked one the inputs twice, in the record and in the truth.
  const double packed = m + motion + sensors;
  const double unpacked = packed + m;
  // While simulating: all packed ones; for each thread inputs, their slopes, the motion twice and
  // two signals of a sensor. While unpacking: all unpacked ones; the last packed one and its parts.
  const double simulating = experiments * packed + at_once * (2.0 * m + 2.0 * motion + 2.0);
  const double unpacking = experiments * unpacked + packed + m + motion + 2.0;
  // The motion of a mechanism is made once, before all experiments.
  const double shared = study.mechanism() != nullptr || study.flexible() != nullptr ? motion : 0.0;
  // The study is there twice, before the run and in its result.
  return static_cast<double>(sizeof(double)) * static_cast<double>(study.samples) *
         (std::max(simulating, unpacking) + shared + 2.0 * from_file);
}

Verdict verdict_of(const SimulateResult& result) {
  if (!result.flexible) return verdict_on(result, result.warnings);
  Verdict verdict = result.flexible->verdict;
  const Verdict other = verdict_on(result, result.warnings);
  verdict.level = std::max(verdict.level, other.level);
  for (const std::string& reason : other.reasons) {
    const auto& known = verdict.reasons;
    if (std::find(known.begin(), known.end(), reason) == known.end()) {
      verdict.reasons.push_back(reason);
    }
  }
  return verdict;
}

SimulateResult run_simulate(const SimulateStudy& study, const Machines& machines,
                            const RunOptions& options) {
  SimulateResult result;
  result.study = study;
  std::visit(LookBefore{result}, study.model);
  const std::unique_ptr<const Simulator> simulator =
      result.flexible ? std::make_unique<FlexibleSimulator>(*study.flexible(), *result.flexible)
                      : make_simulator(study);
  auto packed = distributed_map(
      machines, study.experiments,
      [&](std::size_t number) {
        return packed_experiment(study, *simulator, number, options.stop);
      },
      {.threads = options.threads, .on_progress = options.on_progress, .stop = options.stop});
  collect(std::move(packed), result);
  std::visit(LookAfter{result}, study.model);
  warn_about_sensors(result);
  return result;
}

}  // namespace alembert::study
