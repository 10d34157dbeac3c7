#include "alembert/identify/linear.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "alembert/core/error.hpp"
#include "linear_cases.hpp"
#include "support/matrices_near.hpp"

namespace alembert::identify {
namespace linear_test {

using test::two_mass_records;
using test::two_masses;
using testing::HasSubstr;

// Error of each entry in its own standard deviations; 4 is exceeded once in 16,000 entries.
void expect_within_deviations(const LinearIdentification& fit) {
  const auto check = [](const Eigen::MatrixXd& value, const Eigen::MatrixXd& deviation,
                        const Eigen::MatrixXd& truth, const char* name) {
    for (Eigen::Index j = 0; j < truth.cols(); ++j) {
      for (Eigen::Index i = j; i < truth.rows(); ++i) {
        EXPECT_GT(deviation(i, j), 0.0) << name << i << j;
        EXPECT_NEAR(value(i, j), truth(i, j), 4.0 * deviation(i, j)) << name << i << j;
      }
    }
  };
  const model::SecondOrder truth = two_masses();
  ASSERT_TRUE(fit.has_system()) << fit.message;
  check(fit.refinement.system.M, fit.deviations.M, truth.M, "M");
  check(fit.refinement.system.D, fit.deviations.D, truth.D, "D");
  check(fit.refinement.system.K, fit.deviations.K, truth.K, "K");
}

std::string problem(const Experiments& data, const LinearOptions& options) {
  try {
    (void)identify_linear(data, options);
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.parts().function, "identify_linear") << error.what();
    return error.parts().argument + ": " + error.reason();
  }
  return "";
}

// [identify] from arrays: nothing but records and the number of coordinates.
TEST(IdentifyLinear, FindsTheTruthWithinItsDeviations) {
  const LinearIdentification fit = identify_linear(two_mass_records(), {.degrees_of_freedom = 2});
  EXPECT_TRUE(fit.ok()) << fit.message;
  EXPECT_EQ(fit.start.method, StartMethod::WeakForm);
  EXPECT_EQ(fit.names.outputs, (std::vector<std::string>{"y1", "y2"}));
  EXPECT_EQ(fit.modes.size(), 2U);
  EXPECT_TRUE(fit.definiteness.passive());
  EXPECT_TRUE(fit.warnings.empty());
  expect_within_deviations(fit);
}

// As many outputs as inputs and nothing said: they are the coordinates.
TEST(IdentifyLinear, NeedsNoOptionsWithASensorAndAForceEverywhere) {
  const LinearIdentification fit = identify_linear(two_mass_records());
  const LinearIdentification said = identify_linear(two_mass_records(), {.degrees_of_freedom = 2});
  EXPECT_EQ(fit.refinement.system.M, said.refinement.system.M);
  EXPECT_EQ(fit.problem.L, Eigen::Matrix2d::Identity());
}

TEST(IdentifyLinear, TakesAccelerationsOutOfOrder) {
  Experiments data = two_mass_records(12, model::Motion::Acceleration);
  data.front().output.col(0).swap(data.front().output.col(1));
  const LinearIdentification fit =
      identify_linear(data, {.outputs = test::sensed(2, {1, 0}, model::Motion::Acceleration)});
  EXPECT_TRUE(fit.ok()) << fit.message;
  expect_within_deviations(fit);
}

TEST(IdentifyLinear, FewerSensorsThanCoordinatesTakeAnotherStart) {
  Experiments data = two_mass_records();
  data.front().output = data.front().output.leftCols(1).eval();
  const LinearIdentification fit = identify_linear(data, {.outputs = test::sensed(2, {0})});
  EXPECT_TRUE(fit.ok()) << fit.message;
  EXPECT_EQ(fit.start.method, StartMethod::Partial);
  expect_within_deviations(fit);
}

// Records in mm and kN: the matrices are those of the new units, all else stays.
TEST(IdentifyLinear, UnitsChangeNothing) {
  const Experiments metres = two_mass_records();
  Experiments millimetres = metres;
  millimetres.front().output *= 1000.0;
  const LinearIdentification one = identify_linear(metres);
  const LinearIdentification other = identify_linear(millimetres);
  ASSERT_TRUE(one.ok() && other.ok());
  // The refinements end at a relative decrease of the cost of 1e-9, so that the estimates agree to
  // 3e-5 of a deviation, itself some 1e-2 of the matrix at most.
  EXPECT_TRUE(test::matrices_near(1000.0 * other.refinement.system.K, one.refinement.system.K,
                                  {.rel = 1e-6}));
  EXPECT_NEAR(other.modes[0].frequency_hz / one.modes[0].frequency_hz, 1.0, 1e-6);
  EXPECT_NEAR(other.outputs[0].fit, one.outputs[0].fit, 1e-4);
  EXPECT_EQ(other.warnings.size(), one.warnings.size());
}

TEST(IdentifyLinear, JudgesHeldBackData) {
  const Experiments held_back = two_mass_records(13);
  const LinearIdentification fit = identify_linear(two_mass_records(), held_back, {});
  ASSERT_TRUE(fit.validation);
  EXPECT_EQ(fit.records.held_back, 2000);
  for (std::size_t i = 0; i < 2; ++i) {
    // The rms of 2000 samples of noise scatters by 1/sqrt(4000) = 1.6 %, in both records; the noise
    // follows the rms of each, which differs by some percent more.
    EXPECT_NEAR(fit.validation->outputs[i].rms / fit.refinement.noise(static_cast<int>(i)), 1.0,
                0.25);
    EXPECT_GT(fit.validation->outputs[i].fit, 95.0);
  }
}

// Held-back data begin in the midst of a motion, also where the identification starts at rest.
// Statistics: the rms of 1500 samples of white noise scatters by 1/sqrt(3000) = 1.8 %; 10 % is five
// times that. Started at rest instead, the free motion of the first samples would stay in it.
TEST(IdentifyLinear, HeldBackDataMayBeginInMotion) {
  Experiments held_back = two_mass_records(13);
  Experiment& one = held_back.front();
  one.input = one.input.bottomRows(1500).eval();
  one.output = one.output.bottomRows(1500).eval();
  const LinearIdentification fit =
      identify_linear(two_mass_records(), held_back, {.refinement = {.free_start = false}});
  ASSERT_TRUE(fit.validation);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(fit.validation->outputs[i].rms / fit.refinement.noise(static_cast<int>(i)), 1.0,
                0.1);
  }
}

