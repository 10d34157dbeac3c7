#include <algorithm>

#include "alembert/core/check.hpp"
#include "alembert/core/linear_algebra.hpp"
#include "alembert/identify/weak_form.hpp"
#include "core/algebra/dense.hpp"

namespace alembert::identify {

namespace {

Eigen::MatrixXd raised(const Eigen::MatrixXd& symmetric, double floor) {
  const auto [values, V] = dense::symmetric_eigen(symmetric);
  const double largest = values(values.size() - 1);
  // Without any positive eigenvalue the sizes are all that is left to go by.
  const double reference = largest > 0.0 ? largest : values.cwiseAbs().maxCoeff();
  const double lowest = floor * reference;
  if (values(0) >= lowest) return symmetric;
  return symmetrised(dense::sandwich(V, values.cwiseMax(lowest), V));
}

}  // namespace

Matrices clipped(const Matrices& matrices, double mass_floor, double other_floor) {
  check::at_least("clipped", "degrees of freedom", matrices.M.rows(), 1);
  for (const Eigen::MatrixXd* one : {&matrices.M, &matrices.D, &matrices.K}) {
    check::shape("clipped", "each matrix", *one, matrices.M.rows(), matrices.M.rows());
  }
  return {raised(matrices.M, mass_floor), raised(matrices.D, other_floor),
          raised(matrices.K, other_floor)};
}

}  // namespace alembert::identify
