#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "alembert/core/error.hpp"
#include "alembert/model/modes.hpp"
#include "core/algebra/decompositions.hpp"
#include "support/matrices_near.hpp"
#include "support/published_systems.hpp"
#include "support/random_systems.hpp"

namespace alembert::model {
namespace damped_modes_test {

using Complex = std::complex<double>;
using std::numbers::pi;
using test::kEps;
using testing::HasSubstr;
using testing::ThrowsMessage;

// (λ² M + λ D + K) ψ in units of its largest term.
double relative_residual(const SecondOrder& system, const DampedMode& mode) {
  const Eigen::VectorXcd inertia = mode.pole * mode.pole * (system.M * mode.shape);
  const Eigen::VectorXcd damping = mode.pole * (system.D * mode.shape);
  const Eigen::VectorXcd spring = system.K * mode.shape;
  return (inertia + damping + spring).norm() /
         (inertia.norm() + damping.norm() + system.K.norm() * mode.shape.norm());
}

// Number of poles: 2 for a pair, 1 for a real pole.
Eigen::Index pole_count(const std::vector<DampedMode>& modes) {
  Eigen::Index count = 0;
  for (const DampedMode& mode : modes) {
    count += mode.pole.imag() == 0.0 ? 1 : 2;
  }
  return count;
}

TEST(DampedModes, OfAnOscillatorHaveTheClosedForm) {
  const double mass = 3.0, stiffness = 1200.0;
  const double omega = std::sqrt(stiffness / mass);
  for (const double ratio : {0.0, 1e-9, 0.02, 0.5, 0.9}) {
    const auto modes = damped_modes(test::oscillator(mass, 2 * ratio * omega * mass, stiffness));
    ASSERT_EQ(modes.size(), 1u) << ratio;
    EXPECT_NEAR(modes[0].pole.real(), -ratio * omega, 4 * kEps * omega);
    EXPECT_NEAR(modes[0].pole.imag(), omega * std::sqrt(1 - ratio * ratio), 8 * kEps * omega);
    EXPECT_NEAR(modes[0].frequency_hz, omega / (2 * pi), 4 * kEps * omega);
    EXPECT_NEAR(modes[0].damping_ratio, ratio, 4 * kEps);
    EXPECT_EQ(modes[0].shape(0), Complex(1.0));
  }
}

// Real poles -a, -b: m = 1, d = a + b, k = a b. The slow one keeps its relative accuracy even
// where the pair spans more than the 16 digits of a double.
TEST(DampedModes, OfAnOverdampedOscillatorKeepTheSlowPole) {
  for (const double fast : {2.0, 1e3, 1e6, 1e10, 1e18}) {
    const double slow = 0.7;
    const auto modes = damped_modes(test::oscillator(1.0, fast + slow, fast * slow));
    ASSERT_EQ(modes.size(), 2u) << fast;
    EXPECT_EQ(modes[0].pole.imag(), 0.0);
    // d = a + b is itself rounded, which moves the slow pole by one part in eps.
    EXPECT_NEAR(modes[0].pole.real(), -slow, 8 * kEps * slow) << fast;
    EXPECT_NEAR(modes[1].pole.real(), -fast, 8 * kEps * fast) << fast;
    EXPECT_EQ(modes[0].damping_ratio, 1.0);
  }
}

// D = c M on a chain: λ² + c λ + ω_j² = 0 for each mode. The eigenvalue solver alone knows the slow
// poles to eps c, nine digits of them at c = 1e4.
TEST(DampedModes, OfAnOverdampedChainKeepTheSlowPoles) {
  SecondOrder chain = test::fixed_chain(6, 1.0, 10.0);
  const double c = 1e4;
  chain.D = c * chain.M;
  const auto modes = damped_modes(chain);
  ASSERT_EQ(modes.size(), 12u);
  for (std::size_t j = 0; j < 6; ++j) {
    const double omega = 2 * std::sqrt(10.0) * std::sin(static_cast<double>(j + 1) * pi / 14);
    const double slow = -2 * omega * omega / (c + std::sqrt(c * c - 4 * omega * omega));
    // ω_j² itself comes with an error of a few eps ω_max², 20 times larger than the smallest.
    EXPECT_NEAR(modes[j].pole.real() / slow, 1.0, 500 * kEps) << j;
  }
}

// A double pole splits by the square root of the rounding error; its mean and product do not.
TEST(DampedModes, OfACriticallyDampedOscillatorKeepSumAndProduct) {
  const auto modes = damped_modes(test::oscillator(2.0, 2 * 2.0 * 5.0, 2.0 * 25.0));
  ASSERT_EQ(pole_count(modes), 2);
  const Complex first = modes.front().pole;
  const Complex second = modes.size() == 2 ? modes.back().pole : std::conj(first);
  EXPECT_NEAR(std::abs(first + second + 10.0), 0.0, 1e-13);
  EXPECT_NEAR(std::abs(first * second - 25.0), 0.0, 1e-12);
  EXPECT_NEAR(std::abs(first + 5.0), 0.0, 5.0 * 10.0 * std::sqrt(kEps));
}

TEST(DampedModes, OfThePublishedSystemsHaveThePublishedDigits) {
  const auto frame = damped_modes(test::frame_8dof());
  ASSERT_EQ(frame.size(), 8u);
  // D = 0.005 K + 0.01 M: ζ = (0.005 ω + 0.01 / ω) / 2 in closed form, |λ| = ω.
  const UndampedModes undamped = undamped_modes(test::frame_8dof());
  for (std::size_t j = 0; j < 8; ++j) {
    const double omega = undamped.angular_frequency(static_cast<Eigen::Index>(j));
    EXPECT_NEAR(frame[j].frequency_hz, omega / (2 * pi), 100 * kEps * omega);
    EXPECT_NEAR(frame[j].damping_ratio, 0.5 * (0.005 * omega + 0.01 / omega), 1e-14);
  }
  EXPECT_NEAR(frame.front().frequency_hz, 0.89, 0.005);
  EXPECT_NEAR(frame.back().frequency_hz, 3.25, 0.005);
  EXPECT_NEAR(100 * frame.front().damping_ratio, 1.5, 0.05);
  EXPECT_NEAR(100 * frame.back().damping_ratio, 5.1, 0.05);
  const auto small = damped_modes(test::coupled_3dof());
  EXPECT_NEAR(100 * small.front().damping_ratio, 5.9, 0.05);
  EXPECT_NEAR(100 * small.back().damping_ratio, 11.8, 0.05);
}

TEST(DampedModes, SolveTheQuadraticEigenproblemForEverySize) {
  std::mt19937_64 engine(21);
  for (Eigen::Index n = 1; n <= 40; n += (n < 8 ? 1 : 8)) {
    // Light damping, and damping so strong that many poles are real.
    for (const double factor : {1.0, 300.0}) {
      SecondOrder system = test::random_system(n, 1, engine);
      system.D *= factor;
      const auto modes = damped_modes(system);
      ASSERT_EQ(pole_count(modes), 2 * n);
      Complex sum = 0.0, log_product = 0.0;
      for (std::size_t j = 0; j < modes.size(); ++j) {
        EXPECT_LT(relative_residual(system, modes[j]), 40.0 * static_cast<double>(n) * kEps);
        EXPECT_GE(modes[j].pole.imag(), 0.0);
        EXPECT_GT(modes[j].damping_ratio, 0.0);
        EXPECT_NEAR(modes[j].shape.cwiseAbs().maxCoeff(), 1.0, 1e-8);
        if (j > 0) {
          EXPECT_GE(std::abs(modes[j].pole), std::abs(modes[j - 1].pole));
        }
        sum += modes[j].pole;
        log_product += std::log(std::abs(modes[j].pole));
        if (modes[j].pole.imag() != 0.0) {
          sum += std::conj(modes[j].pole);
          log_product += std::log(std::abs(modes[j].pole));
        }
      }
      // Vieta: Σ λ = -tr(M⁻¹ D), Π λ = det K / det M.
      const double trace = system.M.fullPivLu().solve(system.D).trace();
      EXPECT_NEAR(sum.real() / trace, -1.0, 1e4 * static_cast<double>(n) * kEps) << n;
      EXPECT_NEAR(log_product.real(), std::log(system.K.determinant() / system.M.determinant()),
                  1e4 * static_cast<double>(n) * kEps)
          << n;
    }
  }
}

TEST(DampedModes, OfAFreeChainHaveTwoExactZeros) {
  SecondOrder chain = test::free_chain(5, 2.0, 300.0);
  chain.D = 0.002 * chain.K;
  const auto modes = damped_modes(chain);
  ASSERT_EQ(modes.size(), 6u);
  for (std::size_t j : {0u, 1u}) {
    EXPECT_EQ(modes[j].pole, 0.0);
    EXPECT_EQ(modes[j].frequency_hz, 0.0);
    EXPECT_EQ(modes[j].damping_ratio, 0.0);
    EXPECT_NEAR(mac(modes[j].shape, Eigen::VectorXcd::Ones(5)), 1.0, 1e-13);
  }
  for (std::size_t j = 2; j < 6; ++j) {
    const double omega = 2 * std::sqrt(150.0) * std::sin(static_cast<double>(j - 1) * pi / 10);
    EXPECT_NEAR(std::abs(modes[j].pole), omega, 1e-13 * omega);
    EXPECT_NEAR(modes[j].damping_ratio, 0.001 * omega, 1e-14);
  }
}

// A mass on a damper without a spring: poles 0 (where it rests) and -d/m.
TEST(DampedModes, OfADampedRigidBodyAreZeroAndMinusDOverM) {
  const auto modes = damped_modes(test::oscillator(4.0, 10.0, 0.0));
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_EQ(modes[0].pole, 0.0);
  EXPECT_NEAR(modes[1].pole.real(), -2.5, 4 * kEps * 2.5);
  EXPECT_EQ(modes[1].damping_ratio, 1.0);
}

// Plane motion of a free body pair: two rigid-body modes at once, and no damping at all.
TEST(DampedModes, OfAFreePlaneStructureCountAllRigidBodyModes) {
  SecondOrder plane;
  const SecondOrder chain = test::free_chain(3, 1.0, 50.0);
  plane.M = Eigen::MatrixXd::Identity(6, 6);
  plane.K = Eigen::MatrixXd::Zero(6, 6);
  plane.K.topLeftCorner(3, 3) = chain.K;
  plane.K.bottomRightCorner(3, 3) = 2.0 * chain.K;
  plane.D = Eigen::MatrixXd::Zero(6, 6);
  plane.L = Eigen::MatrixXd::Identity(6, 6);
  const auto modes = damped_modes(plane);
  ASSERT_EQ(pole_count(modes), 12);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_EQ(modes[j].pole, 0.0);
    EXPECT_LT((plane.K * modes[j].shape).norm(), 1e-12);
  }
  // Undamped poles lie on the imaginary axis to rounding.
  for (std::size_t j = 4; j < modes.size(); ++j) {
    EXPECT_LT(std::abs(modes[j].pole.real()), 100 * kEps * std::abs(modes[j].pole));
  }
}

// Equal decoupled oscillators, then hidden by a rotation: repeated poles, independent shapes.
TEST(DampedModes, OfRepeatedPolesAreComplete) {
  std::mt19937_64 engine(8);
  SecondOrder system = test::random_system(4, 1, engine);
  system.K = 25.0 * system.M;
  system.D = 0.6 * system.M;
  const auto modes = damped_modes(system);
  ASSERT_EQ(modes.size(), 4u);
  Eigen::MatrixXcd shapes(4, 4);
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(std::abs(modes[j].pole - Complex(-0.3, std::sqrt(25.0 - 0.09))), 0.0, 1e-13);
    shapes.col(static_cast<Eigen::Index>(j)) = modes[j].shape;
  }
  EXPECT_EQ(shapes.fullPivLu().rank(), 4);
}

