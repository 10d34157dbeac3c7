#include "study/result/describe_observability.hpp"

#include "alembert/core/text.hpp"
#include "alembert/document/words.hpp"
#include "core/mapped.hpp"

namespace alembert::study {
namespace {

using document::ResultTree;

void describe_sensor_set(const model::planar::Mechanism& mechanism, const std::string& what,
                         const estimate::SensorSetReport& set, ResultTree& tree) {
  tree.add("what", what).not_in_file();
  const std::vector<std::string> sensors = mapped(set.sensors, [&](int sensor) {
    return mechanism.description().sensors[static_cast<std::size_t>(sensor)].name;
  });
  tree.add("sensors", sensors).in_words(join(sensors, ", "));
  tree.add("lowest_rank", set.lowest_rank).named("lowest rank");
  tree.add("worst_condition", set.worst_condition).named("worst condition");
  std::vector<std::string> place;
  for (const double z : set.worst_at) place.push_back(document::significant(z, 3));
  tree.add("worst_at", set.worst_at).named("there").in_words(join(place, ", "));
  tree.add("singular", set.singular.size()).named("singular places");
}

void describe_suggested(const model::planar::Sensor& sensor, ResultTree& tree) {
  tree.add("kind", name_of(sensor.kind));
  tree.add("of", sensor.of);
  if (sensor.kind == model::planar::SensorKind::Angle) {
    tree.add("relative_to", sensor.relative_to);
  }
}

void describe_suggestion(const estimate::SensorSuggestion& suggestion, ResultTree& tree) {
  describe_suggested(suggestion.sensor, tree);
  if (suggestion.second) describe_suggested(*suggestion.second, tree.group("second"));
  tree.add("worst_condition", suggestion.worst_condition);
}

}  // namespace

void describe_observability(const model::planar::Mechanism& mechanism,
                            const estimate::ObservabilityReport& report,
                            const std::vector<std::string>& words, ResultTree& tree) {
  tree.add("places", report.positions);
  tree.add("unreachable", report.unreachable);
  tree.add("coordinates", report.coordinates).not_in_file();
  const auto add = [&](const std::string& key, const std::string& what, const auto& set) {
    describe_sensor_set(mechanism, what, set, tree.group(key));
  };
  add("position_sensors", "positions", report.position_sensors);
  add("rate_sensors", "rates", report.rate_sensors);
  add("acceleration_sensors", "accelerations", report.acceleration_sensors);
  add("at_rest", "at rest", report.at_rest);
  tree.add("words", words);
  ResultTree& suggestions = tree.list("suggestions");
  for (const estimate::SensorSuggestion& one : report.suggestions) {
    describe_suggestion(one, suggestions.item());
  }
}

}  // namespace alembert::study
