#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "support/result_file.hpp"

namespace alembert::study {
namespace describe_simulate_test {

using document::ResultTree;

SimulateResult run(const std::string& text) {
  const LoadedStudy loaded = load_study_text(text, "described.toml");
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  const Machines machines;
  return run_simulate(*loaded.as<SimulateStudy>(), machines, {.threads = 1});
}

const std::string kOneMass = R"([model]
mass = 2.0
stiffness = 50.0
damping = 4.0
[simulate]
step = 0.01
samples = 200
experiments = 2
hold = "zero"
[simulate.inputs]
u1 = { kind = "steps", times = [0.0], levels = [10.0] }
[simulate.sensors]
y = { measures = "displacement", at = "q1", sigma = 0.01, rate = 50.0 }
)";

void expect_file_is_the_tree(const SimulateResult& result) {
  const test::TemporaryFolder folder;
  write_simulate_result(result, folder.path());
  EXPECT_TRUE(test::result_file_has(folder.path(), describe(result)));
}

// ω = √(k/m) = 5 rad/s, ζ = d / (2 √(k m)) = 0.2; the pole is -ζω + i ω √(1 - ζ²).
TEST(DescribedSimulate, HasTheModesOfALinearSystem) {
  const ResultTree tree = describe(run(kOneMass));
  EXPECT_NEAR(tree.number("model/modes/0/frequency_hz"), 5.0 / (2.0 * std::numbers::pi),
              16 * test::kEps);
  EXPECT_NEAR(tree.number("model/modes/0/damping_ratio"), 0.2, 16 * test::kEps);
  EXPECT_NEAR(tree.number("model/modes/0/decay_rate"), 1.0, 64 * test::kEps);
  EXPECT_NEAR(tree.number("model/modes/0/damped_frequency"), 5.0 * std::sqrt(0.96),
              64 * test::kEps);
  EXPECT_FALSE(tree.at("model/modes/0/decay_rate").in_file());
  EXPECT_EQ(tree.text("model/mass/verdict"), "positive definite");
  EXPECT_EQ(tree.text("simulation/hold"), "zero");
}

// A step at time 0 is 10 all the time; the sensor takes every second of 200 samples, twice.
TEST(DescribedSimulate, SumsUpInputsAndSensors) {
  const SimulateResult result = run(kOneMass);
  const ResultTree tree = describe(result);
  EXPECT_EQ(tree.number("inputs/0/rms"), 10.0);
  EXPECT_EQ(tree.number("inputs/0/smallest"), 10.0);
  EXPECT_EQ(tree.text("inputs/0/settings"), "to 10 at 0 s");
  EXPECT_EQ(tree.at("sensors/0/measures").words(), "displacement of q1");
  EXPECT_EQ(tree.text("sensors/0/settings"), "50 Hz");
  EXPECT_EQ(tree.at("sensors/0/samples").integer(), 200);
  EXPECT_EQ(tree.at("sensors/0/missing").integer(), 200);
  EXPECT_EQ(tree.at("sensors/0/snr_asked").kind(), ResultTree::Kind::Null);
  EXPECT_EQ(tree.at("experiments").entries().size(), 2U);
  EXPECT_EQ(tree.number("experiments/1/sensors/0/snr_db"),
            *result.experiments[1].sensors[0].snr_db);
  expect_file_is_the_tree(result);
}

TEST(DescribedSimulate, HasStatesAndParametersOfEquations) {
  const SimulateResult result = run(R"([model]
equations = "x'' = (u - c*x' - k*x)/2.0"
[simulate]
step = 0.01
samples = 50
engine = "interpreter"
parameters = { k = 50.0, c = 1.5 }
inputs.u = { kind = "steps", times = [0.0], levels = [1.0] }
sensors.x = {}
)");
  const ResultTree tree = describe(result);
  EXPECT_EQ(tree.text("model/states/1"), "x'");
  EXPECT_EQ(tree.number("model/parameters/0/value"), 50.0);
  EXPECT_EQ(tree.find("observability"), nullptr);
  EXPECT_EQ(tree.at("sensors/0/measures").words(), "x");
  expect_file_is_the_tree(result);
}

TEST(DescribedSimulate, HasTheMotionOfAMechanism) {
  const LoadedStudy loaded =
      load_study(test::project_folder() / "studies/slider-crank/simulate.toml");
  const Machines machines;
  const SimulateResult result = run_simulate(*loaded.as<SimulateStudy>(), machines);
  const ResultTree tree = describe(result);
  EXPECT_EQ(tree.text("model/coordinates/0/name"), "angle(crank)");
  EXPECT_EQ(tree.text("simulation/method"), "prescribed");
  // Tables have what the sensors see; the file has the sentences alone.
  EXPECT_FALSE(tree.at("observability").in_file());
  EXPECT_EQ(tree.number("observability/position_sensors/lowest_rank"), 1.0);
  EXPECT_EQ(tree.at("model/seen").entries().size(), result.seen->words.size());
  expect_file_is_the_tree(result);
}

}  // namespace describe_simulate_test
}  // namespace alembert::study