// Frequencies from 1 to 1e6 rad/s in one system: the slow mode keeps its own digits.
TEST(DampedModes, OfAStiffSystemKeepTheSlowMode) {
  std::mt19937_64 engine(9);
  SecondOrder system = test::random_system(6, 1, engine);
  const UndampedModes basis = undamped_modes(system);
  const Eigen::MatrixXd weighted = system.M * basis.shapes;
  Eigen::VectorXd omega(6), ratio(6);
  omega << 1.0, 10.0, 1e3, 1e4, 1e5, 1e6;
  ratio << 0.01, 0.02, 1.5, 0.01, 0.02, 0.03;
  system.K = weighted * omega.cwiseAbs2().asDiagonal() * weighted.transpose();
  system.D = weighted * (2.0 * ratio.cwiseProduct(omega)).asDiagonal() * weighted.transpose();
  const auto modes = damped_modes(system);
  ASSERT_EQ(modes.size(), 7u);
  // K itself holds ω² = 1 beside 1e12 only to 1e12 eps = 2e-4.
  EXPECT_NEAR(std::abs(modes[0].pole), 1.0, 1e-2);
  EXPECT_NEAR(std::abs(modes[1].pole), 10.0, 1e-3);
  EXPECT_NEAR(modes[6].damping_ratio, 0.03, 1e-12);
}

