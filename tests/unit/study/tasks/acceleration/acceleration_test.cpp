#include "alembert/study/acceleration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "alembert/core/random.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "support/result_file.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace acceleration_test {

using identify::Choice;
using identify::RecordFault;
using testing::HasSubstr;

const std::string kStudy = R"toml(title = "Decay"
[data]
file = "record.csv"
acceleration = "acc"
[model]
equations = "x'' + a*x' + b*x = 0"
[identify]
method = "acceleration"
engine = "interpreter"
)toml";

constexpr double kStep = 0.005;
constexpr double kOmega = 6.0;
constexpr double kRatio = 0.003;

// Acceleration of x'' + 2ζω x' + ω² x = 0: the same equation with another phase.
double acceleration_at(double t) {
  const double damped = kOmega * std::sqrt(1.0 - kRatio * kRatio);
  return 3.0 * std::exp(-kRatio * kOmega * t) * std::cos(damped * t + 0.4);
}

class AccelerationStudyTest : public testing::Test {
 protected:
  void SetUp() override { write("record.csv", "m/s2", 1.0, 1); }

  void write(const std::string& name, const std::string& unit, double factor, std::uint64_t seed,
             int count = 1500) {
    RandomStream random(seed);
    std::string text = "t [s],acc [" + unit + "],half [N/kg]\n";
    for (int k = 0; k < count; ++k) {
      const double t = kStep * k;
      const double value = factor * (acceleration_at(t) + 1e-3 * random.normal());
      text +=
          std::to_string(t) + "," + std::to_string(value) + "," + std::to_string(0.0 * t) + "\n";
    }
    (void)folder.write(name, text);
  }

  LoadedStudy loaded(const std::vector<std::string>& changes, const std::string& text = kStudy) {
    return load_study_text(text, folder.path() / "study.toml", test::changed(changes));
  }

  std::string problem(const std::vector<std::string>& changes, const std::string& text = kStudy) {
    const LoadedStudy found = loaded(changes, text);
    return found.problems.empty() ? "" : to_string(found.problems.front());
  }

  AccelerationOutcome run(const std::vector<std::string>& changes,
                          const std::string& text = kStudy) {
    const LoadedStudy found = loaded(changes, text);
    if (!found.problems.empty()) raise(found.problems.front());
    return run_acceleration(*found.as<AccelerationStudy>());
  }

  test::TemporaryFolder folder;
};

TEST_F(AccelerationStudyTest, FindsStiffnessAndDamping) {
  const AccelerationOutcome result = run({"truth.b=36.0"});
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_TRUE(result.warnings.empty()) << result.warnings.front();
  const identify::RecordFit& record = result.records.front();
  const identify::RefinedEquation& refined = *record.refined;
  const double truth[] = {2.0 * kRatio * kOmega, kOmega * kOmega};
  for (Eigen::Index k = 0; k < 2; ++k) {
    EXPECT_NEAR(refined.parameters(k), truth[k], 4.0 * refined.deviations(k));
    EXPECT_NEAR(record.regression.parameters(k), truth[k], 5.0 * record.regression.deviations(k));
  }
  // Both classical tests of a linear oscillator see 2ζω, displacement and acceleration alike.
  EXPECT_NEAR(record.decrement.rate, truth[0], 5.0 * record.decrement.rate_deviation);
  EXPECT_NEAR(record.displacement_decrement.rate, truth[0], 0.01 * truth[0]);
  // x(0) = -A cos(0.4 + 2 acos(-ζ)...)/ω² up to the damping of 0.3 %.
  EXPECT_NEAR(refined.x0, -acceleration_at(0.0) / 36.0, 0.01 * 3.0 / 36.0);
  EXPECT_EQ(record.motion.displacement.size(), 1500);
  EXPECT_NEAR(record.joined_displacement(700), record.motion.displacement(700), 1e-3 * 3.0 / 36.0);
  ASSERT_FALSE(record.equivalents.empty());
  EXPECT_NEAR(record.equivalents.front().stiffness, 36.0, 0.02);
}

TEST_F(AccelerationStudyTest, ReadsEveryKey) {
  const LoadedStudy found = loaded(
      {"identify.window=3.0", "identify.shift=0.25", "identify.spline=quintic",
       "identify.smoothing=1e-9", "identify.every=2", "identify.offset=always",
       "identify.drift=true", "identify.cycle=1.05", "identify.refine=false",
       "identify.prediction-part=0.6", "identify.parameters.a={ guess = 0.04, fixed = true }"});
  ASSERT_TRUE(found.problems.empty()) << to_string(found.problems.front());
  const AccelerationStudy& study = *found.as<AccelerationStudy>();
  EXPECT_EQ(study.options.regression.windows.length, 3.0);
  EXPECT_EQ(study.options.regression.windows.shift, 0.25);
  EXPECT_EQ(study.options.regression.reconstruction.spline, identify::AccelerationSpline::Quintic);
  EXPECT_EQ(study.options.regression.reconstruction.smoothing, Choice::Always);
  EXPECT_EQ(study.options.regression.reconstruction.lambda, 1e-9);
  EXPECT_EQ(study.options.regression.reconstruction.every, 2);
  EXPECT_EQ(study.options.regression.reconstruction.cycle, 1.05);
  EXPECT_EQ(study.options.regression.fit.offset, Choice::Always);
  EXPECT_TRUE(study.options.regression.fit.drift);
  EXPECT_FALSE(study.options.refine);
  EXPECT_EQ(study.options.prediction_part, 0.6);
  ASSERT_EQ(study.options.parameters.size(), 1U);
  EXPECT_TRUE(study.options.parameters[0].fixed);
  EXPECT_EQ(loaded({"identify.solution=fixed-point"})
                .as<AccelerationStudy>()
                ->options.regression.fit.method,
            identify::RegressionMethod::FixedPoint);
}

