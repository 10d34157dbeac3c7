#include "reproductions/variational/linear_case.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reproductions/published_systems.hpp"
#include "reproductions/variational/linear_methods.hpp"

namespace alembert::reproductions::variational {
namespace linear_case_test {

LinearCase frame(double step, Eigen::Index samples) {
  return {.system = frame_8dof(),
          .outputs = all_displacements(frame_8dof()),
          .step = step,
          .samples = samples,
          .spacing = 0.05};
}

TEST(SimulateCase, DoesNotDependOnTheBaseStepWhenKnotsFallOnSamples) {
  LinearCase coarse = frame(0.01, 300);
  LinearCase fine = coarse;
  fine.base_step = 0.0025;
  const SimulatedCase a = simulate_case(coarse, RandomStream(3));
  const SimulatedCase b = simulate_case(fine, RandomStream(3));
  // The last knot lies at or after the end of either record, so that all knots agree; then both
  // splines are the same function and the propagation is exact: rounding of 1200 steps is left.
  const double scale = a.data[0].output.cwiseAbs().maxCoeff();
  EXPECT_LE((a.data[0].input - b.data[0].input).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LE((a.data[0].output - b.data[0].output).cwiseAbs().maxCoeff(), 1e-10 * scale);
}

TEST(SimulateCase, AddsNoiseOfTheAskedRatio) {
  LinearCase linear = frame(0.01, 4000);
  const SimulatedCase clean = simulate_case(linear, RandomStream(4));
  linear.snr_db = 20.0;
  const SimulatedCase noisy = simulate_case(linear, RandomStream(4));
  const Eigen::MatrixXd noise = noisy.data[0].output - clean.data[0].output;
  for (Eigen::Index i = 0; i < 8; ++i) {
    const double ratio = clean.data[0].output.col(i).squaredNorm() / noise.col(i).squaredNorm();
    // The sample variance of 4000 normal numbers scatters by √(2/4000) = 2.2 %; 5 standard
    // deviations are 0.5 dB.
    EXPECT_NEAR(10.0 * std::log10(ratio), 20.0, 0.5);
    EXPECT_NEAR(noise.col(i).norm() / std::sqrt(4000.0) / noisy.noise[i], 1.0, 0.06);
  }
}

TEST(SimulateCase, HoldsBinaryForcesForTheClock) {
  LinearCase linear = frame(0.01, 200);
  linear.force = ForceKind::Binary;
  linear.spacing = 0.05;
  const Eigen::MatrixXd u = simulate_case(linear, RandomStream(5)).data[0].input;
  EXPECT_TRUE((u.array().abs() == 1.0).all());
  for (Eigen::Index k = 1; k < u.rows(); ++k) {
    if (k % 5 != 0) {
      EXPECT_EQ(u.row(k), u.row(k - 1)) << "sample " << k;
    }
  }
  EXPECT_GT((u.array() > 0.0).count(), u.size() / 4);
  EXPECT_LT((u.array() > 0.0).count(), 3 * u.size() / 4);
}

TEST(RelativeDeviations, CountEntriesOffTheDiagonalTwice) {
  identify::Matrices truth;
  truth.M = truth.D = truth.K = Eigen::MatrixXd::Identity(2, 2);
  Eigen::VectorXd variances = Eigen::VectorXd::Zero(9);
  variances.segment(3, 3) << 1.0, 4.0, 2.0;  // D11, D21, D22
  const Eigen::Vector3d deviations = relative_deviations(variances.asDiagonal(), truth);
  EXPECT_EQ(deviations[0], 0.0);
  EXPECT_NEAR(deviations[1], std::sqrt(1.0 + 2.0 * 4.0 + 2.0) / std::sqrt(2.0), 1e-15);
  EXPECT_EQ(deviations[2], 0.0);
}

TEST(Summary, LeavesOutRunsWithoutAnEstimate) {
  Estimate good;
  good.matrices = identify::Matrices{};
  good.errors = {0.3, 0.6, 0.9};
  good.iterations = 4;
  Estimate better = good;
  better.errors = {0.1, 0.2, 0.3};
  better.iterations = 8;
  const MethodSummary result = summary({good, Estimate{}, better});
  EXPECT_EQ(result.failed, 1);
  EXPECT_NEAR(result.mean[0], 0.2, 1e-15);
  EXPECT_NEAR(result.rms[1], std::sqrt((0.36 + 0.04) / 2.0), 1e-15);
  EXPECT_EQ(result.mean_iterations, 6.0);
  EXPECT_EQ(result.most_iterations, 8.0);
}

}  // namespace linear_case_test
}  // namespace alembert::reproductions::variational
