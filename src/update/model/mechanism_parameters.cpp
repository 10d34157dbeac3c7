#include "alembert/update/mechanism_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/model/flexible/equilibrium.hpp"

namespace alembert::update {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::flexible::FlexibleBody;
using model::flexible::FlexibleDescription;
using model::flexible::FlexibleMechanism;
using model::flexible::Lump;

[[noreturn]] void refuse_name(const MechanismParameter& one, const std::string& rule) {
  throw InvalidInput({.function = "mechanism_model",
                      .item = "parameter '" + one.parameter.name + "'",
                      .argument = "of",
                      .rule = rule,
                      .value = "\"" + one.of + "\""});
}

FlexibleBody& body_named(FlexibleDescription& description, const std::string& name,
                         const MechanismParameter& one) {
  const auto found = std::find_if(description.bodies.begin(), description.bodies.end(),
                                  [&](const FlexibleBody& body) { return body.name == name; });
  if (found == description.bodies.end()) refuse_name(one, "must name a flexible body");
  return *found;
}

// The lump at "body.point"; one of nothing where there is none yet.
Lump& lump_at(FlexibleDescription& description, const MechanismParameter& one) {
  const std::size_t dot = one.of.find('.');
  if (dot == std::string::npos) refuse_name(one, "must be a point of a flexible body, body.point");
  const std::string point = one.of.substr(dot + 1);
  const std::string name = one.of.substr(0, dot);
  FlexibleBody& body = body_named(description, name, one);
  const auto& bodies = description.mechanism.bodies;
  const auto rigid = std::find_if(bodies.begin(), bodies.end(),
                                  [&](const model::planar::Body& b) { return b.name == name; });
  if (rigid == bodies.end() ||
      std::none_of(rigid->points.begin(), rigid->points.end(),
                   [&](const auto& named) { return named.name == point; })) {
    refuse_name(one, "must name a point of the body");
  }
  for (Lump& lump : body.lumps) {
    if (lump.point == point) return lump;
  }
  return body.lumps.emplace_back(Lump{.point = point});
}

double& spring_named(FlexibleDescription& description, const MechanismParameter& one) {
  for (model::planar::PassiveForce& force : description.mechanism.passive) {
    if (force.name == one.of) return force.stiffness;
  }
  refuse_name(one, "must name a spring");
}

void scale_bodies(FlexibleDescription& description, const MechanismParameter& one, double factor) {
  const auto scale = [&](FlexibleBody& body) {
    (one.quantity == MechanismQuantity::Density ? body.section.density : body.section.modulus) *=
        factor;
  };
  if (!one.of.empty()) {
    scale(body_named(description, one.of, one));
    return;
  }
  for (FlexibleBody& body : description.bodies) scale(body);
}

void set_value(FlexibleDescription& description, const MechanismParameter& one, double value) {
  switch (one.quantity) {
    case MechanismQuantity::Density:
    case MechanismQuantity::Modulus:
      scale_bodies(description, one, value);
      break;
    case MechanismQuantity::LumpMass:
      lump_at(description, one).mass = value;
      break;
    case MechanismQuantity::LumpInertia:
      lump_at(description, one).inertia = value;
      break;
    case MechanismQuantity::Spring:
      spring_named(description, one) = value;
      break;
  }
}

/// Matrices of small motions about rest.
struct AtRest {
  MatrixXd M, K;
};

AtRest at_rest(const FlexibleDescription& description, const Eigen::Ref<const VectorXd>& start) {
  const FlexibleMechanism mechanism(description, start);
  const auto rest = model::flexible::find_equilibrium(mechanism, start);
  if (!rest.ok()) {
    throw InvalidInput({.function = "mechanism_model", .argument = "start", .rule = rest.message});
  }
  const model::SecondOrder system = model::flexible::linearise(mechanism, rest.x);
  return {system.M, system.K};
}

model::SparseMatrix without_rounding(const MatrixXd& matrix, double size) {
  return matrix.sparseView(size, 1e-12);
}

// A step on either side that keeps the model possible: M and K are linear, so its size hardly
// matters.
double step_of(const MechanismParameter& one, double value) {
  constexpr double kPart = 0.01;
  const ModelParameter& p = one.parameter;
  const double range = std::isfinite(p.upper) && std::isfinite(p.lower) ? p.upper - p.lower : 0.0;
  return value != 0.0 ? kPart * std::abs(value) : range > 0.0 ? kPart * range : 1e-4;
}

}  // namespace

