#include "alembert/update/update.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "alembert/core/error.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "unit/update/models.hpp"
#include "update/sequential/modal_residuals.hpp"

namespace alembert::update::update_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd values_of(const UpdateResult& result) {
  VectorXd values(static_cast<Index>(result.parameters.size()));
  for (Index j = 0; j < values.size(); ++j) {
    values(j) = result.parameters[static_cast<std::size_t>(j)].value;
  }
  return values;
}

// Spring constants 30 % off; small noise sigmas make the priors weigh nothing.
TEST(UpdateModel, RecoversTheTruthFromExactModes) {
  const ParametricModel model = test_models::chain(5);
  VectorXd truth = model.nominal();
  truth(0) *= 1.3;
  truth(2) *= 0.75;
  truth(5) *= 1.2;
  RandomStream random(2);
  const MeasuredModes exact = test_models::measured_at(model, truth, 5, 0.0, 0.0, random);
  const UpdateResult found =
      update_model(model, exact, {.frequency_sigma = 1e-7, .shape_sigma = 1e-7});
  ASSERT_TRUE(found.ok()) << found.message;
  // The priors pull by (1e-7/0.2)² or so.
  EXPECT_TRUE(test::matrices_near(values_of(found), truth, {.rel = 1e-6}));
  EXPECT_LT(found.updated_error, 1e-8);
  EXPECT_GT(found.nominal_error, 0.01);
  for (const UpdatedParameter& one : found.parameters) EXPECT_LT(one.prior_share, 1e-6);
}

// Central differences of the residuals, at a place that is not the truth.
TEST(UpdateModel, SlopesOfItsResidualsAreThoseOfDifferences) {
  const ParametricModel model = test_models::chain(6);
  VectorXd truth = model.nominal();
  truth(1) *= 1.4;
  RandomStream random(3);
  const MeasuredModes measured = test_models::measured_at(model, truth, 4, 0.01, 0.02, random);
  const DenseModel dense = dense_model(model, measured, {});
  const UpdateOptions options;
  const std::vector<Pair> pairs = {{0, 0, 1.0}, {1, 1, 1.0}, {2, 2, 1.0}, {3, 3, 1.0}};
  const double shift = 10.0;
  const ModalProblem problem(dense, measured, options, pairs, shift, 6);
  const VectorXd p = model.nominal();
  const DenseModes modes = lowest_dense_modes(dense.stiffness(p), dense.mass(p), shift, 6);
  const FollowedModes before{modes.eigenvalue.head(4), modes.shapes.leftCols(4)};
  const auto here = problem.at(p, before, true);
  ASSERT_TRUE(here.has_value());
  for (Index j = 0; j < model.count(); ++j) {
    VectorXd up = p;
    VectorXd down = p;
    const double step = 1e-5 * p(j);
    up(j) += step;
    down(j) -= step;
    const VectorXd slope =
        (problem.at(up, before, false)->r - problem.at(down, before, false)->r) / (2.0 * step);
    // Truncation 1e-10, rounding of residuals of 1e2 over steps: 1e-14 * 1e2/1e-5.
    EXPECT_TRUE(test::matrices_near(here->J.col(j), slope,
                                    {.abs = 1e-5 * (slope.cwiseAbs().maxCoeff() + 1e-3)}))
        << j;
  }
}

// 200 draws of truth from the priors and of noise: 95 % intervals hold the truth.
TEST(UpdateModel, IntervalsCover) {
  const ParametricModel model = test_models::chain(5, 0.1);
  RandomStream random(4);
  int inside = 0;
  int count = 0;
  for (int draw = 0; draw < 200; ++draw) {
    VectorXd truth = model.nominal();
    for (Index j = 0; j < truth.size(); ++j) truth(j) *= 1.0 + 0.1 * random.normal();
    const MeasuredModes measured = test_models::measured_at(model, truth, 3, 0.005, 0.03, random);
    const UpdateResult found = update_model(model, measured, {.leave_one_out = false});
    ASSERT_TRUE(found.ok()) << found.message;
    for (Index j = 0; j < truth.size(); ++j) {
      const UpdatedParameter& one = found.parameters[static_cast<std::size_t>(j)];
      inside += std::abs(one.value - truth(j)) <= 1.96 * one.deviation ? 1 : 0;
      ++count;
    }
  }
  // 1200 intervals that share draws, six each: 95 % with a deviation of 0.63 % if they were
  // independent, 1.6 % if six were one. Deviations are never made smaller by luck, so above too.
  EXPECT_GT(inside, static_cast<int>(0.91 * count));
  EXPECT_LT(inside, static_cast<int>(0.99 * count));
}

