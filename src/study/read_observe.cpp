#include "study/read_observe.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/error.hpp"
#include "study/read_mechanism.hpp"
#include "study/rule_of.hpp"

namespace alembert::study {
namespace {

void read_columns_of_sensors(const TableReader& data, ObserveStudy& study) {
  const TableReader sensors = data.table("sensors");
  for (const model::planar::Sensor& sensor : study.mechanism->description().sensors) {
    const TableReader table = sensors.table(sensor.name);
    study.columns.push_back({.column = table.optional_text("column").value_or(sensor.name),
                             .column_unit = "",
                             .unit = sensor.counts ? "count" : sensor_unit(sensor.kind)});
  }
  study.time_column = data.optional_text("time").value_or("");
  study.step = data.optional_number("step").value_or(0.0);
}

void take_start_from_readings(const TableReader& observe, ObserveStudy& study) {
  study.options.start.z = coordinates_from_readings(*study.mechanism, study.readings);
  const auto& coordinates = study.mechanism->description().coordinates;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    if (std::isfinite(study.options.start.z(static_cast<Eigen::Index>(i)))) continue;
    throw StudyError(observe.place("start"),
                     fmt::format("observe.start needs the key \"coordinates\": no sensor reads {} "
                                 "itself",
                                 model::planar::to_string(coordinates[i])));
  }
}

void check_something_is_scored(const TableReader& observe, const ObserveStudy& study) {
  const double length = study.time[study.time.size() - 1] - study.time.start();
  if (study.scored_from < length) return;
  observe.fail("scored-from",
               fmt::format("must leave something of the record, which lasts {:.6g} s, got {:.6g} s",
                           length, study.scored_from));
}

// What only the observer itself finds.
void check_observer(const TableReader& observe, const ObserveStudy& study) {
  try {
    const estimate::KinematicObserver observer(study.mechanism, study.options);
  } catch (const InvalidInput& error) {
    throw StudyError(observe.place(""), "observe: " + rule_of(error));
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
  });
  if (!understood) return study;
  const auto check_start = [&] {
    check_assembly(root.table("mechanism"), places, *study.mechanism, study.options.start.z,
                   study.mechanism->make_state().p, problems);
    if (problems.empty()) attempt(problems, [&] { check_observer(observe, study); });
  };
  if (!study.start_from_readings) check_start();
  if (stream || !problems.empty()) return study;
  const bool read = attempt(problems, [&] {
    read_observe_data(root.table("data"), files, study);
    check_something_is_scored(observe, study);
    if (study.start_from_readings) take_start_from_readings(observe, study);
  });
  if (read && study.start_from_readings) check_start();
  return study;
}

}  // namespace alembert::study
