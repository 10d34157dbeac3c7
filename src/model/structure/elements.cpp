#include "alembert/model/structure/elements.hpp"

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "model/structure/element_checks.hpp"

namespace alembert::model {
namespace {

// Rows ∂N/∂ξ, ∂N/∂η of the four bilinear functions, corners counter-clockwise.
Eigen::Matrix<double, 2, 4> quad_gradients(double xi, double eta) {
  Eigen::Matrix<double, 2, 4> g;
  g << -(1 - eta), 1 - eta, 1 + eta, -(1 + eta),  //
      -(1 - xi), -(1 + xi), 1 + xi, 1 - xi;
  return 0.25 * g;
}

Eigen::Vector4d quad_functions(double xi, double eta) {
  return 0.25 * Eigen::Vector4d((1 - xi) * (1 - eta), (1 + xi) * (1 - eta), (1 + xi) * (1 + eta),
                                (1 - xi) * (1 + eta));
}

// Strains (εx, εy, γxy) of unit displacements.
Eigen::Matrix<double, 3, 8> quad_strains(const Eigen::Matrix<double, 2, 4>& g) {
  Eigen::Matrix<double, 3, 8> B = Eigen::Matrix<double, 3, 8>::Zero();
  for (int a = 0; a < 4; ++a) {
    B(0, 2 * a) = g(0, a);
    B(1, 2 * a + 1) = g(1, a);
    B(2, 2 * a) = g(1, a);
    B(2, 2 * a + 1) = g(0, a);
  }
  return B;
}

Eigen::Matrix3d plane_elasticity(const Material& m, PlaneState state) {
  const double E = m.young;
  const double nu = m.poisson;
  Eigen::Matrix3d C;
  if (state == PlaneState::Stress) {
    C << 1, nu, 0, nu, 1, 0, 0, 0, (1 - nu) / 2;
    return E / (1 - nu * nu) * C;
  }
  C << 1 - nu, nu, 0, nu, 1 - nu, 0, 0, 0, (1 - 2 * nu) / 2;
  return E / ((1 + nu) * (1 - 2 * nu)) * C;
}

}  // namespace

ElementMatrices quad4(const Eigen::Ref<const Eigen::MatrixXd>& places, const Material& material,
                      double thickness, PlaneState state) {
  check::shape("quad4", "places", places, 4, 2);
  check::all_finite("quad4", "places", places);
  check::positive("quad4", "thickness", thickness);
  check_material("quad4", material);
  const Eigen::Matrix3d C = plane_elasticity(material, state);
  ElementMatrices element{Eigen::MatrixXd::Zero(8, 8), Eigen::MatrixXd::Zero(8, 8)};
  const double point = 1.0 / std::numbers::sqrt3;
  for (const double xi : {-point, point}) {
    for (const double eta : {-point, point}) {
      const Eigen::Matrix<double, 2, 4> local = quad_gradients(xi, eta);
      const Eigen::Matrix2d J = local * places;
      const double det = J(0, 0) * J(1, 1) - J(0, 1) * J(1, 0);
      check_upright("quad4", det);
      const Eigen::Matrix<double, 3, 8> B = quad_strains(J.inverse() * local);
      // K = ∫ Bᵀ C B dV, M = ∫ ρ Nᵀ N dV; the weights of the points are 1
      element.stiffness += det * thickness * B.transpose() * C * B;
      const Eigen::Vector4d N = quad_functions(xi, eta);
      const Eigen::Matrix4d nn = material.density * det * thickness * N * N.transpose();
      for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < 4; ++b) {
          element.mass(2 * a, 2 * b) += nn(a, b);
          element.mass(2 * a + 1, 2 * b + 1) += nn(a, b);
        }
      }
    }
  }
  return element;
}

}  // namespace alembert::model