// 300 masses, springs in three groups and the tip as parameters, six sensors.
ParametricModel long_chain() {
  constexpr Index kMasses = 300;
  ParametricModel made;
  made.M = unit_masses(kMasses, {});
  made.M.setIdentity();
  made.K = 1e-9 * made.M;
  for (Index group = 0; group < 3; ++group) {
    model::SparseMatrix dK = unit_masses(kMasses, {});
    for (Index i = 100 * group; i < 100 * (group + 1); ++i) {
      dK += i == 0 ? unit_ground_springs(kMasses, {0}) : unit_spring(kMasses, i - 1, i);
    }
    made.K += 1e6 * dK;
    add_parameter(made,
                  {.name = "group " + std::to_string(group + 1),
                   .nominal = 1e6,
                   .lower = 3e5,
                   .upper = 3e6,
                   .sigma = 4e5},
                  dK);
  }
  add_parameter(made, {.name = "tip", .nominal = 0.0, .lower = 0.0, .upper = 50.0, .sigma = 10.0},
                {}, unit_masses(kMasses, {kMasses - 1}));
  return made;
}

// The same from a basis of modes and slopes, made anew where it drifts, as from all rows.
TEST(UpdateModel, ReducedFindsTheSame) {
  const ParametricModel model = long_chain();
  const VectorXd truth = Eigen::Vector4d(1.6e6, 7e5, 1.1e6, 15.0);
  RandomStream random(6);
  MeasuredModes measured = test_models::measured_at(model, truth, 4, 0.002, 0.0, random);
  const std::vector<Index> places = {49, 99, 149, 199, 249, 299};
  const MatrixXd shapes = measured.shapes(places, Eigen::all);
  measured.shapes = shapes;
  measured.sensors.resize(6, 300);
  for (Index s = 0; s < 6; ++s)
    measured.sensors.insert(s, places[static_cast<std::size_t>(s)]) = 1.0;
  const UpdateOptions options{.leave_one_out = false, .reduce_above = 1000};
  const UpdateResult whole = update_model(model, measured, options);
  const UpdateResult small =
      update_model(model, measured, {.leave_one_out = false, .reduce_above = 20, .drift = 1e-8});
  ASSERT_TRUE(whole.ok()) << whole.message;
  ASSERT_TRUE(small.ok()) << small.message;
  EXPECT_EQ(whole.basis, 0);
  EXPECT_GT(small.basis, 0);
  EXPECT_LT(small.basis, 150);
  EXPECT_GT(small.refreshes, 0);  // the truth is far from the nominal values
  EXPECT_LE(small.drift, 1e-8);
  // The drift allowed is 1e-5 of the noise of frequencies.
  for (std::size_t j = 0; j < whole.parameters.size(); ++j) {
    EXPECT_NEAR(small.parameters[j].value, whole.parameters[j].value,
                1e-3 * whole.parameters[j].deviation);
  }
}

