#include <algorithm>

#include "model/planar/motion.hpp"

namespace alembert::model::planar {

namespace {

// What an accelerometer reads: e·(P'' − g), e fixed in its body.
template <typename Scalar>
Scalar specific_force(const SensorPlan& plan, const PointTable& table,
                      const BodyMotion<Scalar>* motion) {
  const PlaneJet<Scalar> point = point_motion(table, motion, plan.function.b_point);
  const BodyMotion<Scalar>& body = motion[plan.function.direction_body];
  const Scalar nx(plan.function.direction.x());
  const Scalar ny(plan.function.direction.y());
  const Scalar ex = nx * body.cosine.position - ny * body.sine.position;
  const Scalar ey = nx * body.sine.position + ny * body.cosine.position;
  return ex * (point.x.acceleration - Scalar(plan.gravity.x())) +
         ey * (point.y.acceleration - Scalar(plan.gravity.y()));
}

// e·(slope of P and of P') with e held.
struct HeldSlopes {
  double position = 0.0;
  double velocity = 0.0;
};

HeldSlopes held_slopes(const SensorPlan& plan, const PointTable& table,
                       const BodyMotion<Dual>* motion) {
  const PlaneJet<Dual> point = point_motion(table, motion, plan.function.b_point);
  const BodyMotion<Dual>& body = motion[plan.function.direction_body];
  const double c = body.cosine.position.value;
  const double s = body.sine.position.value;
  const double ex = c * plan.function.direction.x() - s * plan.function.direction.y();
  const double ey = s * plan.function.direction.x() + c * plan.function.direction.y();
  return {ex * point.x.position.slope[0] + ey * point.y.position.slope[0],
          ex * point.x.velocity.slope[0] + ey * point.y.velocity.slope[0]};
}

}  // namespace

int Mechanism::sensor_order(int sensor) const noexcept {
  return layout_->sensors[static_cast<std::size_t>(sensor)].order;
}

int Mechanism::force_read_by(int sensor) const noexcept {
  return layout_->sensors[static_cast<std::size_t>(sensor)].force;
}

double Mechanism::sensor_value(int sensor, const MechanismState& state) const noexcept {
  const SensorPlan& plan = layout_->sensors[static_cast<std::size_t>(sensor)];
  if (plan.order == kForceOrder) return state.forces(plan.force);
  const PointTable table = point_table(*layout_, state);
  if (plan.order == 2) return specific_force(plan, table, state.motion.data());
  if (plan.order == 0) return position_value(plan.function, table, state.motion.data());
  return evaluate(plan.function, table, state.motion.data()).velocity;
}

void Mechanism::sensor_sensitivity(int sensor, const MechanismState& state,
                                   std::span<double> S) const noexcept {
  const SensorPlan& plan = layout_->sensors[static_cast<std::size_t>(sensor)];
  if (plan.order == kForceOrder) {
    std::fill_n(S.data(), coordinates_, 0.0);
    return;
  }
  const SparseRow row = gradient(plan.function, point_table(*layout_, state), state.motion.data(),
                                 layout_->ground(), plan.order == 2);
  // S = h_q R
  for (int j = 0; j < coordinates_; ++j) {
    S[static_cast<std::size_t>(j)] = row.dot(state.R.data() + j * layout_->unknowns());
  }
}

SensorReading Mechanism::make_reading() const {
  SensorReading reading;
  reading.by_z = reading.by_zd = reading.by_zdd = Eigen::VectorXd::Zero(coordinates_);
  reading.by_p = Eigen::VectorXd::Zero(parameters_);
  return reading;
}

void Mechanism::read_sensor(int sensor, const MechanismState& state,
                            SensorReading& reading) const noexcept {
  const SensorPlan& plan = layout_->sensors[static_cast<std::size_t>(sensor)];
  const auto bodies = static_cast<std::size_t>(layout_->ground()) + 1;
  reading.value = sensor_value(sensor, state);
  if (plan.order == kForceOrder) {
    reading.by_z.setZero();
    reading.by_zd.setZero();
    reading.by_zdd.setZero();
    reading.by_p.setZero();
    return;
  }
  for (int d = 0; d < coordinates_ + parameters_; ++d) {
    const BodyMotion<Dual>* const motion =
        state.sensitivity.data() + static_cast<std::size_t>(d) * bodies;
    const bool by_z = d < coordinates_;
    PointTable table = point_table(*layout_, state);
    if (!by_z) table.slope = layout_->moves[static_cast<std::size_t>(d - coordinates_)].data();
    double slope = 0.0;
    double by_rate = 0.0;
    double by_acceleration = 0.0;
    if (plan.order == 2) {
      // ∂(e·P'')/∂z' = 2 e·∂P'/∂z and ∂(e·P'')/∂z'' = e·∂P/∂z
      const HeldSlopes held = held_slopes(plan, table, motion);
      slope = specific_force(plan, table, motion).slope[0];
      by_rate = 2.0 * held.velocity;
      by_acceleration = held.position;
    } else {
      // ∂h'/∂z' = ∂h/∂z
      const Jet<Dual> f = evaluate(plan.function, table, motion);
      slope = plan.order == 0 ? f.position.slope[0] : f.velocity.slope[0];
      by_rate = plan.order == 0 ? 0.0 : f.position.slope[0];
    }
    if (by_z) {
      reading.by_z(d) = slope;
      reading.by_zd(d) = by_rate;
      reading.by_zdd(d) = by_acceleration;
    } else {
      reading.by_p(d - coordinates_) = slope;
    }
  }
}

}  // namespace alembert::model::planar
