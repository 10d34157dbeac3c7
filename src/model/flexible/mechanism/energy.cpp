#include "alembert/core/check.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/model/flexible/mechanism.hpp"
#include "model/flexible/kinematics.hpp"
#include "model/flexible/loads.hpp"
#include "model/flexible/nodes.hpp"
#include "model/flexible/stiffening.hpp"

namespace alembert::model::flexible {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Displacements or velocities of an element in its own frame.
Vector6 in_frame(const Element& element, const Eigen::VectorXd& x, const FlexibleState& state) {
  const auto& body = state.rigid.motion[static_cast<std::size_t>(element.body)];
  return turned(gathered(element, x), body.cosine.position, -body.sine.position);
}

double rate_of(const Element& element, const FlexibleState& state) {
  return state.rigid.motion[static_cast<std::size_t>(element.body)].angle.velocity;
}

// T' m T added to a dense matrix, not symmetric in general.
void add_turned(const Element& element, const Matrix6& m, const FlexibleState& state,
                MatrixXd& sum) {
  const auto& body = state.rigid.motion[static_cast<std::size_t>(element.body)];
  Matrix6 T;
  for (int j = 0; j < 6; ++j) {
    T.col(j) = turned(Vector6::Unit(j), body.cosine.position, -body.sine.position);
  }
  const Matrix6 world = T.transpose() * m * T;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const NodeComponent& row = element.components[i];
      const NodeComponent& column = element.components[j];
      if (row.unknown < 0 || column.unknown < 0) continue;
      sum(row.unknown, column.unknown) +=
          row.factor * column.factor * world(static_cast<Index>(i), static_cast<Index>(j));
    }
  }
}

// [I S]: the last columns are those of q.
MatrixXd coordinate_map(const FlexibleState& state) {
  const Index n = state.S.rows();
  MatrixXd P = MatrixXd::Identity(n, n);
  P.rightCols(state.S.cols()) = state.S;
  return P;
}

// A state of another mechanism, or one that nobody made, must not lead out of its memory.
void check_state(const FlexibleMechanism& mechanism, const FlexibleState& state) {
  if (mechanism.fits(state)) return;
  refuse("", "the state must be made by start() of the same mechanism");
}

}  // namespace

bool FlexibleMechanism::fits(const FlexibleState& state) const noexcept {
  const Index n = unknowns();
  const Index nq = coordinates();
  const bool vectors =
      state.u.size() == n && state.ud.size() == n && state.udd.size() == n && state.v.size() == n &&
      state.acceleration.size() == n && state.Sdot_qd.size() == n && state.load.size() == n &&
      state.damping.size() == n && state.stiffening.size() == n && state.memory.size() == nq;
  const bool matrices = state.S.rows() == n && state.S.cols() == nq && state.M.rows() == n &&
                        state.M.cols() == n && state.S0_inverse.rows() == nq &&
                        state.S0_inverse.cols() == nq;
  return vectors && matrices && state.rigid.positioned && state.rigid.z.size() == nq &&
         state.rigid.q.size() == rigid_->unknowns() &&
         state.rigid.motion.size() == start_->rigid.motion.size();
}

// T = ½ vᵀM v, in the complete form + w vᵀh u + ½ w² uᵀQ u of each element
double FlexibleMechanism::kinetic_energy(const FlexibleState& state) const {
  check_state(*this, state);
  double sum = 0.5 * state.v.dot(layout_->lumps.cwiseProduct(state.v));
  for (const Element& element : layout_->elements) {
    const Vector6 v = in_frame(element, state.v, state);
    sum += 0.5 * v.dot(element.beam.m * v);
    if (description_.equations == FlexibleEquations::Published) continue;
    const Vector6 u = in_frame(element, state.u, state);
    const double w = rate_of(element, state);
    sum += w * v.dot(element.beam.h * u) + 0.5 * w * w * u.dot(element.beam.centrifugal * u);
  }
  return sum;
}

double FlexibleMechanism::elastic_energy(const FlexibleState& state) const {
  check_state(*this, state);
  double sum = 0.0;
  for (const Element& element : layout_->elements) {
    const Vector6 u = in_frame(element, state.u, state);
    sum += 0.5 * u.dot(element.beam.k * u);
    if (description_.geometric_stiffening) sum += stiffening_energy(element.beam, u);
  }
  return sum;
}

