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
namespace equation_validation_test {

using testing::HasSubstr;

// y' = a (b u - y), z' = y with an input held over samples of 0.1 s, in closed form.
class LagRecord {
 public:
  LagRecord(double y0, double z0, int samples, double noise, std::uint64_t seed)
      : random_(seed), normal_(0.0, noise) {
    double y = y0;
    double z = z0;
    for (int k = 0; k < samples; ++k) {
      const double u = (k / 25) % 2 == 0 ? 1.0 : -0.5;
      text_ += fmt_row(k, u, y + normal_(random_), z + normal_(random_));
      const double decay = std::exp(-kA * 0.1);
      z += kB * u * 0.1 + (y - kB * u) * (1.0 - decay) / kA;
      y = kB * u + (y - kB * u) * decay;
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }

  static constexpr double kA = 0.8;
  static constexpr double kB = 2.0;

 private:
  static std::string fmt_row(int k, double u, double y, double z) {
    return std::to_string(0.1 * k) + "," + std::to_string(u) + "," + std::to_string(y) + "," +
           std::to_string(z) + "\n";
  }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::string text_ = "t [s],u [V],y [mm],z [mm]\n";
};

const std::string kStudy = R"(title = "Lag"
[data]
file = "used.csv"
inputs = { u = "u" }
outputs = { y = "y", z = "z" }
[data.validation]
file = "held.csv"
[model]
equations = """
  y' = a*(b*u - y)
  z' = y
"""
[identify]
method = "output-error"
engine = "interpreter"
parameters.a = { guess = 1.0, lower = 0.0 }
parameters.b = 1.0
)";

constexpr double kNoise = 0.01;

class HeldBackData : public testing::Test {
 protected:
  void SetUp() override {
    (void)folder.write("used.csv", LagRecord(0.0, 0.0, 300, kNoise, 1).text());
    // Held-back data that do not begin at the start of the model.
    (void)folder.write("held.csv", LagRecord(0.7, -0.4, 200, kNoise, 2).text());
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
    return loaded.problems.empty() ? "" : loaded.problems.front().message;
  }

