#include "alembert/signal/frf_estimators.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "alembert/core/random.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"

namespace alembert::signal {
namespace frf_estimators_test {

using test::kEps;
using test::matrices_near;
using test::message_of;
using testing::HasSubstr;
using Complex = std::complex<double>;

Eigen::MatrixXcd random_complex(Eigen::Index rows, Eigen::Index columns, RandomStream& random) {
  Eigen::MatrixXcd matrix(rows, columns);
  for (Complex& value : matrix.reshaped()) value = Complex(random.normal(), random.normal());
  return matrix;
}

double error(const Eigen::MatrixXcd& actual, const Eigen::MatrixXcd& expected) {
  return (actual - expected).norm() / expected.norm();
}

// Exact spectra of y = H u with noise of given densities on inputs and outputs.
struct Case {
  Eigen::MatrixXcd H, Suu, Syu, Syy;
  Eigen::VectorXd powers;  // diagonal of Syy

  Case(Eigen::Index q, Eigen::Index p, double input_noise, double output_noise,
       std::uint64_t seed) {
    RandomStream random(seed);
    H = random_complex(q, p, random);
    const Eigen::MatrixXcd root = random_complex(p, p + 3, random);
    const Eigen::MatrixXcd clean = root * root.adjoint();
    Suu = clean + input_noise * Eigen::MatrixXcd::Identity(p, p);
    Syu = H * clean;
    Syy = H * clean * H.adjoint() + output_noise * Eigen::MatrixXcd::Identity(q, q);
    powers = Syy.diagonal().real();
  }
};

// Rounding: the condition of a 4 x 7 random factor squared stays below 1e4 for these seeds.
constexpr double kRounding = 1e5 * kEps;

TEST(FrfEstimators, AllAgreeWithoutNoise) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Eigen::Index p = 1 + static_cast<Eigen::Index>(seed % 4);
    const Case c(p, p, 0.0, 0.0, seed);
    const Eigen::VectorXd du = c.Suu.diagonal().real().cwiseSqrt();
    const Eigen::VectorXd dy = c.powers.cwiseSqrt();
    EXPECT_LT(error(frf_h1(c.Suu, c.Syu), c.H), kRounding) << seed;
    EXPECT_LT(error(frf_h2(c.Syy, c.Syu), c.H), kRounding) << seed;
    EXPECT_LT(error(frf_hv(c.Suu, c.Syu, c.powers, du, dy), c.H), kRounding) << seed;
    EXPECT_TRUE(matrices_near(multiple_coherence(c.Suu, c.Syu, c.powers), Eigen::VectorXd::Ones(p),
                              {.abs = kRounding}));
  }
}

TEST(FrfEstimators, H1IsUnbiasedWithOutputNoise) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Case c(5, 3, 0.0, 10.0, seed);
    EXPECT_LT(error(frf_h1(c.Suu, c.Syu), c.H), kRounding);
  }
}

TEST(FrfEstimators, H2IsUnbiasedWithInputNoise) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Case many(3, 3, 5.0, 0.0, seed);
    EXPECT_LT(error(frf_h2(many.Syy, many.Syu), many.H), kRounding);
    const Case one(6, 1, 5.0, 0.0, seed);
    EXPECT_LT(error(frf_h2(one.powers, one.Syu), one.H), kRounding);
    // H1 of one input is low by Suu / (Suu + noise).
    const double total = one.Suu(0, 0).real();
    EXPECT_LT(error(frf_h1(one.Suu, one.Syu), one.H * (total - 5.0) / total), kRounding);
  }
}

TEST(FrfEstimators, HvIsUnbiasedWithNoiseOnBothSidesInProportionToItsScales) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Case c(4, 3, 0.25, 4.0, seed);  // standard deviations 0.5 and 2, up to a factor
    const Eigen::VectorXd du = Eigen::VectorXd::Constant(3, 0.5);
    const Eigen::VectorXd dy = Eigen::VectorXd::Constant(4, 2.0);
    EXPECT_LT(error(frf_hv(c.Suu, c.Syu, c.powers, 7.0 * du, 7.0 * dy), c.H), kRounding) << seed;
    EXPECT_GT(error(frf_h1(c.Suu, c.Syu), c.H), 1e-3);
  }
}

TEST(FrfEstimators, HvOfOneInputIsTheGeometricMean) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Case c(3, 1, 1.0, 2.0, seed);
    const Eigen::VectorXd du = c.Suu.diagonal().real().cwiseSqrt();
    const Eigen::VectorXd dy = c.powers.cwiseSqrt();
    const Eigen::VectorXd hv = frf_hv(c.Suu, c.Syu, c.powers, du, dy).cwiseAbs();
    const Eigen::VectorXd h1 = frf_h1(c.Suu, c.Syu).cwiseAbs();
    const Eigen::VectorXd h2 = frf_h2(c.powers, c.Syu).cwiseAbs();
    EXPECT_TRUE(matrices_near(hv, h1.cwiseProduct(h2).cwiseSqrt(), {.rel = 100 * kEps}));
    // And |H1| / |H2| is the coherence.
    EXPECT_TRUE(matrices_near(h1.cwiseQuotient(h2), ordinary_coherence(c.Suu, c.Syu, c.powers),
                              {.abs = 100 * kEps}));
  }
}

