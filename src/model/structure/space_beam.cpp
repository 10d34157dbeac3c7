#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/model/structure/elements.hpp"
#include "model/structure/element_checks.hpp"

namespace alembert::model {
namespace {

// Bending in one plane with the unknowns deflection and slope at both ends.
struct Bending {
  double length, stiffness;  // L, E I
  double shear;              // Φ = 12 E I / (G As L²); 0: Euler-Bernoulli
};

Eigen::Matrix4d bending_stiffness(const Bending& beam) {
  const double L = beam.length;
  const double phi = beam.shear;
  Eigen::Matrix4d K;
  K << 12, 6 * L, -12, 6 * L,                               //
      6 * L, (4 + phi) * L * L, -6 * L, (2 - phi) * L * L,  //
      -12, -6 * L, 12, -6 * L,                              //
      6 * L, (2 - phi) * L * L, -6 * L, (4 + phi) * L * L;
  return beam.stiffness / ((1 + phi) * L * L * L) * K;
}

// Deflection at ξ = x/L that is exact for loads at the ends, with shear.
Eigen::RowVector4d deflection(const Bending& beam, double xi) {
  const double phi = beam.shear;
  const double cubic = 2 * xi * xi * xi - 3 * xi * xi - phi * xi;
  Eigen::RowVector4d N(cubic + 1 + phi,
                       beam.length * xi * (xi * xi - (2 + phi / 2) * xi + 1 + phi / 2), -cubic,
                       beam.length * xi * (xi * xi - (1 - phi / 2) * xi - phi / 2));
  return N / (1 + phi);
}

// Rotation of the section.
Eigen::RowVector4d rotation(const Bending& beam, double xi) {
  const double phi = beam.shear;
  const double side = 6 / beam.length * xi * (xi - 1);
  Eigen::RowVector4d N(side, 3 * xi * xi - (4 + phi) * xi + 1 + phi, -side,
                       3 * xi * xi - (2 - phi) * xi);
  return N / (1 + phi);
}

// ∫ ρA Nᵀ N + ρI Θᵀ Θ dx by four Gauss points, exact to degree 7; the integrand has 6.
Eigen::Matrix4d bending_mass(const Bending& beam, double line_mass, double rotary) {
  const double inner = std::sqrt(3.0 / 7.0 - 2.0 / 7.0 * std::sqrt(6.0 / 5.0));
  const double outer = std::sqrt(3.0 / 7.0 + 2.0 / 7.0 * std::sqrt(6.0 / 5.0));
  const double root = std::sqrt(30.0);
  const std::array<std::array<double, 2>, 4> points = {{{-outer, (18 - root) / 36},
                                                        {-inner, (18 + root) / 36},
                                                        {inner, (18 + root) / 36},
                                                        {outer, (18 - root) / 36}}};
  Eigen::Matrix4d M = Eigen::Matrix4d::Zero();
  for (const auto& [at, weight] : points) {
    const Eigen::RowVector4d N = deflection(beam, 0.5 * (1 + at));
    const Eigen::RowVector4d R = rotation(beam, 0.5 * (1 + at));
    M += 0.5 * weight * beam.length * (line_mass * N.transpose() * N + rotary * R.transpose() * R);
  }
  return M;
}

// Rows are the local axes: along the beam, across it in the plane of `up`, and normal to both.
Eigen::Matrix3d local_axes(const Eigen::Vector3d& along, const Eigen::Vector3d& up) {
  Eigen::Vector3d plane = up;
  if (plane.norm() == 0.0) {
    plane = Eigen::Vector3d::UnitY();
    if (along.cross(plane).norm() < 1e-6) plane = Eigen::Vector3d::UnitX();
  }
  const Eigen::Vector3d normal = along.cross(plane);
  if (!(normal.norm() > 1e-6 * plane.norm())) {
    throw InvalidInput({.function = "space_beam",
                        .argument = "up",
                        .rule = "must not be along the beam, and finite"});
  }
  Eigen::Matrix3d axes;
  axes.row(0) = along;
  axes.row(2) = normal.normalized();
  axes.row(1) = axes.row(2).cross(axes.row(0));
  return axes;
}

// Adds a 4 x 4 of one plane: unknowns by number, rotations with a sign.
void scatter(const Eigen::Matrix4d& part, const std::array<int, 4>& to, double sign,
             Eigen::MatrixXd& whole) {
  const Eigen::Vector4d signs(1.0, sign, 1.0, sign);
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      whole(to[static_cast<std::size_t>(r)], to[static_cast<std::size_t>(c)]) +=
          signs(r) * signs(c) * part(r, c);
    }
  }
}

