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

}  // namespace alembert::model::elements_test
