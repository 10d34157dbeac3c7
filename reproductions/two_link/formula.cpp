#include "reproductions/two_link/formula.hpp"

#include <Eigen/Core>
#include <array>
#include <cmath>

#include "alembert/core/random.hpp"
#include "alembert/estimate/kinematic_input_model.hpp"
#include "reproductions/two_link/rig.hpp"

namespace alembert::reproductions::two_link {
namespace {

/// Dimensions and a state of motion.
struct FormulaPoint {
  Sizes sizes;
  Eigen::Vector2d z, zd, zdd;
};

FormulaPoint random_point(RandomStream& random) {
  FormulaPoint point;
  point.sizes.upper = random.uniform(0.1, 1.0);
  point.sizes.lower = random.uniform(0.1, 1.0);
  point.sizes.upper_sensor = random.uniform(0.1, 1.0);
  point.sizes.lower_sensor = random.uniform(0.1, 1.0);
  for (int i = 0; i < 2; ++i) {
    point.z(i) = random.uniform(-3.0, 3.0);
    point.zd(i) = random.uniform(-10.0, 10.0);
    point.zdd(i) = random.uniform(-100.0, 100.0);
  }
  return point;
}

// a1 = d1 θ1'',  a2 = (L1 cos θ2 + d2) θ1'' + d2 θ2'' + L1 sin θ2 θ1'²
Eigen::Matrix2d published_sensitivity(const FormulaPoint& p) {
  Eigen::Matrix2d S;
  S << p.sizes.upper_sensor, 0.0, p.sizes.upper * std::cos(p.z(1)) + p.sizes.lower_sensor,
      p.sizes.lower_sensor;
  return S;
}

Eigen::Vector2d published_rest(const FormulaPoint& p) {
  return {0.0, p.sizes.upper * std::sin(p.z(1)) * p.zd(0) * p.zd(0)};
}

// θ1'' = a1/d1
// θ2'' = -a1 (L1 cos θ2 + d2)/(d1 d2) + (a2 - L1 sin θ2 θ1'²)/d2
Eigen::Vector2d published_acceleration(const FormulaPoint& p, const Eigen::Vector2d& a) {
  const double d1 = p.sizes.upper_sensor;
  const double d2 = p.sizes.lower_sensor;
  return {a(0) / d1, -a(0) * (p.sizes.upper * std::cos(p.z(1)) + d2) / (d1 * d2) +
                         (a(1) - p.sizes.upper * std::sin(p.z(1)) * p.zd(0) * p.zd(0)) / d2};
}

// z'' of scheme 1: the last block after a step from (z, z') with the inputs a.
Eigen::Vector2d input_form_acceleration(
    const std::shared_ptr<const model::planar::Mechanism>& mechanism,
    const model::planar::MechanismState& state, const FormulaPoint& p, const Eigen::Vector2d& a) {
  const estimate::KinematicInputModel model(mechanism, state,
                                            {.inputs = {UpperAccelerometer, LowerAccelerometer},
                                             .outputs = {ShoulderEncoder, ElbowEncoder}});
  std::array<double, 6> x{p.z(0), p.z(1), p.zd(0), p.zd(1), 0.0, 0.0};
  std::array<double, 6> next{};
  const std::array<double, 2> u{a(0), a(1)};
  model.process({.step = 1e-3, .before = u, .now = u}, x, next);
  return {next[4], next[5]};
}

void compare_point(const FormulaPoint& p, FormulaDifference& largest) {
  const auto mechanism = make_rig(p.sizes);
  model::planar::MechanismState state = mechanism->make_state();
  (void)mechanism->assemble(p.z, state);
  mechanism->solve_velocity({p.zd.data(), 2}, state);
  const Eigen::Vector2d still = Eigen::Vector2d::Zero();
  mechanism->solve_acceleration({still.data(), 2}, state);
  Eigen::Matrix2d S;
  Eigen::Vector2d rest;
  for (int i = 0; i < 2; ++i) {
    std::array<double, 2> row{};
    mechanism->sensor_sensitivity(UpperAccelerometer + i, state, row);
    S.row(i) << row[0], row[1];
    rest(i) = mechanism->sensor_value(UpperAccelerometer + i, state);
  }
  const Eigen::Matrix2d expected = published_sensitivity(p);
  const Eigen::Vector2d a = expected * p.zdd + published_rest(p);
  const Eigen::Vector2d zdd = published_acceleration(p, a);
  const auto raise = [](double& value, double to) { value = to > value ? to : value; };
  raise(largest.sensitivity, (S - expected).norm() / expected.norm());
  // Against the size of the terms, which may cancel.
  raise(largest.rest, (rest - published_rest(p)).norm() / (p.sizes.upper * p.zd.squaredNorm()));
  raise(largest.acceleration,
        (input_form_acceleration(mechanism, state, p, a) - zdd).norm() / zdd.norm());
}

}  // namespace

FormulaDifference compare_formula(int states) {
  FormulaDifference largest{.states = states};
  RandomStream random(20);
  for (int i = 0; i < states; ++i) compare_point(random_point(random), largest);
  return largest;
}

}  // namespace alembert::reproductions::two_link
