#include <fmt/format.h>

#include "core/mapped.hpp"
#include "study/parts/data/sensor_errors.hpp"
#include "study/parts/mechanism/flexible/flexible_body_keys.hpp"
#include "study/parts/mechanism/flexible/read_flexible.hpp"
#include "study/parts/mechanism/read_motion.hpp"
#include "study/tasks/simulate/flexible_motion/recorded_columns.hpp"
#include "study/tasks/simulate/flexible_motion/tables_flexible_simulate.hpp"
#include "study/tasks/simulate/read_simulate.hpp"
#include "study/tasks/simulate/tables_simulate.hpp"

namespace alembert::study {
namespace {

using model::flexible::FlexibleSensor;

std::string place_of_sensor(const FlexibleSensor& sensor) {
  const std::string what = std::string(name_of(sensor.kind)) + " of " + sensor.of;
  if (sensor.kind == model::flexible::FlexibleSensorKind::Curvature ||
      sensor.kind == model::flexible::FlexibleSensorKind::Strain) {
    return fmt::format("{} at {:g} m", what, sensor.along);
  }
  return sensor.relative_to == "ground" ? what : what + " against " + sensor.relative_to;
}

// The noise of [data.sensors], unless [simulate.sensors] has its own.
SensorDescription read_one(const TableReader& known, const TableReader& errors,
                           const FlexibleSensor& sensor, const SimulateStudy& study) {
  SensorDescription made;
  made.name = sensor.name;
  made.quantity = Quantity::Signal;
  made.place = place_of_sensor(sensor);
  made.unit = model::flexible::flexible_sensor_unit(sensor.kind);
  read_sensor_errors(errors, grid_of(study), made);
  if (!made.options.sigma && !made.options.snr_db) made.options.sigma = sensor.sigma;
  made.options.empty_before = true;
  made.options.delay = read_whole_delay(known, errors, study);
  return made;
}

void read_sensors_of(const TableReader& root, const MovedFlexible& moved, SimulateStudy& study,
                     std::vector<Problem>& problems) {
  const std::vector<FlexibleSensor>& sensors = moved.sensors->sensors();
  const TableReader known = root.table("data").table("sensors");
  const TableReader errors = root.table("simulate").table("sensors");
  check_sensor_errors(errors, mapped(sensors, [](const FlexibleSensor& one) { return one.name; }),
                      problems);
  const Eigen::Index motion = 3 * moved.mechanism->coordinates();
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    attempt(problems, [&] {
      const std::string& name = sensors[i].name;
      SensorDescription sensor = read_one(known.table(name), errors.table(name), sensors[i], study);
      sensor.column = read_record_column(known, name, study.sensors);
      sensor.weights = Eigen::VectorXd::Unit(motion + static_cast<Eigen::Index>(sensors.size()),
                                             motion + static_cast<Eigen::Index>(i));
      study.sensors.push_back(std::move(sensor));
    });
  }
}

void read_the_motion(const TableReader& root, MechanismPlaces& places, MovedFlexible& moved,
                     SimulateStudy& study) {
  const TableReader simulate = root.table("simulate");
  const TableReader start = simulate.table("start");
  moved.place = simulate.key_place("start");
  flexible_motion_keys().read(simulate, moved);
  flexible_motion_keys().refuse_unused(simulate, moved);
  flexible_start_keys().read(start, moved);
  read_time(simulate, std::nullopt, study);
  simulate_count_keys().read(simulate, study);
  const TableReader mechanism = root.table("mechanism");
  moved.mechanism = read_flexible(mechanism, start.vector("coordinates"), places);
  moved.released = read_released(start, moved.mechanism->coordinates());
  moved.sensors = read_flexible_sensors(root.table("data"), mechanism, *moved.mechanism, places);
  if (moved.sensors->size() == 0) {
    root.table("data").fail("sensors", "must name at least one sensor");
  }
  const auto& forces = moved.mechanism->description().mechanism.forces;
  moved.forces = read_force_laws(
      simulate, mapped(forces, [](const model::planar::Force& one) { return one.name; }),
      study.notes);
}

}  // namespace

SimulateStudy read_flexible_simulate(const TableReader& root, const FileContext& /*files*/,
                                     std::vector<Problem>& problems) {
  SimulateStudy study;
  MechanismPlaces places;
  MovedFlexible moved;
  const bool ready = attempt(problems, [&] { read_the_motion(root, places, moved, study); });
  // Without a model and times nothing else can be judged.
  if (!ready) return study;
  read_sensors_of(root, moved, study, problems);
  study.model = std::move(moved);
  return study;
}

}  // namespace alembert::study