TEST(IdentifyLinear, ComparesMethodsAndTellsTheTruth) {
  const LinearIdentification fit = identify_linear(
      two_mass_records(),
      {.truth = matrices_of(two_masses()),
       .compare = {LinearMethod::WeakForm, LinearMethod::Subspace, LinearMethod::Companion,
                   LinearMethod::CompanionMidpoint, LinearMethod::Gauss}});
  ASSERT_EQ(fit.comparison.size(), 6U);
  EXPECT_EQ(fit.comparison[0].name, "weak-form + exact");
  EXPECT_EQ(fit.comparison[0].mass, 0.0);
  EXPECT_EQ(fit.comparison[4].name, "companion-midpoint");
  for (const ComparedMethod& row : fit.comparison) {
    ASSERT_TRUE(row.error) << row.name;
    // Nobody predicts better than the least-squares estimate, but for the few per mille that
    // degrees of freedom make in the noise.
    EXPECT_GT(row.residual, 0.99) << row.name;
  }
  ASSERT_TRUE(fit.error && fit.expected_error);
  EXPECT_LT((*fit.error)(2), 4.0 * (*fit.expected_error)(2));
}

TEST(IdentifyLinear, NominalModelOrNoRefinement) {
  const model::SecondOrder truth = two_masses();
  const Matrices near{1.1 * truth.M, truth.D, 0.9 * truth.K};
  const LinearIdentification fit =
      identify_linear(two_mass_records(), {.nominal = near, .start = StartMethod::Nominal});
  EXPECT_EQ(fit.start.words, "nominal model");
  expect_within_deviations(fit);
  const LinearIdentification rough = identify_linear(two_mass_records(), {.refine = false});
  EXPECT_EQ(rough.deviations.M.size(), 0);
  EXPECT_TRUE(std::isnan(rough.modes.front().frequency_deviation));
  // The weak form alone is within some percent.
  EXPECT_TRUE(test::matrices_near(rough.refinement.system.M, truth.M, {.abs = 0.1}));
}