  test::TemporaryFolder folder;
};

TEST_F(HeldBackData, StartOfTheModelIsWrongWhereTheDataBeginElsewhere) {
  const OutputErrorOutcome found = outcome();
  EXPECT_EQ(found.study.options.validation.start, identify::ValidationStart::Model);
  // The offset of z stays and is -0.4 + 0.7/a in the end.
  EXPECT_GT(found.validation->prediction.rms(1), 0.3);
  EXPECT_TRUE(found.validation->starts.empty());
}

TEST_F(HeldBackData, AnEstimatedStartIsThatOfTheRecord) {
  const OutputErrorOutcome found =
      outcome({"data.validation.start=estimate", "data.validation.start-samples=40"});
  ASSERT_EQ(found.validation->starts.size(), 1U);
  const Eigen::VectorXd& start = found.validation->starts.front();
  // 40 samples with this noise: the deviation of y(0) is below kNoise, that of z(0) below kNoise/3.
  EXPECT_NEAR(start(0), 0.7, 3.0 * kNoise);
  EXPECT_NEAR(start(1), -0.4, 3.0 * kNoise);
  // 4 deviations of the rms of 200 samples, and what the start is off.
  for (Eigen::Index i = 0; i < 2; ++i) {
    EXPECT_NEAR(found.validation->prediction.rms(i), kNoise, 0.35 * kNoise);
  }
  EXPECT_THAT(found.warnings, testing::IsEmpty());
}

// One sample tells where, not how fast.
TEST_F(HeldBackData, TooFewSamplesForAStartWarn) {
  const OutputErrorOutcome found =
      outcome({"data.outputs={z=\"z\"}", "data.validation.start=estimate",
               "data.validation.start-samples=1"});
  EXPECT_THAT(found.warnings, testing::Contains(HasSubstr("raise data.validation.start-samples")));
}

// A gap at the beginning must not cost the whole run.
TEST_F(HeldBackData, AGapWhereTheStartWouldBeEstimatedWarns) {
  std::string text = "t [s],u [V],y [mm],z [mm]\n";
  for (int k = 0; k < 30; ++k) text += std::to_string(0.1 * k) + ",1,,\n";
  for (int k = 30; k < 60; ++k) text += std::to_string(0.1 * k) + ",1,2,4\n";
  (void)folder.write("gap.csv", text);
  const OutputErrorOutcome found =
      outcome({"data.validation={file=\"gap.csv\", start=\"estimate\", start-samples=25}"});
  EXPECT_TRUE(found.ok()) << found.message;
  EXPECT_THAT(found.warnings, testing::Contains(HasSubstr("first 25 samples")));
}

TEST_F(HeldBackData, WithoutStatesNoStartIsEstimated) {
  EXPECT_THAT(problem({"model.equations=\"y = a*u + b\"", "data.outputs={y=\"y\"}",
                       "data.validation.start=estimate"}),
              HasSubstr("needs a model with states"));
}

// An output with a file of its own belongs to one record.
TEST_F(HeldBackData, OwnFilesOfOutputsAreNotTakenAgain) {
  (void)folder.write("y.csv", LagRecord(0.0, 0.0, 300, kNoise, 1).text());
  const std::string outputs = "data.outputs={y={column=\"y\", file=\"y.csv\"}, z=\"z\"}";
  EXPECT_THAT(problem({outputs}), HasSubstr("y has a file of its own"));
  EXPECT_EQ(problem({outputs, "data.validation={fraction=0.3}"}), "");
}

TEST_F(HeldBackData, ToleranceOfZeroIsRefused) {
  EXPECT_THAT(problem({"identify.integrator=dormand-prince", "identify.absolute-tolerance=0.0"}),
              HasSubstr("must be above 0"));
}

// Names of our own making do not meet those of the study.
TEST_F(HeldBackData, AnyNameIsFreeForTheStudy) {
  const OutputErrorOutcome found =
      outcome({"data.validation.start=estimate", "model.start={y=\"start_1\"}",
               "identify.parameters={a=1.0, b=1.0, start_1=0.0}"});
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_NEAR(found.validation->starts.front()(0), 0.7, 5.0 * kNoise);
}

TEST_F(HeldBackData, StartFromDataIsTheFirstSample) {
  const OutputErrorOutcome found = outcome({"data.validation.start=data"});
  const Eigen::MatrixXd& measured = found.study.validation.experiments.front().output;
  EXPECT_EQ(found.validation->starts.front(), measured.row(0).transpose());
  // The noise of the first sample of z, a few kNoise, stays as an offset.
  EXPECT_LT(found.validation->prediction.rms(1), 4.0 * kNoise);
  // Not all states are outputs: the other keeps the start of the model, and so its error.
  const OutputErrorOutcome one = outcome({"data.validation.start=data", "data.outputs={z=\"z\"}",
                                          "data.validation.file=\"held.csv\""});
  EXPECT_EQ(one.validation->starts.front()(0), 0.0);
  EXPECT_NE(one.validation->starts.front()(1), 0.0);
}

TEST_F(HeldBackData, ScoresLeaveOutWhatIsSkipped) {
  const OutputErrorOutcome whole = outcome({"data.outputs={y=\"y\"}"});
  const OutputErrorOutcome late = outcome({"data.outputs={y=\"y\"}", "data.validation.skip=100"});
  // After 10 s the wrong start has decayed by exp(-8): noise is left.
  EXPECT_GT(whole.validation->prediction.rms(0), 5.0 * kNoise);
  EXPECT_NEAR(late.validation->prediction.rms(0), kNoise, 0.35 * kNoise);
  EXPECT_EQ(late.validation->outputs[0].rms, late.validation->prediction.rms(0));
  // The simulation itself is whole, as it is written.
  EXPECT_EQ(late.validation->prediction.outputs[0], whole.validation->prediction.outputs[0]);
  EXPECT_FALSE(late.validation->prediction.residuals[0].array().isNaN().any());
}

TEST_F(HeldBackData, TheLastPartGoesOnFromTheDataUsed) {
  const OutputErrorOutcome found = outcome({"data.validation={fraction=0.4}"});
  EXPECT_EQ(found.study.options.validation.start, identify::ValidationStart::Continue);
  EXPECT_EQ(found.study.data.samples(), 180);
  EXPECT_EQ(found.study.validation.samples(), 120);
  EXPECT_DOUBLE_EQ(found.study.validation.sources.front().start_time, 18.0);
  ASSERT_EQ(found.validation->prediction.outputs.front().rows(), 120);
  EXPECT_NEAR(found.validation->prediction.rms(0), kNoise, 0.35 * kNoise);
  EXPECT_NEAR(found.validation->prediction.rms(1), kNoise, 0.8 * kNoise);
  // The parameters are those of the first part alone: 180 rows and the header.
  const std::string all = LagRecord(0.0, 0.0, 300, kNoise, 1).text();
  std::size_t end = 0;
  for (int line = 0; line < 181; ++line) end = all.find('\n', end) + 1;
  (void)folder.write("short.csv", all.substr(0, end));
  const OutputErrorOutcome alone =
      outcome({"data.file=\"short.csv\"", "data.validation={file=\"held.csv\"}"});
  EXPECT_EQ(alone.study.data.samples(), 180);
  EXPECT_EQ(alone.estimate.parameters, found.estimate.parameters);
  const OutputErrorOutcome restarted = outcome({"data.validation={fraction=0.4, start=\"model\"}"});
  EXPECT_EQ(restarted.estimate.parameters, found.estimate.parameters);
  EXPECT_GT(restarted.validation->prediction.rms(1), 10.0 * kNoise);
}

// Held-back data in their steady state, found by going round until it stays.
TEST_F(HeldBackData, SteadyStatesAreFound) {
  double y = 0.0;
  const auto input = [](int k) { return k < 20 ? 1.0 : -0.6; };
  const double decay = std::exp(-LagRecord::kA * 0.1);
  std::string text;
  for (int period = 0; period < 40; ++period) {
    text = "t,u,y\n";
    for (int k = 0; k < 50; ++k) {
      text +=
          std::to_string(0.1 * k) + "," + std::to_string(input(k)) + "," + std::to_string(y) + "\n";
      y = LagRecord::kB * input(k) + (y - LagRecord::kB * input(k)) * decay;
    }
  }
  (void)folder.write("held.csv", text);
  const OutputErrorOutcome found =
      outcome({"data.outputs={y=\"y\"}", "model.equations=\"y' = a*(b*u - y)\"",
               "data.validation.start=periodic"});
  // What the estimate is off: deviations below 1 % of outputs of size 2.
  EXPECT_LT(found.validation->prediction.rms(0), 0.02);
  const OutputErrorOutcome rest =
      outcome({"data.outputs={y=\"y\"}", "model.equations=\"y' = a*(b*u - y)\""});
  EXPECT_GT(rest.validation->prediction.rms(0), 0.1);
}

TEST_F(HeldBackData, DetrendIsThatOfTheLinearMethods) {
  const LoadedStudy loaded = load({"data.detrend=mean"});
  ASSERT_TRUE(loaded.problems.empty()) << loaded.problems.front().message;
  const identify::Experiment& used = loaded.as<OutputErrorStudy>()->data.experiments.front();
  // Rounding of 300 summands of size 1 and 20.
  EXPECT_NEAR(used.input.mean(), 0.0, 1e-13);
  EXPECT_NEAR(used.output.col(1).mean(), 0.0, 1e-11);
}

TEST_F(HeldBackData, StartsThatCannotBeAreNamed) {
  EXPECT_THAT(problem({"data.validation.start=continue"}),
              HasSubstr("is for data.validation.frac"));
  EXPECT_THAT(problem({"data.validation.start=estimat"}),
              HasSubstr("data.validation.start must be one of"));
  EXPECT_THAT(problem({"data.validation.start-samples=5", "data.validation.start=data"}),
              HasSubstr("start-samples is for start = \"estimate\""));
  EXPECT_THAT(problem({"data.validation.start-samples=5"}), HasSubstr("needs the key \"start\""));
  EXPECT_THAT(problem({"data.validation.skip=199"}), HasSubstr("must leave two samples or more"));
  EXPECT_THAT(problem({"data.validation={fraction=0.001}"}), HasSubstr("must leave 2 samples"));
  EXPECT_THAT(problem({"data.validation={fraction=0.2}", "identify.start=periodic"}),
              HasSubstr("data.validation.fraction cuts the records"));
  EXPECT_THAT(problem({"data.validation={fraction=0.2, file=\"held.csv\"}"}),
              HasSubstr("takes only one of the keys"));
  EXPECT_THAT(problem({"data.outputs={w=\"y\"}", "data.validation.start=data",
                       "model.equations=\"y' = a*(b*u - y)\\nw = 2*y\""}),
              HasSubstr("needs an output that is a state; the states are y, the outputs w"));
}

// An output in a file of its own with every fourth sample.
TEST_F(HeldBackData, OutputsMayHaveFilesAndRatesOfTheirOwn) {
  std::string slow = "t [s],z [m]\n";
  const std::string fast = LagRecord(0.0, 0.0, 300, kNoise, 1).text();
  std::size_t at = fast.find('\n') + 1;
  for (int k = 0; k < 300; ++k) {
    const std::size_t end = fast.find('\n', at);
    const std::string row = fast.substr(at, end - at);
    // From mm to m, as the unit of the column says.
    const double z = std::stod(row.substr(row.rfind(',') + 1)) / 1000.0;
    if (k % 4 == 0) slow += std::to_string(0.1 * k) + "," + std::to_string(z) + "\n";
    at = end + 1;
  }
  (void)folder.write("slow.csv", slow);
  const std::vector<std::string> changes = {
      "data.outputs={y=\"y\", z={file=\"slow.csv\"}}", "data.validation={fraction=0.2}",
      "model.units={z=\"mm\", y=\"mm/s\", a=\"1/s\", u=\"V\"}"};
  EXPECT_THAT(problem(changes), HasSubstr("is in mm, which does not convert to mm/s"));
  const std::vector<std::string> without_units(changes.begin(), changes.begin() + 2);
  const OutputErrorOutcome found = outcome(without_units);
  ASSERT_TRUE(found.ok()) << found.message;
  const Eigen::MatrixXd& output = found.study.data.experiments.front().output;
  ASSERT_EQ(output.rows(), 240);
  for (Eigen::Index k = 0; k < output.rows(); ++k) {
    EXPECT_EQ(std::isnan(output(k, 1)), k % 4 != 0) << k;
    EXPECT_FALSE(std::isnan(output(k, 0)));
  }
}

TEST_F(HeldBackData, TimesOffTheSamplesOfTheInputsAreRefused) {
  const std::vector<std::string> changes = {"data.outputs={y=\"y\", z={file=\"slow.csv\"}}",
                                            "data.validation={fraction=0.2}"};
  (void)folder.write("slow.csv", "t,z\n0,0\n0.4,0.1\n0.85,0.2\n1.2,0.3\n");
  EXPECT_THAT(
      problem(changes),
      HasSubstr("sample 3 of slow.csv is at 0.85 s, where the inputs have none; the nearest "
                "before it is at 0.8 s, their step 0.1 s"));
  (void)folder.write("slow.csv", "t,z\n0,0\n29.9,0.1\n30,0.2\n");
  EXPECT_THAT(problem(changes), HasSubstr("sample 3 of slow.csv is at 30 s"));
  (void)folder.write("slow.csv", "t,w\n0,0\n0.1,0.1\n");
  EXPECT_THAT(problem(changes), HasSubstr("slow.csv has no column \"z\""));
  EXPECT_THAT(problem({"data.outputs={z={file=\"gone.csv\"}}", "data.validation={fraction=0.2}"}),
              HasSubstr("file \"gone.csv\" not found"));
}

// Empty cells are missing samples.
TEST_F(HeldBackData, EmptyCellsAreMissing) {
  std::string text = LagRecord(0.0, 0.0, 300, kNoise, 1).text();
  std::size_t line = 0;
  std::string holes;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    std::string row = text.substr(at, end - at);
    if (line > 0 && line % 3 != 1) row = row.substr(0, row.rfind(',') + 1);
    holes += row + "\n";
    at = end + 1;
    ++line;
  }
  (void)folder.write("used.csv", holes);
  const OutputErrorOutcome found = outcome({"data.validation.start=estimate"});
  ASSERT_TRUE(found.ok()) << found.message;
  EXPECT_EQ(identify::measured_samples(found.study.data.experiments), 300 + 100);
  EXPECT_NEAR(found.estimate.parameters(0), LagRecord::kA,
              4.0 * found.estimate.statistics.deviations(0));
}

}  // namespace equation_validation_test
}  // namespace alembert::study
