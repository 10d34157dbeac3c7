#include <Eigen/LU>
#include <array>
#include <cmath>
#include <vector>

#include "alembert/core/check.hpp"
#include "alembert/model/structure/elements.hpp"
#include "model/structure/element_checks.hpp"
#include "model/structure/solid.hpp"

namespace alembert::model {
namespace {

using Barycentric = Eigen::Vector4d;  // l1 + l2 + l3 + l4 = 1

// Gradients of l1..l4 by the local coordinates (l2, l3, l4).
const Eigen::Matrix<double, 3, 4>& corner_gradients() {
  static const Eigen::Matrix<double, 3, 4> g = [] {
    Eigen::Matrix<double, 3, 4> made;
    made << -1, 1, 0, 0, -1, 0, 1, 0, -1, 0, 0, 1;
    return made;
  }();
  return g;
}

// The corners of each edge that has a node in its middle, in the order of the nodes.
constexpr std::array<std::array<int, 2>, 6> kEdges = {
    {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};

// N_a = l_a (2 l_a - 1) at corners, 4 l_a l_b on edges.
Eigen::VectorXd quadratic_functions(const Barycentric& l) {
  Eigen::VectorXd N(10);
  for (int a = 0; a < 4; ++a) N(a) = l(a) * (2.0 * l(a) - 1.0);
  for (std::size_t e = 0; e < 6; ++e) {
    N(static_cast<Eigen::Index>(4 + e)) = 4.0 * l(kEdges[e][0]) * l(kEdges[e][1]);
  }
  return N;
}

Eigen::MatrixXd quadratic_gradients(const Barycentric& l) {
  const Eigen::Matrix<double, 3, 4>& g = corner_gradients();
  Eigen::MatrixXd local(3, 10);
  for (int a = 0; a < 4; ++a) local.col(a) = (4.0 * l(a) - 1.0) * g.col(a);
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [a, b] = kEdges[e];
    local.col(static_cast<Eigen::Index>(4 + e)) = 4.0 * (l(b) * g.col(a) + l(a) * g.col(b));
  }
  return local;
}

struct TetPoint {
  Barycentric at;
  double weight;  // the volume of the local tetrahedron is 1/6
};

// Four points, exact to degree 2: a = (5 + 3 √5)/20, b = (5 - √5)/20.
std::array<TetPoint, 4> four_points() {
  const double a = (5.0 + 3.0 * std::sqrt(5.0)) / 20.0;
  const double b = (5.0 - std::sqrt(5.0)) / 20.0;
  std::array<TetPoint, 4> points;
  for (int p = 0; p < 4; ++p) {
    points[static_cast<std::size_t>(p)] = {Barycentric::Constant(b), 1.0 / 24.0};
    points[static_cast<std::size_t>(p)].at(p) = a;
  }
  return points;
}

// Products of four Gauss points in the collapsed cube l2 = u, l3 = v (1 - u), l4 = w (1 - u)(1 - v)
// with Jacobian (1 - u)² (1 - v): exact to degree 5.
std::vector<TetPoint> many_points() {
  const double inner = std::sqrt(3.0 / 7.0 - 2.0 / 7.0 * std::sqrt(6.0 / 5.0));
  const double outer = std::sqrt(3.0 / 7.0 + 2.0 / 7.0 * std::sqrt(6.0 / 5.0));
  const double root = std::sqrt(30.0);
  const std::array<double, 4> place = {0.5 * (1 - outer), 0.5 * (1 - inner), 0.5 * (1 + inner),
                                       0.5 * (1 + outer)};
  const std::array<double, 4> weight = {(18 - root) / 72, (18 + root) / 72, (18 + root) / 72,
                                        (18 - root) / 72};
  std::vector<TetPoint> points;
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 4; ++k) {
        const double u = place[i];
        const double l3 = place[j] * (1 - u);
        const double l4 = place[k] * (1 - u) * (1 - place[j]);
        const double jacobian = (1 - u) * (1 - u) * (1 - place[j]);
        points.push_back({Barycentric(1 - u - l3 - l4, u, l3, l4),
                          weight[i] * weight[j] * weight[k] * jacobian});
      }
    }
  }
  return points;
}

}  // namespace

ElementMatrices tet4(const Eigen::Ref<const Eigen::MatrixXd>& places, const Material& material) {
  check::shape("tet4", "places", places, 4, 3);
  check::all_finite("tet4", "places", places);
  check_material("tet4", material);
  const Eigen::Matrix3d J = corner_gradients() * places;
  const double det = J.determinant();
  check_upright("tet4", det);
  const Eigen::MatrixXd B = solid_strains(J.inverse() * corner_gradients());
  ElementMatrices element{Eigen::MatrixXd::Zero(12, 12),
                          det / 6.0 * B.transpose() * solid_elasticity(material) * B};
  // ∫ l_a l_b dV = V/20 (1 + δ_ab)
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      const double part = material.density * det / 120.0 * (a == b ? 2.0 : 1.0);
      for (int d = 0; d < 3; ++d) element.mass(3 * a + d, 3 * b + d) = part;
    }
  }
  return element;
}

ElementMatrices tet10(const Eigen::Ref<const Eigen::MatrixXd>& places, const Material& material) {
  check::shape("tet10", "places", places, 10, 3);
  check::all_finite("tet10", "places", places);
  check_material("tet10", material);
  const Eigen::MatrixXd C = solid_elasticity(material);
  ElementMatrices element{Eigen::MatrixXd::Zero(30, 30), Eigen::MatrixXd::Zero(30, 30)};
  for (const TetPoint& point : four_points()) {
    const Eigen::MatrixXd local = quadratic_gradients(point.at);
    const Eigen::Matrix3d J = local * places;
    check_upright("tet10", J.determinant());
    const Eigen::MatrixXd B = solid_strains(J.inverse() * local);
    element.stiffness += point.weight * J.determinant() * B.transpose() * C * B;
  }
  static const std::vector<TetPoint> points = many_points();
  for (const TetPoint& point : points) {
    const Eigen::Matrix3d J = quadratic_gradients(point.at) * places;
    check_upright("tet10", J.determinant());
    add_solid_mass(quadratic_functions(point.at), material.density * point.weight * J.determinant(),
                   element.mass);
  }
  return element;
}

}  // namespace alembert::model
