#include "identify/mechanism/exact_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/identify/mechanism/arms.hpp"

namespace alembert::identify::exact_run_test {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using model::EngineKind;

/// A mechanism under forces, with some of its numbers as parameters.
struct Case {
  model::planar::MechanismDescription description;
  std::vector<std::string> names;
  VectorXd z, zd;
  MatrixXd columns;
};

constexpr double kStep = 0.01;
constexpr Index kSamples = 60;

MatrixXd waves(Index forces) {
  MatrixXd columns(kSamples, forces);
  for (Index k = 0; k < kSamples; ++k) {
    for (Index i = 0; i < forces; ++i) {
      columns(k, i) = 2.0 * std::sin(0.11 * static_cast<double>(k) + static_cast<double>(i));
    }
  }
  return columns;
}

Case arm() {
  Case made{arms::two_link(),
            {"upper.inertia", "lower.mass", "lower.centre.x", "s.damping", "e.coulomb",
             "elbow.gain", "second.offset"},
            VectorXd(2),
            VectorXd(2),
            waves(2)};
  made.z << -1.2, 0.4;
  made.zd << 0.3, -0.5;
  return made;
}

Case crank() {
  Case made{arms::slider_crank(),
            {"crank.inertia", "slider.mass", "guide.damping", "rod length"},
            VectorXd::Constant(1, 0.4),
            VectorXd::Constant(1, 3.0),
            waves(1)};
  made.description.parameters = {
      {.name = "rod length", .moves = {{.point = "rod.B", .direction = {1.0, 0.0}}}}};
  return made;
}

ExactStart start_of(const Case& one) {
  VectorXd numbers(static_cast<Index>(one.names.size()));
  for (std::size_t i = 0; i < one.names.size(); ++i) {
    numbers(static_cast<Index>(i)) = mechanism_parameter(one.description, one.names[i]).value;
  }
  return {.numbers = numbers, .z = one.z, .zd = one.zd};
}

ExactRuns runs_of(const Case& one, EngineKind engine) {
  return {one.description, one.names, one.z,
          VectorXd::Zero(static_cast<Index>(one.description.parameters.size())), engine};
}

// The same steps of the same rule; what differs is the order of the sums, some thousand of them.
constexpr double kRounding = 1e-10;
// Central differences of 1e-5: their truncation is below 1e-9 of third derivatives up to 10, and
// rounding gives 1e-16/1e-5.
constexpr double kDifference = 2e-7;

void compare_with_mechanism(const Case& one, EngineKind engine) {
  const ExactRuns runs = runs_of(one, engine);
  const ExactStart start = start_of(one);
  std::vector<MatrixXd> slopes;
  const MechanismRun with = runs.run(start, one.columns, kStep, {.substeps = 3}, &slopes);
  const MechanismRun without = runs.run(start, one.columns, kStep, {.substeps = 3});
  const MechanismRun slow =
      run_mechanism(with_parameters(values_of(one.description), one.names, start.numbers), one.z,
                    one.zd, one.columns, kStep, {.substeps = 3});
  ASSERT_TRUE(with.ok()) << with.message;
  ASSERT_TRUE(slow.ok()) << slow.message;
  EXPECT_LT((with.readings - slow.readings).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_LT((without.readings - slow.readings).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_LT((with.path.zdd - slow.path.zdd).cwiseAbs().maxCoeff(), 1e3 * kRounding);
  ASSERT_EQ(slopes.size(), one.names.size() + static_cast<std::size_t>(2 * one.z.size()));
}

void compare_with_differences(const Case& one) {
  const ExactRuns runs = runs_of(one, EngineKind::Interpreter);
  const ExactStart start = start_of(one);
  std::vector<MatrixXd> slopes;
  (void)runs.run(start, one.columns, kStep, {.substeps = 2}, &slopes);
  const auto readings = [&](const ExactStart& at) {
    return runs.run(at, one.columns, kStep, {.substeps = 2}).readings;
  };
  const auto check = [&](const MatrixXd& slope, double& number, ExactStart& moved) {
    const double kept = number;
    const double d = 1e-5;
    number = kept + d;
    const MatrixXd above = readings(moved);
    number = kept - d;
    const MatrixXd below = readings(moved);
    number = kept;
    const MatrixXd difference = (above - below) / (2.0 * d);
    const double scale = 1.0 + difference.cwiseAbs().maxCoeff();
    EXPECT_GT(difference.cwiseAbs().maxCoeff(), 1e-6);
    EXPECT_LT((slope - difference).cwiseAbs().maxCoeff(), kDifference * scale);
  };
  ExactStart moved = start;
  std::size_t at = 0;
  for (double& number : moved.numbers) check(slopes[at++], number, moved);
  for (double& number : moved.z) check(slopes[at++], number, moved);
  for (double& number : moved.zd) check(slopes[at++], number, moved);
}

TEST(ExactRuns, ReadingsAreThoseOfTheMechanism) {
  for (const EngineKind engine : {EngineKind::Interpreter, EngineKind::Native}) {
    compare_with_mechanism(arm(), engine);
    compare_with_mechanism(crank(), engine);
  }
}

TEST(ExactRuns, SlopesAreThoseOfDifferences) {
  compare_with_differences(arm());
  compare_with_differences(crank());
}

TEST(ExactRuns, MassBelowZeroIsNoMechanism) {
  Case one = arm();
  ExactStart start = start_of(one);
  start.numbers(1) = -0.1;  // lower.mass
  EXPECT_THROW((void)runs_of(one, EngineKind::Interpreter).run(start, one.columns, kStep, {}),
               InvalidInput);
}

}  // namespace alembert::identify::exact_run_test
