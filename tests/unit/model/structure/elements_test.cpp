#include "alembert/model/structure/elements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::model::elements_test {

using test::kEps;
using test::matrices_near;

const Material kMaterial{.density = 2810.0, .young = 71.7e9, .poisson = 0.33};

Eigen::MatrixXd distorted_quad() {
  Eigen::MatrixXd places(4, 2);
  places << 0.0, 0.0, 1.1, 0.2, 0.9, 1.3, -0.2, 0.8;
  return places;
}

Eigen::MatrixXd distorted_hex() {
  Eigen::MatrixXd places(8, 3);
  places << 0, 0, 0, 1, 0.1, 0, 1.2, 1, 0.1, 0, 0.9, 0,  //
      0.1, 0, 1, 1, 0, 1.1, 1, 1.1, 0.9, -0.1, 1, 1;
  return places;
}

// Displacements of a rigid motion or of a constant strain: u = A x + b at each node.
Eigen::VectorXd field(const Eigen::MatrixXd& places, const Eigen::MatrixXd& A,
                      const Eigen::VectorXd& b) {
  const Eigen::Index d = places.cols();
  Eigen::VectorXd u(places.rows() * d);
  for (Eigen::Index i = 0; i < places.rows(); ++i) {
    u.segment(d * i, d) = A * places.row(i).transpose() + b;
  }
  return u;
}

double quad_area(const Eigen::MatrixXd& p) {  // shoelace formula
  double area = 0.0;
  for (int i = 0; i < 4; ++i) {
    const int j = (i + 1) % 4;
    area += 0.5 * (p(i, 0) * p(j, 1) - p(j, 0) * p(i, 1));
  }
  return area;
}

// Constant strain: the energy is that of the area under the stress of Hooke's law, in closed form.
TEST(Quad4, ConstantStrainHasTheEnergyOfHookesLaw) {
  const Eigen::MatrixXd places = distorted_quad();
  const double t = 0.03;
  for (const PlaneState state : {PlaneState::Stress, PlaneState::Strain}) {
    const ElementMatrices e = quad4(places, kMaterial, t, state);
    // εx = 1 alone: energy density ½ C11.
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2, 2);
    A(0, 0) = 1.0;
    const Eigen::VectorXd u = field(places, A, Eigen::Vector2d::Zero());
    const double nu = kMaterial.poisson;
    const double C11 = state == PlaneState::Stress
                           ? kMaterial.young / (1 - nu * nu)
                           : kMaterial.young * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
    const double energy = 0.5 * u.dot(e.stiffness * u);
    // 2 x 2 points integrate det J, bilinear, exactly: only rounding of some hundred terms.
    EXPECT_NEAR(energy, 0.5 * C11 * quad_area(places) * t, 500 * kEps * energy);
  }
}

TEST(Quad4, RigidMotionsHaveNoEnergyAndNothingElse) {
  const Eigen::MatrixXd places = distorted_quad();
  const ElementMatrices e = quad4(places, kMaterial, 0.01, PlaneState::Stress);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(e.stiffness);
  const Eigen::VectorXd values = solver.eigenvalues();
  // Two translations, one rotation; the fourth eigenvalue is far from rounding.
  EXPECT_LT(values.head(3).cwiseAbs().maxCoeff(), 1e-13 * values(7));
  EXPECT_GT(values(3), 1e-3 * values(7));
}

TEST(Quad4, MassIsDensityTimesVolume) {
  const Eigen::MatrixXd places = distorted_quad();
  const ElementMatrices e = quad4(places, kMaterial, 0.02, PlaneState::Strain);
  const double mass = kMaterial.density * 0.02 * quad_area(places);
  Eigen::VectorXd unit = Eigen::VectorXd::Zero(8);
  for (int i = 0; i < 4; ++i) unit(2 * i) = 1.0;
  EXPECT_NEAR(unit.dot(e.mass * unit), mass, 50 * kEps * mass);
}

TEST(Quad4, NamesAnInvertedElement) {
  const Eigen::MatrixXd turned = distorted_quad().colwise().reverse();
  EXPECT_THAT(test::message_of([&] { (void)quad4(turned, kMaterial, 1.0, PlaneState::Stress); }),
              testing::HasSubstr("quad4: places must go counter-clockwise"));
}

TEST(Quad4, NamesAMaterialThatCannotBe) {
  Material bad = kMaterial;
  bad.poisson = 0.5;
  EXPECT_THAT(
      test::message_of([&] { (void)quad4(distorted_quad(), bad, 1.0, PlaneState::Stress); }),
      testing::HasSubstr("poisson must lie between -1 and 0.5, got 0.5"));
}

