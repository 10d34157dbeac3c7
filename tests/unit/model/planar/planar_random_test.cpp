#include "unit/model/planar/planar_random.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/model/planar/mechanism.hpp"
#include "core/algebra/dense.hpp"
#include "support/matrices_near.hpp"

namespace alembert::test::planar_random_test {

// Joints stay closed and A q' = (0, z'), A q'' + A' q' = (0, z'') along a motion; dE/dt of the free
// motion is zero: z'ᵀ(M z'' + bias) + ½ z'ᵀ M' z' − (energy terms) by differences of the energy.
TEST(PlanarRandom, MechanismsKeepTheirLaws) {
  int closed = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    RandomMechanism random(seed);
    const MechanismDescription d =
        random.made(1 + static_cast<int>(seed % 5), static_cast<int>(seed % 3));
    const Mechanism mechanism(d);
    MechanismState state = mechanism.make_state();
    const Eigen::VectorXd z = random.start();
    const model::planar::Assembly assembly = mechanism.assemble(z, state);
    ASSERT_TRUE(assembly.ok()) << seed << ": " << assembly.message;
    closed += seed % 3 > 0 ? 1 : 0;
    const Eigen::Index n = z.size();
    Eigen::VectorXd zd(n), zdd(n);
    for (Eigen::Index j = 0; j < n; ++j) {
      zd(j) = std::sin(static_cast<double>(j) + seed);
      zdd(j) = std::cos(2.0 * static_cast<double>(j) + seed);
    }
    ASSERT_TRUE(move_to(mechanism, state, z + 0.02 * zd, zd, zdd)) << seed;
    const Eigen::MatrixXd A = mechanism.jacobian(state);
    Eigen::VectorXd rates(A.rows()), accelerations(A.rows());
    rates << Eigen::VectorXd::Zero(A.rows() - n), zd;
    accelerations << Eigen::VectorXd::Zero(A.rows() - n), zdd;
    // Rounding of sums of a few terms of the size of q'', up to 1e3 near a stretched pair.
    const double size = 1.0 + state.qdd.cwiseAbs().maxCoeff();
    EXPECT_LT(mechanism.residual(state).cwiseAbs().maxCoeff(), 1e-12) << seed;
    EXPECT_TRUE(matrices_near(A * state.qd, rates, {.abs = 1e-12 * size})) << seed;
    EXPECT_TRUE(matrices_near(A * state.qdd + mechanism.jacobian_rate(state), accelerations,
                              {.abs = 1e-12 * size}))
        << seed;

    // Power: with z'' of the free motion the energy does not change. Central difference over ±h.
    model::planar::ReducedDynamics dynamics = mechanism.make_dynamics();
    mechanism.reduced_dynamics(state, dynamics);
    const Eigen::VectorXd free = -dense::positive_solve(dynamics.M, dynamics.bias);
    const double h = 1e-5;
    const auto energy = [&](double t) {
      MechanismState copy = state;
      const Eigen::VectorXd at = z + 0.02 * zd + t * zd + 0.5 * t * t * free;
      EXPECT_TRUE(move_to(mechanism, copy, at, zd + t * free, free));
      return mechanism.kinetic_energy(copy) + mechanism.potential_energy(copy);
    };
    const double power = (energy(h) - energy(-h)) / (2.0 * h);
    const double scale = 1.0 + std::abs(zd.dot(dynamics.bias)) + mechanism.kinetic_energy(state);
    // h² times a third derivative that grows with the cube of the rates in the loops.
    EXPECT_LT(std::abs(power), 1e-6 * scale * size) << seed;
  }
  EXPECT_GT(closed, 20);
}

}  // namespace alembert::test::planar_random_test
