#include <algorithm>
#include <cmath>

#include "alembert/estimate/judge.hpp"

namespace alembert::estimate {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::Mechanism;

constexpr Index kPlacesForOrders = 25;
// Half of what a sensor sees: beyond it, mostly the others see it.
constexpr double kMostlySpanned = 0.5;
constexpr double kNothingSeen = 1e-9;

// S of every sensor, lengths in sizes of the mechanism.
MatrixXd rows_of_sensors(const Mechanism& mechanism, const model::planar::MechanismState& state) {
  MatrixXd rows(mechanism.sensors(), mechanism.coordinates());
  VectorXd row(mechanism.coordinates());
  for (int s = 0; s < mechanism.sensors(); ++s) {
    mechanism.sensor_sensitivity(s, state, {row.data(), static_cast<std::size_t>(row.size())});
    for (Index i = 0; i < row.size(); ++i) {
      const auto& coordinate = mechanism.description().coordinates[static_cast<std::size_t>(i)];
      const bool angle = coordinate.kind == model::planar::CoordinateKind::Angle;
      rows(s, i) = row(i) * (angle ? 1.0 : mechanism.size());
    }
  }
  return rows;
}

// The part of a row that sensors of higher derivatives do not see, over the whole: they are made
// orthogonal one by one.
double share_left(const Mechanism& mechanism, const MatrixXd& rows, int sensor) {
  const double whole = rows.row(sensor).norm();
  if (whole < kNothingSeen) return 0.0;
  std::vector<VectorXd> basis;
  for (int other = 0; other < rows.rows(); ++other) {
    if (mechanism.sensor_order(other) <= mechanism.sensor_order(sensor)) continue;
    VectorXd direction = rows.row(other).transpose();
    const double size = direction.norm();
    for (const VectorXd& one : basis) direction -= one.dot(direction) * one;
    if (direction.norm() > 1e-3 * size && size > kNothingSeen) {
      basis.push_back(direction.normalized());
    }
  }
  VectorXd left = rows.row(sensor).transpose();
  for (const VectorXd& one : basis) left -= one.dot(left) * one;
  return left.norm() / whole;
}

}  // namespace

std::vector<bool> highest_sensors(const Mechanism& mechanism, const MatrixXd& path) {
  const auto sensors = static_cast<std::size_t>(mechanism.sensors());
  std::vector<int> spanned(sensors, 0);
  int places = 0;
  const Index n = mechanism.coordinates();
  model::planar::MechanismState state = mechanism.make_state();
  bool assembled = false;
  const Index stride = std::max<Index>(1, path.rows() / kPlacesForOrders);
  for (Index k = 0; k < path.rows(); k += stride) {
    const VectorXd z = path.row(k).head(n).transpose();
    if (!z.allFinite()) continue;
    if (!assembled) {
      assembled = mechanism.assemble(z, state).ok();
    } else if (mechanism.solve_position({z.data(), static_cast<std::size_t>(n)}, state) !=
               model::planar::StepStatus::Success) {
      assembled = mechanism.assemble(z, state).ok();
    }
    if (!assembled) continue;
    ++places;
    const MatrixXd rows = rows_of_sensors(mechanism, state);
    for (std::size_t s = 0; s < sensors; ++s) {
      if (share_left(mechanism, rows, static_cast<int>(s)) < kMostlySpanned) ++spanned[s];
    }
  }
  std::vector<bool> highest(sensors);
  for (std::size_t s = 0; s < sensors; ++s) highest[s] = 2 * spanned[s] <= places;
  return highest;
}

}  // namespace alembert::estimate
