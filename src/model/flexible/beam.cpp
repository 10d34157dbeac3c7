#include "model/flexible/beam.hpp"

#include <cmath>
#include <numbers>

#include "alembert/core/check.hpp"

namespace alembert::model::flexible {
namespace {

// Consistent mass: linear shapes along the axis, cubic ones across it.
Matrix6 consistent_mass(double rho_area, double L) {
  Matrix6 m = Matrix6::Zero();
  const double a = rho_area * L / 6.0;
  const double b = rho_area * L / 420.0;
  m(0, 0) = m(3, 3) = 2.0 * a;
  m(0, 3) = m(3, 0) = a;
  Eigen::Matrix4d across;
  across << 156.0, 22.0 * L, 54.0, -13.0 * L,  //
      22.0 * L, 4.0 * L * L, 13.0 * L, -3.0 * L * L, 54.0, 13.0 * L, 156.0, -22.0 * L, -13.0 * L,
      -3.0 * L * L, -22.0 * L, 4.0 * L * L;
  const Eigen::Vector4i at(1, 2, 4, 5);
  m(at, at) = b * across;
  return m;
}

Matrix6 elastic_stiffness(const BeamSection& section, double L) {
  Matrix6 k = Matrix6::Zero();
  const double a = section.modulus * section.area / L;
  const double b = section.modulus * section.second_moment / (L * L * L);
  k(0, 0) = k(3, 3) = a;
  k(0, 3) = k(3, 0) = -a;
  Eigen::Matrix4d across;
  across << 12.0, 6.0 * L, -12.0, 6.0 * L,  //
      6.0 * L, 4.0 * L * L, -6.0 * L, 2.0 * L * L, -12.0, -6.0 * L, 12.0, -6.0 * L, 6.0 * L,
      2.0 * L * L, -6.0 * L, 4.0 * L * L;
  const Eigen::Vector4i at(1, 2, 4, 5);
  k(at, at) = b * across;
  return k;
}

// g = ∫ρ Nᵀ J N, antisymmetric: shapes along the axis times shapes across it.
Matrix6 gyroscopic(double rho_area, double L) {
  Eigen::Matrix<double, 2, 4> c;
  c << 7.0 / 20.0, L / 20.0, 3.0 / 20.0, -L / 30.0, 3.0 / 20.0, L / 30.0, 7.0 / 20.0, -L / 20.0;
  const Eigen::Vector2i along(0, 3);
  const Eigen::Vector4i across(1, 2, 4, 5);
  Matrix6 g = Matrix6::Zero();
  g(along, across) = -rho_area * L * c;
  g(across, along) = rho_area * L * c.transpose();
  return g;
}

}  // namespace

BeamMatrices beam_matrices(const BeamSection& section, double L) {
  const double rho_area = section.density * section.area;
  Eigen::Matrix2d J;
  J << 0.0, -1.0, 1.0, 0.0;
  Matrix6 turn = Matrix6::Zero();  // Ĵ
  turn.block<2, 2>(0, 0) = J;
  turn.block<2, 2>(3, 3) = J;
  BeamMatrices beam;
  beam.length = L;
  beam.m = consistent_mass(rho_area, L);
  beam.k = elastic_stiffness(section, L);
  const Matrix6 g = gyroscopic(rho_area, L);
  beam.h = g - beam.m * turn;
  const Matrix6 gJ = g * turn;
  beam.centrifugal = beam.m + gJ + gJ.transpose() + turn.transpose() * beam.m * turn;
  beam.rate_squared = turn * beam.h - beam.h * turn - beam.centrifugal;
  // ∫ρ N_along = ρAL/2 (1, 1), ∫ρ N_across = ρAL (1/2, L/12, 1/2, −L/12)
  beam.load.setZero();
  beam.load(0, 0) = beam.load(3, 0) = beam.load(1, 1) = beam.load(4, 1) = 0.5 * rho_area * L;
  beam.load(2, 1) = rho_area * L * L / 12.0;
  beam.load(5, 1) = -rho_area * L * L / 12.0;
  beam.lever = J * beam.load.transpose() - beam.load.transpose() * turn;
  return beam;
}

BeamSection round_section(double diameter, double modulus, double mass_per_length) {
  check::positive("round_section", "diameter", diameter);
  check::positive("round_section", "modulus", modulus);
  check::positive("round_section", "mass_per_length", mass_per_length);
  const double area = std::numbers::pi * diameter * diameter / 4.0;
  return {.area = area,
          .second_moment = area * diameter * diameter / 16.0,
          .modulus = modulus,
          .density = mass_per_length / area};
}

BeamSection rectangular_section(double width, double height, double modulus, double density) {
  check::positive("rectangular_section", "width", width);
  check::positive("rectangular_section", "height", height);
  check::positive("rectangular_section", "modulus", modulus);
  check::positive("rectangular_section", "density", density);
  return {.area = width * height,
          .second_moment = width * height * height * height / 12.0,
          .modulus = modulus,
          .density = density};
}

}  // namespace alembert::model::flexible