TEST(IdentifyLinear, UselessRecordsEndWithTheirReason) {
  Experiments data = two_mass_records();
  data.front().output.col(1).setZero();
  const LinearIdentification fit = identify_linear(data, {.names = {.outputs = {"low", "top"}}});
  EXPECT_EQ(fit.status, Status::NotIdentifiable);
  EXPECT_THAT(fit.message, HasSubstr("top"));
  EXPECT_FALSE(fit.has_system());
}

// The second start after one that leads nowhere must take the gaps that the first one took.
TEST(IdentifyLinear, ASecondStartTakesMissingSamples) {
  Experiments data = two_mass_records();
  for (Experiment& one : data) one.output *= -1.0;  // matrices have to be made positive
  data.front().output(5, 0) = std::numeric_limits<double>::quiet_NaN();
  LinearIdentification fit;
  EXPECT_NO_THROW(fit = identify_linear(data, {}));
  EXPECT_NE(fit.verdict.level, TrustLevel::Good);
}

TEST(IdentifyLinear, BadInputNamesTheArgument) {
  const Experiments data = two_mass_records();
  EXPECT_THAT(problem({}, {}), HasSubstr("experiment"));
  EXPECT_THAT(problem(data, {.degrees_of_freedom = -1}), HasSubstr("degrees_of_freedom"));
  EXPECT_THAT(problem(data, {.degrees_of_freedom = 3}), HasSubstr("L: L must say which of the 3"));
  EXPECT_THAT(problem(data, {.L = Eigen::MatrixXd::Identity(3, 3)}), HasSubstr("L: L"));
  EXPECT_THAT(problem(data, {.outputs = test::sensed(2, {0})}), HasSubstr("outputs"));
  EXPECT_THAT(problem(data, {.nominal = Matrices{}}), HasSubstr("nominal.M"));
  EXPECT_THAT(problem(data, {.truth = Matrices{}}), HasSubstr("truth.M"));
  EXPECT_THAT(problem(data, {.names = {.outputs = {"one"}}}), HasSubstr("names.outputs"));
  EXPECT_THAT(problem(data, {.start = StartMethod::Nominal}),
              HasSubstr("start: start = \"model\" needs a nominal model"));
  EXPECT_THAT(problem(data, {.compare = {LinearMethod::Exact, LinearMethod::Exact}}),
              HasSubstr("compare: compare must hold different methods, got \"exact\" twice"));
  EXPECT_THAT(problem(data, {.refinement = {.weights = Eigen::VectorXd::Ones(1)}}),
              HasSubstr("weights"));
  Experiments gap = data;
  gap.front().input(3, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(problem(gap, {}), HasSubstr("missing"));
}

// Both coordinates are seen and one is driven, but not one that is seen.
TEST(IdentifyLinear, SaysWhichSensorLacks) {
  Experiments data = two_mass_records();
  data.front().input = data.front().input.leftCols(1).eval();
  data.front().output = data.front().output.rightCols(1).eval();
  EXPECT_THAT(problem(data, {.L = Eigen::Vector2d(1.0, 0.0), .outputs = test::sensed(2, {1})}),
              HasSubstr("cannot be found from these sensors and forces"));
}

TEST(RelativeDifferences, AreThoseOfTheFrobeniusNorm) {
  const Matrices one{Eigen::Matrix2d::Identity(), Eigen::Matrix2d::Identity(),
                     Eigen::Matrix2d::Identity()};
  const Matrices twice{2.0 * one.M, 3.0 * one.D, 0.5 * one.K};
  EXPECT_EQ(relative_differences(twice, one), Eigen::Vector3d(1.0, 2.0, 0.5));
}

}  // namespace linear_test
}  // namespace alembert::identify