// A square frame of two equal masses has two equal frequencies; stiffening one side parts them.
TEST(UpdateModel, PartsRepeatedFrequencies) {
  ParametricModel model;
  model.M = unit_masses(2, {0, 1});
  model.K = 100.0 * unit_ground_springs(2, {0, 1});
  add_parameter(model, {.name = "x", .nominal = 100.0, .sigma = 30.0}, unit_ground_springs(2, {0}));
  add_parameter(model, {.name = "y", .nominal = 100.0, .sigma = 30.0}, unit_ground_springs(2, {1}));
  MeasuredModes measured;
  measured.frequency_hz =
      Eigen::Vector2d(std::sqrt(90.0), std::sqrt(120.0)) / (2.0 * 3.14159265358979323846);
  // The lower one is along y: the nominal modes do not say which is which.
  measured.shapes = (MatrixXd(2, 2) << 0.0, 1.0, 1.0, 0.0).finished();
  measured.sensors = unit_masses(2, {0, 1});
  const UpdateResult found =
      update_model(model, measured, {.frequency_sigma = 1e-6, .leave_one_out = false});
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_NEAR(found.parameters[0].value, 120.0, 1e-3);  // the prior pulls by (1e-6)² of it
  EXPECT_NEAR(found.parameters[1].value, 90.0, 1e-3);
}

// Frequencies alone cannot tell a mass from a spring of the same oscillator.
TEST(UpdateModel, NamesWhatCannotBeToldApart) {
  ParametricModel model;
  model.M = unit_masses(1, {0});
  model.K = 100.0 * unit_ground_springs(1, {0});
  add_parameter(model, {.name = "k", .nominal = 100.0, .sigma = 10.0}, unit_ground_springs(1, {0}));
  add_parameter(model, {.name = "m", .nominal = 1.0, .sigma = 0.1}, {}, unit_masses(1, {0}));
  MeasuredModes measured;
  measured.frequency_hz = VectorXd::Constant(1, 10.5 / (2.0 * 3.14159265358979323846));
  const UpdateResult found = update_model(model, measured);
  ASSERT_EQ(found.indistinct.size(), 1U);
  EXPECT_NEAR(found.indistinct[0].cosine, -1.0, 1e-9);
  EXPECT_EQ(found.verdict.level, TrustLevel::Caution);
  // Two priors and one number: shares sum to 2 - S/(1 + S), S = (0.05/0.005)² for each, 200.
  EXPECT_NEAR(found.parameters[0].prior_share + found.parameters[1].prior_share, 1.005, 0.001);
  EXPECT_FALSE(found.prior_directions.empty());
}

TEST(UpdateModel, RefusesMoreParametersWithoutPriorThanData) {
  ParametricModel model = test_models::chain(5);
  for (ModelParameter& one : model.parameters) {
    one.sigma = std::numeric_limits<double>::infinity();
  }
  RandomStream random(1);
  MeasuredModes measured = test_models::measured_at(model, model.nominal(), 3, 0.0, 0.0, random);
  measured.shapes.resize(0, 0);
  EXPECT_THAT(test::message_of([&] { (void)update_model(model, measured); }),
              testing::HasSubstr("parameters without prior must not be more than the 3 numbers"));
}

TEST(UpdateModel, SaysThatNothingPairs) {
  const ParametricModel model = test_models::chain(4);
  MeasuredModes measured;
  measured.frequency_hz = Eigen::Vector2d(500.0, 900.0);
  const UpdateResult found = update_model(model, measured);
  EXPECT_EQ(found.status, Status::NotIdentifiable);
  EXPECT_EQ(found.verdict.level, TrustLevel::Bad);
  EXPECT_EQ(found.unpaired.size(), 2U);
}

// A model that lacks what the measured structure has must not look good.
TEST(UpdateModel, DoesNotCallAWrongModelGood) {
  ParametricModel model = test_models::chain(5, 0.05);
  ParametricModel other = model;
  other.K += 100.0 * unit_ground_springs(5, {4});  // a support that the model does not have
  RandomStream random(9);
  const MeasuredModes measured =
      test_models::measured_at(other, other.nominal(), 4, 0.001, 0.01, random);
  const UpdateResult found =
      update_model(model, measured, {.frequency_sigma = 0.001, .shape_sigma = 0.01});
  EXPECT_NE(found.verdict.level, TrustLevel::Good);
  EXPECT_GT(found.noise_scale, 2.0);
}

}  // namespace alembert::update::update_test
