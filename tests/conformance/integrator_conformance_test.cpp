// What every integrator of linear systems must do. A new one is one line in integrators().
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "alembert/integrate/convergence.hpp"
#include "alembert/integrate/exact.hpp"
#include "alembert/integrate/gauss.hpp"
#include "alembert/integrate/linear_simulation.hpp"
#include "alembert/integrate/newmark.hpp"
#include "alembert/integrate/variational.hpp"
#include "core/algebra/decompositions.hpp"
#include "support/allocations.hpp"
#include "support/matrices_near.hpp"
#include "support/random_systems.hpp"

namespace alembert::integrate {
namespace integrator_conformance_test {

using test::kEps;
using test::matrices_near;

struct Integrator {
  std::string name;
  int order;  // under a smooth input, known by its samples
  std::function<OneStepMap(const model::SecondOrder&, double)> make;
};

std::vector<Integrator> integrators() {
  using model::SecondOrder;
  return {
      {"Midpoint", 2, [](const SecondOrder& s, double h) { return midpoint_map(s, h); }},
      {"NewmarkAverage", 2, [](const SecondOrder& s, double h) { return newmark_map(s, h); }},
      {"NewmarkLinear", 2,
       [](const SecondOrder& s, double h) {
         return newmark_map(s, h, {.beta = 1.0 / 6.0, .gamma = 0.5});
       }},
      {"NewmarkDamped", 1,
       [](const SecondOrder& s, double h) {
         return newmark_map(s, h, {.beta = 0.3025, .gamma = 0.6});
       }},
      {"ExactZero", 1,
       [](const SecondOrder& s, double h) {
         return exact_map(s, h, signal::BetweenSamples::Held);
       }},
      {"ExactLinear", 2,
       [](const SecondOrder& s, double h) {
         return exact_map(s, h, signal::BetweenSamples::Linear);
       }},
      {"ExactCubic", 4,
       [](const SecondOrder& s, double h) {
         return exact_map(s, h, signal::BetweenSamples::Cubic);
       }},
      {"Gauss1", 2, [](const SecondOrder& s, double h) { return gauss_map(s, h, 1); }},
      {"Gauss2", 4, [](const SecondOrder& s, double h) { return gauss_map(s, h, 2); }},
      {"Gauss3", 4, [](const SecondOrder& s, double h) { return gauss_map(s, h, 3); }},
      {"Gauss2Linear", 2,
       [](const SecondOrder& s, double h) {
         return gauss_map(s, h, 2, signal::BetweenSamples::Linear);
       }},
      {"Gauss2Zero", 1,
       [](const SecondOrder& s, double h) {
         return gauss_map(s, h, 2, signal::BetweenSamples::Held);
       }},
  };
}

struct Case {
  Integrator integrator;
  Eigen::Index n = 1;
};

// Shown by GoogleTest instead of the bytes of a case.
void PrintTo(const Case& test, std::ostream* stream) {
  *stream << test.integrator.name << ", n = " << test.n;
}

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const Integrator& integrator : integrators()) {
    for (const Eigen::Index n : {1, 12}) {
      list.push_back({integrator, n});
    }
  }
  return list;
}

class IntegratorConformance : public testing::TestWithParam<Case> {
 protected:
  IntegratorConformance()
      : engine_(static_cast<unsigned>(100 + n())),
        system_(test::random_system(n(), std::min<Eigen::Index>(n(), 3), engine_)),
        map_(GetParam().integrator.make(system_, kStep)) {}

  [[nodiscard]] Eigen::Index n() const { return GetParam().n; }
  [[nodiscard]] Eigen::Index m() const { return system_.inputs(); }
  Eigen::MatrixXd random(Eigen::Index rows, Eigen::Index cols) {
    return test::random_matrix(rows, cols, engine_);
  }
  [[nodiscard]] Eigen::VectorXd rest() const { return Eigen::VectorXd::Zero(n()); }
  [[nodiscard]] Trajectory run(const Eigen::MatrixXd& u, const Eigen::VectorXd& q0,
                               const Eigen::VectorXd& v0) const {
    return simulate(system_, map_, u, q0, v0);
  }