double FlexibleMechanism::potential_energy(const FlexibleState& state) const {
  check_state(*this, state);
  const Eigen::Vector2d& g = description_.mechanism.gravity;
  double sum = spring_energy(*layout_, state);
  for (const Element& element : layout_->elements) {
    const auto& body = state.rigid.motion[static_cast<std::size_t>(element.body)];
    const double c = body.cosine.position;
    const double s = body.sine.position;
    const auto at = [&](std::size_t i) {
      const Node& node = layout_->nodes[static_cast<std::size_t>(element.nodes[i])];
      return Eigen::Vector2d(body.x.position + c * node.at.x(), body.y.position + s * node.at.x());
    };
    const double mass = element.beam.load(0, 0) + element.beam.load(3, 0);
    const Eigen::Vector2d gravity(c * g.x() + s * g.y(), c * g.y() - s * g.x());
    sum -= mass * g.dot(0.5 * (at(0) + at(1))) +
           in_frame(element, state.u, state).dot(element.beam.load * gravity);
  }
  for (std::size_t i = 0; i < layout_->nodes.size(); ++i) {
    const double mass = layout_->masses(static_cast<Index>(i));
    if (mass > 0.0) sum -= mass * g.dot(node_position(layout_->nodes[i], state));
  }
  return sum;
}

double FlexibleMechanism::force_rate(int force, const FlexibleState& state) const noexcept {
  if (force < 0 || force >= forces() || !fits(state)) return kNaN;
  const LayoutForce& one = layout_->forces[static_cast<std::size_t>(force)];
  const auto rate = [&](int node) -> Eigen::Vector3d {
    if (node < 0) return Eigen::Vector3d::Zero();
    return gathered(layout_->nodes[static_cast<std::size_t>(node)], state.v);
  };
  const Eigen::Vector3d load = unit_load(one, *layout_, state);
  return load.dot(rate(one.node)) - (one.torque ? load.dot(rate(one.reaction)) : 0.0);
}

double FlexibleMechanism::dissipated_power(const FlexibleState& state) const noexcept {
  if (!fits(state)) return kNaN;
  return state.v.dot(state.damping) + spring_loss(*layout_, state);
}

FlexibleMatrices FlexibleMechanism::matrices(const FlexibleState& state) const {
  check_state(*this, state);
  const Index n = unknowns();
  FlexibleMatrices made{
      .M = layout_->lumps.asDiagonal(), .K = MatrixXd::Zero(n, n), .MG = MatrixXd::Zero(n, n)};
  for (const Element& element : layout_->elements) {
    add_turned(element, element.beam.m, state, made.M);
    add_turned(element, element.beam.k, state, made.K);
    add_turned(element, rate_of(element, state) * element.beam.h, state, made.MG);
  }
  return made;
}

MatrixXd FlexibleMechanism::mass(const FlexibleState& state) const {
  check_state(*this, state);
  FlexibleState memory = state;
  assemble_equations(description_, *layout_, {}, memory);
  const Index n = unknowns();
  MatrixXd M = MatrixXd::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = layout_->row_start[static_cast<std::size_t>(i)]; j <= i; ++j) {
      M(i, j) = M(j, i) = memory.M(j, i);
    }
  }
  const MatrixXd P = coordinate_map(state);
  const MatrixXd made = P.transpose() * M * P;
  return 0.5 * (made + made.transpose());
}

Eigen::VectorXd FlexibleMechanism::static_forces(std::span<const double> forces,
                                                 FlexibleState& state) const {
  check_state(*this, state);
  if (!forces.empty()) {
    check::size("static_forces", "forces", static_cast<long long>(forces.size()), this->forces());
  }
  assemble_equations(description_, *layout_, forces, state);
  return coordinate_map(state).transpose() * state.load;
}

MatrixXd FlexibleMechanism::force_matrix(const FlexibleState& state) const {
  check_state(*this, state);
  MatrixXd columns = MatrixXd::Zero(unknowns(), forces());
  for (int i = 0; i < forces(); ++i) {
    const LayoutForce& force = layout_->forces[static_cast<std::size_t>(i)];
    const Eigen::Vector3d load = unit_load(force, *layout_, state);
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(unknowns());
    const auto add = [&](int node, double factor) {
      if (node >= 0) scatter(layout_->nodes[static_cast<std::size_t>(node)], factor * load, sum);
    };
    add(force.node, 1.0);
    if (force.torque) add(force.reaction, -1.0);
    columns.col(i) = sum;
  }
  return coordinate_map(state).transpose() * columns;
}

}  // namespace alembert::model::flexible
