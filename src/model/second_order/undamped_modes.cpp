#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/core/not_a_number.hpp"
#include "alembert/model/modes.hpp"
#include "core/algebra/dense.hpp"
#include "model/second_order/modal_form.hpp"

namespace alembert::model {

UndampedModes undamped_modes(const SecondOrder& system) {
  check_matrices("undamped_modes", system);
  ModalForm form = modal_form("undamped_modes", system);
  UndampedModes modes;
  modes.angular_frequency =
      form.stiffness.unaryExpr([](double kappa) { return kappa < 0.0 ? kNaN : std::sqrt(kappa); });
  modes.eigenvalue = std::move(form.stiffness);
  modes.shapes = std::move(form.shapes);
  return modes;
}

double mac(const Eigen::Ref<const Eigen::VectorXcd>& a,
           const Eigen::Ref<const Eigen::VectorXcd>& b) {
  check::at_least("mac", "a size", a.size(), 1);
  check::size("mac", "b", b.size(), a.size());
  const double product = a.squaredNorm() * b.squaredNorm();
  return product > 0.0 ? std::norm(a.dot(b)) / product : 0.0;
}

Eigen::MatrixXd modal_damping(const Eigen::Ref<const Eigen::MatrixXd>& M,
                              const Eigen::Ref<const Eigen::MatrixXd>& K,
                              const Eigen::Ref<const Eigen::VectorXd>& ratios) {
  const SecondOrder undamped{M, Eigen::MatrixXd::Zero(M.rows(), M.cols()), K,
                             Eigen::MatrixXd::Zero(M.rows(), 0)};
  check_matrices("modal_damping", undamped);
  check::size("modal_damping", "ratios", ratios.size(), M.rows());
  for (const double ratio : ratios) {
    check::non_negative("modal_damping", "ratios", ratio);
  }
  const ModalForm form = modal_form("modal_damping", undamped);
  check::non_negative("modal_damping", "smallest eigenvalue of K", form.stiffness(0));
  // D = M Φ diag(2 ζ ω) Φᵀ M
  const Eigen::MatrixXd weighted = M * form.shapes;
  const Eigen::VectorXd modal = 2.0 * ratios.cwiseProduct(form.stiffness.cwiseSqrt());
  const Eigen::MatrixXd damping = dense::sandwich(weighted, modal, weighted);
  return symmetrised(damping);
}

}  // namespace alembert::model
