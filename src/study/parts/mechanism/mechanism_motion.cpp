#include "alembert/study/mechanism_motion.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "alembert/core/text.hpp"
#include "alembert/estimate/judge.hpp"

namespace alembert::study {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using model::planar::Mechanism;
using model::planar::MechanismState;
using model::planar::StepStatus;

/// Value and derivatives of a motion at all times, 3 columns; one overload for each kind.
struct MotionSampler {
  const Eigen::Ref<const VectorXd>& times;

  Eigen::MatrixX3d operator()(const model::TimeFormula& formula) const {
    return formula.sample(times);
  }
  Eigen::MatrixX3d operator()(const signal::PiecewisePolynomial& curve) const {
    Eigen::MatrixX3d values(times.size(), 3);
    for (int order = 0; order < 3; ++order) values.col(order) = curve.derivative(times, order);
    return values;
  }
};

std::string coordinates_words(const MovedMechanism& moved, const VectorXd& z) {
  std::vector<std::string> parts;
  for (Index i = 0; i < z.size(); ++i) {
    parts.push_back(
        fmt::format("{} = {:.6g}", moved.motion[static_cast<std::size_t>(i)].coordinate, z(i)));
  }
  return join(parts, ", ");
}

[[noreturn]] void fail_at(const MovedMechanism& moved, double time, const VectorXd& z,
                          const std::string& reason) {
  throw StudyError(moved.place, fmt::format("simulate.motion: at t = {:.6g} s, {}: {}", time,
                                            coordinates_words(moved, z), reason));
}

// A formula may leave the numbers where it still has a position, in its derivatives.
void check_finite_motion(const MovedMechanism& moved, double time, const VectorXd& row) {
  static const char* const kOf[] = {"position", "velocity", "acceleration"};
  const auto n = static_cast<Index>(moved.motion.size());
  for (Index i = 0; i < row.size(); ++i) {
    if (std::isfinite(row(i))) continue;
    const std::string& name = moved.motion[static_cast<std::size_t>(i % n)].coordinate;
    throw StudyError(moved.place, fmt::format("simulate.motion: the {} of {} is not finite at t = "
                                              "{:.6g} s",
                                              kOf[i / n], name, time));
  }
}

MechanismState assembled_start(const MovedMechanism& moved, double time, const VectorXd& z) {
  MechanismState state = moved.mechanism->make_state();
  state.p = moved.lengths;
  const model::planar::Assembly assembly = moved.mechanism->assemble(z, state);
  if (!assembly.ok()) fail_at(moved, time, z, assembly.message);
  return state;
}

}  // namespace

std::vector<signal::Channel> coordinate_channels(const model::planar::Mechanism& mechanism) {
  static constexpr std::array<const char*, 3> kOf = {"", "velocity of ", "acceleration of "};
  const std::vector<model::planar::Coordinate>& coordinates = mechanism.description().coordinates;
  std::vector<signal::Channel> channels;
  for (const estimate::StateColumn& one : estimate::coordinate_columns(mechanism, 3)) {
    const std::size_t i = channels.size() % coordinates.size();
    channels.push_back({.name = one.column,
                        .unit = one.unit,
                        .description = kOf[static_cast<std::size_t>(one.derivative)] +
                                       model::planar::to_string(coordinates[i])});
  }
  return channels;
}

Eigen::MatrixXd sampled_motion(const MovedMechanism& moved,
                               const Eigen::Ref<const VectorXd>& times) {
  const auto n = static_cast<Index>(moved.motion.size());
  Eigen::MatrixXd values(times.size(), 3 * n);
  for (Index i = 0; i < n; ++i) {
    const Eigen::MatrixX3d one =
        std::visit(MotionSampler{times}, moved.motion[static_cast<std::size_t>(i)].function);
    for (Index order = 0; order < 3; ++order) values.col(order * n + i) = one.col(order);
  }
  return values;
}

Eigen::MatrixXd move_mechanism(const MovedMechanism& moved,
                               const Eigen::Ref<const VectorXd>& times) {
  const Mechanism& mechanism = *moved.mechanism;
  const auto n = static_cast<std::size_t>(mechanism.coordinates());
  const auto columns = static_cast<Index>(3 * n);
  Eigen::MatrixXd signals(times.size(), columns + mechanism.sensors());
  signals.leftCols(columns) = sampled_motion(moved, times);
  MechanismState state;
  for (Index k = 0; k < times.size(); ++k) {
    const VectorXd row = signals.row(k).head(columns).transpose();
    const VectorXd z = row.head(static_cast<Index>(n));
    check_finite_motion(moved, times(k), row);
    if (k == 0) state = assembled_start(moved, times(k), z);
    const StepStatus status = mechanism.solve_position({row.data(), n}, state);
    if (status != StepStatus::Success) {
      fail_at(moved, times(k), z, mechanism.explain(status, z, state));
    }
    mechanism.solve_velocity({row.data() + n, n}, state);
    mechanism.solve_acceleration({row.data() + 2 * n, n}, state);
    for (int s = 0; s < mechanism.sensors(); ++s) {
      signals(k, columns + s) = mechanism.sensor_value(s, state);
    }
  }
  return signals;
}

}  // namespace alembert::study
