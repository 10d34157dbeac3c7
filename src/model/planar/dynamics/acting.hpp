#pragma once

// Forces on the bodies of a mechanism: what acts along scalar functions of q.

#include <cmath>

#include "model/planar/motion.hpp"

namespace alembert::model::planar {

/// (c + (b − c) exp(−(v/v_s)²)) tanh(v/v₀)
template <typename Scalar>
inline Scalar friction(const PassivePlan& plan, const Scalar& v) {
  using std::exp, std::tanh;
  const Scalar ratio = v / plan.stribeck_rate;
  const Scalar level = plan.coulomb + (plan.breakaway - plan.coulomb) * exp(-(ratio * ratio));
  return level * tanh(v / plan.smooth_rate);
}

/// T(s, v) = preload + k (s − free) + d v + friction.
template <typename Scalar>
inline Scalar tension(const PassivePlan& plan, const Scalar& s, const Scalar& v) {
  Scalar sum = plan.preload + plan.stiffness * (s - plan.free) + plan.damping * v;
  if (plan.breakaway > 0.0) sum = sum + friction(plan, v);
  return sum;
}

/// The virtual rate along which a force does work: f' with the direction of the force held.
template <typename Scalar, typename Table>
inline Scalar acting_rate(const ScalarFunction& f, const Table& table,
                          const BodyMotion<Scalar>* motion) {
  if (f.shape != ScalarFunction::Shape::Projected) return evaluate(f, table, motion).velocity;
  const PlaneJet<Scalar> a = point_motion(table, motion, f.a_point);
  const PlaneJet<Scalar> b = point_motion(table, motion, f.b_point);
  const BodyMotion<Scalar>& frame = motion[f.direction_body];
  const Scalar nx(f.direction.x());
  const Scalar ny(f.direction.y());
  const Scalar ex = nx * frame.cosine.position - ny * frame.sine.position;
  const Scalar ey = nx * frame.sine.position + ny * frame.cosine.position;
  return ex * (b.x.velocity - a.x.velocity) + ey * (b.y.velocity - a.y.velocity);
}

/// F of a plan; zero where none are given.
inline double force_value(std::span<const double> forces, std::size_t i) {
  return i < forces.size() ? forces[i] : 0.0;
}

/// y = M q'' + M_v − Q − Σ (∂s/∂q)ᵀ F, 3 a body: what the joints must supply.
/// @param accelerations of every body: q'' of the state, or c.
void generalised_load(const Layout& layout, const MechanismState& state,
                      std::span<const double> forces, const Eigen::VectorXd& accelerations,
                      Eigen::VectorXd& load) noexcept;

}  // namespace alembert::model::planar