  // ω h <= 0.7 for frequencies up to sqrt(100/0.5) rad/s.
  static constexpr double kStep = 0.05;
  std::mt19937_64 engine_;
  model::SecondOrder system_;
  OneStepMap map_;
};

TEST_P(IntegratorConformance, KeepsRestAtRest) {
  const Trajectory motion = run(Eigen::MatrixXd::Zero(300, m()), rest(), rest());
  EXPECT_EQ(motion.displacement, Eigen::MatrixXd::Zero(300, n()));
  EXPECT_EQ(motion.velocity, Eigen::MatrixXd::Zero(300, n()));
  EXPECT_EQ(motion.acceleration, Eigen::MatrixXd::Zero(300, n()));
}

TEST_P(IntegratorConformance, ReproducesStaticsUnderConstantForce) {
  const Eigen::VectorXd force = random(m(), 1);
  const Eigen::VectorXd deflection = system_.K.fullPivLu().solve(system_.L * force);
  // Started in equilibrium it stays there; rounding, with the condition of K (100).
  const Eigen::MatrixXd constant = force.transpose().replicate(500, 1);
  const Trajectory still = run(constant, deflection, rest());
  const Eigen::MatrixXd expected = deflection.transpose().replicate(500, 1);
  EXPECT_TRUE(matrices_near(still.displacement, expected, {.rel = 1e4 * kEps}));
  // Started at rest it arrives there: with 20 times the damping every mode decays by at least
  // 0.4/(2 * 2) per second, exp(-40) in 400 s.
  const Eigen::Index samples = 8000;
  model::SecondOrder damped = system_;
  damped.D *= 20.0;
  const Trajectory arriving = simulate(damped, GetParam().integrator.make(damped, kStep),
                                       force.transpose().replicate(samples, 1), rest(), rest());
  EXPECT_TRUE(matrices_near(arriving.displacement.row(samples - 1).transpose(), deflection,
                            {.rel = 1e4 * kEps}));
}

TEST_P(IntegratorConformance, ConvergesWithItsOrder) {
  // Steady state under a cosine, known from the transfer function.
  const double omega = 4.0, duration = 3.0;
  const std::complex<double> rate(0.0, omega);
  const Eigen::VectorXcd amplitude = random(m(), 1).cast<std::complex<double>>();
  const Eigen::VectorXcd response = transfer(system_, rate) * amplitude;
  const auto error = [&](double h) {
    const Eigen::Index samples = static_cast<Eigen::Index>(std::lround(duration / h)) + 1;
    Eigen::MatrixXd u(samples, m()), q(samples, n());
    for (Eigen::Index k = 0; k < samples; ++k) {
      const std::complex<double> turn = std::exp(rate * (h * static_cast<double>(k)));
      u.row(k) = (turn * amplitude).real().transpose();
      q.row(k) = (turn * response).real().transpose();
    }
    const Trajectory motion = simulate(system_, GetParam().integrator.make(system_, h), u,
                                       response.real(), (rate * response).real());
    return (motion.displacement - q).cwiseAbs().maxCoeff() / q.cwiseAbs().maxCoeff();
  };
  const Convergence measured =
      measure_convergence(Eigen::Vector3d(0.02, 0.01, 0.005), error, {.floor = 1e-13});
  // Halving the step divides the error by 2^order or more, within 10 %.
  EXPECT_GE(measured.order, GetParam().integrator.order - std::log2(1.1)) << measured.errors;
}

