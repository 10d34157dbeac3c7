#include "study/tasks/observe/read_observe.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "alembert/estimate/force/force_sight.hpp"
#include "study/parts/mechanism/assembly_notes.hpp"
#include "study/parts/mechanism/read_mechanism_sensors.hpp"

namespace alembert::study {
namespace {

void read_columns_of_sensors(const TableReader& data, ObserveStudy& study) {
  const TableReader sensors = data.table("sensors");
  for (const model::planar::Sensor& sensor : study.mechanism->description().sensors) {
    const TableReader table = sensors.table(sensor.name);
    study.columns.push_back({.column = table.optional_text("column").value_or(sensor.name),
                             .column_unit = "",
                             .unit = sensor.counts ? "count" : sensor_unit(sensor.kind),
                             .delay = table.number("delay")});
  }
  study.time_column = data.optional_text("time").value_or("");
  study.step = data.optional_number("step").value_or(0.0);
}

void check_all_known(const TableReader& observe, const ObserveStudy& study,
                     const estimate::RecordStart& found) {
  const auto& coordinates = study.mechanism->description().coordinates;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (found.coordinates[i].known) continue;
    throw StudyError(observe.place("start"),
                     fmt::format("observe.start needs the key \"coordinates\": no sensor reads {} "
                                 "itself",
                                 model::planar::to_string(coordinates[i])));
  }
}

// Leaves out what comes before all coordinates are known.
void begin_at(Eigen::Index first, ObserveStudy& study) {
  if (first == 0) return;
  study.notes.push_back(
      fmt::format("the record is taken from t = {:.6g} s, when all coordinates have been read",
                  study.time[first]));
  const Eigen::Index rest = study.time.size() - first;
  study.time = study.time.slice(first, rest);
  study.readings = Eigen::MatrixXd(study.readings.bottomRows(rest));
}

void note_turns(const std::vector<int>& turns, ObserveStudy& study) {
  const auto& coordinates = study.mechanism->description().coordinates;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (turns[i] == 0) continue;
    study.notes.push_back(fmt::format(
        "{} starts {:+d} turns from its first reading: only so do the other sensors agree",
        model::planar::to_string(coordinates[i]), turns[i]));
  }
}

// Readings that cannot be what the study says of them.
void check_readings(const TableReader& sensors, const ObserveStudy& study) {
  const estimate::DoubtfulSensor found =
      estimate::doubtful_sensor(*study.mechanism, study.readings);
  if (found.sensor < 0) return;
  const auto i = static_cast<std::size_t>(found.sensor);
  const std::string& name = study.mechanism->description().sensors[i].name;
  throw DataError(sensors.key_place(name),
                  fmt::format("{}: the readings of column \"{}\" {}, got {}", sensors.name(name),
                              study.columns[i].column, found.rule, found.reading));
}

void take_start_from_readings(const TableReader& observe, ObserveStudy& study) {
  estimate::RecordStart found =
      estimate::start_from_readings(*study.mechanism, study.time.times(), study.readings);
  if (!study.options.given.coordinates) {
    check_all_known(observe, study, found);
    note_turns(estimate::settle_turns(*study.mechanism, study.time.times(), study.readings, found),
               study);
    begin_at(found.first, study);
  } else if (found.first > 0) {
    return;  // the readings are of another time
  }
  estimate::take_start(found, study.options.given, study.options.start);
}

void check_something_is_scored(const TableReader& observe, const ObserveStudy& study) {
  const double length = study.time[study.time.size() - 1] - study.time.start();
  if (!study.options.scored_from || *study.options.scored_from < length) return;
  observe.fail("scored-from",
               fmt::format("must leave something of the record, which lasts {:.6g} s, got {:.6g} s",
                           length, *study.options.scored_from));
}

// What is left when the coordinates are known must be a record, with readings of every sensor.
void check_rest(const TableReader& sensors, const ObserveStudy& study) {
  if (study.time.size() < 2) {
    throw DataError(sensors.place(""),
                    fmt::format("data.sensors: the coordinates have all been read at t = {:.6g} s "
                                "only, the last sample; at least two must be left from there on",
                                study.time.start()));
  }
  const auto& description = study.mechanism->description();
  for (std::size_t i = 0; i < description.sensors.size(); ++i) {
    if (!study.readings.col(static_cast<Eigen::Index>(i)).array().isNaN().all()) continue;
    const std::string& name = description.sensors[i].name;
    throw DataError(
        sensors.key_place(name),
        fmt::format("{}: no reading is left: all are of before t = {:.6g} s, when the coordinates "
                    "have all been read; look at its delay and its clock",
                    sensors.name(name), study.time.start()));
  }
}

// What only the observer itself finds.
void check_observer(const TableReader& observe, const ObserveStudy& study) {
  try {
    (void)estimate::estimated_states(study.mechanism, study.options);
  } catch (const InvalidInput& error) {
    throw StudyError(observe.place(""), "observe: " + error.reason());
  }
}

// Forces that this record cannot tell.
void check_forces(const TableReader& observe, const ObserveStudy& study) {
  if (!study.options.output.forces || study.readings.rows() == 0) return;
  try {
    estimate::check_forces_seen("observe", *study.mechanism, study.options.start.z, study.readings);
  } catch (const InvalidInput& error) {
    throw StudyError(observe.place("method"),
                     "observe.method = \"force\" is not possible: " + error.reason());
  }
}

}  // namespace

ObserveStudy read_observe(const TableReader& root, const FileContext& files, bool stream,
                          std::vector<Problem>& problems) {
  ObserveStudy study;
  MechanismPlaces places;
  const TableReader observe = root.table("observe");
  const bool understood = attempt(problems, [&] {
    study.mechanism = read_mechanism_with_sensors(root, places);
    read_columns_of_sensors(root.table("data"), study);
    read_observe_settings(observe, study);
    read_observe_watch(observe, study);
  });
  if (!understood) return study;
  const auto check_start = [&] {
    check_assembly(root.table("mechanism"), places, *study.mechanism, study.options.start.z,
                   study.mechanism->make_state().p, problems);
    if (problems.empty()) {
      attempt(problems, [&] {
        check_observer(observe, study);
        check_observe_watch(observe, study);
      });
    }
    // Nobody reads what is said about one run of many.
    if (!problems.empty() || files.memory != nullptr) return;
    study.assemblies =
        other_assemblies(*study.mechanism, study.options.start.z, study.mechanism->make_state().p);
    for (const std::string& note : assembly_notes(study.assemblies)) study.notes.push_back(note);
  };
  if (study.options.given.coordinates) check_start();
  if (stream || !problems.empty()) return study;
  const bool read = attempt(problems, [&] {
    read_observe_data(root.table("data"), files, study);
    check_readings(root.table("data").table("sensors"), study);
    take_start_from_readings(observe, study);
    check_rest(root.table("data").table("sensors"), study);
    check_something_is_scored(observe, study);
    read_observe_truth(root.table("data"), files, study);
  });
  if (read && !study.options.given.coordinates) check_start();
  if (read && problems.empty()) attempt(problems, [&] { check_forces(observe, study); });
  return study;
}

}  // namespace alembert::study
