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

// Where the path leads; not more than one turn of an angle.
void default_corners(const model::planar::Mechanism& mechanism, const Eigen::VectorXd& start,
                     const Eigen::MatrixXd& path, Workspace& workspace) {
  const int n = mechanism.coordinates();
  workspace.lower = workspace.upper = start;
  for (Index k = 0; k < path.rows(); ++k) {
    for (Index i = 0; i < n; ++i) {
      const double z = path(k, i);
      if (!std::isfinite(z)) continue;
      workspace.lower(i) = std::min(workspace.lower(i), z);
      workspace.upper(i) = std::max(workspace.upper(i), z);
    }
  }
  for (Index i = 0; i < n; ++i) {
    const auto& coordinate = mechanism.description().coordinates[static_cast<std::size_t>(i)];
    const double turn = 2.0 * std::numbers::pi;
    const bool angle = coordinate.kind == model::planar::CoordinateKind::Angle;
    if (angle && workspace.upper(i) - workspace.lower(i) > turn) {
      workspace.upper(i) = workspace.lower(i) + turn;
    }
    // A coordinate that stays where it is needs some width.
    const double least = 1e-3 * (angle ? 1.0 : mechanism.size());
    if (workspace.upper(i) - workspace.lower(i) < least) workspace.upper(i) += least;
  }
}

int default_points(int coordinates) {
  const double most = std::pow(kMostPlaces, 1.0 / coordinates);
  return std::clamp(static_cast<int>(most), 2, kPointsAlong);
}

std::string place_words(const model::planar::Mechanism& mechanism, const Eigen::VectorXd& z) {
  std::vector<std::string> parts;
  for (Index i = 0; i < z.size(); ++i) {
    const auto& coordinate = mechanism.description().coordinates[static_cast<std::size_t>(i)];
    parts.push_back(fmt::format("{} = {:.3g}", model::planar::to_string(coordinate), z(i)));
  }
  return join(parts, ", ");
}

std::string set_words(const model::planar::Mechanism& mechanism,
                      const estimate::ObservabilityReport& report, const SensorSetReport& set,
                      const std::string& what) {
  if (set.sensors.empty()) return "";
  if (set.lowest_rank == report.coordinates) {
    return fmt::format("{} fix all coordinates everywhere; the worst condition is {:.3g}, at {}.",
                       what, set.worst_condition, place_words(mechanism, set.worst_at));
  }
  return fmt::format("{} do not fix all coordinates at {} of {} places, for example at {}.", what,
                     set.singular.size(), report.positions - report.unreachable,
                     place_words(mechanism, set.worst_at));
}

std::string suggestion_words(const estimate::ObservabilityReport& report) {
  if (report.suggestions.empty()) return "";
  const estimate::SensorSuggestion& best = report.suggestions.front();
  return fmt::format("A sensor that would help: {} of {}, which makes the worst condition {:.3g}.",
                     to_string(best.sensor.kind), best.sensor.of, best.worst_condition);
}

std::vector<std::string> what_is_seen(const model::planar::Mechanism& mechanism,
                                      const estimate::ObservabilityReport& report) {
  const std::vector<std::string> words = {
      report.position_sensors.sensors.empty()
          ? "There is no sensor of positions: the estimate drifts."
          : set_words(mechanism, report, report.position_sensors, "The position sensors"),
      set_words(mechanism, report, report.rate_sensors, "The rate sensors alone"),
      set_words(mechanism, report, report.acceleration_sensors, "The accelerometers alone"),
      suggestion_words(report)};
  std::vector<std::string> said;
  for (const std::string& sentence : words) {
    if (!sentence.empty()) said.push_back(sentence);
  }
  return said;
}

}  // namespace

std::optional<SensorView> view_of_sensors(const model::planar::Mechanism& mechanism,
                                          const Eigen::VectorXd& start, const Eigen::MatrixXd& path,
                                          Workspace& workspace) {
  Workspace filled = workspace;
  if (filled.lower.size() == 0) default_corners(mechanism, start, path, filled);
  if (filled.points == 0) filled.points = default_points(mechanism.coordinates());
  model::planar::MechanismState state = mechanism.make_state();
  const model::planar::Assembly assembly = mechanism.assemble(start, state);
  if (!assembly.ok()) return std::nullopt;
  workspace = filled;
  SensorView view;
  view.report = estimate::examine_sensors(
      mechanism, state, {.lower = filled.lower, .upper = filled.upper, .points = filled.points});
  view.words = what_is_seen(mechanism, view.report);
  return view;
}

void examine_workspace(ObserveResult& result) {
  const ObserveStudy& study = result.study;
  std::optional<SensorView> view = view_of_sensors(*study.mechanism, study.options.start.z,
                                                   result.estimate.mean, result.study.workspace);
  if (!view) return;
  result.observability = std::move(view->report);
  result.observability_words = std::move(view->words);
  const SensorSetReport& accelerometers = result.observability.acceleration_sensors;
  if (accelerometers.sensors.empty() ||
      accelerometers.lowest_rank == result.observability.coordinates) {
    return;
  }
  const bool input = study.options.form == estimate::ObserverForm::Input;
  result.observability_words.push_back(
      input ? "There the input form cannot work, and observe.switch has it walk at random instead."
            : "That does not matter in the output form, which needs no inverse.");
}

}  // namespace alembert::study
