#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "alembert/core/text.hpp"
#include "alembert/study/simulate.hpp"
#include "study/experiment.hpp"

namespace alembert::study {
namespace {

void warn_about_model(SimulateResult& result) {
  const model::SecondOrderCheck& found = result.definiteness;
  if (!found.damping.positive_semidefinite) {
    result.warnings.push_back(fmt::format(
        "damping is not positive semidefinite (smallest eigenvalue {:.3g}): motion may grow",
        found.damping.smallest));
  }
  if (!found.stiffness.positive_semidefinite) {
    result.warnings.push_back(fmt::format(
        "stiffness is not positive semidefinite (smallest eigenvalue {:.3g}): motion may grow",
        found.stiffness.smallest));
  }
  const double nyquist = 0.5 / result.study.step;
  if (!result.modes.empty() && result.modes.back().frequency_hz > nyquist) {
    result.warnings.push_back(
        fmt::format("the highest mode, {:.4g} Hz, lies above half the sampling rate, {:.4g} Hz",
                    result.modes.back().frequency_hz, nyquist));
  }
}

void warn_about_rest(SimulateResult& result) {
  const SimulateStudy& study = result.study;
  const bool driven =
      std::any_of(study.inputs.begin(), study.inputs.end(),
                  [](const InputDescription& input) { return input.kind != "zero"; });
  if (!driven && !study.start_displacement.any() && !study.start_velocity.any()) {
    result.warnings.push_back("nothing moves: all inputs are zero and the start is at rest");
  }
}

void warn_about_sensors(SimulateResult& result) {
  for (std::size_t i = 0; i < result.study.sensors.size(); ++i) {
    Eigen::Index clipped = 0;
    Eigen::Index samples = 0;
    for (const Experiment& experiment : result.experiments) {
      clipped += experiment.sensors[i].clipped;
      samples += experiment.sensors[i].samples;
    }
    if (clipped == 0) {
      continue;
    }
    result.warnings.push_back(fmt::format("sensor {} clips {} of {} samples at its range",
                                          result.study.sensors[i].name, clipped, samples));
  }
}

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

}  // namespace

double memory_needed(const SimulateStudy& study) {
  // The record holds inputs and sensors, the truth inputs and three signals a coordinate.
  const double channels = static_cast<double>(2 * study.model.system.inputs()) +
                          static_cast<double>(3 * study.model.system.degrees_of_freedom()) +
                          static_cast<double>(study.sensors.size());
  return static_cast<double>(sizeof(double)) * channels * static_cast<double>(study.samples) *
         static_cast<double>(study.experiments);
}

SimulateResult run_simulate(const SimulateStudy& study, const Machines& machines,
                            const RunOptions& options) {
  SimulateResult result;
  result.study = study;
  result.definiteness = model::check_second_order(study.model.system);
  result.modes = model::damped_modes(study.model.system);
  warn_about_model(result);
  warn_about_rest(result);
  const integrate::OneStepMap map =
      integrate::one_step_map(study.model.system, study.step, study.integration);
  auto packed = distributed_map(
      machines, study.experiments,
      [&](std::size_t number) { return packed_experiment(study, map, number, options.stop); },
      {.threads = options.threads, .on_progress = options.on_progress, .stop = options.stop});
  collect(std::move(packed), result);
  warn_about_sensors(result);
  return result;
}

}  // namespace alembert::study
