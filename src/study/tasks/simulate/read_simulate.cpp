#include "study/tasks/simulate/read_simulate.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "study/parts/data/read_inputs.hpp"
#include "study/parts/linear/read_model.hpp"
#include "study/parts/linear/read_sensors.hpp"
#include "study/parts/names.hpp"
#include "study/tasks/simulate/simulate_channels.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"

namespace alembert::study {
namespace {

constexpr double kMostSamples = 1e9;

double read_step(const TableReader& simulate, const std::optional<DataInputs>& data) {
  if (!simulate.has("step")) {
    if (data) {
      return data->step;
    }
    throw StudyError(simulate.place("step"),
                     "[simulate] needs the key \"step\": time between samples (s)");
  }
  const double step = simulate.number("step");
  if (data && std::abs(step - data->step) > 1e-6 * step) {
    simulate.fail("step", fmt::format("must agree with the data file, {} s, got {}",
                                      shortest(data->step), shortest(step)));
  }
  return step;
}

Eigen::Index samples_of_duration(const TableReader& simulate, double step) {
  // A small part of a step more, so that 16.5 s / 5 ms gives 3300 whatever the rounding.
  const double count = std::floor(simulate.number("duration") / step + 1e-6);
  if (count < 2.0 || count > kMostSamples) {
    simulate.fail("duration", fmt::format("must be from 2 to 1e9 steps of {} s, got {}",
                                          shortest(step), shortest(simulate.number("duration"))));
  }
  return static_cast<Eigen::Index>(count);
}

Eigen::Index read_samples(const TableReader& simulate, const std::optional<DataInputs>& data,
                          double step) {
  const std::string key = simulate.has("duration") ? "duration" : "samples";
  if (!simulate.has(key)) {
    if (data) {
      return data->samples;
    }
    throw StudyError(simulate.place(key),
                     "[simulate] needs exactly one of the keys samples, duration");
  }
  const Eigen::Index samples =
      key == "samples" ? simulate.integer("samples") : samples_of_duration(simulate, step);
  if (data && samples > data->samples) {
    simulate.fail(key, fmt::format("must not exceed the data file, {} samples, got {}",
                                   data->samples, samples));
  }
  return samples;
}

Eigen::VectorXd read_start(const TableReader& start, const std::string& key, Eigen::Index n) {
  if (!start.has(key)) {
    return Eigen::VectorXd::Zero(n);
  }
  Eigen::VectorXd state = start.vector(key);
  if (state.size() != n) {
    start.fail(key, fmt::format("must hold one number for each of the {} coordinates, got {}", n,
                                state.size()));
  }
  return state;
}

// A key that the chosen method does not look at must not pass in silence. If the command line
// chose the method, the key was right for the study as written and is noted only.
void check_method_keys(const TableReader& simulate, const integrate::LinearSimulationOptions& found,
                       std::vector<std::string>& notes, std::vector<Problem>& problems) {
  const std::string study = simulate.place_of({}).file;
  const bool chosen_later = simulate.place("method").file != study;
  for (const UnusedKey& unused : method_keys().unused(simulate, found)) {
    const std::string message = simulate.name(unused.key) + " " + unused.rule;
    const Place place = simulate.key_place(unused.key);
    if (chosen_later && place.file == study) {
      notes.push_back(message);
    } else {
      problems.push_back({place, message});
    }
  }
}

void read_rest(const TableReader& simulate, Eigen::Index n, SimulateStudy& study,
               std::vector<Problem>& problems) {
  study.integration = method_keys().read(simulate);
  newmark_keys().read(simulate.table("newmark"), study.integration);
  check_method_keys(simulate, study.integration, study.notes, problems);
  simulate_count_keys().read(simulate, study);
  const TableReader start = simulate.table("start");
  attempt(problems, [&] { study.start_displacement = read_start(start, "displacement", n); });
  attempt(problems, [&] { study.start_velocity = read_start(start, "velocity", n); });
}

// The channels of truth.csv get their names from the coordinates; an input must not take one.
void check_truth_names(const TableReader& root, const LinearModel& model) {
  for (const signal::Channel& channel : motion_channels(model)) {
    if (index_of(model.inputs, channel.name) < 0) {
      continue;
    }
    root.table("model").fail(
        "inputs", fmt::format("must not hold \"{}\", a channel of the motion", channel.name));
  }
}

}  // namespace

void read_time(const TableReader& simulate, const std::optional<DataInputs>& data,
               SimulateStudy& study) {
  study.start_time = data ? data->start : 0.0;
  study.step = read_step(simulate, data);
  study.samples = read_samples(simulate, data, study.step);
}

void use_data(std::optional<DataInputs>& data, SimulateStudy& study) {
  if (!data) {
    return;
  }
  study.notes.insert(study.notes.end(), data->notes.begin(), data->notes.end());
  for (auto& input : data->inputs) {
    if (input) {
      input->values.conservativeResize(study.samples);
    }
  }
}

SampleGrid grid_of(const SimulateStudy& study) {
  return {.step = study.step, .samples = study.samples};
}

SimulateStudy read_simulate(const TableReader& root, const FileContext& files,
                            std::vector<Problem>& problems) {
  SimulateStudy study;
  LinearModel model;
  const TableReader simulate = root.table("simulate");
  std::optional<DataInputs> data;
  const bool ready = attempt(problems, [&] {
    model = read_model(root.table("model"), files);
    check_truth_names(root, model);
    if (root.has("data")) {
      data = read_data_inputs(root.table("data"), {model.inputs, model.force_units}, files);
    }
    read_time(simulate, data, study);
  });
  // Without sizes and times nothing else can be judged.
  if (!ready) {
    return study;
  }
  use_data(data, study);
  read_rest(simulate, model.system.degrees_of_freedom(), study, problems);
  study.inputs = read_inputs(simulate.table("inputs"), {model.inputs, model.force_units},
                             std::move(data), grid_of(study), problems);
  study.sensors = read_sensors(simulate.table("sensors"), model, grid_of(study), problems);
  study.model = std::move(model);
  return study;
}

}  // namespace alembert::study