TEST_F(AccelerationStudyTest, AFixedParameterStays) {
  const AccelerationOutcome result = run({"identify.parameters.a={ guess = 0.04, fixed = true }"});
  EXPECT_EQ(result.records.front().regression.parameters(0), 0.04);
  EXPECT_EQ(result.records.front().refined->parameters(0), 0.04);
}

TEST_F(AccelerationStudyTest, ConvertsUnitsAndAsks) {
  write("record.csv", "g", 1.0 / 9.80665, 1);
  const AccelerationOutcome result = run({"data.amplitude=0.083"});
  EXPECT_NEAR(result.study.columns.front().factor, 9.80665, 1e-9);
  EXPECT_NEAR(result.records.front().diagnosis.cycles.amplitude, 3.0, 0.1);
  EXPECT_FALSE(result.records.front().diagnosis.has(RecordFault::Unit));
  const AccelerationOutcome wrong = run({"data.amplitude=0.083", "data.unit=m/s2"});
  EXPECT_TRUE(wrong.records.front().diagnosis.has(RecordFault::Unit));
  EXPECT_THAT(wrong.warnings, testing::Contains(HasSubstr("is the acceleration in g?")));
}

TEST_F(AccelerationStudyTest, CutsTheRecord) {
  const AccelerationStudy study = *loaded({"data.from=1.0", "data.to=4.0"}).as<AccelerationStudy>();
  EXPECT_EQ(study.records.front().samples(), 601);
  EXPECT_NEAR(study.records.front().start_time, 1.0, 1e-12);
  EXPECT_THAT(problem({"data.from=7.48"}), HasSubstr("at least 8 are needed"));
}

TEST_F(AccelerationStudyTest, EndsBelowOneCycle) {
  const AccelerationOutcome result = run({"data.to=0.7"});
  EXPECT_EQ(result.status, Status::NotIdentifiable);
  EXPECT_THAT(result.message, HasSubstr("less than one cycle"));
  EXPECT_FALSE(result.has_fit());
  write_acceleration_result(result, folder.path());
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "result.json"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "motion.csv"));
}

TEST_F(AccelerationStudyTest, ComparesEquations) {
  const AccelerationOutcome result =
      run({"identify.compare.undamped=\"x'' + b*x = 0\"",
           "identify.compare.cubic=\"x'' + a*x' + b*x + c*x^3 = 0\""});
  ASSERT_TRUE(result.comparison.has_value());
  const std::vector<identify::EquationScore>& scores = result.comparison->scores;
  ASSERT_EQ(scores.size(), 3U);
  EXPECT_EQ(scores[0].name, "model");
  EXPECT_GT(scores[1].bic_difference, 100.0);
  EXPECT_GT(scores[1].prediction_error, 5.0 * scores[0].prediction_error);
  // The cubic term is not there: BIC takes ln n for it and gives back χ² with one degree.
  EXPECT_GT(scores[2].bic_difference, 0.0);
  EXPECT_NEAR(scores[0].weight + scores[1].weight + scores[2].weight, 1.0, 1e-12);
  EXPECT_EQ(result.comparison->by_bic.front(), 0);
}

TEST_F(AccelerationStudyTest, JudgesRepeatedRecords) {
  const std::string text = [&] {
    std::string changed = kStudy;
    const std::string one = "file = \"record.csv\"";
    return changed.replace(changed.find(one), one.size(),
                           "files = [\"1.csv\", \"2.csv\", \"3.csv\"]");
  }();
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    write(std::to_string(seed) + ".csv", "m/s2", 1.0, 10 + seed);
  }
  const AccelerationOutcome result = run({}, text);
  ASSERT_EQ(result.repeated_refinement.size(), 2U);
  for (const identify::RepeatedParameter& one : result.repeated_refinement) {
    EXPECT_TRUE(one.consistent) << one.name;
    EXPECT_EQ(one.freedom, 2);
  }
  write_acceleration_result(result, folder.path());
  std::ifstream file(folder.path() / "result.json");
  const nlohmann::json json = nlohmann::json::parse(file);
  EXPECT_EQ(json["repeatability"]["refined"].size(), 2U);
  EXPECT_EQ(json["records"].size(), 3U);
  EXPECT_TRUE(std::filesystem::exists(folder.path() /
                                      json["records"][2]["motion"]["file"].get<std::string>()));
}

