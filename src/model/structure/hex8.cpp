#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/model/structure/elements.hpp"
#include "model/structure/element_checks.hpp"
#include "model/structure/solid.hpp"

namespace alembert::model {
namespace {

using Corners = Eigen::Matrix<double, 8, 3>;
using Gradients = Eigen::Matrix<double, 3, 8>;

// Local coordinates of the corners.
const Corners& corner_signs() {
  static const Corners signs = [] {
    Corners s;
    s << -1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,  //
        -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1;
    return s;
  }();
  return signs;
}

Eigen::Matrix<double, 8, 1> hex_functions(const Eigen::Vector3d& at) {
  Eigen::Matrix<double, 8, 1> N;
  for (int a = 0; a < 8; ++a) {
    const Eigen::RowVector3d s = corner_signs().row(a);
    N(a) = 0.125 * (1 + s(0) * at(0)) * (1 + s(1) * at(1)) * (1 + s(2) * at(2));
  }
  return N;
}

Gradients hex_gradients(const Eigen::Vector3d& at) {
  Gradients g;
  for (int a = 0; a < 8; ++a) {
    const Eigen::RowVector3d s = corner_signs().row(a);
    const Eigen::RowVector3d f(1 + s(0) * at(0), 1 + s(1) * at(1), 1 + s(2) * at(2));
    g.col(a) << s(0) * f(1) * f(2), s(1) * f(0) * f(2), s(2) * f(0) * f(1);
  }
  return 0.125 * g;
}

}  // namespace

ElementMatrices hex8(const Eigen::Ref<const Eigen::MatrixXd>& places, const Material& material,
                     bool incompatible_modes) {
  check::shape("hex8", "places", places, 8, 3);
  check::all_finite("hex8", "places", places);
  check_material("hex8", material);
  const Eigen::MatrixXd C = solid_elasticity(material);
  const Eigen::Matrix3d J0 = hex_gradients(Eigen::Vector3d::Zero()) * places;
  const Eigen::Matrix3d inverse0 = J0.inverse();
  const double det0 = J0.determinant();
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(24, 24);
  // Stiffness of the nodes and of the nine unknowns of the incompatible modes.
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(33, 33);
  const double point = 1.0 / std::numbers::sqrt3;
  for (int p = 0; p < 8; ++p) {
    const Eigen::Vector3d at = point * corner_signs().row(p).transpose();
    const Gradients local = hex_gradients(at);
    const Eigen::Matrix3d J = local * places;
    const double det = J.determinant();
    check_upright("hex8", det);
    Eigen::MatrixXd gradients(3, 11);
    gradients.leftCols(8) = J.inverse() * local;
    // d(1 - ξ_k²)/dx = -2 ξ_k ∂ξ_k/∂x, with the Jacobian of the centre
    for (int k = 0; k < 3; ++k) gradients.col(8 + k) = -2.0 * at(k) * det0 / det * inverse0.col(k);
    const Eigen::MatrixXd B = solid_strains(gradients);
    K += det * B.transpose() * C * B;
    add_solid_mass(hex_functions(at), material.density * det, mass);
  }
  if (!incompatible_modes) return {mass, K.topLeftCorner(24, 24)};
  // K = Kuu - Kua Kaa⁻¹ Kau
  const Eigen::MatrixXd inner = K.bottomRightCorner(9, 9).ldlt().solve(K.bottomLeftCorner(9, 24));
  const Eigen::MatrixXd condensed = K.topLeftCorner(24, 24) - K.topRightCorner(24, 9) * inner;
  return {mass, 0.5 * (condensed + condensed.transpose())};
}

}  // namespace alembert::model
