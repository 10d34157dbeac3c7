#include "model/planar/assembly.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/random.hpp"
#include "core/algebra/dense.hpp"
#include "model/planar/start_pose.hpp"

namespace alembert::model::planar {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kAssemblyStarts = 64;
constexpr int kMostClosingSteps = 120;
constexpr std::uint64_t kAssemblySeed = 20240229;

VectorXd scaled_residual(const Layout& layout, const VectorXd& z, int rows, MechanismState& state) {
  set_positions(layout, state);
  const PointTable table = point_table(layout, state);
  VectorXd F(rows);
  for (int i = 0; i < rows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    F(i) = position_value(layout.functions[k], table, state.motion.data());
    if (i >= layout.constraints) F(i) -= z(i - layout.constraints);
    F(i) *= layout.row_scale[k];
  }
  return F;
}

// q − step, a step in scaled unknowns.
void take(const Layout& layout, const VectorXd& from, const VectorXd& step, VectorXd& q) {
  for (Index i = 0; i < q.size(); ++i) {
    q(i) = from(i) - step(i) * (i % 3 == 2 ? 1.0 : layout.size);
  }
}

std::string coordinates_text(const Layout& layout, const VectorXd& z) {
  std::vector<std::string> parts;
  for (Index j = 0; j < z.size(); ++j) {
    const std::string& name = layout.row_names[static_cast<std::size_t>(layout.constraints + j)];
    parts.push_back(fmt::format("{} = {:.6g}", name, z(j)));
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

bool has_given_pose(const MechanismDescription& description) {
  return std::any_of(description.bodies.begin(), description.bodies.end(),
                     [](const Body& body) { return body.start.has_value(); });
}

bool is_sound(const Layout& layout, const MechanismState& state) {
  Assembly assembly;
  examine(layout, state, assembly);
  return assembly.ok();
}

// The finding for joints that stay open at z.
Finding open_joint(const Layout& layout, const VectorXd& z, const Closing& best,
                   MechanismState state) {
  const auto row = static_cast<std::size_t>(best.worst_row);
  const bool is_length = layout.functions[row].is_length();
  const double gap = best.gap / layout.row_scale[row];
  std::string message = fmt::format(
      "the mechanism cannot be assembled at {}: '{}' stays open by {:.3g} {} in the best of {} "
      "attempts",
      coordinates_text(layout, z), layout.row_names[row], gap, is_length ? "m" : "rad",
      kAssemblyStarts);
  if (close_joints(layout, z, layout.constraints, state).closed()) {
    const PointTable table = point_table(layout, state);
    VectorXd reached(layout.coordinates);
    for (int j = 0; j < layout.coordinates; ++j) {
      const auto k = static_cast<std::size_t>(layout.constraints + j);
      reached(j) = position_value(layout.functions[k], table, state.motion.data());
    }
    message += fmt::format("; it closes at {}", coordinates_text(layout, reached));
  } else {
    message += "; its joints do not close at any coordinates that were tried";
  }
  return {FindingKind::ImpossibleAssembly, {layout.row_names[row]}, message};
}

}  // namespace

MatrixXd scaled_jacobian(const Layout& layout, const MechanismState& state, int rows) {
  const PointTable table = point_table(layout, state);
  MatrixXd A = MatrixXd::Zero(rows, layout.unknowns());
  for (int i = 0; i < rows; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const SparseRow row =
        gradient(layout.functions[k], table, state.motion.data(), layout.ground());
    for (int e = 0; e < row.count; ++e) {
      const int column = row.index[static_cast<std::size_t>(e)];
      const double scale = layout.row_scale[k] * (column % 3 == 2 ? 1.0 : layout.size);
      A(i, column) += row.value[static_cast<std::size_t>(e)] * scale;
    }
  }
  return A;
}

// Damped least squares: (AᵀA + λ I) step = AᵀF, λ lowered after gains and raised after losses.
Closing close_joints(const Layout& layout, const VectorXd& z, int rows, MechanismState& state) {
  VectorXd F = scaled_residual(layout, z, rows, state);
  double damping = 1e-2;
  for (int step = 0; step < kMostClosingSteps && F.size() > 0; ++step) {
    if (F.cwiseAbs().maxCoeff() <= 1e-14 || damping > 1e8) break;
    const MatrixXd A = scaled_jacobian(layout, state, rows);
    MatrixXd N = dense::transposed_times(A, A);
    N.diagonal().array() += damping;
    const VectorXd move = dense::positive_solve(N, dense::transposed_times(A, F));
    const VectorXd before = state.q;
    take(layout, before, move, state.q);
    const VectorXd trial = scaled_residual(layout, z, rows, state);
    if (trial.squaredNorm() < F.squaredNorm()) {
      F = trial;
      damping = std::max(1e-14, 0.1 * damping);
    } else {
      state.q = before;
      damping *= 10.0;
    }
  }
  set_positions(layout, state);
  Closing closing;
  if (F.size() > 0) {
    Index worst = 0;
    closing.gap = F.cwiseAbs().maxCoeff(&worst);
    closing.worst_row = static_cast<int>(worst);
  }
  if (!std::isfinite(closing.gap)) closing.gap = 1e300;
  return closing;
}

void report(Assembly& assembly, Status status, Finding finding) {
  if (assembly.findings.empty()) {
    assembly.status = status;
    assembly.message = finding.message;
  }
  assembly.findings.push_back(std::move(finding));
}

Assembly Mechanism::assemble(const Eigen::Ref<const VectorXd>& z, MechanismState& state) const {
  const Layout& layout = *layout_;
  check::size("Mechanism::assemble", "z", z.size(), coordinates_);
  check::all_finite("Mechanism::assemble", "z", z);
  state.positioned = false;
  state.z = z;
  state.zd.setZero();
  state.zdd.setZero();
  state.p_asked = state.p;
  place_points(layout, state);
  RandomStream random(kAssemblySeed);
  Closing best;
  best.gap = 1e301;
  VectorXd best_q = state.q;
  bool sound = false;
  for (int start = 0; start < kAssemblyStarts && !sound; ++start) {
    start_pose(layout, description_, state.z, start, random, state.q);
    const Closing closing = close_joints(layout, state.z, layout.rows(), state);
    // Poses that the user gives are taken as they are; of others, one where all is in order is
    // sought: links of equal length also close folded onto each other.
    sound = closing.closed() &&
            ((start == 0 && has_given_pose(description_)) || is_sound(layout, state));
    if (sound || (!best.closed() && closing.gap < best.gap)) {
      best = closing;
      best_q = state.q;
    }
  }
  state.q = best_q;
  set_positions(layout, state);
  Assembly assembly;
  assembly.constraints = layout.constraints;
  const auto row = static_cast<std::size_t>(best.worst_row);
  assembly.largest_gap = best.gap / layout.row_scale[row];
  const bool closed = best.closed();
  // A mechanism with too many coordinates or too few joints is examined where its joints close.
  if (!closed && layout.rows() <= layout.unknowns()) {
    report(assembly, Status::NotConverged, open_joint(layout, state.z, best, state));
    return assembly;
  }
  if (!closed && !close_joints(layout, state.z, layout.constraints, state).closed()) {
    report(assembly, Status::NotConverged, open_joint(layout, state.z, best, state));
    return assembly;
  }
  examine(layout, state, assembly);
  if (!assembly.ok() || !closed) return assembly;
  start_following(state);
  const VectorXd target = state.z;
  const StepStatus status =
      state.positioned
          ? solve_position({target.data(), static_cast<std::size_t>(target.size())}, state)
          : StepStatus::Singular;
  state.positioned = status == StepStatus::Success;
  if (!state.positioned) {
    report(assembly, Status::NotConverged,
           {FindingKind::SingularConfiguration, {}, explain(status, target, state)});
    return assembly;
  }
  solve_velocity({state.zd.data(), static_cast<std::size_t>(coordinates_)}, state);
  return assembly;
}

}  // namespace alembert::model::planar
