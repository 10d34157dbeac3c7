#include <fmt/format.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/model/planar/simulate_readings.hpp"
#include "core/mapped.hpp"
#include "study/parts/data/sensor_errors.hpp"
#include "study/parts/mechanism/assembly_notes.hpp"
#include "study/parts/mechanism/read_mechanism_sensors.hpp"
#include "study/parts/mechanism/read_motion.hpp"
#include "study/parts/names.hpp"
#include "study/schema/check_keys.hpp"
#include "study/tasks/simulate/flexible_motion/recorded_columns.hpp"
#include "study/tasks/simulate/read_simulate.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"

namespace alembert::study {
namespace {

using model::planar::Mechanism;
using model::planar::Sensor;

// Keys that only a record that is read needs; beside [observe] they may wait for one.
void check_data_keys(const TableReader& root) {
  const TableReader data = root.table("data");
  for (const char* key : {"file", "step", "dataset"}) {
    if (data.has(key) && !root.has("observe")) {
      data.fail_at_key(key, fmt::format("{} has no place with [simulate], which makes the record; "
                                        "it is for [observe]",
                                        data.name(key)));
    }
  }
  const TableReader sensors = data.table("sensors");
  for (const std::string& name : sensors.keys()) {
    const TableReader sensor = sensors.table(name);
    if (!sensor.has("file")) continue;
    sensor.fail_at_key("file", fmt::format("{} has no place with [simulate], which makes the "
                                           "record; it is for [observe]",
                                           sensor.name("file")));
  }
  if (data.has("time") && data.text("time") != "t") {
    data.fail("time", fmt::format("must be \"t\", as [simulate] names the time in its record, got "
                                  "\"{}\"",
                                  data.text("time")));
  }
}

Eigen::VectorXd read_lengths(const TableReader& lengths, const Mechanism& mechanism) {
  const auto& parameters = mechanism.description().parameters;
  const std::vector<std::string> names =
      mapped(parameters, [](const auto& one) { return one.name; });
  Eigen::VectorXd errors = Eigen::VectorXd::Zero(mechanism.parameters());
  for (const std::string& name : lengths.keys()) {
    const Eigen::Index at = index_of(names, name);
    if (at < 0) {
      lengths.fail_at_key(name, fmt::format("{}: [mechanism.parameters] has no length \"{}\"{}",
                                            lengths.name(name), name, suggestion(name, names)));
    }
    errors(at) = lengths.number(name);
  }
  return errors;
}

std::string sensor_place(const Sensor& sensor) {
  const std::string what = std::string(name_of(sensor.kind)) + " of " + sensor.of;
  return sensor.relative_to == "ground" ? what : what + " against " + sensor.relative_to;
}

// What [data.sensors] says, then what [simulate.sensors] adds, in the unit of the record: counts
// for an encoder that counts, else SI.
SensorDescription read_simulated_sensor(const TableReader& known, const TableReader& errors,
                                        const Sensor& sensor, const SimulateStudy& study) {
  SensorDescription made;
  made.name = sensor.name;
  made.quantity = Quantity::Signal;
  made.place = sensor_place(sensor);
  made.unit = recorded_sensor(sensor).unit;
  read_sensor_errors(errors, grid_of(study), made);
  if (sensor.counts && made.options.bits) {
    errors.fail_at_key("bits", errors.name("bits") + " has no place with counts");
  }
  model::planar::RecordedSensor record = recorded_sensor(sensor, made.options);
  made.factor = record.factor;
  made.options = record.options;
  made.options.delay = read_whole_delay(known, errors, study);
  return made;
}

void read_simulated_sensors(const TableReader& root, const MovedMechanism& moved,
                            SimulateStudy& study, std::vector<Problem>& problems) {
  const std::vector<Sensor>& sensors = moved.mechanism->description().sensors;
  const TableReader known = root.table("data").table("sensors");
  const TableReader errors = root.table("simulate").table("sensors");
  const std::vector<std::string> names =
      mapped(sensors, [](const Sensor& sensor) { return sensor.name; });
  check_sensor_errors(errors, names, problems);
  const Eigen::Index motion = 3 * moved.mechanism->coordinates();
  const auto signals = motion + static_cast<Eigen::Index>(sensors.size());
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    attempt(problems, [&] {
      const std::string& name = sensors[i].name;
      SensorDescription sensor =
          read_simulated_sensor(known.table(name), errors.table(name), sensors[i], study);
      sensor.column = read_record_column(known, name, study.sensors);
      sensor.weights = Eigen::VectorXd::Unit(signals, motion + static_cast<Eigen::Index>(i));
      study.sensors.push_back(std::move(sensor));
    });
  }
}

}  // namespace

SimulateStudy read_mechanism_simulate(const TableReader& root, const FileContext& files,
                                      std::vector<Problem>& problems) {
  SimulateStudy study;
  const TableReader simulate = root.table("simulate");
  MechanismPlaces places;
  MovedMechanism moved;
  const bool ready = attempt(problems, [&] {
    moved.mechanism = read_mechanism_with_sensors(root, places);
    if (moved.mechanism->sensors() == 0) {
      root.table("data").fail("sensors", "must name at least one sensor");
    }
    check_data_keys(root);
    read_time(simulate, std::nullopt, study);
    simulate_count_keys().read(simulate, study);
    moved.lengths = read_lengths(simulate.table("lengths"), *moved.mechanism);
    const double last = study.step * static_cast<double>(study.samples - 1);
    if (simulate.has("motion")) {
      check_balance(root.table("mechanism"), places, *moved.mechanism);
    }
    read_motion(simulate, files, last, moved, study.notes);
  });
  // Without model, times and motion nothing else can be judged.
  if (!ready) return study;
  read_simulated_sensors(root, moved, study, problems);
  const Eigen::VectorXd first = moved.first();
  // What is not finite is reported with its time when the mechanism is moved.
  if (first.allFinite()) {
    check_assembly(root.table("mechanism"), places, *moved.mechanism, first, moved.lengths,
                   problems);
    moved.assemblies = other_assemblies(*moved.mechanism, first, moved.lengths);
    for (const std::string& note : assembly_notes(moved.assemblies)) study.notes.push_back(note);
  }
  study.model = std::move(moved);
  return study;
}

}  // namespace alembert::study
