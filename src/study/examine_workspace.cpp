#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/core/text.hpp"
#include "study/judge_observe.hpp"
#include "study/mapped.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using estimate::SensorSetReport;

constexpr int kPointsAlong = 37;
constexpr double kMostPlaces = 5000.0;

// Where the estimate has been; not more than one turn of an angle.
void default_corners(const ObserveResult& result, Workspace& workspace) {
  const int n = result.study.mechanism->coordinates();
  workspace.lower = workspace.upper = result.study.options.start.z;
  for (Index k = 0; k < result.estimate.mean.rows(); ++k) {
    for (Index i = 0; i < n; ++i) {
      const double z = result.estimate.mean(k, i);
      if (!std::isfinite(z)) continue;
      workspace.lower(i) = std::min(workspace.lower(i), z);
      workspace.upper(i) = std::max(workspace.upper(i), z);
    }
  }
  for (Index i = 0; i < n; ++i) {
    const auto& coordinate =
        result.study.mechanism->description().coordinates[static_cast<std::size_t>(i)];
    const double turn = 2.0 * std::numbers::pi;
    const bool angle = coordinate.kind == model::planar::CoordinateKind::Angle;
    if (angle && workspace.upper(i) - workspace.lower(i) > turn) {
      workspace.upper(i) = workspace.lower(i) + turn;
    }
    // A coordinate that stays where it is needs some width.
    const double least = 1e-3 * (angle ? 1.0 : result.study.mechanism->size());
    if (workspace.upper(i) - workspace.lower(i) < least) workspace.upper(i) += least;
  }
}

int default_points(int coordinates) {
  const double most = std::pow(kMostPlaces, 1.0 / coordinates);
  return std::clamp(static_cast<int>(most), 2, kPointsAlong);
}

std::string place_words(const ObserveStudy& study, const Eigen::VectorXd& z) {
  std::vector<std::string> parts;
  for (Index i = 0; i < z.size(); ++i) {
    const auto& coordinate =
        study.mechanism->description().coordinates[static_cast<std::size_t>(i)];
    parts.push_back(fmt::format("{} = {:.3g}", model::planar::to_string(coordinate), z(i)));
  }
  return join(parts, ", ");
}

std::string set_words(const ObserveResult& result, const SensorSetReport& set,
                      const std::string& what) {
  const int n = result.observability.coordinates;
  if (set.sensors.empty()) return "";
  if (set.lowest_rank == n) {
    return fmt::format("{} fix all coordinates everywhere; the worst condition is {:.3g}, at {}.",
                       what, set.worst_condition, place_words(result.study, set.worst_at));
  }
  return fmt::format("{} do not fix all coordinates at {} of {} places, for example at {}.", what,
                     set.singular.size(),
                     result.observability.positions - result.observability.unreachable,
                     place_words(result.study, set.worst_at));
}

std::string suggestion_words(const ObserveResult& result) {
  if (result.observability.suggestions.empty()) return "";
  const estimate::SensorSuggestion& best = result.observability.suggestions.front();
  return fmt::format("A sensor that would help: {} of {}, which makes the worst condition {:.3g}.",
                     to_string(best.sensor.kind), best.sensor.of, best.worst_condition);
}

void say_what_is_seen(ObserveResult& result) {
  const estimate::ObservabilityReport& report = result.observability;
  const bool input = result.study.options.form == estimate::ObserverForm::Input;
  std::vector<std::string> words = {
      report.position_sensors.sensors.empty()
          ? "There is no sensor of positions: the estimate drifts."
          : set_words(result, report.position_sensors, "The position sensors"),
      set_words(result, report.rate_sensors, "The rate sensors alone"),
      set_words(result, report.acceleration_sensors, "The accelerometers alone"),
      suggestion_words(result)};
  const bool singular = !report.acceleration_sensors.sensors.empty() &&
                        report.acceleration_sensors.lowest_rank < report.coordinates;
  if (singular) {
    words.push_back(input ? "There the input form cannot work, and observe.switch has it walk at "
                            "random instead."
                          : "That does not matter in the output form, which needs no inverse.");
  }
  for (std::string& sentence : words) {
    if (!sentence.empty()) result.observability_words.push_back(std::move(sentence));
  }
}

}  // namespace

void examine_workspace(ObserveResult& result) {
  const ObserveStudy& study = result.study;
  Workspace workspace = study.workspace;
  if (workspace.lower.size() == 0) default_corners(result, workspace);
  if (workspace.points == 0) workspace.points = default_points(study.mechanism->coordinates());
  model::planar::MechanismState state = study.mechanism->make_state();
  const model::planar::Assembly assembly = study.mechanism->assemble(study.options.start.z, state);
  if (!assembly.ok()) return;
  result.study.workspace = workspace;
  result.observability = estimate::examine_sensors(
      *study.mechanism, state,
      {.lower = workspace.lower, .upper = workspace.upper, .points = workspace.points});
  say_what_is_seen(result);
}

}  // namespace alembert::study
