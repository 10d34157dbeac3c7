#include "alembert/model/flexible/mechanism.hpp"

#include <algorithm>
#include <cmath>

#include "alembert/core/check.hpp"
#include "model/flexible/kinematics.hpp"
#include "model/flexible/loads.hpp"
#include "model/flexible/nodes.hpp"
#include "model/flexible/zeroed.hpp"

namespace alembert::model::flexible {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The rigid-link system moves only: it has no forces, springs, sensors or masses of its own.
planar::MechanismDescription kinematics_of(planar::MechanismDescription description) {
  description.forces.clear();
  description.passive.clear();
  description.sensors.clear();
  description.parameters.clear();
  return description;
}

FlexibleState sized_state(const planar::Mechanism& rigid, const FlexibleLayout& layout) {
  const Index n = layout.size();
  const Index nq = rigid.coordinates();
  FlexibleState state;
  state.rigid = rigid.make_state();
  state.u = state.ud = state.udd = state.v = state.acceleration = VectorXd::Zero(n);
  state.Sdot_qd = state.load = state.damping = state.stiffening = VectorXd::Zero(n);
  state.S = MatrixXd::Zero(n, nq);
  state.S0_inverse = MatrixXd::Identity(nq, nq);
  state.M = MatrixXd::Zero(n, n);
  state.memory = VectorXd::Zero(nq);
  return state;
}

// S0⁻¹ by Gauss-Jordan with row pivoting, without memory of its own: M is not in use yet and lends
// its first rows and columns.
bool invert_zeroed_rows(FlexibleState& state) {
  const Index nq = state.S.cols();
  MatrixXd& A = state.M;
  MatrixXd& inverse = state.S0_inverse;
  for (Index j = 0; j < nq; ++j) {
    for (Index i = 0; i < nq; ++i) A(i, j) = state.S(state.S.rows() - nq + i, j);
  }
  inverse.setIdentity();
  for (Index k = 0; k < nq; ++k) {
    Index pivot = k;
    for (Index i = k + 1; i < nq; ++i) {
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    }
    const double scale = 1.0 / A(pivot, k);
    if (!std::isfinite(scale)) return false;
    for (Index j = 0; j < nq; ++j) {
      std::swap(A(pivot, j), A(k, j));
      std::swap(inverse(pivot, j), inverse(k, j));
      A(k, j) *= scale;
      inverse(k, j) *= scale;
    }
    for (Index i = 0; i < nq; ++i) {
      if (i == k) continue;
      const double factor = A(i, k);
      for (Index j = 0; j < nq; ++j) {
        A(i, j) -= factor * A(k, j);
        inverse(i, j) -= factor * inverse(k, j);
      }
    }
  }
  return true;
}

void check_damping(const FlexibleDescription& description) {
  check::non_negative("FlexibleMechanism", "mass_damping", description.mass_damping);
  check::non_negative("FlexibleMechanism", "stiffness_damping", description.stiffness_damping);
  if (description.geometric_stiffening && description.equations == FlexibleEquations::Published) {
    refuse("", "geometric stiffening needs the complete equations");
  }
}

}  // namespace

FlexibleMechanism::FlexibleMechanism(FlexibleDescription description,
                                     const Eigen::Ref<const VectorXd>& start)
    : description_(std::move(description)) {
  check_damping(description_);
  rigid_ = std::make_shared<const planar::Mechanism>(kinematics_of(description_.mechanism));
  check::size("FlexibleMechanism", "start", start.size(), rigid_->coordinates());
  FlexibleLayout layout = make_layout(description_, rigid_->bodies());
  FlexibleState state = sized_state(*rigid_, layout);
  const planar::Assembly assembly = rigid_->assemble(start, state.rigid);
  if (!assembly.ok()) refuse("", assembly.message);
  const VectorXd rest = VectorXd::Zero(start.size());
  rigid_->solve_velocity({rest.data(), static_cast<std::size_t>(rest.size())}, state.rigid);
  fill_sensitivities(layout, state);
  zeroed_condition_ = choose_zeroed(description_, rigid_->size(), state.S, layout);
  fill_sensitivities(layout, state);
  invert_zeroed_rows(state);
  layout_ = std::make_shared<const FlexibleLayout>(std::move(layout));
  start_ = std::make_shared<const FlexibleState>(state);
  check_elastic(*layout_, matrices(*start_).K.topLeftCorner(elastic(), elastic()));
}

int FlexibleMechanism::elastic() const noexcept { return layout_->elastic(); }
int FlexibleMechanism::forces() const noexcept { return static_cast<int>(layout_->forces.size()); }
const std::vector<std::string>& FlexibleMechanism::displacements() const noexcept {
  return layout_->names;
}

std::vector<std::string> FlexibleMechanism::zeroed() const {
  return {layout_->names.begin() + elastic(), layout_->names.end()};
}

int FlexibleMechanism::displacement(const std::string& name) const {
  const std::size_t open = name.find('(');
  const std::vector<std::string> kinds = {"x", "y", "angle"};
  const auto kind = std::find(kinds.begin(), kinds.end(), name.substr(0, open));
  if (open == std::string::npos || name.back() != ')' || kind == kinds.end()) {
    refuse("", "a displacement must read x(body.point), y(body.point) or angle(body.point)", name);
  }
  const int node = find_node(*layout_, name.substr(open + 1, name.size() - open - 2));
  if (node < 0) return -1;
  return layout_->nodes[static_cast<std::size_t>(node)]
      .components[static_cast<std::size_t>(kind - kinds.begin())]
      .unknown;
}

bool FlexibleMechanism::move(std::span<const double> x, FlexibleState& state) const noexcept {
  const auto ne = static_cast<std::size_t>(elastic());
  const auto nq = static_cast<std::size_t>(coordinates());
  const std::size_t n = ne + nq;
  if (x.size() != 2 * n || !fits(state)) return false;
  if (rigid_->solve_position(x.subspan(ne, nq), state.rigid) != planar::StepStatus::Success) {
    return false;
  }
  rigid_->solve_velocity(x.subspan(n + ne, nq), state.rigid);
  fill_sensitivities(*layout_, state);
  if (!invert_zeroed_rows(state)) return false;
  std::copy_n(x.data(), ne, state.u.data());
  std::copy_n(x.data() + n, ne, state.ud.data());
  // b' = S q' + u'
  state.v = state.ud;
  for (Index j = 0; j < state.S.cols(); ++j) state.v += state.rigid.zd(j) * state.S.col(j);
  return true;
}

Eigen::Vector2d FlexibleMechanism::position_of(const std::string& point,
                                               const FlexibleState& state) const {
  if (!fits(state)) refuse("", "the state must be made by start() of the same mechanism");
  const int node = find_node(*layout_, point);
  if (node < 0) return find_point(description_, point).at;
  return node_position(layout_->nodes[static_cast<std::size_t>(node)], state);
}

Eigen::Vector3d FlexibleMechanism::deflection_of(const std::string& point,
                                                 const FlexibleState& state) const {
  if (!fits(state)) refuse("", "the state must be made by start() of the same mechanism");
  const int at = find_node(*layout_, point);
  if (at < 0) return Eigen::Vector3d::Zero();
  const Node& node = layout_->nodes[static_cast<std::size_t>(at)];
  const auto& body = state.rigid.motion[static_cast<std::size_t>(node.body)];
  const double c = body.cosine.position;
  const double s = body.sine.position;
  const Eigen::Vector3d u = gathered(node, state.u);
  return {c * u.x() + s * u.y(), c * u.y() - s * u.x(), u.z()};
}

}  // namespace alembert::model::flexible
