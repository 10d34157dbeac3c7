#include "study/parts/mechanism/read_mechanism_sensors.hpp"

#include "alembert/estimate/force/force_balance.hpp"
#include "study/parts/mechanism/flexible/read_flexible.hpp"
#include "study/parts/mechanism/mechanism_sensor_keys.hpp"
#include "study/parts/mechanism/read_mechanism.hpp"
#include "study/parts/names.hpp"

namespace alembert::study {
namespace {

using model::planar::Sensor;

Sensor read_mechanism_sensor(const TableReader& table, const std::string& name) {
  Sensor sensor{.name = name};
  mechanism_sensor_keys().read(table, sensor);
  mechanism_sensor_keys().refuse_unused(table, sensor);
  sensor.sigma = table.optional_number("sigma").value_or(sensor.sigma);
  if (sensor.sigma == 0.0 && !sensor.counts) {
    table.fail("sigma", "must be above 0 without counts, got 0");
  }
  return sensor;
}

}  // namespace

void read_mechanism_sensors(const TableReader& data,
                            model::planar::MechanismDescription& description,
                            MechanismPlaces& places) {
  const TableReader sensors = data.table("sensors");
  check_names(data, "sensors", sensors.keys());
  for (const std::string& name : sensors.keys()) {
    description.sensors.push_back(read_mechanism_sensor(sensors.table(name), name));
    places.add("sensor", name, sensors.name(name), *sensors.value(name), sensors.key_place(name));
  }
}

std::shared_ptr<const model::planar::Mechanism> read_mechanism_with_sensors(
    const TableReader& root, MechanismPlaces& places) {
  const TableReader mechanism = root.table("mechanism");
  refuse_flexible(mechanism);
  model::planar::MechanismDescription description = read_mechanism(mechanism, places);
  read_mechanism_sensors(root.table("data"), description, places);
  try {
    return std::make_shared<const model::planar::Mechanism>(std::move(description));
  } catch (const InvalidInput& error) {
    throw places.placed(mechanism, error);
  }
}

void check_balance(const TableReader& mechanism, const MechanismPlaces& places,
                   const model::planar::Mechanism& built) {
  if (!estimate::has_force_cells(built)) return;
  try {
    (void)estimate::ForceBalance(built);
  } catch (const InvalidInput& error) {
    throw places.placed(mechanism, error);
  }
}

void check_assembly(const TableReader& mechanism, const MechanismPlaces& places,
                    const model::planar::Mechanism& built, const Eigen::VectorXd& z,
                    const Eigen::VectorXd& p, std::vector<Problem>& problems) {
  model::planar::MechanismState state = built.make_state();
  state.p = p;
  const model::planar::Assembly assembly = built.assemble(z, state);
  if (assembly.ok()) return;
  for (const model::planar::Finding& finding : assembly.findings) {
    problems.push_back(places.placed(mechanism, finding));
  }
  if (assembly.findings.empty()) {
    problems.push_back({mechanism.place(""), "mechanism: " + assembly.message});
  }
}

}  // namespace alembert::study
