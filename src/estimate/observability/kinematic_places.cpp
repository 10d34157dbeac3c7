#include "estimate/observability/kinematic_places.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"

namespace alembert::estimate {

namespace {

using Eigen::Index;
using Eigen::VectorXd;
using model::planar::StepStatus;

constexpr const char* kPlaces = "examine_sensors";
constexpr double kMostGridPlaces = 1e5;
// Of a grid or lattice that is chosen here.
constexpr int kPointsAlong = 37;
constexpr double kSensiblePlaces = 5000.0;
constexpr int kLeastPointsAlong = 3;
// A place costs about n³ operations: so many places times n³, within bounds.
constexpr double kLatticeCost = 8e5;
constexpr double kLeastLattice = 25.0;

// Back and forth along each coordinate, so that one place is next to the last.
VectorXd grid_place(const ObservabilityOptions& options, int points, int total, int place) {
  const Index n = options.lower.size();
  VectorXd z(n);
  int rest = place;
  int block = total;
  bool backwards = false;
  for (Index j = 0; j < n; ++j) {
    block /= points;
    const int index = rest / block;
    rest %= block;
    const int used = backwards ? points - 1 - index : index;
    backwards = backwards != (index % 2 == 1);
    const double share = used / (points - 1.0);
    z(j) = options.lower(j) + share * (options.upper(j) - options.lower(j));
  }
  return z;
}

// z_j = frac(½ + k g^−j), g the root of g^(n+1) = g + 1: a lattice that fills a box of any
// dimension evenly with any number of places. For n = 1, g is the golden ratio.
std::vector<VectorXd> lattice(const ObservabilityOptions& options, Index n) {
  double g = 2.0;
  for (int k = 0; k < 60; ++k) g = std::pow(1.0 + g, 1.0 / (static_cast<double>(n) + 1.0));
  const double cube = static_cast<double>(n * n * n);
  const int count =
      static_cast<int>(std::clamp(kLatticeCost / cube, kLeastLattice, kSensiblePlaces));
  std::vector<VectorXd> places;
  for (int k = 0; k < count; ++k) {
    VectorXd z(n);
    for (Index j = 0; j < n; ++j) {
      const double share = 0.5 + (k + 1) * std::pow(g, -static_cast<double>(j + 1));
      z(j) = options.lower(j) + (share - std::floor(share)) * (options.upper(j) - options.lower(j));
    }
    places.push_back(std::move(z));
  }
  return places;
}

}  // namespace

void check_workspace(const model::planar::Mechanism& mechanism,
                     const ObservabilityOptions& options) {
  const Index n = mechanism.coordinates();
  check::size(kPlaces, "lower", options.lower.size(), n);
  check::size(kPlaces, "upper", options.upper.size(), n);
  check::positive(kPlaces, "largest_condition", options.largest_condition);
  if (options.places.size() > 0) check::size(kPlaces, "places", options.places.cols(), n);
  check::all_finite(kPlaces, "places", options.places);
  for (Index j = 0; j < n; ++j) {
    if (options.lower(j) < options.upper(j)) continue;
    throw InvalidInput(
        {.function = std::string(kPlaces),
         .argument = "lower",
         .rule = "must be below upper",
         .value = fmt::format(
             "{} and {} for '{}'", options.lower(j), options.upper(j),
             to_string(mechanism.description().coordinates[static_cast<std::size_t>(j)]))});
  }
  if (options.points == 0) return;
  check::at_least(kPlaces, "points", options.points, 2);
  if (std::pow(options.points, static_cast<double>(n)) > kMostGridPlaces) {
    throw InvalidInput({.function = std::string(kPlaces),
                        .argument = "points^n",
                        .rule = "must be at most 1e5",
                        .value = fmt::format("{}^{}", options.points, n)});
  }
}

int grid_points(const ObservabilityOptions& options, Index coordinates) {
  if (options.points > 0) return options.points;
  const double most = std::pow(kSensiblePlaces, 1.0 / static_cast<double>(coordinates));
  return most < kLeastPointsAlong ? 0 : std::min(static_cast<int>(most), kPointsAlong);
}

std::vector<VectorXd> places_of(const ObservabilityOptions& options, Index coordinates) {
  std::vector<VectorXd> places;
  if (options.places.rows() > 0) {
    for (Index k = 0; k < options.places.rows(); ++k) {
      places.emplace_back(options.places.row(k).transpose());
    }
    return places;
  }
  const int points = grid_points(options, coordinates);
  if (points == 0) return lattice(options, coordinates);
  const auto total =
      static_cast<int>(std::lround(std::pow(points, static_cast<double>(coordinates))));
  for (int place = 0; place < total; ++place) {
    places.push_back(grid_place(options, points, total, place));
  }
  return places;
}

bool Walker::reach(const VectorXd& z) {
  const std::span<const double> goal(z.data(), static_cast<std::size_t>(z.size()));
  if (mechanism_.solve_position(goal, state_) == StepStatus::Success) return true;
  state_ = start_;
  return mechanism_.solve_position(goal, state_) == StepStatus::Success;
}

const model::planar::MechanismState& Walker::at_rest() {
  const VectorXd none = VectorXd::Zero(mechanism_.coordinates());
  const std::span<const double> still(none.data(), static_cast<std::size_t>(none.size()));
  mechanism_.solve_velocity(still, state_);
  mechanism_.solve_acceleration(still, state_);
  mechanism_.differentiate(state_);
  return state_;
}

}  // namespace alembert::estimate
