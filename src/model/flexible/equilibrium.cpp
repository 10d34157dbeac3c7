#include "alembert/model/flexible/equilibrium.hpp"

#include <fmt/format.h>

#include <cmath>

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"
#include "model/flexible/nodes.hpp"

namespace alembert::model::flexible {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostSteps = 100;
constexpr double kDifference = 1e-6;  // rad, or of the size: error 1e-12 + rounding 1e-10

bool place(const FlexibleMechanism& mechanism, const VectorXd& position, FlexibleState& state) {
  VectorXd x = VectorXd::Zero(2 * position.size());
  x.head(position.size()) = position;
  return mechanism.move({x.data(), static_cast<std::size_t>(x.size())}, state);
}

void check_place(bool reached) {
  if (!reached) refuse("", "the mechanism cannot be at these coordinates");
}

// −∂F/∂(u, q): K of the elastic displacements is exact, what is left is differenced.
MatrixXd tangent(const FlexibleMechanism& mechanism, const VectorXd& position,
                 std::span<const double> forces, FlexibleState& state) {
  const Index ne = mechanism.elastic();
  const Index n = position.size();
  check_place(place(mechanism, position, state));
  const MatrixXd K = mechanism.matrices(state).K.topLeftCorner(ne, ne);
  MatrixXd made = MatrixXd::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    const auto at = [&](double step) -> VectorXd {
      VectorXd moved = position;
      moved(j) += step;
      check_place(place(mechanism, moved, state));
      VectorXd F = mechanism.static_forces(forces, state);
      if (j < ne) F.head(ne) += K * moved.head(ne);
      return F;
    };
    made.col(j) = (at(-kDifference) - at(kDifference)) / (2.0 * kDifference);
  }
  made.topLeftCorner(ne, ne) += K;
  check_place(place(mechanism, position, state));
  return made;
}

}  // namespace

FlexibleEquilibrium find_equilibrium(const FlexibleMechanism& mechanism,
                                     const Eigen::Ref<const VectorXd>& start,
                                     std::span<const double> forces) {
  check::size("find_equilibrium", "start", start.size(), mechanism.coordinates());
  if (!forces.empty()) {
    check::size("find_equilibrium", "forces", static_cast<long long>(forces.size()),
                mechanism.forces());
  }
  const Index n = mechanism.unknowns();
  FlexibleState state = mechanism.start();
  VectorXd position = VectorXd::Zero(n);
  position.tail(start.size()) = start;
  FlexibleEquilibrium found;
  check_place(place(mechanism, position, state));
  VectorXd F = mechanism.static_forces(forces, state);
  // Rounding of the elastic forces, whose largest stiffness times a displacement of rounding size.
  const double scale = 1e-9 * (1.0 + F.cwiseAbs().maxCoeff());
  for (; fprintf(stderr,"it %d F %g\n",found.iterations,F.cwiseAbs().maxCoeff()),found.iterations < kMostSteps && F.cwiseAbs().maxCoeff() > scale; ++found.iterations) {
    const MatrixXd K = tangent(mechanism, position, forces, state);
    const VectorXd step = Eigen::ColPivHouseholderQR<MatrixXd>(K).solve(F);
    double part = std::min(1.0, 0.3 / std::max(1e-300, step.tail(start.size()).norm()));
    const VectorXd before = position;
    for (int halving = 0; halving < 30; ++halving, part *= 0.5) {
      position = before + part * step;
      if (!position.allFinite() || !place(mechanism, position, state)) continue;
      const VectorXd tried = mechanism.static_forces(forces, state);
      if (tried.norm() < F.norm()) {
        F = tried;
        break;
      }
      position = before;
    }
    if (position == before) break;
  }
  found.residual = F.cwiseAbs().maxCoeff();
  found.x = VectorXd::Zero(2 * n);
  found.x.head(n) = position;
  if (found.residual > 1e3 * scale) {
    found.status = Status::NotConverged;
    found.message = fmt::format(
        "no position at rest was found from here: a generalised force of {:.3g} N or N m is left; "
        "start nearer to it, or add the springs that hold the mechanism",
        found.residual);
  }
  return found;
}

SecondOrder linearise(const FlexibleMechanism& mechanism, const Eigen::Ref<const VectorXd>& x,
                      std::span<const double> forces) {
  const Index n = mechanism.unknowns();
  const Index ne = mechanism.elastic();
  check::size("linearise", "x", x.size(), 2 * n);
  FlexibleState state = mechanism.start();
  const MatrixXd K = tangent(mechanism, x.head(n), forces, state);
  const FlexibleMatrices nodes = mechanism.matrices(state);
  const FlexibleDescription& description = mechanism.description();
  SecondOrder made{.M = mechanism.mass(state),
                   .D = MatrixXd::Zero(n, n),
                   .K = 0.5 * (K + K.transpose()),
                   .L = mechanism.force_matrix(state)};
  made.D.topLeftCorner(ne, ne) =
      description.mass_damping * nodes.M.topLeftCorner(ne, ne) +
      description.stiffness_damping * nodes.K.topLeftCorner(ne, ne);
  return made;
}

}  // namespace alembert::model::flexible
