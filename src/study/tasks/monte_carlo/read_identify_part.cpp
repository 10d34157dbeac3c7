#include <algorithm>

#include "alembert/core/error.hpp"
#include "study/parts/names.hpp"
#include "study/tasks/identify/read_identify.hpp"
#include "study/tasks/monte_carlo/read_monte_carlo.hpp"

namespace alembert::study {
namespace {

// The place that a sensor sees alone with weight 1; -1: a combination.
Eigen::Index single_place(const Eigen::VectorXd& weights) {
  Eigen::Index place = -1;
  if ((weights.array() != 0.0).count() != 1 || weights.maxCoeff(&place) != 1.0) return -1;
  return place;
}

model::Motion simulated_motion(Quantity quantity) {
  return quantity == Quantity::Velocity       ? model::Motion::Velocity
         : quantity == Quantity::Acceleration ? model::Motion::Acceleration
                                              : model::Motion::Displacement;
}

ColumnUse column_of_sensor(const SensorDescription& sensor) {
  return {.name = sensor.name,
          .column = sensor.name,
          .column_unit = sensor.unit,
          .unit = sensor.unit,
          .factor = 1.0 / sensor.factor};
}

OutputSensor output_of(const SensorDescription& sensor) {
  OutputSensor output;
  output.column = column_of_sensor(sensor);
  output.motion = simulated_motion(sensor.quantity);
  output.place = sensor.place;
  output.weights = sensor.weights;
  output.coordinate = single_place(sensor.weights);
  return output;
}

// The inputs as they are, or as the first force sensor at an input shows them.
void read_simulated_channels(MonteCarloPoint& point) {
  const LinearModel& model = *point.simulate.linear();
  const auto m = static_cast<Eigen::Index>(model.inputs.size());
  for (Eigen::Index j = 0; j < m; ++j) {
    const std::string& name = model.inputs[static_cast<std::size_t>(j)];
    const std::string& unit = model.force_units[static_cast<std::size_t>(j)];
    point.identify.inputs.push_back({name, name, unit, unit});
    point.input_columns.push_back(j);
  }
  for (std::size_t i = 0; i < point.simulate.sensors.size(); ++i) {
    const SensorDescription& sensor = point.simulate.sensors[i];
    const Eigen::Index column = m + static_cast<Eigen::Index>(i);
    if (sensor.quantity != Quantity::Force) {
      point.identify.outputs.push_back(output_of(sensor));
      point.output_columns.push_back(column);
      continue;
    }
    const Eigen::Index input = single_place(sensor.weights);
    if (input < 0) continue;
    const auto at = static_cast<std::size_t>(input);
    if (point.input_columns[at] != input) continue;
    point.input_columns[at] = column;
    point.identify.inputs[at] = column_of_sensor(sensor);
  }
}

}  // namespace

void read_identify_part(const TableReader& root, MonteCarloPoint& point,
                        std::vector<Problem>& problems) {
  IdentifyStudy& study = point.identify;
  study.model = *point.simulate.linear();
  study.settings.truth = identify::matrices_of(study.model.system);
  bool all_free = true;
  attempt(problems, [&] {
    if (index_of(study.model.coordinates, "ground") >= 0) {
      root.table("model").fail("coordinates",
                               "must not hold \"ground\", the point that does not move");
    }
    all_free = read_structure(root.table("model"), study);
  });
  read_simulated_channels(point);
  if (study.outputs.empty()) {
    problems.push_back({root.table("simulate").place("sensors"),
                        "simulate.sensors must hold a sensor of motion: there is nothing to "
                        "identify from"});
    return;
  }
  if (problems.empty()) read_settings(root, all_free, study, problems);
}

}  // namespace alembert::study
