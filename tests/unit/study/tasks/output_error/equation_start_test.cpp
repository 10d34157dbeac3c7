#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "alembert/core/error.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace equation_start_test {

using testing::HasSubstr;

constexpr double kNoise = 0.01;

// y' = -a y from another start in each file, with noise and times that scatter by 5 % of a step.
std::string decay(double start, double noise, std::uint64_t seed, double jitter = 0.0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, 1.0);
  std::uniform_real_distribution<double> off(-jitter, jitter);
  std::string text = "t [s],y\n";
  for (int k = 0; k < 200; ++k) {
    const double t = 0.05 * k;
    text += std::to_string(t + 0.05 * off(random)) + "," +
            std::to_string(start * std::exp(-0.7 * t) + noise * normal(random)) + "\n";
  }
  return text;
}

const std::string kStudy = R"(title = "Decays"
[data]
files = ["one.csv", "two.csv", "three.csv"]
outputs = { y = "y" }
[data.validation]
file = "held.csv"
[model]
equations = "y' = -a*y"
[identify]
method = "output-error"
engine = "interpreter"
start = "free"
parameters.a = 1.5
)";

class EquationStarts : public testing::Test {
 protected:
  void SetUp() override {
    (void)folder.write("one.csv", decay(1.0, kNoise, 1));
    (void)folder.write("two.csv", decay(-2.0, kNoise, 2));
    (void)folder.write("three.csv", decay(0.5, kNoise, 3));
    (void)folder.write("held.csv", decay(1.7, kNoise, 4));
    (void)folder.write("uneven.csv", decay(1.0, kNoise, 5, 0.05));
  }
  LoadedStudy load(const std::vector<std::string>& changes) const {
    return load_study_text(kStudy, folder.path() / "study.toml", test::changed(changes));
  }
  OutputErrorOutcome outcome(const std::vector<std::string>& changes = {}) const {
    const LoadedStudy loaded = load(changes);
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    return run_output_error(*loaded.as<OutputErrorStudy>());
  }
  std::string problem(const std::vector<std::string>& changes) const {
    const LoadedStudy loaded = load(changes);
    return loaded.problems.empty() ? "" : to_string(loaded.problems.front());
  }

  test::TemporaryFolder folder;
};

TEST_F(EquationStarts, FreeInEveryExperiment) {
  const OutputErrorOutcome found = outcome();
  ASSERT_TRUE(found.ok()) << found.message;
  const double deviation = found.parameter("a").deviation;
  EXPECT_NEAR(found.estimate.parameters(0), 0.7, 5.0 * deviation);
  EXPECT_LT(deviation, 0.01);
  const document::ResultTree tree = describe(found);
  const double truth[] = {1.0, -2.0, 0.5};
  for (std::size_t e = 0; e < 3; ++e) {
    const document::ResultTree& one = tree.at("experiments").entries()[e];
    const double start = one.at("start_state").entries().front().number();
    const double known = one.at("start_deviation").entries().front().number();
    EXPECT_NEAR(start, truth[e], 5.0 * known) << e;
    EXPECT_LT(known, kNoise) << e;
  }
  // Held-back data have a start of their own, fitted to ten samples for each state.
  EXPECT_EQ(found.study.options.validation.start, identify::ValidationStart::Estimate);
  EXPECT_NEAR(found.validation->prediction.rms(0), kNoise, 0.35 * kNoise);
}

TEST_F(EquationStarts, ListsAreThoseOfTheExperiments) {
  const OutputErrorOutcome found =
      outcome({"identify.start=model", "model.start={y=[1.0, -2.0, 0.5]}"});
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_EQ(found.estimate.prediction.starts, Eigen::RowVector3d(1.0, -2.0, 0.5));
  EXPECT_NEAR(found.estimate.parameters(0), 0.7, 5.0 * found.parameter("a").deviation);
  EXPECT_EQ(found.study.options.validation.start, identify::ValidationStart::Estimate);
  EXPECT_THAT(problem({"identify.start=model", "model.start={y=[1.0, -2.0]}"}),
              HasSubstr("must hold a number for each of 3 experiments, got 2"));
  EXPECT_THAT(problem({"identify.start=model", "model.start={y=[1.0, -2.0, 0.5]}",
                       "data.validation.start=model"}),
              HasSubstr("lists of model.start are those of the data used"));
  EXPECT_THAT(problem({"model.start={z=[1.0, -2.0, 0.5]}"}), HasSubstr("has a start value, but"));
}

TEST_F(EquationStarts, DataAreTheFirstSamples) {
  const OutputErrorOutcome found = outcome({"identify.start=data"});
  EXPECT_EQ(found.estimate.prediction.starts(0, 1), found.study.data.experiments[1].output(0, 0));
  EXPECT_EQ(found.study.options.validation.start, identify::ValidationStart::Data);
  EXPECT_THAT(problem({"identify.start=data", "model.equations=\"z' = -a*z\\ny = 2*z\""}),
              HasSubstr("needs an output that is a state"));
}

TEST_F(EquationStarts, WhatHasNoPartIsRefused) {
  EXPECT_THAT(
      problem({"identify.parameters={a=1.0, y0=1.0}", "model.start={y=\"y0\"}"}),
      HasSubstr("stands in model.start alone, which identify.start = \"free\" does not use"));
  EXPECT_THAT(problem({"model.equations=\"y = a*t\""}), HasSubstr("needs a model with states"));
  EXPECT_THAT(problem({"data.validation.start=free", "data.validation.start-samples=20"}),
              HasSubstr("is for start = \"estimate\""));
}

// What [data] does to the records before they are fitted.
TEST_F(EquationStarts, RecordsAreCutFilteredAndThinned) {
  const OutputErrorOutcome found =
      outcome({"data.from=1.0", "data.to=8.0", "data.every=2", "data.filter={below=2.0}"});
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_EQ(found.study.data.experiments[0].samples(), 71);
  EXPECT_NEAR(found.study.data.experiments[0].step, 0.1, 1e-12);
  EXPECT_NEAR(found.study.data.experiments[0].start_time, 1.0, 1e-9);
  // Of 10 Hz of noise 2 are left, 0.45 of its rms. The deviation allows for its colour.
  EXPECT_LT(found.estimate.prediction.rms(0), 0.6 * kNoise);
  EXPECT_NEAR(found.estimate.parameters(0), 0.7, 5.0 * found.parameter("a").deviation);
  EXPECT_THAT(problem({"data.from=20.0"}), HasSubstr("has 0 samples between 20 s"));
  EXPECT_THAT(problem({"data.filter={below=50.0}"}), HasSubstr("must be below half the rate"));
  EXPECT_THAT(problem({"data.filter={order=2}"}), HasSubstr("above"));
}

TEST_F(EquationStarts, UnevenTimesAreTakenAsEvenWhereThatIsAllowed) {
  const std::string file = "data.files=[\"uneven.csv\"]";
  EXPECT_THAT(problem({file}), HasSubstr("of a step off an even grid; data.jitter ="));
  const OutputErrorOutcome found = outcome({file, "data.jitter=0.1"});
  EXPECT_THAT(found.study.notes, testing::Contains(HasSubstr("uneven.csv: times up to 0.05")));
  EXPECT_NEAR(found.estimate.parameters(0), 0.7, 5.0 * found.parameter("a").deviation);
  EXPECT_EQ(problem({file, "data.resample=0.05"}), "");
}

}  // namespace equation_start_test
}  // namespace alembert::study
