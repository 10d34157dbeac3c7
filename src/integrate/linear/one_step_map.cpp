#include "alembert/integrate/one_step_map.hpp"

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::integrate {

void advance(const OneStepMap& map, const Eigen::Ref<const Eigen::VectorXd>& w,
             StepWorkspace& workspace, Eigen::Ref<Eigen::VectorXd> z) {
  check::shape("advance", "F", map.F, z.size(), z.size());
  check::shape("advance", "G", map.G, z.size(), w.size());
  // z₊ = F z + G w
  workspace.next.noalias() = map.F * z;
  workspace.next.noalias() += map.G * w;
  z = workspace.next;
}

double spectral_radius(const OneStepMap& map) {
  check::at_least("spectral_radius", "rows of F", map.F.rows(), 1);
  check::shape("spectral_radius", "F", map.F, map.F.rows(), map.F.rows());
  check::all_finite("spectral_radius", "F", map.F);
  return Eigen::EigenSolver<Eigen::MatrixXd>(map.F, false).eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace alembert::integrate
