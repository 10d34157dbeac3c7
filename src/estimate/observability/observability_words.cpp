#include "estimate/observability/observability_words.hpp"

#include <fmt/format.h>

#include "alembert/core/enum_names.hpp"
#include "alembert/core/text.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;
using model::planar::Mechanism;

// Singular places that are told one by one.
constexpr std::size_t kMostPlacesNamed = 4;
// Coordinates of a place that are told.
constexpr Index kMostCoordinatesNamed = 6;
// Conditions below this do not depend on the place in a way that matters.
constexpr double kPerfectCondition = 1.0005;

std::string place_words(const Mechanism& mechanism, const Eigen::VectorXd& z) {
  std::vector<std::string> parts;
  for (Index i = 0; i < z.size(); ++i) {
    if (i == kMostCoordinatesNamed) {
      parts.push_back(fmt::format("... ({} coordinates)", z.size()));
      break;
    }
    const auto& coordinate = mechanism.description().coordinates[static_cast<std::size_t>(i)];
    parts.push_back(fmt::format("{} = {:.4g}", model::planar::to_string(coordinate), z(i)));
  }
  return join(parts, ", ");
}

std::string singular_places(const Mechanism& mechanism, const SensorSetReport& set) {
  if (mechanism.coordinates() > 1 || set.singular.size() > kMostPlacesNamed) {
    return fmt::format("at {} of the places looked at, for example at {}", set.singular.size(),
                       place_words(mechanism, set.worst_at));
  }
  std::vector<std::string> places;
  for (const Eigen::VectorXd& z : set.singular) places.push_back(place_words(mechanism, z));
  return "at " + join(places, " and ");
}

std::string set_words(const Mechanism& mechanism, const ObservabilityReport& report,
                      const SensorSetReport& set, const std::string& what) {
  if (set.sensors.empty()) return "";
  const char* const all = report.coordinates == 1 ? "the coordinate" : "all coordinates";
  if (set.lowest_rank == report.coordinates && set.worst_condition < kPerfectCondition) {
    return fmt::format("{} fix {} at all places tried, with a condition of 1.", what, all);
  }
  if (set.lowest_rank == report.coordinates) {
    return fmt::format("{} fix {} at all places tried; the worst condition is {:.3g}, at {}.", what,
                       all, set.worst_condition, place_words(mechanism, set.worst_at));
  }
  const int places = report.positions - report.unreachable;
  if (static_cast<int>(set.singular.size()) >= places) {
    return fmt::format("{} do not fix {} anywhere.", what, all);
  }
  return fmt::format("{} do not fix {} {}.", what, all, singular_places(mechanism, set));
}

// What is known of the positions: from sensors of positions, and through gravity.
std::string position_words(const Mechanism& mechanism, const ObservabilityReport& report) {
  const std::string words =
      report.position_sensors.sensors.empty()
          ? "There is no sensor of positions."
          : set_words(mechanism, report, report.position_sensors, "The position sensors");
  if (report.position_sensors.lowest_rank == report.coordinates) return words;
  if (report.at_rest.lowest_rank == report.coordinates) {
    return words + fmt::format(
                       " With the accelerometers, which see through gravity how their "
                       "bodies lie, the position is fixed; the worst condition is {:.3g}, "
                       "at {}.",
                       report.at_rest.worst_condition,
                       place_words(mechanism, report.at_rest.worst_at));
  }
  if (!report.position_sensors.sensors.empty()) return words;
  if (report.at_rest.sensors.empty() || report.at_rest.worst_at.size() == 0 ||
      !(report.at_rest.largest > 0.0)) {
    return words.substr(0, words.size() - 1) + ": the estimate drifts.";
  }
  return words + " The accelerometers see through gravity how their bodies lie, but they " +
         set_words(mechanism, report, report.at_rest, "").substr(1);
}

std::string sensor_words(const model::planar::Sensor& sensor) {
  const std::string words = fmt::format("{} of {}", name_of(sensor.kind), sensor.of);
  const bool relative = !sensor.relative_to.empty() && sensor.relative_to != "ground";
  return relative ? fmt::format("{} relative to {}", words, sensor.relative_to) : words;
}

std::string suggestion_words(const ObservabilityReport& report) {
  if (report.output_form) return "";
  if (report.suggestions.empty()) {
    return "More than one sensor is missing, and no two of those that were tried are enough.";
  }
  const SensorSuggestion& best = report.suggestions.front();
  if (!best.second) {
    return fmt::format("A sensor that would help: {}, which makes the worst condition {:.3g}.",
                       sensor_words(best.sensor), best.worst_condition);
  }
  return fmt::format(
      "More than one sensor is missing. Two that would help: {} and {}, which make the worst "
      "condition {:.3g}.",
      sensor_words(best.sensor), sensor_words(*best.second), best.worst_condition);
}

std::string unit_words(const Mechanism& mechanism) {
  bool angles = false;
  bool lengths = false;
  for (const auto& coordinate : mechanism.description().coordinates) {
    const bool angle = coordinate.kind == model::planar::CoordinateKind::Angle;
    (angle ? angles : lengths) = true;
  }
  if (!angles || !lengths) return "";
  return fmt::format("In the conditions lengths are counted in sizes of the mechanism, {:.3g} m.",
                     mechanism.size());
}

}  // namespace

std::vector<std::string> observability_words(const Mechanism& mechanism,
                                             const ObservabilityReport& report) {
  if (report.positions == report.unreachable) {
    return {
        "No place of the workspace can be reached from the start: nothing can be said of what "
        "the sensors see there."};
  }
  const std::vector<std::string> words = {
      position_words(mechanism, report),
      set_words(mechanism, report, report.rate_sensors, "The rate sensors alone"),
      set_words(mechanism, report, report.acceleration_sensors, "The accelerometers alone"),
      suggestion_words(report), unit_words(mechanism)};
  std::vector<std::string> said;
  for (const std::string& sentence : words) {
    if (!sentence.empty()) said.push_back(sentence);
  }
  return said;
}

}  // namespace alembert::estimate
