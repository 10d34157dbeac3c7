#include "alembert/model/flexible/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
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

/// Newton's method on q alone: at each q the displacements are those of rest.
class RestSearch {
 public:
  RestSearch(const FlexibleMechanism& mechanism, std::span<const double> forces)
      : mechanism_(mechanism),
        forces_(forces),
        state_(mechanism.start()),
        u_(VectorXd::Zero(mechanism.elastic())) {}

  [[nodiscard]] const VectorXd& displacements() const { return u_; }
  [[nodiscard]] double largest_force() const { return largest_force_; }
  /// Largest force that is left on the displacements, after reduced_forces().
  [[nodiscard]] double left() const { return left_; }

  /// Generalised forces on q with the displacements at rest; NaN where q is out of reach.
  VectorXd reduced_forces(const VectorXd& q) {
    const Index ne = mechanism_.elastic();
    VectorXd position(mechanism_.unknowns());
    VectorXd F = VectorXd::Constant(mechanism_.unknowns(), std::nan(""));
    u_.setZero();
    Eigen::LLT<MatrixXd> stiffness;
    // The loads change with u by little: each round gains some digits.
    for (int round = 0; round < 12; ++round) {
      position << u_, q;
      if (!place(mechanism_, position, state_)) break;
      if (round == 0) stiffness.compute(mechanism_.matrices(state_).K.topLeftCorner(ne, ne));
      F = mechanism_.static_forces(forces_, state_);
      if (round == 0) largest_force_ = F.cwiseAbs().maxCoeff();
      left_ = F.head(ne).cwiseAbs().maxCoeff();
      const VectorXd du = stiffness.solve(F.head(ne));
      u_ += du;
      if (du.cwiseAbs().maxCoeff() <= 1e-13 * u_.cwiseAbs().maxCoeff()) break;
    }
    return F.tail(q.size());
  }

  /// A damped Newton step; false if none lowers the forces.
  bool step(VectorXd& q, double& residual) {
    const Index nq = q.size();
    MatrixXd slope(nq, nq);
    for (Index j = 0; j < nq; ++j) {
      const VectorXd move = kDifference * VectorXd::Unit(nq, j);
      slope.col(j) = (reduced_forces(q + move) - reduced_forces(q - move)) / (2.0 * kDifference);
    }
    const VectorXd F = reduced_forces(q);
    if (!slope.allFinite() || !F.allFinite()) return false;
    const VectorXd full = -Eigen::ColPivHouseholderQR<MatrixXd>(slope).solve(F);
    double part = std::min(1.0, 0.3 / std::max(1e-300, full.norm()));
    for (int halving = 0; halving < 30; ++halving, part *= 0.5) {
      const VectorXd tried = q + part * full;
      const double left = reduced_forces(tried).cwiseAbs().maxCoeff();
      if (!(left < residual)) continue;
      q = tried;
      residual = left;
      return true;
    }
    return false;
  }

 private:
  const FlexibleMechanism& mechanism_;
  std::span<const double> forces_;
  FlexibleState state_;
  VectorXd u_;
  double largest_force_ = 0.0, left_ = 0.0;
};

void check_sizes(const char* function, const FlexibleMechanism& mechanism, Index coordinates,
                 std::span<const double> forces) {
  check::size(function, "start", coordinates, mechanism.coordinates());
  if (forces.empty()) return;
  check::size(function, "forces", static_cast<long long>(forces.size()), mechanism.forces());
}

}  // namespace

FlexibleEquilibrium find_equilibrium(const FlexibleMechanism& mechanism,
                                     const Eigen::Ref<const VectorXd>& start,
                                     std::span<const double> forces) {
  check_sizes("find_equilibrium", mechanism, start.size(), forces);
  RestSearch search(mechanism, forces);
  FlexibleEquilibrium found;
  VectorXd q = start;
  const VectorXd F = search.reduced_forces(q);
  check_place(F.allFinite());
  // What 1e-9 of the largest force is: that of the weights and springs, which the joints carry.
  const double scale = 1e-9 * (1e-3 + search.largest_force());
  found.residual = F.cwiseAbs().maxCoeff();
  while (found.iterations < kMostSteps && found.residual > scale) {
    ++found.iterations;
    if (!search.step(q, found.residual)) break;
  }
  (void)search.reduced_forces(q);
  found.x = VectorXd::Zero(2 * mechanism.unknowns());
  found.x.head(mechanism.elastic()) = search.displacements();
  found.x.segment(mechanism.elastic(), q.size()) = q;
  if (!(found.residual <= 1e3 * scale)) {
    found.status = Status::NotConverged;
    found.message = fmt::format(
        "no position at rest was found from here: a generalised force of {:.3g} N or N m is left; "
        "start nearer to it, or add the springs that hold the mechanism",
        found.residual);
  }
  return found;
}

FlexibleEquilibrium find_deflection(const FlexibleMechanism& mechanism,
                                    const Eigen::Ref<const VectorXd>& coordinates,
                                    std::span<const double> forces) {
  check_sizes("find_deflection", mechanism, coordinates.size(), forces);
  RestSearch search(mechanism, forces);
  FlexibleEquilibrium found;
  check_place(search.reduced_forces(coordinates).allFinite());
  found.iterations = 1;
  found.residual = search.left();
  found.x = VectorXd::Zero(2 * mechanism.unknowns());
  found.x.head(mechanism.elastic()) = search.displacements();
  found.x.segment(mechanism.elastic(), coordinates.size()) = coordinates;
  if (!(found.residual <= 1e-6 * (1e-3 + search.largest_force()))) {
    found.status = Status::NotConverged;
    found.message = fmt::format(
        "the links do not come to rest under gravity, springs and forces: {:.3g} N or N m is left; "
        "they are too soft for small deflections",
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
  made.D.topLeftCorner(ne, ne) = description.mass_damping * nodes.M.topLeftCorner(ne, ne) +
                                 description.stiffness_damping * nodes.K.topLeftCorner(ne, ne);
  return made;
}

}  // namespace alembert::model::flexible