// A rod with linear shape functions between unknowns a and b.
void add_rod(int a, double stiffness, double mass, ElementMatrices& element) {
  const int b = a + 6;
  element.stiffness(a, a) += stiffness;
  element.stiffness(b, b) += stiffness;
  element.stiffness(a, b) -= stiffness;
  element.stiffness(b, a) -= stiffness;
  element.mass(a, a) += mass / 3;
  element.mass(b, b) += mass / 3;
  element.mass(a, b) += mass / 6;
  element.mass(b, a) += mass / 6;
}

void check_space_section(const SpaceSection& section) {
  check::positive("space_beam", "area", section.area);
  check::positive("space_beam", "inertia_y", section.inertia_y);
  check::positive("space_beam", "inertia_z", section.inertia_z);
  check::positive("space_beam", "torsion", section.torsion);
  check::non_negative("space_beam", "shear_y", section.shear_y);
  check::non_negative("space_beam", "shear_z", section.shear_z);
}

}  // namespace

ElementMatrices space_beam(const Eigen::Ref<const Eigen::MatrixXd>& places,
                           const Material& material, const SpaceSection& section) {
  check::shape("space_beam", "places", places, 2, 3);
  check::all_finite("space_beam", "places", places);
  check_material("space_beam", material);
  check_space_section(section);
  const Eigen::Vector3d span = (places.row(1) - places.row(0)).transpose();
  const double L = span.norm();
  check::positive("space_beam", "length", L);
  const double shear_modulus = material.young / (2 * (1 + material.poisson));
  const auto bending = [&](double inertia, double shear_area) {
    const double EI = material.young * inertia;
    return Bending{L, EI, shear_area > 0 ? 12 * EI / (shear_modulus * shear_area * L * L) : 0.0};
  };
  ElementMatrices local{Eigen::MatrixXd::Zero(12, 12), Eigen::MatrixXd::Zero(12, 12)};
  const double line_mass = material.density * section.area;
  add_rod(0, material.young * section.area / L, line_mass * L, local);
  add_rod(3, shear_modulus * section.torsion / L,
          material.density * (section.inertia_y + section.inertia_z) * L, local);
  // v' = θz in the plane x-y, w' = -θy in x-z.
  const Bending in_y = bending(section.inertia_z, section.shear_y);
  const Bending in_z = bending(section.inertia_y, section.shear_z);
  scatter(bending_stiffness(in_y), {1, 5, 7, 11}, 1.0, local.stiffness);
  scatter(bending_stiffness(in_z), {2, 4, 8, 10}, -1.0, local.stiffness);
  scatter(bending_mass(in_y, line_mass, material.density * section.inertia_z), {1, 5, 7, 11}, 1.0,
          local.mass);
  scatter(bending_mass(in_z, line_mass, material.density * section.inertia_y), {2, 4, 8, 10}, -1.0,
          local.mass);
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(12, 12);
  const Eigen::Matrix3d axes = local_axes(span / L, section.up);
  for (int i = 0; i < 4; ++i) T.block<3, 3>(3 * i, 3 * i) = axes;
  return {T.transpose() * local.mass * T, T.transpose() * local.stiffness * T};
}

}  // namespace alembert::model