// The patch test of a single distorted element: linear displacements have the forces of constant
// stress, with and without incompatible modes; these do not stir in it.
TEST(Hex8, IncompatibleModesPassThePatchTest) {
  const Eigen::MatrixXd places = distorted_hex();
  std::mt19937_64 engine(20251118);
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  const ElementMatrices plain = hex8(places, kMaterial, false);
  const ElementMatrices better = hex8(places, kMaterial, true);
  for (int trial = 0; trial < 10; ++trial) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(3, 3, [&] { return entry(engine); });
    const Eigen::Vector3d b(entry(engine), entry(engine), entry(engine));
    const Eigen::VectorXd u = field(places, A, b);
    const Eigen::VectorXd force = plain.stiffness * u;
    // Rounding through the condensation of nine unknowns.
    EXPECT_TRUE(matrices_near(better.stiffness * u, force, {.rel = 1e-12})) << trial;
  }
}

TEST(Hex8, SixRigidMotionsAndNoOthers) {
  const Eigen::MatrixXd places = distorted_hex();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      hex8(places, kMaterial, true).stiffness);
  const Eigen::VectorXd values = solver.eigenvalues();
  EXPECT_LT(values.head(6).cwiseAbs().maxCoeff(), 1e-13 * values(23));
  EXPECT_GT(values(6), 1e-4 * values(23));
}

// Pure bending of a block: u = (x y, -x²/2 - ν/2 (y² - z²), -ν y z) has stress σx = E y alone,
// so its energy is E ∫ y²/2 dV = E/2 · 8/3 on [-1, 1]³. Incompatible modes hold it exactly.
TEST(Hex8, IncompatibleModesBendExactly) {
  Eigen::MatrixXd places(8, 3);
  places << -1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,  //
      -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1;
  const double nu = kMaterial.poisson;
  Eigen::VectorXd u(24);
  for (int i = 0; i < 8; ++i) {
    const double x = places(i, 0);
    const double y = places(i, 1);
    const double z = places(i, 2);
    u.segment(3 * i, 3) << x * y, -x * x / 2 - nu / 2 * (y * y - z * z), -nu * y * z;
  }
  const double exact = 0.5 * kMaterial.young * 8.0 / 3.0;
  const double better = 0.5 * u.dot(hex8(places, kMaterial, true).stiffness * u);
  const double plain = 0.5 * u.dot(hex8(places, kMaterial, false).stiffness * u);
  EXPECT_NEAR(better, exact, 1e-12 * exact);  // rounding
  EXPECT_GT(plain, 1.3 * exact);              // the locking that they cure
}

TEST(PlaneBeam, StaticTipDeflectionAndTurnAreThoseOfTheTextbook) {
  const double L = 1.3;
  const BeamSection section{.area = 1e-4, .inertia = 2e-9};
  for (const double angle : {0.0, 0.7, 2.0}) {
    Eigen::MatrixXd places(2, 2);
    places << 0.1, -0.2, 0.1 + L * std::cos(angle), -0.2 + L * std::sin(angle);
    const ElementMatrices e = plane_beam(places, kMaterial, section);
    // Clamped at the first end, unit force across the axis at the tip: F L³/3EI, F L²/2EI.
    Eigen::Vector3d force(-std::sin(angle), std::cos(angle), 0.0);
    const Eigen::Matrix3d K = e.stiffness.bottomRightCorner(3, 3);
    const Eigen::Vector3d tip = K.ldlt().solve(force);
    const double ei = kMaterial.young * section.inertia;
    const double deflection = tip.head(2).dot(force.head(2));
    EXPECT_NEAR(deflection, L * L * L / (3 * ei), 1e-10 * deflection);  // cond(K) 1e5 · eps
    EXPECT_NEAR(tip(2), L * L / (2 * ei), 1e-10 * tip(2));
  }
}

TEST(PlaneBeam, RefusesCoincidentEnds) {
  EXPECT_THAT(test::message_of([&] {
                (void)plane_beam(Eigen::MatrixXd::Zero(2, 2), kMaterial,
                                 {.area = 1.0, .inertia = 1.0});
              }),
              testing::HasSubstr("distance of the ends"));
}

TEST(Bar, HasTheStiffnessOfItsAxisAndItsMass) {
  Eigen::MatrixXd places(2, 3);
  places << 0, 0, 0, 1, 2, 2;  // length 3
  const ElementMatrices e = bar(places, kMaterial, 1e-3);
  const Eigen::Vector3d axis(1.0 / 3, 2.0 / 3, 2.0 / 3);
  Eigen::VectorXd stretch = Eigen::VectorXd::Zero(6);
  stretch.tail(3) = axis;
  EXPECT_NEAR(stretch.dot(e.stiffness * stretch), kMaterial.young * 1e-3 / 3.0,
              20 * kEps * kMaterial.young * 1e-3);
  const Eigen::VectorXd unit = (Eigen::VectorXd(6) << 1, 0, 0, 1, 0, 0).finished();
  const double mass = kMaterial.density * 1e-3 * 3.0;
  EXPECT_NEAR(unit.dot(e.mass * unit), mass, 20 * kEps * mass);
}

