#include "study/tasks/mechanism_fit/read_mechanism_fit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/optimize/transformation.hpp"
#include "core/mapped.hpp"
#include "study/parts/mechanism/read_mechanism_sensors.hpp"
#include "study/parts/mechanism/read_sensor_files.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/mechanism_fit/mechanism_fit_keys.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using model::planar::MechanismDescription;

optimize::Parameter read_number(const TableReader& table, const std::string& name,
                                const MechanismDescription& description) {
  optimize::Parameter parameter;
  try {
    parameter = identify::unknown_parameter(description, name);
  } catch (const InvalidInput& error) {
    table.fail_at_key(name, fmt::format("{}: {}", table.name(name), error.parts().rule));
  }
  if (table.form(name) == kNumber) {
    parameter.guess = table.number(name);
  } else {
    number_keys().read(table.table(name), parameter);
  }
  return parameter;
}

void read_numbers(const TableReader& identify, MechanismFitStudy& study) {
  const TableReader table = identify.table("parameters");
  study.parameters = mapped(table.keys(), [&](const std::string& name) {
    return read_number(table, name, study.mechanism->description());
  });
  try {
    (void)optimize::Transformation(study.parameters);
  } catch (const InvalidInput& error) {
    throw StudyError(table.place(""), "identify.parameters: " + error.reason());
  }
}

// The sensor that reads each force, by its place.
std::vector<int> cells_of_forces(const TableReader& root, const MechanismFitStudy& study) {
  const model::planar::Mechanism& mechanism = *study.mechanism;
  const auto& forces = mechanism.description().forces;
  std::vector<int> cells(forces.size(), -1);
  for (int i = 0; i < mechanism.sensors(); ++i) {
    const int force = mechanism.force_read_by(i);
    if (force >= 0) cells[static_cast<std::size_t>(force)] = i;
  }
  const TableReader table = root.table("mechanism").table("forces");
  for (std::size_t f = 0; f < forces.size(); ++f) {
    if (cells[f] >= 0) continue;
    table.fail_at_key(
        forces[f].name,
        fmt::format("{}: [identify] needs a sensor of it, kind = \"torque\" or \"force\" with of = "
                    "\"{}\"",
                    table.name(forces[f].name), forces[f].name));
  }
  return cells;
}

double even_time_step(const TableReader& data, const ObserveStudy& read) {
  if (read.time.is_uniform()) return read.time.step();
  if (const auto step = read.time.common_step()) return *step;
  throw DataError(data.place(""),
                  "data: the samples must be in even steps to simulate along them; resample, or "
                  "give the key \"jitter\"");
}

void check_forces_complete(const TableReader& data, const Eigen::MatrixXd& input) {
  for (Index k = 0; k < input.rows(); ++k) {
    if (input.row(k).allFinite()) continue;
    throw DataError(data.place(""),
                    fmt::format("data: sample {} of the forces is missing; a simulation needs all "
                                "of them",
                                k + 1));
  }
}

identify::Experiment rows_of(const identify::Experiment& all, Index first, Index count) {
  return {.input = all.input.middleRows(first, count),
          .output = all.output.middleRows(first, count),
          .step = all.step,
          .start_time = all.start_time + static_cast<double>(first) * all.step};
}

void check_start_size(const TableReader& identify, const MechanismFitStudy& study) {
  const Index wanted = 2 * study.mechanism->coordinates();
  const Index given = study.settings.start.size();
  if (given == 0 || given == wanted) return;
  identify.fail("start", fmt::format("must hold {} numbers, coordinates and then rates, got {}",
                                     wanted, given));
}

void hold_back(const TableReader& identify, MechanismFitStudy& study) {
  const Index samples = study.record.samples();
  const auto held =
      static_cast<Index>(std::floor(study.settings.held_back * static_cast<double>(samples)));
  if (study.settings.held_back == 0.0) return;
  constexpr Index kFewest = 20;
  if (held < kFewest || samples - held < kFewest) {
    identify.fail("held-back", fmt::format("must leave {} samples on both sides, got {} and {}",
                                           kFewest, samples - held, held));
  }
  study.held_back = {rows_of(study.record, samples - held, held)};
  study.record = rows_of(study.record, 0, samples - held);
}

// The readings as [observe] reads them, parted in forces and motion.
void read_record(const TableReader& root, const FileContext& files, MechanismFitStudy& study) {
  const TableReader data = root.table("data");
  ObserveStudy read;
  read.mechanism = study.mechanism;
  read.columns = study.columns;
  read_observe_data(data, files, read);
  study.columns = read.columns;
  study.source = read.source;
  study.notes.insert(study.notes.end(), read.notes.begin(), read.notes.end());
  const std::vector<int> cells = cells_of_forces(root, study);
  identify::Experiment& record = study.record;
  record.step = even_time_step(data, read);
  record.start_time = read.time.start();
  record.input.resize(read.readings.rows(), static_cast<Index>(cells.size()));
  for (std::size_t f = 0; f < cells.size(); ++f) {
    record.input.col(static_cast<Index>(f)) = read.readings.col(cells[f]);
  }
  check_forces_complete(data, record.input);
  Index motion = 0;
  record.output.resize(read.readings.rows(), study.mechanism->sensors());
  for (int i = 0; i < study.mechanism->sensors(); ++i) {
    if (study.mechanism->force_read_by(i) < 0) {
      record.output.col(motion++) = read.readings.col(i);
    }
  }
  record.output.conservativeResize(Eigen::NoChange, motion);
  if (motion == 0) {
    data.fail("sensors", "must have one that reads the motion, beside those of forces");
  }
}

std::vector<SensorColumn> columns_of(const TableReader& data, const MechanismFitStudy& study) {
  const TableReader sensors = data.table("sensors");
  return mapped(study.mechanism->description().sensors, [&](const model::planar::Sensor& sensor) {
    const TableReader table = sensors.table(sensor.name);
    return SensorColumn{.column = table.optional_text("column").value_or(sensor.name),
                        .column_unit = "",
                        .unit = sensor.counts ? "count" : sensor_unit(sensor.kind),
                        .delay = table.number("delay")};
  });
}

}  // namespace

MechanismFitStudy read_mechanism_fit(const TableReader& root, const FileContext& files,
                                     std::vector<Problem>& problems) {
  MechanismFitStudy study;
  MechanismPlaces places;
  const TableReader identify = root.table("identify");
  const bool understood = attempt(problems, [&] {
    study.mechanism = read_mechanism_with_sensors(root, places);
    study.columns = columns_of(root.table("data"), study);
    study.settings = mechanism_fit_keys().read(identify);
    check_start_size(identify, study);
    read_numbers(identify, study);
  });
  if (!understood) return study;
  attempt(problems, [&] {
    read_record(root, files, study);
    hold_back(identify, study);
  });
  return study;
}

}  // namespace alembert::study
