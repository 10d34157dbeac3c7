#include "identify/mechanism/inverse_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alembert/core/error.hpp"

namespace alembert::identify {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::planar::CoordinatePath;
using model::planar::Mechanism;
using model::planar::MechanismDescription;
using model::planar::StepStatus;

VectorXd inverse_run(const MechanismValues& values, const CoordinatePath& path,
                     const MatrixXd& columns) {
  const Mechanism mechanism(values.description);
  model::planar::MechanismState state = mechanism.make_state();
  state.p = values.lengths;
  const VectorXd first = path.z.row(0);
  const model::planar::Assembly assembly = mechanism.assemble(first, state);
  if (!assembly.ok()) throw InvalidInput({.function = "inverse_run", .rule = assembly.message});
  model::planar::ReducedDynamics dynamics = mechanism.make_dynamics();
  const Index n = mechanism.coordinates();
  VectorXd tau(n * path.z.rows());
  VectorXd z(n), zd(n), zdd(n), forces(columns.cols());
  const auto size = static_cast<std::size_t>(n);
  for (Index k = 0; k < path.z.rows(); ++k) {
    z = path.z.row(k);
    zd = path.zd.row(k);
    zdd = path.zdd.row(k);
    const StepStatus reached = mechanism.solve_position({z.data(), size}, state);
    if (reached != StepStatus::Success) {
      throw InvalidInput({.function = "inverse_run", .rule = mechanism.explain(reached, z, state)});
    }
    mechanism.solve_velocity({zd.data(), size}, state);
    mechanism.solve_acceleration({zdd.data(), size}, state);
    if (columns.rows() > 0) forces = columns.row(k).transpose().cwiseProduct(values.gains);
    const std::size_t given = columns.rows() > 0 ? static_cast<std::size_t>(forces.size()) : 0;
    mechanism.inverse_dynamics({forces.data(), given}, state, dynamics);
    tau.segment(n * k, n) = dynamics.tau;
  }
  return tau;
}

bool acts_on_motion(const MechanismDescription& description, const std::string& name) {
  return std::none_of(description.sensors.begin(), description.sensors.end(),
                      [&](const auto& sensor) { return sensor.name + ".offset" == name; });
}

MatrixXd inverse_slopes(const MechanismValues& given, const std::vector<std::string>& names,
                        const VectorXd& theta, const CoordinatePath& path,
                        const MatrixXd& columns) {
  // τ is quadratic at most in all but lengths and rates of friction, for which the step must be
  // small.
  constexpr double kDifference = 1e-5;
  MatrixXd slopes(path.z.size(), theta.size());
  for (Index i = 0; i < theta.size(); ++i) {
    const std::string& name = names[static_cast<std::size_t>(i)];
    const double d = kDifference * (theta(i) != 0.0 ? std::abs(theta(i)) : 1.0);
    const bool positive = mechanism_parameter(given.description, name).positive;
    VectorXd above = theta, below = theta;
    above(i) += d;
    if (!positive || theta(i) >= d) below(i) -= d;
    slopes.col(i) = (inverse_run(with_parameters(given, names, above), path, columns) -
                     inverse_run(with_parameters(given, names, below), path, columns)) /
                    (above(i) - below(i));
  }
  return slopes;
}

}  // namespace alembert::identify
