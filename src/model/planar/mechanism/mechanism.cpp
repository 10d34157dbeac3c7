#include "alembert/model/planar/mechanism.hpp"

#include <fmt/core.h>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "model/planar/motion.hpp"

namespace alembert::model::planar {

namespace {

using Eigen::Index;

BodyMotion<double> body_at_rest() {
  BodyMotion<double> body;
  body.cosine.position = 1.0;
  return body;
}

}  // namespace

Mechanism::Mechanism(MechanismDescription description)
    : description_(std::move(description)),
      layout_(std::make_shared<const Layout>(make_layout(description_))),
      coordinates_(layout_->coordinates),
      parameters_(static_cast<int>(layout_->moves.size())),
      sensors_(static_cast<int>(layout_->sensors.size())) {}

int Mechanism::unknowns() const noexcept { return layout_->unknowns(); }
int Mechanism::constraints() const noexcept { return layout_->constraints; }
const std::vector<std::string>& Mechanism::bodies() const noexcept { return layout_->bodies; }
double Mechanism::size() const noexcept { return layout_->size; }

int Mechanism::sensor_index(const std::string& name) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < description_.sensors.size(); ++i) {
    if (description_.sensors[i].name == name) return static_cast<int>(i);
    names.push_back(description_.sensors[i].name);
  }
  throw InvalidInput({.function = "sensor_index",
                      .argument = "name",
                      .rule = fmt::format("must be one of {}", join(names, ", ")),
                      .value = fmt::format("'{}'", name)});
}

MechanismState Mechanism::make_state() const {
  const Index n = coordinates_;
  const Index u = layout_->unknowns();
  const Index k = parameters_;
  MechanismState state;
  state.z = state.zd = state.zdd = Eigen::VectorXd::Zero(n);
  state.q = state.qd = state.qdd = state.c = Eigen::VectorXd::Zero(u);
  state.trial = Eigen::VectorXd::Zero(2 * u + u * n);
  state.right_side = Eigen::VectorXd::Zero(std::max<Index>(u, layout_->rows()));
  state.start = Eigen::VectorXd::Zero(2 * n + u + k);
  state.forces = Eigen::VectorXd::Zero(static_cast<Index>(layout_->forces.size()));
  state.p = state.p_placed = state.p_asked = Eigen::VectorXd::Zero(k);
  state.R = state.qd_z = state.qdd_z = Eigen::MatrixXd::Zero(u, n);
  state.q_p = state.qd_p = state.qdd_p = Eigen::MatrixXd::Zero(u, k);
  state.points.resize(layout_->points.size());
  state.points_before.resize(layout_->points.size());
  state.arms.resize(layout_->points.size());
  const auto bodies = static_cast<std::size_t>(layout_->ground()) + 1;
  state.motion.assign(bodies, body_at_rest());
  BodyMotion<Dual> rest;
  rest.cosine.position = 1.0;
  state.sensitivity.assign(bodies * static_cast<std::size_t>(n + k), rest);
  state.lu = SmallLu(layout_->unknowns());
  place_points(*layout_, state);
  set_positions(*layout_, state);
  return state;
}

Eigen::VectorXd Mechanism::residual(const MechanismState& state) const {
  const PointTable table = point_table(*layout_, state);
  Eigen::VectorXd values(layout_->rows());
  for (int i = 0; i < layout_->rows(); ++i) {
    values(i) =
        position_value(layout_->functions[static_cast<std::size_t>(i)], table, state.motion.data());
    if (i >= layout_->constraints) values(i) -= state.z(i - layout_->constraints);
  }
  return values;
}

Eigen::MatrixXd Mechanism::jacobian(const MechanismState& state) const {
  const PointTable table = point_table(*layout_, state);
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(layout_->rows(), layout_->unknowns());
  for (int i = 0; i < layout_->rows(); ++i) {
    const SparseRow row = gradient(layout_->functions[static_cast<std::size_t>(i)], table,
                                   state.motion.data(), layout_->ground());
    for (int e = 0; e < row.count; ++e) {
      A(i, row.index[static_cast<std::size_t>(e)]) += row.value[static_cast<std::size_t>(e)];
    }
  }
  return A;
}

Eigen::VectorXd Mechanism::jacobian_rate(const MechanismState& state) const {
  MechanismState still = state;
  still.qdd.setZero();
  set_rates(*layout_, still);
  const PointTable table = point_table(*layout_, still);
  Eigen::VectorXd values(layout_->rows());
  for (int i = 0; i < layout_->rows(); ++i) {
    values(i) =
        evaluate(layout_->functions[static_cast<std::size_t>(i)], table, still.motion.data())
            .acceleration;
  }
  return values;
}

Eigen::Vector2d Mechanism::position_of(const std::string& point,
                                       const MechanismState& state) const {
  const int index = find_point(*layout_, "position_of", point);
  const PlaneJet<double> place =
      point_motion(point_table(*layout_, state), state.motion.data(), index);
  return {place.x.position, place.y.position};
}

}  // namespace alembert::model::planar
