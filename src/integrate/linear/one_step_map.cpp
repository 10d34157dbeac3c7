#include "alembert/integrate/one_step_map.hpp"

#include "alembert/core/check.hpp"
#include "core/algebra/decompositions.hpp"

namespace alembert::integrate {

void advance(const OneStepMap& map, const Eigen::Ref<const Eigen::VectorXd>& w,
             StepWorkspace& workspace, Eigen::Ref<Eigen::VectorXd> z) {
  // z₊ = F z + G w
  workspace.next.noalias() = map.F * z;
  workspace.next.noalias() += map.G * w;
  z = workspace.next;
}

double spectral_radius(const OneStepMap& map) {
  check::all_finite("spectral_radius", "F", map.F);
  return Eigen::EigenSolver<Eigen::MatrixXd>(map.F, false).eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace alembert::integrate
