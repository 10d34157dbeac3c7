#include "alembert/identify/variational.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/identify/subspace/subspace_data.hpp"

namespace alembert::identify {
namespace variational_test {

using test::relative_error;
using testing::HasSubstr;

// Data of the midpoint rule itself: the start is the truth for both inputs, also for a force
// distribution that is not the identity and for several experiments.
TEST(VariationalStart, IsExactForDataOfTheMidpointRule) {
  std::mt19937_64 engine(1);
  RandomStream random(2);
  for (const Eigen::Index n : {1, 3}) {
    const model::SecondOrder truth = test::random_system(n, n, engine);
    Experiments data;
    for (const Eigen::Index samples : {700, 500}) {
      const Eigen::MatrixXd u = test::normal_matrix(samples, n, random);
      const Eigen::VectorXd q0 = random.normal_vector(n);
      data.push_back(
          {u,
           integrate::simulate(truth, u, 0.1, q0, q0, {.method = integrate::Method::Variational})
               .displacement,
           0.1});
    }
    for (const auto input : {VariationalInput::DiscreteForce, VariationalInput::Samples}) {
      const VariationalStart found =
          variational_start(data, truth.L, {.input = input, .subspace = {.horizon = 8}});
      ASSERT_TRUE(found.ok()) << found.message;
      // Rounding, amplified by the subspace step: its own tests allow 1e-7, and K is a difference
      // of terms M/h.
      EXPECT_LT(relative_error(found.matrices.M, truth.M), 1e-6);
      EXPECT_LT(relative_error(found.matrices.D, truth.D), 1e-5);
      EXPECT_LT(relative_error(found.matrices.K, truth.K), 1e-6);
      EXPECT_LT(found.asymmetry, 1e-6);
      EXPECT_GT(found.companion_condition, 1.0);
      EXPECT_EQ(found.subspace.order, 2 * n);
    }
  }
}

// 8 degrees of freedom, 10 ms, 20 dB, MOESP with i = 40: an independent study found mean errors
// .0245/.112/.0229 for white samples; single runs scatter by about a third.
TEST(VariationalStart, HasTheErrorsOfTheReferenceStudy) {
  const model::SecondOrder truth = test::frame_8dof();
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const std::uint64_t seed : {41, 42}) {
    const VariationalStart found =
        variational_start({test::frame_record(0.01, 0.0, 3300, 20.0, seed)}, truth.L,
                          {.subspace = {.horizon = 40, .innovation = false}});
    ASSERT_FALSE(found.status == Status::NotIdentifiable) << found.message;
    mean += 0.5 * Eigen::Vector3d(relative_error(found.matrices.M, truth.M),
                                  relative_error(found.matrices.D, truth.D),
                                  relative_error(found.matrices.K, truth.K));
  }
  EXPECT_LT(mean(0), 1.5 * 0.0245);
  EXPECT_LT(mean(1), 1.5 * 0.112);
  EXPECT_LT(mean(2), 1.5 * 0.0229);
  EXPECT_GT(mean(0), 0.8 * 0.0115);
}

// The discrete force has no power at half the sampling rate, so that future inputs nearly predict
// past ones. The oblique projection must not take up the noise of those directions: an independent
// program (NumPy) has the errors .026/.185/.021 with N4SID as with MOESP, and 4.6/526/12 with the
// plain oblique projection, whatever the tolerance below 1e-3 is.
TEST(VariationalStart, N4sidStandsAnInputWithoutPowerInABand) {
  const model::SecondOrder truth = test::frame_8dof();
  const auto start = [&](SubspaceWeighting weighting) {
    return variational_start(
        {test::frame_record(0.01, 0.0, 2000, 20.0, 41)}, truth.L,
        {.subspace = {.weighting = weighting, .horizon = 20, .innovation = false}});
  };
  const VariationalStart found = start(SubspaceWeighting::N4sid);
  // Twice the errors of the reference: single runs scatter by about a third.
  EXPECT_LT(relative_error(found.matrices.M, truth.M), 2.0 * 0.026);
  EXPECT_LT(relative_error(found.matrices.D, truth.D), 2.0 * 0.185);
  EXPECT_LT(relative_error(found.matrices.K, truth.K), 2.0 * 0.021);
  // The past has full rank: the same observability matrix as MOESP, up to rounding of a triangle
  // with a condition of 1e3.
  const VariationalStart same = start(SubspaceWeighting::Moesp);
  EXPECT_LT(relative_error(found.matrices.D, same.matrices.D), 1e-6);
}

TEST(VariationalStart, RejectsBadInput) {
  std::mt19937_64 engine(3);
  RandomStream random(4);
  const Experiments data{
      {test::normal_matrix(300, 2, random), test::normal_matrix(300, 2, random), 0.1}};
  const auto message = [&](const Eigen::MatrixXd& L, const VariationalStartOptions& options = {}) {
    return test::message_of([&] { (void)variational_start(data, L, options); });
  };
  EXPECT_THAT(message(Eigen::MatrixXd::Ones(2, 2)), HasSubstr("L must be invertible"));
  EXPECT_THAT(message(Eigen::MatrixXd::Identity(3, 3)), HasSubstr("variational_start: L"));
  EXPECT_THAT(message(Eigen::MatrixXd::Identity(2, 2), {.subspace = {.stride = 2}}),
              HasSubstr("stride"));
  EXPECT_THAT(message(Eigen::MatrixXd::Identity(2, 2), {.subspace = {.horizon = 100}}),
              HasSubstr("too short"));
}

}  // namespace variational_test
}  // namespace alembert::identify
