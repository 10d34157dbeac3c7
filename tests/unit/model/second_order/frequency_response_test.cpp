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
namespace frequency_response_test {

using Complex = std::complex<double>;
using std::numbers::pi;
using test::kEps;
using testing::HasSubstr;
using testing::ThrowsMessage;

OutputMap random_outputs(Eigen::Index outputs, Eigen::Index n, std::mt19937_64& engine) {
  return {test::random_matrix(outputs, n, engine), test::random_matrix(outputs, n, engine),
          test::random_matrix(outputs, n, engine)};
}

// The definition, by a full-pivoting inverse in the physical coordinates.
Eigen::MatrixXcd direct(const SecondOrder& system, const OutputMap& outputs, double frequency_hz) {
  const double omega = 2 * pi * frequency_hz;
  const Complex i(0, 1);
  const Eigen::MatrixXcd stiffness =
      (system.K - omega * omega * system.M).cast<Complex>() + i * omega * system.D.cast<Complex>();
  const Eigen::MatrixXcd output = outputs.displacement.cast<Complex>() +
                                  i * omega * outputs.velocity.cast<Complex>() -
                                  omega * omega * outputs.acceleration.cast<Complex>();
  return output * stiffness.fullPivLu().solve(system.L.cast<Complex>());
}

double relative_error(const Eigen::MatrixXcd& actual, const Eigen::MatrixXcd& expected) {
  return (actual - expected).norm() / expected.norm();
}

TEST(FrequencyResponse, OfAnOscillatorHasTheClosedForm) {
  const SecondOrder system = test::oscillator(2.0, 3.0, 800.0);
  const OutputMap outputs =
      output_map(1, {{Motion::Displacement, 0}, {Motion::Velocity, 0}, {Motion::Acceleration, 0}});
  const Eigen::Vector4d frequency(0.0, 1.0, 20.0 / (2 * pi), 1e3);
  const auto H = frequency_response(system, outputs, frequency);
  ASSERT_EQ(H.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const double omega = 2 * pi * frequency(static_cast<Eigen::Index>(k));
    const Complex receptance = 1.0 / Complex(800.0 - 2.0 * omega * omega, 3.0 * omega);
    ASSERT_EQ(H[k].rows(), 3);
    // At resonance the real part cancels to eps times the stiffness, 1/(2ζ) = 13 larger.
    const double tolerance = 60 * kEps * std::abs(receptance);
    EXPECT_NEAR(std::abs(H[k](0, 0) - receptance), 0.0, tolerance);
    EXPECT_NEAR(std::abs(H[k](1, 0) - Complex(0, omega) * receptance), 0.0, tolerance * omega);
    EXPECT_NEAR(std::abs(H[k](2, 0) + omega * omega * receptance), 0.0, tolerance * omega * omega);
  }
}

// All three ways of computing it: diagonal modal damping, factorisation, sum over poles (many
// frequencies).
TEST(FrequencyResponse, EqualsTheDirectInverse) {
  std::mt19937_64 engine(31);
  for (const Eigen::Index n : {1, 2, 3, 8, 20, 40}) {
    for (const auto& [diagonal, count] :
         {std::pair{true, 40}, std::pair{false, 40}, std::pair{false, 300}}) {
      SecondOrder system = test::random_system(n, 2, engine);
      if (diagonal) {
        system.D = 0.01 * system.K + 0.02 * system.M;
      }
      const OutputMap outputs = random_outputs(3, n, engine);
      const Eigen::VectorXd frequency = Eigen::VectorXd::LinSpaced(count, 0.0, 3.0);
      const auto H = frequency_response(system, outputs, frequency);
      for (Eigen::Index k = 0; k < frequency.size(); k += count / 40) {
        // Condition of K - ω² M + iω D: at most 400 / (2ζ) with ζ above 1e-3.
        EXPECT_LT(
            relative_error(H[static_cast<std::size_t>(k)], direct(system, outputs, frequency(k))),
            2e5 * static_cast<double>(n) * kEps)
            << n << (diagonal ? " diagonal " : " full ") << frequency(k);
      }
    }
  }
}

// A double pole has no second eigenvector: the sum over poles would divide by zero.
TEST(FrequencyResponse, OfADefectiveSystemEqualsTheDirectInverse) {
  SecondOrder system;
  system.M = Eigen::MatrixXd::Identity(2, 2);
  system.K = Eigen::Vector2d(25.0, 100.0).asDiagonal();
  system.D = Eigen::Vector2d(10.0, 20.0).asDiagonal();  // both critically damped
  system.D(0, 1) = system.D(1, 0) = 1e-3;
  system.L = Eigen::MatrixXd::Identity(2, 2);
  const OutputMap outputs = output_map(2, {{Motion::Displacement, 0}, {Motion::Velocity, 1}});
  const Eigen::VectorXd frequency = Eigen::VectorXd::LinSpaced(400, 0.0, 5.0);
  const auto H = frequency_response(system, outputs, frequency);
  for (std::size_t k = 0; k < H.size(); k += 13) {
    EXPECT_LT(relative_error(H[k], direct(system, outputs, frequency(static_cast<int>(k)))),
              100 * kEps);
  }
}

// Pole-residue form of a symmetric system: H = Σ ψ ψᵀ / (ψᵀ(2λM + D)ψ (s - λ)) over all poles.
TEST(FrequencyResponse, EqualsTheSumOfPolesAndResidues) {
  std::mt19937_64 engine(32);
  for (const Eigen::Index n : {1, 3, 8, 30}) {
    SecondOrder system = test::random_system(n, 1, engine);
    system.L = Eigen::MatrixXd::Identity(n, n);
    OutputMap outputs{Eigen::MatrixXd::Identity(n, n), Eigen::MatrixXd::Zero(n, n),
                      Eigen::MatrixXd::Zero(n, n)};
    const Complex s(0, 2 * pi * 0.7);
    Eigen::MatrixXcd expected = Eigen::MatrixXcd::Zero(n, n);
    for (const DampedMode& mode : damped_modes(system)) {
      const auto term = [&](Complex pole, const Eigen::VectorXcd& shape) -> Eigen::MatrixXcd {
        const Eigen::VectorXcd slope = 2.0 * pole * (system.M * shape) + system.D * shape;
        return shape * shape.transpose() / (shape.cwiseProduct(slope).sum() * (s - pole));
      };
      expected += term(mode.pole, mode.shape);
      if (mode.pole.imag() != 0.0) {
        expected += term(std::conj(mode.pole), mode.shape.conjugate());
      }
    }
    const Eigen::VectorXd frequency = Eigen::VectorXd::Constant(1, 0.7);
    EXPECT_LT(relative_error(frequency_response(system, outputs, frequency)[0], expected), 1e-11)
        << n;
  }
}

TEST(FrequencyResponse, OfTheFrameIsReciprocalAndStartsAtTheCompliance) {
  const SecondOrder frame = test::frame_8dof();
  const OutputMap outputs{Eigen::MatrixXd::Identity(8, 8), Eigen::MatrixXd::Zero(8, 8),
                          Eigen::MatrixXd::Zero(8, 8)};
  const auto H = frequency_response(frame, outputs, Eigen::Vector2d(0.0, 1.3));
  EXPECT_LT(relative_error(H[0], frame.K.inverse().cast<Complex>()), 1e3 * kEps);
  EXPECT_LT(relative_error(H[1], H[1].transpose()), 100 * kEps);
  // Damping makes the imaginary part of the receptance negative definite.
  EXPECT_FALSE(definiteness(H[1].imag()).positive_semidefinite);
  EXPECT_TRUE(definiteness(-H[1].imag()).positive_definite);
}

TEST(FrequencyResponse, OfAFreeStructureIsNotANumberAtZero) {
  std::mt19937_64 engine(33);
  for (const Eigen::Index n : {3, 30}) {
    for (const bool diagonal : {false, true}) {
      SecondOrder chain = test::free_chain(n, 1.0, 100.0);
      chain.D = diagonal ? Eigen::MatrixXd(0.001 * chain.K) : chain.D;
      if (!diagonal) {
        chain.D(0, 0) = 0.3;
      }
      chain.L = chain.L.leftCols(1).eval();
      const OutputMap outputs = random_outputs(2, n, engine);
      const Eigen::VectorXd frequency = Eigen::VectorXd::LinSpaced(300, 0.0, 2.0);
      const auto H = frequency_response(chain, outputs, frequency);
      EXPECT_TRUE(H[0].array().isNaN().all());
      for (std::size_t k = 1; k < H.size(); k += 7) {
        EXPECT_LT(relative_error(H[k], direct(chain, outputs, frequency(static_cast<int>(k)))),
                  1e-9)
            << n << diagonal << k;
      }
    }
  }
}

TEST(FrequencyResponse, OnAResonanceWithoutDampingIsNotANumber) {
  // ω = 2π exactly representable as the product that the function forms.
  const double omega = 2 * pi;
  const SecondOrder system = test::oscillator(1.0, 0.0, omega * omega);
  const auto H = frequency_response(system, output_map(1, {{}}), Eigen::Vector2d(1.0, 2.0));
  EXPECT_TRUE(std::isnan(H[0](0, 0).real()));
  EXPECT_NEAR(H[1](0, 0).real(), -1.0 / (3.0 * omega * omega), 1e-16);
}

TEST(FrequencyResponse, RejectsBadArguments) {
  const SecondOrder system = test::coupled_3dof();
  const Eigen::Vector2d nan(1.0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THAT([&] { (void)frequency_response(system, output_map(3, {{}}), nan); },
              ThrowsMessage<InvalidInput>(HasSubstr("frequency_hz must be finite")));
  EXPECT_THAT(
      [&] { (void)frequency_response(system, output_map(2, {{}}), Eigen::Vector2d(1.0, 2.0)); },
      ThrowsMessage<InvalidInput>(HasSubstr("output map displacement must be 1 x 3")));
}

TEST(FrequencyResponse, OfASystemWithoutInputsHasNoColumns) {
  SecondOrder system = test::coupled_3dof();
  system.L.resize(3, 0);
  const auto H = frequency_response(system, output_map(3, {{}}), Eigen::Vector2d(1.0, 2.0));
  ASSERT_EQ(H.size(), 2u);
  EXPECT_EQ(H[1].rows(), 1);
  EXPECT_EQ(H[1].cols(), 0);
}

TEST(FrequencyResponse, OfNoFrequenciesIsEmpty) {
  EXPECT_TRUE(
      frequency_response(test::coupled_3dof(), output_map(3, {{}}), Eigen::VectorXd()).empty());
}

}  // namespace frequency_response_test
}  // namespace alembert::model
