#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/estimate/judge.hpp"
#include "estimate/observability/observability_words.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;

// From so many coordinates on the places are those of the estimate itself, so many of them.
constexpr int kManyCoordinates = 8;
constexpr Index kPlacesAlong = 50;

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

// With many coordinates a box holds far more than the places where the estimate has been, so that
// these are looked at themselves: samples x coordinates, evenly spaced.
Eigen::MatrixXd places_along(const Eigen::MatrixXd& path, int coordinates) {
  const Index stride = (path.rows() + kPlacesAlong - 1) / kPlacesAlong;
  std::vector<Index> rows;
  for (Index k = 0; k < path.rows(); k += stride) {
    if (path.row(k).leftCols(coordinates).allFinite()) rows.push_back(k);
  }
  Eigen::MatrixXd places(static_cast<Index>(rows.size()), coordinates);
  for (Index k = 0; k < places.rows(); ++k) {
    places.row(k) = path.row(rows[static_cast<std::size_t>(k)]).leftCols(coordinates);
  }
  return places;
}

}  // namespace

std::optional<SensorView> view_of_sensors(const model::planar::Mechanism& mechanism,
                                          const Eigen::VectorXd& start, const Eigen::MatrixXd& path,
                                          Workspace& workspace) {
  Workspace filled = workspace;
  ObservabilityOptions options;
  if (filled.lower.size() == 0) {
    default_corners(mechanism, start, path, filled);
    if (mechanism.coordinates() >= kManyCoordinates) {
      options.places = places_along(path, mechanism.coordinates());
    }
  }
  options.lower = filled.lower;
  options.upper = filled.upper;
  options.points = filled.points;
  model::planar::MechanismState state = mechanism.make_state();
  const model::planar::Assembly assembly = mechanism.assemble(start, state);
  if (!assembly.ok()) return std::nullopt;
  workspace = filled;
  SensorView view;
  view.report = examine_sensors(mechanism, state, options);
  view.words = observability_words(mechanism, view.report);
  return view;
}

}  // namespace alembert::estimate
