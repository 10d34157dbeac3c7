#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/model/modes.hpp"
#include "core/algebra/decompositions.hpp"
#include "support/matrices_near.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"

namespace alembert::model {
namespace undamped_modes_test {

using std::numbers::pi;
using test::kEps;
using test::matrices_near;
using testing::HasSubstr;
using testing::ThrowsMessage;

// ω² carries an absolute error of a few n eps ω_max²; dω = dω² / (2 ω).
double frequency_tolerance(double omega, double largest, Eigen::Index n) {
  return 2.0 * static_cast<double>(n) * kEps * largest * largest / omega;
}

TEST(UndampedModes, OfAFixedChainHaveTheClosedForm) {
  for (const Eigen::Index n : {1, 2, 3, 10, 40}) {
    const UndampedModes modes = undamped_modes(test::fixed_chain(n, 0.3, 470.0));
    const double largest = 2.0 * std::sqrt(470.0 / 0.3);
    for (Eigen::Index j = 1; j <= n; ++j) {
      const double angle = static_cast<double>(j) * pi / (2.0 * static_cast<double>(n + 1));
      const double omega = largest * std::sin(angle);
      EXPECT_NEAR(modes.angular_frequency(j - 1), omega, frequency_tolerance(omega, largest, n))
          << n;
      // Shapes sin(i j π / (n + 1)), up to sign and length.
      const Eigen::VectorXd shape = Eigen::VectorXd::NullaryExpr(
          n, [&](Eigen::Index i) { return std::sin(static_cast<double>(i + 1) * 2.0 * angle); });
      const Eigen::VectorXcd computed = modes.shapes.col(j - 1).cast<std::complex<double>>();
      EXPECT_NEAR(mac(computed, shape.cast<std::complex<double>>()), 1.0, 1e-12) << n;
    }
  }
}

TEST(UndampedModes, OfAFreeChainBeginWithAnExactZero) {
  for (const Eigen::Index n : {2, 7, 40}) {
    const UndampedModes modes = undamped_modes(test::free_chain(n, 2.0, 5e4));
    const double largest = 2.0 * std::sqrt(5e4 / 2.0);
    EXPECT_EQ(modes.angular_frequency(0), 0.0);
    EXPECT_EQ(modes.eigenvalue(0), 0.0);
    // Mass-normalised translation: every entry 1/sqrt(n m). The eigenvector is exact to eps times
    // the ratio of the largest eigenvalue to the gap, (n/π)² for a chain.
    const double entry = 1.0 / std::sqrt(2.0 * static_cast<double>(n));
    const double tolerance = 10.0 * kEps * static_cast<double>(n * n * n);
    EXPECT_TRUE(matrices_near(modes.shapes.col(0), Eigen::VectorXd::Constant(n, entry),
                              {.rel = tolerance}));
    for (Eigen::Index j = 1; j < n; ++j) {
      const double omega =
          largest * std::sin(static_cast<double>(j) * pi / (2.0 * static_cast<double>(n)));
      EXPECT_NEAR(modes.angular_frequency(j), omega, frequency_tolerance(omega, largest, n)) << n;
    }
  }
}

TEST(UndampedModes, OfThePublishedSystemsHaveThePublishedDigits) {
  Eigen::VectorXd frame(8);
  frame << 5.59, 9.74, 11.14, 14.74, 15.70, 17.17, 18.42, 20.43;
  // Published with two digits behind the point.
  EXPECT_TRUE(
      matrices_near(undamped_modes(test::frame_8dof()).angular_frequency, frame, {.abs = 0.005}));
  EXPECT_TRUE(matrices_near(undamped_modes(test::coupled_3dof()).angular_frequency,
                            Eigen::Vector3d(1.17, 1.85, 2.35), {.abs = 0.005}));
}

TEST(UndampedModes, DiagonaliseBothMatrices) {
  std::mt19937_64 engine(3);
  for (const Eigen::Index n : {1, 2, 6, 25, 40}) {
    SecondOrder system = test::random_system(n, 1, engine);
    const UndampedModes modes = undamped_modes(system);
    const Eigen::MatrixXd mass = modes.shapes.transpose() * system.M * modes.shapes;
    const Eigen::MatrixXd stiffness = modes.shapes.transpose() * system.K * modes.shapes;
    const double tolerance = 20.0 * static_cast<double>(n) * kEps;
    EXPECT_TRUE(matrices_near(mass, Eigen::MatrixXd::Identity(n, n), {.abs = tolerance}));
    EXPECT_TRUE(matrices_near(stiffness, Eigen::MatrixXd(modes.eigenvalue.asDiagonal()),
                              {.rel = tolerance}));
    // Trace and determinant of M⁻¹ K, by LU.
    const Eigen::MatrixXd product = system.M.fullPivLu().solve(system.K);
    EXPECT_NEAR(modes.eigenvalue.sum() / product.trace(), 1.0, tolerance);
    // ln det adds n relative errors of up to cond(K) n eps.
    EXPECT_NEAR(modes.eigenvalue.array().log().sum(),
                std::log(system.K.determinant() / system.M.determinant()), 400.0 * tolerance);
    EXPECT_TRUE(modes.shapes.colwise().maxCoeff().cwiseAbs().isApprox(
        modes.shapes.cwiseAbs().colwise().maxCoeff()))
        << "the largest entry of each shape is positive";
  }
}

// Three equal oscillators: any orthonormal basis is right, but it must be one.
TEST(UndampedModes, OfRepeatedFrequenciesAreOrthonormal) {
  std::mt19937_64 engine(4);
  SecondOrder system = test::random_system(3, 1, engine);
  system.K = 9.0 * system.M;
  const UndampedModes modes = undamped_modes(system);
  EXPECT_TRUE(
      matrices_near(modes.angular_frequency, Eigen::Vector3d::Constant(3.0), {.rel = 20 * kEps}));
  EXPECT_TRUE(matrices_near(modes.shapes.transpose() * system.M * modes.shapes,
                            Eigen::MatrixXd::Identity(3, 3), {.abs = 40 * kEps}));
}

TEST(UndampedModes, DoNotDependOnUnitsOfCoordinates) {
  std::mt19937_64 engine(5);
  const SecondOrder system = test::random_system(6, 2, engine);
  const UndampedModes reference = undamped_modes(system);
  Eigen::VectorXd units(6);
  units << 1e6, 1e-9, 1.0, 3e4, 1e-3, 1e2;
  SecondOrder scaled = system;
  scaled.M = units.asDiagonal() * system.M * units.asDiagonal();
  scaled.K = units.asDiagonal() * system.K * units.asDiagonal();
  const UndampedModes modes = undamped_modes(scaled);
  EXPECT_TRUE(
      matrices_near(modes.angular_frequency, reference.angular_frequency, {.rel = 200 * kEps}));
  // Shapes scale by the inverse units; compare in the old units, up to sign.
  const Eigen::MatrixXd shapes = units.asDiagonal() * modes.shapes;
  EXPECT_TRUE(matrices_near(shapes.cwiseAbs(), reference.shapes.cwiseAbs(), {.rel = 1e4 * kEps}));
}

TEST(UndampedModes, OfNegativeStiffnessHaveNoFrequency) {
  const UndampedModes modes = undamped_modes(test::oscillator(2.0, 0.0, -8.0));
  EXPECT_DOUBLE_EQ(modes.eigenvalue(0), -4.0);
  EXPECT_TRUE(std::isnan(modes.angular_frequency(0)));
}

TEST(UndampedModes, RejectAMassThatIsNotPositive) {
  SecondOrder system = test::coupled_3dof();
  system.M(0, 0) = -1.0;
  EXPECT_THAT([&] { (void)undamped_modes(system); },
              ThrowsMessage<InvalidInput>(HasSubstr("undamped_modes: M must be positive")));
  system = test::coupled_3dof();
  system.M(0, 1) = system.M(1, 0) = 2.0;
  EXPECT_THAT([&] { (void)undamped_modes(system); },
              ThrowsMessage<InvalidInput>(HasSubstr("undamped_modes: M must be positive")));
}

TEST(Mac, IsOneForParallelAndZeroForOrthogonalShapes) {
  using namespace std::complex_literals;
  const Eigen::Vector3cd a(1.0, 2.0 + 1.0i, -0.5i);
  EXPECT_NEAR(mac(a, (3.0 - 2.0i) * a), 1.0, 4 * kEps);
  const Eigen::Vector2cd x(1.0, 1.0i), y(1.0, -1.0i);
  EXPECT_NEAR(mac(x, y), 0.0, kEps);
  // cos²(30 deg) between two real directions.
  EXPECT_NEAR(mac(Eigen::Vector2cd(1.0, 0.0), Eigen::Vector2cd(std::sqrt(3.0), 1.0)), 0.75,
              4 * kEps);
  EXPECT_EQ(mac(Eigen::Vector2cd::Zero(), x), 0.0);
  EXPECT_THAT([&] { (void)mac(a, x); }, ThrowsMessage<InvalidInput>(HasSubstr("mac: b")));
}

TEST(ModalDamping, GivesTheRatiosBack) {
  std::mt19937_64 engine(6);
  for (const Eigen::Index n : {1, 4, 20}) {
    SecondOrder system = test::random_system(n, 1, engine);
    const Eigen::VectorXd ratios = Eigen::VectorXd::LinSpaced(n, 0.01, 0.2);
    system.D = modal_damping(system.M, system.K, ratios);
    EXPECT_EQ(system.D, Eigen::MatrixXd(system.D.transpose()));
    const std::vector<DampedMode> modes = damped_modes(system);
    ASSERT_EQ(static_cast<Eigen::Index>(modes.size()), n);
    for (Eigen::Index j = 0; j < n; ++j) {
      // Smallest ratio 0.01, ratio of frequencies about 20: eps n / 0.01 times a few.
      EXPECT_NEAR(modes[static_cast<std::size_t>(j)].damping_ratio, ratios(j), 1e-12) << n;
    }
  }
}

TEST(ModalDamping, LeavesRigidBodyModesFree) {
  const SecondOrder chain = test::free_chain(4, 1.0, 10.0);
  const Eigen::MatrixXd D = modal_damping(chain.M, chain.K, Eigen::Vector4d::Constant(0.1));
  EXPECT_TRUE(
      matrices_near(D * Eigen::Vector4d::Ones(), Eigen::Vector4d::Zero(), {.abs = 40 * kEps}));
}

TEST(ModalDamping, RejectsBadRatios) {
  const SecondOrder chain = test::free_chain(2, 1.0, 10.0);
  EXPECT_THAT([&] { (void)modal_damping(chain.M, chain.K, Eigen::Vector3d::Zero()); },
              ThrowsMessage<InvalidInput>(HasSubstr("ratios must have size 2, got 3")));
  EXPECT_THAT([&] { (void)modal_damping(chain.M, chain.K, Eigen::Vector2d(0.1, -0.1)); },
              ThrowsMessage<InvalidInput>(HasSubstr("ratios must not be negative")));
  EXPECT_THAT([&] { (void)modal_damping(chain.M, -chain.K, Eigen::Vector2d(0.1, 0.1)); },
              ThrowsMessage<InvalidInput>(HasSubstr("eigenvalue of K must not be negative")));
}

}  // namespace undamped_modes_test
}  // namespace alembert::model