TEST(DampedModes, OfAnInvertedPendulumGrow) {
  const auto modes = damped_modes(test::oscillator(1.0, 0.0, -9.0));
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_NEAR(modes[0].pole.real() + modes[1].pole.real(), 0.0, 12 * kEps);
  EXPECT_NEAR(std::max(modes[0].pole.real(), modes[1].pole.real()), 3.0, 12 * kEps);
  EXPECT_NEAR(std::min(modes[0].damping_ratio, modes[1].damping_ratio), -1.0, kEps);
}

TEST(DampedModes, RejectBadSystems) {
  SecondOrder system = test::coupled_3dof();
  system.D(0, 1) = 5.0;
  EXPECT_THAT([&] { (void)damped_modes(system); },
              ThrowsMessage<InvalidInput>(HasSubstr("damped_modes: D must be symmetric")));
  system = test::coupled_3dof();
  system.M(0, 0) = -1.0;
  EXPECT_THAT([&] { (void)damped_modes(system); },
              ThrowsMessage<InvalidInput>(HasSubstr("damped_modes: M must be positive")));
}

// Undamped systems: the damping is exactly +0, which prints as 0.000 and never as -0.000.
TEST(DampedModes, OfUndampedSystemsHavePositiveZeroDamping) {
  std::mt19937_64 engine(77);
  for (const Eigen::Index n : {1, 2, 5, 20, 60}) {
    SecondOrder system = test::random_system(n, 1, engine);
    system.D.setZero();
    for (const DampedMode& mode : damped_modes(system)) {
      EXPECT_EQ(mode.damping_ratio, 0.0) << n;
      EXPECT_FALSE(std::signbit(mode.damping_ratio)) << n;
      EXPECT_EQ(mode.pole.real(), 0.0) << n;
    }
  }
  // Damping above rounding stays.
  const SecondOrder light{Eigen::MatrixXd::Ones(1, 1), Eigen::MatrixXd::Constant(1, 1, 2e-13),
                          Eigen::MatrixXd::Ones(1, 1), Eigen::MatrixXd::Ones(1, 1)};
  // ζ = d / (2 √(k m)) with two roundings.
  EXPECT_NEAR(damped_modes(light)[0].damping_ratio, 1e-13, 4 * kEps);
}

}  // namespace damped_modes_test
}  // namespace alembert::model
