#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "alembert/core/error.hpp"
#include "alembert/optimize/student.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace equation_profile_test {

using testing::HasSubstr;

// Linear in p and q: the profile is a parabola, and both kinds of interval are the same.
const std::string kLine = R"([data]
file = "line.csv"
outputs = { y = "y" }
[model]
equations = "x' = p\ny = x + q"
[identify]
method = "output-error"
engine = "interpreter"
parameters = { p = 1.0, q = 0.5 }
profile = true
)";

// A decay that is over after a few samples: the rate is bounded from below much better than above.
const std::string kDecay = R"([data]
file = "decay.csv"
outputs = { x = "x" }
[model]
equations = "x' = -a*x"
start = { x = 1.0 }
[identify]
method = "output-error"
engine = "interpreter"
substeps = 20
parameters.a = { guess = 2.0, lower = 0.01 }
profile = ["a"]
)";

class EquationProfile : public testing::Test {
 protected:
  void SetUp() override {
    std::mt19937_64 random(5);
    std::normal_distribution<double> normal(0.0, 0.1);
    std::string line = "t,y,z\n";
    std::string decay = "t,x\n";
    for (int k = 0; k < 60; ++k) {
      const double t = 0.1 * k;
      line += std::to_string(t) + "," + std::to_string(0.8 * t + 0.3 + normal(random)) + "," +
              std::to_string(8.0 * t + 20.0 * normal(random)) + "\n";
      decay += std::to_string(t) + "," + std::to_string(std::exp(-3.0 * t) + normal(random)) + "\n";
    }
    (void)folder.write("line.csv", line);
    (void)folder.write("decay.csv", decay);
  }

  OutputErrorOutcome outcome(const std::string& text,
                             const std::vector<std::string>& changes = {}) const {
    const LoadedStudy loaded =
        load_study_text(text, folder.path() / "study.toml", test::changed(changes));
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    return run_output_error(*loaded.as<OutputErrorStudy>());
  }

  test::TemporaryFolder folder;
};

TEST_F(EquationProfile, OfALinearModelIsThatOfTheStandardDeviation) {
  // With a second, noisier output the weights must stay those of the estimate.
  const std::vector<std::vector<std::string>> cases = {
      {}, {"data.outputs={y=\"y\", z=\"z\"}", "model.equations=\"x' = p\\ny = x + q\\nz = 10*x\""}};
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const OutputErrorOutcome found = outcome(kLine, cases[k]);
    ASSERT_TRUE(found.ok()) << found.message;
    ASSERT_EQ(found.profiles.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      const identify::ParameterVerdict verdict = parameter_verdict(found, i);
      const optimize::ProfileInterval& interval = found.profiles[i].interval;
      const double half = optimize::student_quantile(0.975, verdict.freedom) * verdict.deviation;
      // The ends are searched to 1e-3 of half the width.
      EXPECT_NEAR(interval.lower, verdict.value - half, 2e-3 * half);
      EXPECT_NEAR(interval.upper, verdict.value + half, 2e-3 * half);
      EXPECT_FALSE(interval.lower_open || interval.upper_open);
    }
  }
}

// One parameter: the cost can be scanned.
TEST_F(EquationProfile, OfADecayIsWhereTheCostCrossesTheLimit) {
  const OutputErrorOutcome found = outcome(kDecay);
  ASSERT_EQ(found.profiles.size(), 1U);
  const identify::ParameterProfile& profile = found.profiles.front();
  const auto cost = [&](double a) {
    double sum = 0.0;
    const Eigen::MatrixXd& x = found.study.data.experiments.front().output;
    for (Eigen::Index k = 0; k < x.rows(); ++k) {
      sum += std::pow(x(k, 0) - std::exp(-a * 0.1 * static_cast<double>(k)), 2);
    }
    return sum;
  };
  const double width = profile.interval.upper - profile.interval.lower;
  for (const double end : {profile.interval.lower, profile.interval.upper}) {
    const double inside = end < found.estimate.parameters(0) ? 0.01 * width : -0.01 * width;
    EXPECT_LT(cost(end + inside), profile.limit);
    EXPECT_GT(cost(end - inside), profile.limit);
  }
  // Not symmetric: that is why one asks for it.
  const double centre = found.estimate.parameters(0);
  EXPECT_GT(profile.interval.upper - centre, 1.05 * (centre - profile.interval.lower));
}

TEST_F(EquationProfile, IsTheSameForAnyThreadsAndStandsInTheResult) {
  const LoadedStudy loaded = load_study_text(kLine, folder.path() / "study.toml");
  const OutputErrorOutcome one = run_output_error(*loaded.as<OutputErrorStudy>(), {.threads = 1});
  const OutputErrorOutcome two = run_output_error(*loaded.as<OutputErrorStudy>(), {.threads = 2});
  ASSERT_EQ(one.profiles.size(), two.profiles.size());
  for (std::size_t i = 0; i < one.profiles.size(); ++i) {
    EXPECT_EQ(one.profiles[i].interval.lower, two.profiles[i].interval.lower);
    EXPECT_EQ(one.profiles[i].interval.upper, two.profiles[i].interval.upper);
  }
  write_output_error_result(one, folder.path());
  std::ifstream stream(folder.path() / "result.json");
  const nlohmann::json json = nlohmann::json::parse(stream);
  EXPECT_EQ(json["profiles"][1]["name"], "q");
  EXPECT_EQ(json["profiles"][1]["lower"], one.profiles[1].interval.lower);
  EXPECT_GT(json["profiles"][1]["curve"].size(), 4U);
}

TEST_F(EquationProfile, OpenEndsWarn) {
  const OutputErrorOutcome found =
      outcome(kDecay, {"identify.parameters.a={guess=2.0, upper=3.2}"});
  EXPECT_TRUE(found.profiles.front().interval.upper_open);
  EXPECT_EQ(found.profiles.front().interval.upper, 3.2);
}

TEST_F(EquationProfile, AStopKeepsTheEstimate) {
  const LoadedStudy loaded = load_study_text(kLine, folder.path() / "study.toml");
  StopFlag stop;
  RunOptions options{.threads = 1, .stop = &stop};
  // The first profile is finished, the second one not begun.
  options.on_progress = [&](std::size_t, std::size_t) { stop.request(); };
  const OutputErrorOutcome found = run_output_error(*loaded.as<OutputErrorStudy>(), options);
  EXPECT_EQ(found.status, Status::Stopped);
  EXPECT_THAT(found.message, HasSubstr("the estimate is complete"));
  EXPECT_TRUE(found.estimate.ok());
  EXPECT_TRUE(found.profiles.empty());
}

TEST_F(EquationProfile, NamesMustBeThoseOfFreeParameters) {
  const auto problem = [&](const std::string& change) {
    const LoadedStudy loaded =
        load_study_text(kLine, folder.path() / "study.toml", test::changed({change}));
    return loaded.problems.empty() ? "" : loaded.problems.front().message;
  };
  EXPECT_THAT(problem("identify.profile=[\"r\"]"),
              HasSubstr("must name free parameters, got \"r\""));
  EXPECT_THAT(problem("identify.profile=[\"p\", \"p\"]"), HasSubstr("got \"p\" twice"));
  EXPECT_THAT(problem("identify.profile=3"), HasSubstr("identify.profile must be"));
  EXPECT_EQ(problem("identify.profile=false"), "");
}

}  // namespace equation_profile_test
}  // namespace alembert::study
