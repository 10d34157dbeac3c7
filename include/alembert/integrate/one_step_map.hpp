#pragma once

#include <Eigen/Core>

#include "alembert/integrate/hold.hpp"

namespace alembert::integrate {

/// What a one-step map reads of the input u (m signals) on the step from sample k to k + 1.
enum class Drive {
  Begin,      ///< w = u(k), m numbers
  Ends,       ///< w = (u(k), u(k+1)), 2 m numbers
  Polynomial  ///< w = (u, h u', h² u'', h³ u''') at sample k of the input's cubic spline, 4 m
};

/// An integrator of M q'' + D q' + K q = L u for one constant step h: for a linear system every
/// one-step method is two matrices.
///
///   z(k+1) = F z(k) + G w(k),   z = (q, h q')
///
/// The velocity is scaled by the step so that all entries of z have the unit of q.
/// Made by midpoint_map(), newmark_map(), exact_map(), gauss_map().
struct OneStepMap {
  Eigen::MatrixXd F;  ///< 2n x 2n
  Eigen::MatrixXd G;  ///< 2n x length of w
  Drive drive = Drive::Begin;
  double step = 0.0;  ///< h in s

  [[nodiscard]] Eigen::Index degrees_of_freedom() const noexcept { return F.rows() / 2; }
};

/// Memory of advance(), owned by the caller: one for each thread.
struct StepWorkspace {
  explicit StepWorkspace(const OneStepMap& map) : next(map.F.rows()) {}

  Eigen::VectorXd next;
};

/// Advances a state by one step, z ← F z + G w. Allocates nothing. @throws InvalidInput
void advance(const OneStepMap& map, const Eigen::Ref<const Eigen::VectorXd>& w,
             StepWorkspace& workspace, Eigen::Ref<Eigen::VectorXd> z);

/// The largest |eigenvalue| of F: free motion dies out if it is below 1. @throws InvalidInput
[[nodiscard]] double spectral_radius(const OneStepMap& map);

}  // namespace alembert::integrate
