#include "alembert/estimate/kinematic_observability.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "alembert/core/text.hpp"
#include "alembert/estimate/detail/kinematic_checks.hpp"
#include "estimate/observability/kinematic_sight.hpp"
#include "estimate/observability/kinematic_suggestions.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismState;

// The box around the places of a list, with some width.
ObservabilityOptions with_box_of_places(const ObservabilityOptions& options) {
  ObservabilityOptions boxed = options;
  if (options.places.rows() == 0) return boxed;
  boxed.lower = options.places.colwise().minCoeff().transpose();
  boxed.upper = options.places.colwise().maxCoeff().transpose();
  for (Index j = 0; j < boxed.lower.size(); ++j) {
    if (boxed.upper(j) - boxed.lower(j) < 1e-3) boxed.upper(j) = boxed.lower(j) + 1e-3;
  }
  return boxed;
}

std::string advice(const Mechanism& mechanism, const ObservabilityReport& report) {
  const SensorSetReport& set = report.at_rest;
  std::vector<std::string> moving;
  for (Index j = 0; j < set.unseen.size(); ++j) {
    if (std::abs(set.unseen(j)) < 0.1) continue;
    moving.push_back(to_string(mechanism.description().coordinates[static_cast<std::size_t>(j)]));
  }
  std::string text = fmt::format(
      "the position sensors see {} of {} coordinates in the worst place; '{}' can move unseen",
      set.lowest_rank, report.coordinates, join(moving, "', '"));
  if (report.suggestions.empty()) return text + "; more than one sensor is missing";
  const SensorSuggestion& best = report.suggestions.front();
  if (!best.second) return text + fmt::format("; add a sensor such as '{}'", best.sensor.name);
  return text + fmt::format("; more than one sensor is missing: add two such as '{}' and '{}'",
                            best.sensor.name, best.second->name);
}

// The sensors by what they read, and those that say something of a mechanism at rest.
std::vector<SensorSet> sensor_sets(const Mechanism& mechanism) {
  std::vector<SensorSet> sets(4);
  for (int sensor = 0; sensor < mechanism.sensors(); ++sensor) {
    const int order = mechanism.sensor_order(sensor);
    if (order == model::planar::kForceOrder) continue;
    sets[static_cast<std::size_t>(order)].sensors.push_back(sensor);
    if (order != 1) sets[3].sensors.push_back(sensor);
  }
  sets[3].at_rest = true;
  return sets;
}

// Looks at all places, and between them where little is seen.
std::vector<std::vector<Seen>> look_around(const Mechanism& mechanism, const MechanismState& start,
                                           const ObservabilityOptions& options,
                                           const std::vector<SensorSet>& sets,
                                           ObservabilityReport& report) {
  std::vector<std::vector<Seen>> seen(sets.size());
  // Without accelerometers the position sensors are all that sees a mechanism at rest.
  const std::size_t different = sets[2].sensors.empty() ? sets.size() - 1 : sets.size();
  Walker walker(mechanism, start);
  for (const VectorXd& z : places_of(options, mechanism.coordinates())) {
    ++report.positions;
    if (!walker.reach(z)) {
      ++report.unreachable;
      continue;
    }
    for (std::size_t i = 0; i < different; ++i) {
      seen[i].push_back(seen_by(weighted_rows(mechanism, sets[i], walker), z));
    }
  }
  for (std::size_t i = 0; i < different && !seen[0].empty(); ++i) {
    std::vector<Seen> between = refined(mechanism, sets[i], options, seen[i], walker);
    std::move(between.begin(), between.end(), std::back_inserter(seen[i]));
  }
  if (different < sets.size()) seen.back() = seen.front();
  return seen;
}

}  // namespace

ObservabilityReport examine_sensors(const Mechanism& mechanism, const MechanismState& start,
                                    const ObservabilityOptions& given) {
  check_assembled("examine_sensors", start);
  const ObservabilityOptions options = with_box_of_places(given);
  check_workspace(mechanism, options);
  ObservabilityReport report;
  report.coordinates = mechanism.coordinates();
  const std::vector<SensorSet> sets = sensor_sets(mechanism);
  SensorSetReport* const reports[] = {&report.position_sensors, &report.rate_sensors,
                                      &report.acceleration_sensors, &report.at_rest};
  const std::vector<std::vector<Seen>> seen = look_around(mechanism, start, options, sets, report);
  for (std::size_t i = 0; i < sets.size(); ++i) reports[i]->sensors = sets[i].sensors;
  if (seen[0].empty()) {
    report.status = Status::NotConverged;
    report.message = "no place of the workspace can be reached from the start";
    return report;
  }
  for (std::size_t i = 0; i < sets.size(); ++i) judge(seen[i], options, *reports[i]);
  const auto somewhere = [&](std::size_t i) {
    return reports[i]->singular.size() < seen[i].size();
  };
  report.output_form = report.position_sensors.lowest_rank == report.coordinates ||
                       report.at_rest.lowest_rank == report.coordinates;
  report.input_form_velocity = somewhere(1) && report.output_form;
  report.input_form_acceleration = somewhere(2) && report.output_form;
  if (!report.output_form) {
    report.suggestions = suggested_sensors(mechanism, start, options, seen[3]);
    report.status = Status::NotIdentifiable;
    report.message = advice(mechanism, report);
  }
  return report;
}

}  // namespace alembert::estimate