TEST_P(IntegratorConformance, IsLinear) {
  const Eigen::MatrixXd u1 = random(300, m()), u2 = random(300, m());
  const Eigen::VectorXd q1 = random(n(), 1), q2 = random(n(), 1);
  const Eigen::VectorXd v1 = random(n(), 1), v2 = random(n(), 1);
  const Trajectory first = run(u1, q1, v1);
  const Trajectory second = run(u2, q2, v2);
  const Trajectory both = run(2.0 * u1 - 3.0 * u2, 2.0 * q1 - 3.0 * q2, 2.0 * v1 - 3.0 * v2);
  // Rounding of damped motions: no growth with the number of steps.
  EXPECT_TRUE(matrices_near(both.displacement, 2.0 * first.displacement - 3.0 * second.displacement,
                            {.rel = 2000 * kEps}));
  EXPECT_TRUE(matrices_near(both.acceleration, 2.0 * first.acceleration - 3.0 * second.acceleration,
                            {.rel = 2000 * kEps}));
}

// From rest, an input that comes s samples later moves the system s samples later. It is zero for
// a while at both ends, where the spline through it knows the length of the record.
TEST_P(IntegratorConformance, DoesNotKnowTheTimeOfDay) {
  const Eigen::Index shift = 77, samples = 500, begin = 100, length = 200;
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(samples, m());
  Eigen::MatrixXd late = u;
  u.middleRows(begin, length) = random(length, m());
  late.bottomRows(samples - shift) = u.topRows(samples - shift);
  const Trajectory now = run(u, rest(), rest());
  const Trajectory later = run(late, rest(), rest());
  // A spline forgets its end by a factor 0.27 a sample, 0.27^100 here; the rest is rounding.
  EXPECT_TRUE(matrices_near(later.displacement.bottomRows(samples - shift),
                            now.displacement.topRows(samples - shift), {.rel = 2000 * kEps}));
  EXPECT_TRUE(matrices_near(later.displacement.topRows(shift), Eigen::MatrixXd::Zero(shift, n()),
                            {.abs = 2000 * kEps}));
}

TEST_P(IntegratorConformance, DoesNotAllocateInAStep) {
  if (!test::counts_allocations()) {
    GTEST_SKIP() << "this build brings an allocator of its own";
  }
  StepWorkspace workspace(map_);
  Eigen::VectorXd z = random(2 * n(), 1);
  const Eigen::VectorXd w = random(map_.G.cols(), 1);
  const std::size_t before = test::allocation_count();
  for (int k = 0; k < 10; ++k) {
    advance(map_, w, workspace, z);
  }
  EXPECT_EQ(test::allocation_count(), before);
}

TEST_P(IntegratorConformance, IsStableForADampedSystem) { EXPECT_LT(spectral_radius(map_), 1.0); }

// A change of the units of q, u and time changes numbers, not the motion.
TEST_P(IntegratorConformance, DoesNotDependOnUnits) {
  const double length = 1e3, time = 1e-2;
  model::SecondOrder scaled = system_;
  // q' = length q, t' = t / time; forces as they are: M'' = M/(length time²) ...
  scaled.M = system_.M / (length * time * time);
  scaled.D = system_.D / (length * time);
  scaled.K = system_.K / length;
  const Eigen::MatrixXd u = random(200, m());
  const Eigen::VectorXd q0 = random(n(), 1), v0 = random(n(), 1);
  const Trajectory motion = run(u, q0, v0);
  const Trajectory other = simulate(scaled, GetParam().integrator.make(scaled, kStep / time), u,
                                    length * q0, length * time * v0);
  EXPECT_TRUE(matrices_near(other.displacement / length, motion.displacement, {.rel = 1e4 * kEps}));
  EXPECT_TRUE(
      matrices_near(other.velocity / (length * time), motion.velocity, {.rel = 1e4 * kEps}));
}

INSTANTIATE_TEST_SUITE_P(Linear, IntegratorConformance, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& test) {
                           return test.param.integrator.name + "_" + std::to_string(test.param.n);
                         });

}  // namespace integrator_conformance_test
}  // namespace alembert::integrate
