#include <cmath>

#include "alembert/core/check.hpp"
#include "core/mapped.hpp"
#include "model/flexible/kinematics.hpp"
#include "model/flexible/loads.hpp"
#include "model/flexible/nodes.hpp"
#include "model/flexible/sensors/reader.hpp"

namespace alembert::model::flexible {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Kind = FlexibleSensorKind;

/// Where a node is and how it moves, (x, y, angle); the ground stands still.
struct NodeMotion {
  Vector3d place = Vector3d::Zero(), rate = Vector3d::Zero(), acceleration = Vector3d::Zero();
};

NodeMotion motion_of_node(const FlexibleLayout& layout, int node, const Vector2d& ground,
                          const FlexibleState& state) {
  if (node < 0) return {.place = {ground.x(), ground.y(), 0.0}};
  const Node& one = layout.nodes[static_cast<std::size_t>(node)];
  const Vector2d at = node_position(one, state);
  return {.place = {at.x(), at.y(), node_angle(one, state)},
          .rate = gathered(one, state.v),
          .acceleration = gathered(one, state.acceleration)};
}

Vector2d turned_axis(const Vector2d& axis, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {c * axis.x() - s * axis.y(), s * axis.x() + c * axis.y()};
}

double gauge_reading(const FlexibleLayout& layout, const FlexibleReader& reader,
                     const FlexibleState& state) {
  double sum = 0.0;
  for (int i = 0; i < reader.gauge_count; ++i) {
    const GaugeRow& gauge = reader.gauges[static_cast<std::size_t>(i)];
    const Element& element = layout.elements[static_cast<std::size_t>(gauge.element)];
    const auto& body = state.rigid.motion[static_cast<std::size_t>(element.body)];
    sum += gauge.row.dot(
        turned(gathered(element, state.u), body.cosine.position, -body.sine.position));
  }
  return sum / reader.gauge_count;
}

double reading_of(const FlexibleSensor& sensor, const FlexibleReader& reader,
                  const FlexibleLayout& layout, const Vector2d& gravity, const FlexibleState& state,
                  std::span<const double> forces) {
  if (reader.gauge_count > 0) return gauge_reading(layout, reader, state);
  if (reader.force >= 0) {
    return forces.empty() ? 0.0 : forces[static_cast<std::size_t>(reader.force)];
  }
  const NodeMotion one = motion_of_node(layout, reader.node, reader.at, state);
  const NodeMotion other = motion_of_node(layout, reader.other, reader.other_at, state);
  const Vector2d apart = (one.place - other.place).head<2>();
  const Vector2d axis = turned_axis(reader.axis, other.place.z());
  switch (sensor.kind) {
    case Kind::Angle:
      return one.place.z() - other.place.z();
    case Kind::AngularRate:
      return one.rate.z() - other.rate.z();
    case Kind::Displacement:
      return axis.dot(apart);
    case Kind::Velocity:
      // (e·d)' = e·d' + θ' e⊥·d
      return axis.dot((one.rate - other.rate).head<2>()) +
             other.rate.z() * (axis.x() * apart.y() - axis.y() * apart.x());
    case Kind::Acceleration:
      return turned_axis(reader.axis, one.place.z())
          .dot(one.acceleration.head<2>() - (sensor.gravity ? gravity : Vector2d::Zero()));
    case Kind::Curvature:
    case Kind::Strain:
    case Kind::Force:
    case Kind::Torque:
      break;
  }
  return 0.0;
}

}  // namespace

std::string flexible_sensor_unit(Kind kind) {
  switch (kind) {
    case Kind::Angle:
      return "rad";
    case Kind::AngularRate:
      return "rad/s";
    case Kind::Displacement:
      return "m";
    case Kind::Velocity:
      return "m/s";
    case Kind::Acceleration:
      return "m/s^2";
    case Kind::Curvature:
      return "1/m";
    case Kind::Strain:
      return "1";
    case Kind::Force:
      return "N";
    case Kind::Torque:
      return "N m";
  }
  return "";
}

FlexibleSensors::FlexibleSensors(const FlexibleMechanism& mechanism,
                                 std::vector<FlexibleSensor> sensors)
    : mechanism_(mechanism), sensors_(std::move(sensors)) {
  readers_ = std::make_shared<const std::vector<FlexibleReader>>(
      mapped(sensors_, [&](const FlexibleSensor& sensor) {
        return make_reader(mechanism_.description(), *mechanism_.layout_, sensor);
      }));
}

bool FlexibleSensors::read(const FlexibleState& state, std::span<const double> forces,
                           std::span<double> readings) const noexcept {
  const bool sized =
      readings.size() == sensors_.size() &&
      (forces.empty() || forces.size() == static_cast<std::size_t>(mechanism_.forces()));
  if (!sized || !mechanism_.fits(state)) return false;
  const Vector2d& gravity = mechanism_.description().mechanism.gravity;
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    readings[i] = sensors_[i].offset + reading_of(sensors_[i], (*readers_)[i], *mechanism_.layout_,
                                                  gravity, state, forces);
  }
  return true;
}

FlexibleReadings linearise(const FlexibleSensors& sensors, const FlexibleMechanism& mechanism,
                           const Eigen::Ref<const Eigen::VectorXd>& x,
                           std::span<const double> forces) {
  using Eigen::Index;
  using Eigen::VectorXd;
  const Index n = mechanism.unknowns();
  check::size("linearise", "x", x.size(), 2 * n);
  VectorXd F = VectorXd::Zero(mechanism.forces());
  if (!forces.empty()) {
    check::size("linearise", "forces", static_cast<long long>(forces.size()), F.size());
    F = Eigen::Map<const VectorXd>(forces.data(), F.size());
  }
  FlexibleState state = mechanism.start();
  VectorXd xdd(n);
  const auto spanned = [](auto& v) {
    return std::span{v.data(), static_cast<std::size_t>(v.size())};
  };
  const auto readings_at = [&](const VectorXd& at, VectorXd& acting) {
    VectorXd y(sensors.size());
    const bool reached = mechanism.move(spanned(at), state) &&
                         mechanism.accelerate(spanned(acting), state, spanned(xdd)) &&
                         sensors.read(state, spanned(acting), spanned(y));
    if (!reached) refuse("", "the mechanism cannot be at these coordinates");
    return y;
  };
  constexpr double kStep = 1e-6;  // rad, m, N: error 1e-12 + rounding 1e-10 of the readings
  FlexibleReadings made{.C = Eigen::MatrixXd(sensors.size(), 2 * n),
                        .D = Eigen::MatrixXd(sensors.size(), F.size())};
  for (Index j = 0; j < 2 * n; ++j) {
    VectorXd low = x, high = x;
    low(j) -= kStep;
    high(j) += kStep;
    made.C.col(j) = (readings_at(high, F) - readings_at(low, F)) / (2.0 * kStep);
  }
  const VectorXd rest = x;
  for (Index j = 0; j < F.size(); ++j) {
    VectorXd low = F, high = F;
    low(j) -= 1.0;  // readings are linear in the forces
    high(j) += 1.0;
    made.D.col(j) = 0.5 * (readings_at(rest, high) - readings_at(rest, low));
  }
  return made;
}

}  // namespace alembert::model::flexible