Eigen::MatrixXd distorted_tet() {
  Eigen::MatrixXd places(4, 3);
  places << 0, 0, 0, 1.1, 0.1, 0, 0.2, 0.9, 0.1, 0.1, 0.2, 1.2;
  return places;
}

// Corners and the middles of the straight edges.
Eigen::MatrixXd straight_tet10() {
  const Eigen::MatrixXd corners = distorted_tet();
  Eigen::MatrixXd places(10, 3);
  places.topRows(4) = corners;
  const int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (int e = 0; e < 6; ++e) {
    places.row(4 + e) = 0.5 * (corners.row(edges[e][0]) + corners.row(edges[e][1]));
  }
  return places;
}

double tet_volume(const Eigen::MatrixXd& p) {
  Eigen::Matrix3d edges;
  for (int i = 0; i < 3; ++i) edges.row(i) = p.row(i + 1) - p.row(0);
  return edges.determinant() / 6.0;
}

// Constant strain εx = 1: energy ½ C11 V; uniform motion: mass ρ V; six rigid motions and no other
// without energy.
TEST(Tetrahedra, HaveTheEnergyAndMassOfTheirVolume) {
  const double volume = tet_volume(distorted_tet());
  for (const Eigen::MatrixXd& places : {distorted_tet(), straight_tet10()}) {
    const bool linear = places.rows() == 4;
    const ElementMatrices e = linear ? tet4(places, kMaterial) : tet10(places, kMaterial);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3, 3);
    A(0, 0) = 1.0;
    const Eigen::VectorXd u = field(places, A, Eigen::Vector3d::Zero());
    const double nu = kMaterial.poisson;
    const double C11 = kMaterial.young * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
    const double energy = 0.5 * u.dot(e.stiffness * u);
    EXPECT_NEAR(energy, 0.5 * C11 * volume, 1e-12 * energy);  // rounding of some hundred terms
    const Eigen::VectorXd along =
        field(places, Eigen::MatrixXd::Zero(3, 3), Eigen::Vector3d::UnitY());
    EXPECT_NEAR(along.dot(e.mass * along), kMaterial.density * volume,
                1e-12 * kMaterial.density * volume);
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(e.stiffness).eigenvalues();
    EXPECT_LT(values.head(6).cwiseAbs().maxCoeff(), 1e-13 * values.tail(1)(0));
    EXPECT_GT(values(6), 1e-4 * values.tail(1)(0));
  }
}

// ∫ (x - x1)² dV over the reference tetrahedron is 1/60, in closed form: a linear field has the
// kinetic energy of the linear element, and x itself that of the integral.
TEST(Tet10, MassOfALinearFieldIsThatOfTet4) {
  const Eigen::MatrixXd places = straight_tet10();
  Eigen::MatrixXd A(3, 3);
  A << 0.3, -0.2, 0.5, 0.1, 0.7, -0.4, 0.2, 0.6, -0.1;
  const Eigen::Vector3d b(0.1, -0.3, 0.2);
  const Eigen::VectorXd quadratic = field(places, A, b);
  const Eigen::VectorXd linear = field(distorted_tet(), A, b);
  const double expected = linear.dot(tet4(distorted_tet(), kMaterial).mass * linear);
  const double found = quadratic.dot(tet10(places, kMaterial).mass * quadratic);
  EXPECT_NEAR(found, expected, 1e-12 * expected);
}

// u_x = x² on the reference tetrahedron: εx = 2x, ½ C11 ∫ 4 x² dV = 2 C11 / 60.
TEST(Tet10, QuadraticFieldHasItsEnergy) {
  Eigen::MatrixXd places(10, 3);
  places << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1,  //
      0.5, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0, 0, 0, 0.5, 0.5, 0, 0.5, 0, 0.5, 0.5;
  const ElementMatrices e = tet10(places, kMaterial);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(30);
  for (int i = 0; i < 10; ++i) u(3 * i) = places(i, 0) * places(i, 0);
  const double nu = kMaterial.poisson;
  const double C11 = kMaterial.young * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
  const double energy = 0.5 * u.dot(e.stiffness * u);
  EXPECT_NEAR(energy, 2.0 * C11 / 60.0, 1e-12 * energy);
}