TEST_F(AccelerationStudyTest, FitsTheStaticTest) {
  const AccelerationOutcome result =
      run({"identify.static.points=[[-0.02, -1.0], [-0.01, -0.5], [0, 0.01], [0.01, 0.5], "
           "[0.02, 1.0], [0.03, 1.5]]",
           "identify.static.mass=2.0"});
  ASSERT_TRUE(result.static_curve.has_value());
  EXPECT_NEAR(result.static_curve->line.coefficients(1), 50.0, 0.3);
  EXPECT_FALSE(result.static_curve->cubic_better);
  // Mass 2 kg times b = 36.
  ASSERT_EQ(result.equation_force.size(), 6);
  EXPECT_NEAR(result.equation_force(0), -0.02 * 72.0, 1e-3);
  EXPECT_THAT(problem({"identify.static.points=[[0, 0], [1, 1]]"}),
              HasSubstr("identify.static.points: number of different displacements"));
  EXPECT_THAT(problem({"identify.static.points=[[0, 0, 1]]"}),
              HasSubstr("must have rows of displacement and force"));
}

TEST_F(AccelerationStudyTest, TheDescriptionIsWhatTheFileHolds) {
  const AccelerationOutcome result =
      run({"truth.b=36.0", "identify.compare.undamped=\"x'' + b*x = 0\"",
           "identify.static.points=[[-0.02, -1.0], [-0.01, -0.5], [0, 0.01], [0.01, 0.5], "
           "[0.02, 1.0], [0.03, 1.5]]"});
  const document::ResultTree tree = describe(result);
  const document::ResultTree& stiffness = tree.at("records/0/parameters/1");
  EXPECT_EQ(stiffness.text("name"), "b");
  EXPECT_EQ(stiffness.number("refined/value"), result.records[0].refined->parameters(1));
  EXPECT_EQ(stiffness.number("truth"), 36.0);
  EXPECT_LT(std::abs(stiffness.number("refined/error_in_deviations")), 4.0);
  EXPECT_EQ(tree.find("records/0/parameters/0/truth"), nullptr);
  EXPECT_EQ(tree.at("records/0/diagnosis/findings").words(), "none");
  // Amplitude 3 m/s², less the decay over the record, and noise of 1e-3 m/s² rms.
  EXPECT_NEAR(tree.number("records/0/diagnosis/snr_db"), 20.0 * std::log10(3e3 / std::sqrt(2.0)),
              1.5);
  EXPECT_EQ(tree.text("comparison/1/name"), "undamped");
  // Without the mass the static test tells the stiffness itself.
  const std::vector<document::ResultTree>& classical = tree.at("classical").entries();
  EXPECT_EQ(classical.back().text("unit"), "N/m³");
  write_acceleration_result(result, folder.path());
  EXPECT_TRUE(test::result_file_has(folder.path(), tree));
}

TEST_F(AccelerationStudyTest, NamesThePlaceOfAProblem) {
  EXPECT_THAT(problem({},
                      "[data]\nfile = \"record.csv\"\nacceleration = \"acx\"\n[model]\n"
                      "equations = \"x'' + b*x = 0\"\n[identify]\nmethod = "
                      "\"acceleration\"\n"),
              testing::AllOf(HasSubstr("study.toml:3:16"), HasSubstr("has no column \"acx\"")));
  EXPECT_THAT(problem({},
                      "[data]\nfile = \"record.csv\"\nacceleration = \"acc\"\n[model]\n"
                      "equations = \"x'' + b*(x = 0\"\n[identify]\nmethod = "
                      "\"acceleration\"\n"),
              HasSubstr("study.toml:5:"));
  EXPECT_THAT(problem({"identify.parameters.q=1.0"}),
              HasSubstr("the equation has no parameter \"q\""));
  EXPECT_THAT(problem({"truth.q=1.0"}), HasSubstr("truth.q"));
  EXPECT_THAT(problem({"model.equations=\"x'' + b*sin(k*x) = 0\""}),
              HasSubstr("must give a guess of \"k\""));
  EXPECT_THAT(problem({"identify.smoothing=sometimes"}), HasSubstr("automatic, never, always"));
  EXPECT_THAT(problem({"identify.offset=never", "identify.drift=true"}),
              HasSubstr("identify.drift"));
  EXPECT_THAT(problem({"identify.windw=1.0"}), HasSubstr("did you mean \"window\"?"));
  EXPECT_THAT(problem({"data.inputs={ F = \"half\" }"}),
              HasSubstr("the equation does not use \"F\""));
  EXPECT_THAT(problem({"data.unit=mm"}), HasSubstr("does not convert to m/s2"));
}

TEST_F(AccelerationStudyTest, TakesKnownForces) {
  const AccelerationOutcome result =
      run({"data.inputs={ F = \"half\" }", "model.equations=\"x'' + a*x' + b*x = F\""});
  ASSERT_TRUE(result.ok()) << result.message;
  EXPECT_NEAR(result.records.front().refined->parameters(1), 36.0, 0.02);
}

}  // namespace acceleration_test
}  // namespace alembert::study
