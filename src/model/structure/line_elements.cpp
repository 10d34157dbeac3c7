#include <array>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/model/structure/elements.hpp"
#include "model/structure/element_checks.hpp"

namespace alembert::model {
namespace {

double checked_length(const char* function, const Eigen::Ref<const Eigen::MatrixXd>& places) {
  check::all_finite(function, "places", places);
  const double length = (places.row(1) - places.row(0)).norm();
  check::positive(function, "distance of the ends", length);
  return length;
}

// Of a beam along x, directions x, y, rz at each end: textbook matrices of cubic bending.
ElementMatrices straight_beam(double L, const Material& m, const BeamSection& s) {
  ElementMatrices beam{Eigen::MatrixXd::Zero(6, 6), Eigen::MatrixXd::Zero(6, 6)};
  const double ea = m.young * s.area / L;
  const double ei = m.young * s.inertia / (L * L * L);
  const double mass = m.density * s.area * L;
  Eigen::MatrixXd& K = beam.stiffness;
  K(0, 0) = K(3, 3) = ea;
  K(0, 3) = K(3, 0) = -ea;
  Eigen::Matrix4d bending;
  bending << 12, 6 * L, -12, 6 * L,         //
      6 * L, 4 * L * L, -6 * L, 2 * L * L,  //
      -12, -6 * L, 12, -6 * L,              //
      6 * L, 2 * L * L, -6 * L, 4 * L * L;
  Eigen::Matrix4d inertia;
  inertia << 156, 22 * L, 54, -13 * L,        //
      22 * L, 4 * L * L, 13 * L, -3 * L * L,  //
      54, 13 * L, 156, -22 * L,               //
      -13 * L, -3 * L * L, -22 * L, 4 * L * L;
  const std::array<int, 4> rows = {1, 2, 4, 5};
  K(rows, rows) = ei * bending;
  beam.mass(0, 0) = beam.mass(3, 3) = mass / 3.0;
  beam.mass(0, 3) = beam.mass(3, 0) = mass / 6.0;
  beam.mass(rows, rows) = mass / 420.0 * inertia;
  return beam;
}

}  // namespace

ElementMatrices plane_beam(const Eigen::Ref<const Eigen::MatrixXd>& places,
                           const Material& material, const BeamSection& section) {
  check::shape("plane_beam", "places", places, 2, 2);
  check_material("plane_beam", material);
  check::positive("plane_beam", "area", section.area);
  check::positive("plane_beam", "inertia", section.inertia);
  const double length = checked_length("plane_beam", places);
  const ElementMatrices local = straight_beam(length, material, section);
  const Eigen::Vector2d axis = (places.row(1) - places.row(0)).transpose() / length;
  // u_local = R u for each end
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(6, 6);
  for (const int end : {0, 3}) {
    R.block(end, end, 2, 2) << axis.x(), axis.y(), -axis.y(), axis.x();
    R(end + 2, end + 2) = 1.0;
  }
  return {R.transpose() * local.mass * R, R.transpose() * local.stiffness * R};
}

ElementMatrices bar(const Eigen::Ref<const Eigen::MatrixXd>& places, const Material& material,
                    double area) {
  check::shape("bar", "places", places, 2, places.cols() == 2 ? 2 : 3);
  check_material("bar", material);
  check::positive("bar", "area", area);
  const double length = checked_length("bar", places);
  const Eigen::Index d = places.cols();
  const Eigen::VectorXd axis = (places.row(1) - places.row(0)).transpose() / length;
  const Eigen::MatrixXd k = material.young * area / length * axis * axis.transpose();
  const Eigen::MatrixXd m =
      material.density * area * length / 6.0 * Eigen::MatrixXd::Identity(d, d);
  ElementMatrices element{Eigen::MatrixXd(2 * d, 2 * d), Eigen::MatrixXd(2 * d, 2 * d)};
  element.stiffness << k, -k, -k, k;
  element.mass << 2.0 * m, m, m, 2.0 * m;
  return element;
}

}  // namespace alembert::model