double value_of(const FlexibleDescription& description, const MechanismParameter& parameter) {
  FlexibleDescription copy = description;
  switch (parameter.quantity) {
    case MechanismQuantity::Density:
    case MechanismQuantity::Modulus:
      scale_bodies(copy, parameter, 1.0);
      return 1.0;
    case MechanismQuantity::LumpMass:
      return lump_at(copy, parameter).mass;
    case MechanismQuantity::LumpInertia:
      return lump_at(copy, parameter).inertia;
    case MechanismQuantity::Spring:
      return spring_named(copy, parameter);
  }
  return 0.0;
}

FlexibleDescription with_values(FlexibleDescription description,
                                const std::vector<MechanismParameter>& parameters,
                                const Eigen::Ref<const VectorXd>& values) {
  check::size("with_values", "size of values", values.size(),
              static_cast<long long>(parameters.size()));
  for (std::size_t j = 0; j < parameters.size(); ++j) {
    set_value(description, parameters[j], values(static_cast<Index>(j)));
  }
  return description;
}

ParametricModel mechanism_model(const FlexibleDescription& description,
                                const Eigen::Ref<const VectorXd>& start,
                                const std::vector<MechanismParameter>& parameters) {
  const AtRest nominal = at_rest(description, start);
  const double mass = nominal.M.cwiseAbs().maxCoeff();
  const double stiffness = nominal.K.cwiseAbs().maxCoeff();
  ParametricModel made{.M = nominal.M.sparseView(), .K = without_rounding(nominal.K, stiffness)};
  for (const MechanismParameter& one : parameters) {
    const double value = value_of(description, one);
    const double step = step_of(one, value);
    // From zero upwards alone: a mass is never negative.
    const double below = value >= step ? value - step : value;
    FlexibleDescription upper = description;
    FlexibleDescription lower = description;
    set_value(upper, one, value + step);
    set_value(lower, one, below);
    const AtRest a = at_rest(upper, start);
    const AtRest b = at_rest(lower, start);
    const double width = value + step - below;
    ModelParameter parameter = one.parameter;
    parameter.nominal = value;
    add_parameter(made, std::move(parameter),
                  without_rounding((a.K - b.K) / width, stiffness / width * 1e-3),
                  without_rounding((a.M - b.M) / width, mass / width * 1e-3));
  }
  return made;
}

model::SparseMatrix mechanism_sensors(const FlexibleMechanism& mechanism,
                                      const Eigen::Ref<const VectorXd>& x,
                                      const std::vector<MechanismSensor>& sensors) {
  const Index n = mechanism.unknowns();
  const Index ne = mechanism.elastic();
  check::size("mechanism_sensors", "x", x.size(), 2 * n);
  model::flexible::FlexibleState state = mechanism.start();
  if (!mechanism.move({x.data(), static_cast<std::size_t>(x.size())}, state)) {
    throw InvalidInput({.function = "mechanism_sensors",
                        .argument = "x",
                        .rule = "must be a position that the mechanism can reach"});
  }
  MatrixXd C = MatrixXd::Zero(static_cast<Index>(sensors.size()), n);
  for (std::size_t s = 0; s < sensors.size(); ++s) {
    const MechanismSensor& sensor = sensors[s];
    const auto add = [&](const std::string& of, double weight) {
      const int row = mechanism.displacement(of + "(" + sensor.point + ")");
      if (row < 0 || weight == 0.0) return;
      C.row(static_cast<Index>(s)).tail(n - ne) += weight * state.S.row(row);
      if (row < ne) C(static_cast<Index>(s), row) += weight;
    };
    if (sensor.axis.isZero()) {
      add("angle", 1.0);
      continue;
    }
    Eigen::Vector2d axis = sensor.axis.normalized();
    if (sensor.on_body) {
      const std::string body = sensor.point.substr(0, sensor.point.find('.'));
      const auto& bodies = mechanism.description().mechanism.bodies;
      const auto rigid = std::find_if(bodies.begin(), bodies.end(),
                                      [&](const model::planar::Body& b) { return b.name == body; });
      if (rigid == bodies.end() || rigid->points.size() < 2) {
        throw InvalidInput({.function = "mechanism_sensors",
                            .argument = "point",
                            .rule = "must lie on a body with two points",
                            .value = "\"" + sensor.point + "\""});
      }
      const Eigen::Vector2d along =
          (mechanism.position_of(body + "." + rigid->points.back().name, state) -
           mechanism.position_of(body + "." + rigid->points.front().name, state))
              .normalized();
      axis = Eigen::Vector2d(along.x() * axis.x() - along.y() * axis.y(),
                             along.y() * axis.x() + along.x() * axis.y());
    }
    add("x", axis.x());
    add("y", axis.y());
  }
  return C.sparseView();
}

}  // namespace alembert::update