// One output, no correlation between inputs: coherences add up to 1 - noise share.
TEST(FrfEstimators, CoherenceOfKnownNoise) {
  const Eigen::Vector2d inputs(4.0, 9.0);
  const Eigen::RowVector2cd H(Complex(1.0, 1.0), Complex(0.0, -0.5));
  const Eigen::MatrixXcd Suu = inputs.cast<Complex>().asDiagonal();
  const Eigen::MatrixXcd Syu = H * Suu;
  const double noise = 2.0;
  const double first = 2.0 * 4.0;
  const double second = 0.25 * 9.0;
  const Eigen::VectorXd Syy = Eigen::VectorXd::Constant(1, first + second + noise);
  const Eigen::MatrixXd ordinary = ordinary_coherence(Suu, Syu, Syy);
  EXPECT_NEAR(ordinary(0, 0), first / Syy(0), 10 * kEps);
  EXPECT_NEAR(ordinary(0, 1), second / Syy(0), 10 * kEps);
  EXPECT_NEAR(multiple_coherence(Suu, Syu, Syy)(0), (first + second) / Syy(0), 10 * kEps);
}

// Property: units change nothing, even when they differ by 10^12.
TEST(FrfEstimators, UnitsChangeNothing) {
  const Case c(2, 2, 0.1, 0.1, 42);
  const Eigen::Vector2d a(1e-9, 1e3);
  const Eigen::Vector2d b(1e6, 1e-6);
  const Eigen::MatrixXcd Suu = a.asDiagonal() * c.Suu * a.asDiagonal();
  const Eigen::MatrixXcd Syu = b.asDiagonal() * c.Syu * a.asDiagonal();
  const Eigen::MatrixXcd Syy = b.asDiagonal() * c.Syy * b.asDiagonal();
  const auto back = [&](const Eigen::MatrixXcd& H) -> Eigen::MatrixXcd {
    return b.cwiseInverse().asDiagonal() * H * a.asDiagonal();
  };
  EXPECT_LT(error(back(frf_h1(Suu, Syu)), frf_h1(c.Suu, c.Syu)), 1e3 * kEps);
  EXPECT_LT(error(back(frf_h2(Syy, Syu)), frf_h2(c.Syy, c.Syu)), 1e3 * kEps);
  EXPECT_NEAR(input_condition(Suu), input_condition(c.Suu), 1e3 * kEps * input_condition(Suu));
}

// Two inputs with correlation r: eigenvalues 1 ± r.
TEST(FrfEstimators, InputCondition) {
  for (const double r : {0.0, 0.5, 0.99}) {
    Eigen::Matrix2cd Suu;
    Suu << 4.0, Complex(0.0, 6.0 * r), Complex(0.0, -6.0 * r), 9.0;
    EXPECT_NEAR(input_condition(Suu), (1.0 + r) / (1.0 - r), 1e4 * kEps) << r;
  }
  EXPECT_EQ(input_condition(Eigen::Matrix2cd::Zero()), INFINITY);
  EXPECT_GT(input_condition(Eigen::Matrix2cd::Ones()), 1e15);
  EXPECT_NEAR(input_condition(Eigen::MatrixXcd::Constant(1, 1, 1e-30)), 1.0, kEps);
}

TEST(FrfEstimators, SingularSpectraGiveNaN) {
  const Eigen::Matrix2cd zero = Eigen::Matrix2cd::Zero();
  EXPECT_TRUE(frf_h1(-Eigen::Matrix2cd::Identity(), zero).hasNaN());
  EXPECT_TRUE(frf_h2(Eigen::Matrix2cd::Identity(), Eigen::Matrix2cd::Ones()).hasNaN());
  EXPECT_TRUE(ordinary_coherence(zero, zero, Eigen::Vector2d::Zero()).hasNaN());
}

TEST(FrfEstimators, BadInputIsNamed) {
  const Eigen::MatrixXcd two = Eigen::MatrixXcd::Identity(2, 2);
  const Eigen::MatrixXcd wide = Eigen::MatrixXcd::Ones(1, 3);
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1);
  EXPECT_THAT(message_of([&] { (void)frf_h1(wide, wide); }), HasSubstr("columns of Suu"));
  EXPECT_THAT(message_of([&] { (void)frf_h1(two, wide); }), HasSubstr("columns of Syu"));
  EXPECT_THAT(message_of([&] { (void)frf_h2(two, wide); }), HasSubstr("number of outputs"));
  EXPECT_THAT(message_of([&] { (void)frf_h2(one, Eigen::VectorXcd::Ones(2)); }), HasSubstr("Syu"));
  EXPECT_THAT(message_of([&] { (void)frf_hv(two, two, one, one, one); }), HasSubstr("Syy"));
  EXPECT_THAT(message_of([&] { (void)frf_hv(two, two, Eigen::Vector2d::Ones(), one, one); }),
              HasSubstr("input_scales"));
  EXPECT_THAT(message_of([&] { (void)multiple_coherence(two, two, one); }), HasSubstr("Syy"));
  EXPECT_THAT(message_of([&] { (void)input_condition(Eigen::MatrixXcd()); }),
              HasSubstr("number of inputs"));
}

}  // namespace frf_estimators_test
}  // namespace alembert::signal
