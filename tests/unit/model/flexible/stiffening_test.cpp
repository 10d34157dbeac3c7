#include <gtest/gtest.h>

#include "alembert/integrate/flexible_simulation.hpp"
#include "core/algebra/decompositions.hpp"
#include "unit/model/flexible/flexible_examples.hpp"

namespace alembert::test::stiffening_test {

using namespace flexible_examples;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kLength = 1.0;

// Out of the plane: ω² of ½∫EI w''² + ½∫N w'² with N = ½ρAΩ²(L² − x²), by Ritz's method with w =
// x², x³, ..., each integral exact. In the plane Ω² is less.
double rotating_beam(const BeamSection& section, double speed) {
  constexpr int kTerms = 8;
  const double EI = section.modulus * section.second_moment;
  const double rhoA = section.density * section.area;
  MatrixXd K(kTerms, kTerms), M(kTerms, kTerms);
  for (int i = 0; i < kTerms; ++i) {
    for (int j = 0; j < kTerms; ++j) {
      const double a = i + 2;
      const double b = j + 2;
      M(i, j) = rhoA / (a + b + 1.0);
      K(i, j) = EI * a * (a - 1.0) * b * (b - 1.0) / (a + b - 3.0) +
                0.5 * rhoA * speed * speed * a * b * (1.0 / (a + b - 1.0) - 1.0 / (a + b + 1.0));
    }
  }
  const Eigen::LLT<MatrixXd> mass(M);
  MatrixXd scaled = mass.matrixL().solve(K);
  scaled = mass.matrixL().solve(MatrixXd(scaled.transpose()));
  const double out = Eigen::SelfAdjointEigenSolver<MatrixXd>(scaled).eigenvalues()(0);
  return std::sqrt(out - speed * speed);
}

/// An arm whose hub is so heavy that its speed stays.
FlexibleMechanism fast_arm(const BeamSection& section, bool stiffening) {
  FlexibleDescription made = arm(kLength, section, 12);
  made.bodies.front().lumps = {{"A", 0.0, 1e7}};
  made.geometric_stiffening = stiffening;
  return {made, VectorXd::Zero(1)};
}

// Ĵ of the displacements: (x, y) of a point to (−y, x), angles to zero.
MatrixXd quarter_turns(const FlexibleMechanism& mechanism) {
  const std::vector<std::string>& names = mechanism.displacements();
  MatrixXd J = MatrixXd::Zero(mechanism.elastic(), mechanism.elastic());
  for (Index i = 0; i < J.rows(); ++i) {
    for (Index j = 0; j < J.rows(); ++j) {
      const std::string& x = names[static_cast<std::size_t>(i)];
      const std::string& y = names[static_cast<std::size_t>(j)];
      if (x.front() != 'x' || y != "y" + x.substr(1)) continue;
      J(i, j) = -1.0;
      J(j, i) = 1.0;
    }
  }
  return J;
}

// z'' of the displacements z in the frame of the arm, at q = 0 and a speed w: with u = R z
//   u' = R (z' + w Ĵ z),  u'' = R (z'' + 2 w Ĵ z' + w² Ĵ² z)
VectorXd elastic_acceleration(const FlexibleMechanism& mechanism, const VectorXd& z,
                              const VectorXd& zd, double speed) {
  const Index ne = mechanism.elastic();
  const MatrixXd J = quarter_turns(mechanism);
  VectorXd x = VectorXd::Zero(2 * mechanism.unknowns());
  x.head(ne) = z;
  x.segment(ne + 1, ne) = zd + speed * (J * z);
  x.tail<1>()(0) = speed;
  FlexibleState state = mechanism.start();
  VectorXd xdd(mechanism.unknowns());
  const std::span<const double> at{x.data(), static_cast<std::size_t>(x.size())};
  EXPECT_TRUE(mechanism.move(at, state));
  EXPECT_TRUE(mechanism.accelerate({}, state, {xdd.data(), static_cast<std::size_t>(xdd.size())}));
  return xdd.head(ne) - 2.0 * speed * (J * zd) - speed * speed * (J * (J * z));
}

// Lowest frequency of small motions about steady rotation, rad/s.
double lowest_frequency(const FlexibleMechanism& mechanism, double speed) {
  const Index ne = mechanism.elastic();
  VectorXd u = VectorXd::Zero(ne);
  const VectorXd rest = VectorXd::Zero(ne);
  const auto slope = [&](bool rates) {
    MatrixXd made(ne, ne);
    for (Index j = 0; j < ne; ++j) {
      const VectorXd step = 1e-7 * VectorXd::Unit(ne, j);
      made.col(j) = rates ? elastic_acceleration(mechanism, u, step, speed) -
                                elastic_acceleration(mechanism, u, -step, speed)
                          : elastic_acceleration(mechanism, u + step, rest, speed) -
                                elastic_acceleration(mechanism, u - step, rest, speed);
    }
    return MatrixXd(made / 2e-7);
  };
  for (int round = 0; round < 8; ++round) {
    u -= slope(false).partialPivLu().solve(elastic_acceleration(mechanism, u, rest, speed));
  }
  MatrixXd A = MatrixXd::Zero(2 * ne, 2 * ne);
  A.topRightCorner(ne, ne).setIdentity();
  A.bottomLeftCorner(ne, ne) = slope(false);
  A.bottomRightCorner(ne, ne) = slope(true);
  const Eigen::VectorXcd poles = A.eigenvalues();
  double lowest = 1e300;
  for (Index i = 0; i < poles.size(); ++i) {
    if (poles(i).imag() > 1e-6) lowest = std::min(lowest, poles(i).imag());
  }
  return lowest;
}

// At a speed of twice the first frequency a beam without stiffening has no vibration left, since
// ω² − Ω² < 0. Tolerance: 12 elements, and the stretch of the axis, N/EA = 1e-3 at the most.
TEST(GeometricStiffening, FastArmHasTheFrequencyOfRitz) {
  const BeamSection section = steel(0.02, 0.005);
  const double still = rotating_beam(section, 0.0);
  // β L = 1.875104
  EXPECT_NEAR(
      still,
      1.875104068711961 * 1.875104068711961 *
          std::sqrt(section.modulus * section.second_moment / (section.density * section.area)),
      1e-6 * still);
  const FlexibleMechanism stiff = fast_arm(section, true);
  for (const double ratio : {0.2, 1.0, 2.0, 4.0}) {
    const double speed = ratio * still;
    EXPECT_NEAR(lowest_frequency(stiff, speed), rotating_beam(section, speed), 3e-3 * still)
        << ratio;
  }
  const FlexibleMechanism soft = fast_arm(section, false);
  EXPECT_NEAR(lowest_frequency(soft, 0.2 * still), still * std::sqrt(1.0 - 0.04), 3e-3 * still);
  // With stiffening the frequency rises instead.
  EXPECT_GT(rotating_beam(section, 2.0 * still), 0.95 * still);
}

// Forces and energy belong together: released at a high speed the energy stays. Tolerance: that of
// the integrator times the number of periods of the fastest mode.
TEST(GeometricStiffening, EnergyStays) {
  FlexibleDescription description = slider_crank();
  description.geometric_stiffening = true;
  const VectorXd q = VectorXd::Constant(1, 0.9);
  const FlexibleMechanism mechanism(description, q);
  VectorXd x = VectorXd::Zero(2 * mechanism.unknowns());
  x(mechanism.elastic()) = 0.9;
  x.tail<1>()(0) = 40.0;
  const integrate::FlexibleSimulation run = integrate::simulate_flexible(
      mechanism, x, {model::TimeFormula("0*t")}, {.step = 0.001, .count = 31},
      {.method = integrate::FlexibleMethod::DormandPrince, .relative_tolerance = 1e-9});
  ASSERT_TRUE(run.ok()) << run.message;
  EXPECT_LT(run.energy_drift, 1e-6);
  // The terms matter: without them the links bend otherwise.
  description.geometric_stiffening = false;
  const FlexibleMechanism plain(description, q);
  const integrate::FlexibleSimulation other = integrate::simulate_flexible(
      plain, x, {model::TimeFormula("0*t")}, {.step = 0.001, .count = 31},
      {.method = integrate::FlexibleMethod::DormandPrince, .relative_tolerance = 1e-9});
  const double change = (run.states - other.states).cwiseAbs().maxCoeff();
  EXPECT_GT(change, 1e-4);
}

}  // namespace alembert::test::stiffening_test