TEST(Tetrahedra, NameAnInvertedElement) {
  Eigen::MatrixXd turned = distorted_tet();
  turned.row(0).swap(turned.row(1));
  EXPECT_THAT(test::message_of([&] { (void)tet4(turned, kMaterial); }),
              testing::HasSubstr("determinant of its Jacobian must be positive"));
}

const SpaceSection kSection{.area = 2e-3, .inertia_y = 3e-7, .inertia_z = 5e-7, .torsion = 4e-7};

// A cantilever along any direction, force across it: F L³ / 3EI + F L / (G As); moment about it:
// M L / GJ. One element is exact.
TEST(SpaceBeam, CantileverHasTheDeflectionOfTheory) {
  const double L = 0.8;
  const double G = kMaterial.young / (2 * (1 + kMaterial.poisson));
  const Eigen::Vector3d along = Eigen::Vector3d(1.0, 2.0, -0.5).normalized();
  const Eigen::Vector3d up(0.0, 0.3, 1.0);
  const Eigen::Vector3d z = along.cross(up).normalized();
  const Eigen::Vector3d y = z.cross(along);
  Eigen::MatrixXd places(2, 3);
  places << 0, 0, 0, L * along.transpose();
  for (const double shear : {0.0, 1.5e-3}) {
    SpaceSection section = kSection;
    section.up = up;
    section.shear_y = section.shear_z = shear;
    const Eigen::MatrixXd K =
        space_beam(places, kMaterial, section).stiffness.bottomRightCorner(6, 6);
    const double by_shear = shear > 0 ? L / (G * shear) : 0.0;
    Eigen::VectorXd force = Eigen::VectorXd::Zero(6);
    force.head(3) = y;
    Eigen::VectorXd x = K.ldlt().solve(force);
    const double in_y = L * L * L / (3 * kMaterial.young * section.inertia_z) + by_shear;
    EXPECT_NEAR(x.head(3).dot(y), in_y, 1e-10 * in_y);  // rounding times a condition of 1e4
    force.head(3) = z;
    x = K.ldlt().solve(force);
    const double in_z = L * L * L / (3 * kMaterial.young * section.inertia_y) + by_shear;
    EXPECT_NEAR(x.head(3).dot(z), in_z, 1e-10 * in_z);
    force.setZero();
    force.tail(3) = along;
    x = K.ldlt().solve(force);
    const double twist = L / (G * section.torsion);
    EXPECT_NEAR(x.tail(3).dot(along), twist, 1e-10 * twist);
  }
}

TEST(SpaceBeam, RigidMotionsHaveNoEnergyAndTheMassOfTheBeam) {
  Eigen::MatrixXd places(2, 3);
  places << 0.1, 0.2, 0.3, 0.7, -0.1, 0.9;
  SpaceSection section = kSection;
  section.shear_y = section.shear_z = 1e-3;
  const ElementMatrices e = space_beam(places, kMaterial, section);
  const Eigen::VectorXd values =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(e.stiffness).eigenvalues();
  EXPECT_LT(values.head(6).cwiseAbs().maxCoeff(), 1e-12 * values(11));
  EXPECT_GT(values(6), 1e-6 * values(11));
  const double length = (places.row(1) - places.row(0)).norm();
  Eigen::VectorXd along = Eigen::VectorXd::Zero(12);
  along(2) = along(8) = 1.0;
  const double mass = kMaterial.density * section.area * length;
  EXPECT_NEAR(along.dot(e.mass * along), mass, 1e-12 * mass);
  // Turning about the middle, across the beam: ρA L³/12 + ρI L with I about that axis.
  const Eigen::Vector3d x = (places.row(1) - places.row(0)).transpose() / length;
  const Eigen::Vector3d axis = x.cross(Eigen::Vector3d::UnitY()).normalized();  // local z
  Eigen::VectorXd turn(12);
  turn << axis.cross(-0.5 * length * x), axis, axis.cross(0.5 * length * x), axis;
  EXPECT_LT((e.stiffness * turn).norm(), 1e-12 * values(11));
  const double inertia =
      mass * length * length / 12 + kMaterial.density * section.inertia_z * length;
  EXPECT_NEAR(turn.dot(e.mass * turn), inertia, 1e-12 * inertia);
}

TEST(SpaceBeam, NamesAnAxisAlongTheBeam) {
  Eigen::MatrixXd places(2, 3);
  places << 0, 0, 0, 0, 0, 1;
  SpaceSection section = kSection;
  section.up = Eigen::Vector3d::UnitZ();
  EXPECT_THAT(test::message_of([&] { (void)space_beam(places, kMaterial, section); }),
              testing::HasSubstr("up must not be along the beam"));
}

}  // namespace alembert::model::elements_test
