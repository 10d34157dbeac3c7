#include "alembert/study/reduce.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/study/study.hpp"

namespace alembert::study::reduce_task_test {

using testing::ElementsAre;
using testing::HasSubstr;

// Two by one cells of 0.1 m: six nodes, numbered along y first.
const std::string kPlate = R"(
[structure.plate]
x = [0.0, 0.1, 0.2]
y = [0.0, 0.1]
)";

ReduceStudy read(const std::string& text) {
  LoadedStudy loaded = load_study_text(text, "plate.toml");
  if (!loaded.problems.empty()) raise(loaded.problems.front());
  return *loaded.as<ReduceStudy>();
}

std::string problem(const std::string& text) {
  const LoadedStudy loaded = load_study_text(text, "plate.toml");
  return loaded.problems.empty() ? "no problem" : to_string(loaded.problems.front());
}

TEST(ReduceTask, SelectsRowsByBoxNodesAndNumbers) {
  const ReduceStudy study = read(kPlate + R"([reduce]
masters = [{ box = [0.0, 0.0, 0.0, 0.0, 0.1, 0.0] }, { nodes = [5], directions = ["y"] }, { rows = [1, 12] }]
modes = [4]
)");
  EXPECT_EQ(study.structure.size(), 12);
  // Nodes 1 and 2 with both directions, node 5 in y, then row 12; row 1 is there already.
  EXPECT_THAT(study.masters, ElementsAre(0, 1, 2, 3, 9, 11));
}

TEST(ReduceTask, FixesWhatDoesNotMove) {
  const ReduceStudy study = read(R"([structure]
fixed = [{ box = [0.0, 0.0, 0.0, 0.0, 0.1, 0.0], directions = ["x"] }]
)" + kPlate + R"([reduce]
masters = [{ rows = [1] }]
modes = [2]
)");
  EXPECT_EQ(study.structure.size(), 10);
}

TEST(ReduceTask, ReadsForcesWithPhases) {
  const ReduceStudy study = read(kPlate + R"([reduce]
masters = [{ nodes = [1, 2] }]
forces = [{ frequency = 40.0, amplitude = [1.0, 0.0, 2.0, 0.0], phase = 1.5707963267948966 }]
)");
  ASSERT_EQ(study.options.harmonics.size(), 1U);
  const Eigen::VectorXcd& force = study.options.harmonics.front().force;
  EXPECT_NEAR(force(2).imag(), 2.0, 1e-15);
  EXPECT_NEAR(force(2).real(), 0.0, 1e-15);
}

TEST(ReduceTask, NamesWhatDoesNotFit) {
  const std::string masters = "[reduce]\nmasters = [{ rows = [1] }]\n";
  EXPECT_THAT(problem(kPlate + masters), HasSubstr("modes"));
  EXPECT_THAT(problem(kPlate + "[reduce]\nmasters = [{ nodes = [99] }]\nmodes = [4]\n"),
              HasSubstr("must be numbers of nodes of the structure, got 99"));
  EXPECT_THAT(problem(kPlate + "[reduce]\nmasters = [{ box = [1, 2, 3] }]\nmodes = [4]\n"),
              HasSubstr("box"));
  EXPECT_THAT(problem(kPlate +
                      "[reduce]\nmasters = [{ nodes = [1], directions = [\"q\"] }]\nmodes = [4]\n"),
              HasSubstr("must be among x, y, z, rx, ry, rz"));
  EXPECT_THAT(
      problem("[structure.plate]\nx = [0.0, 0.0]\ny = [0.0, 1.0]\n" + masters + "modes=[1]"),
      HasSubstr("must rise"));
  EXPECT_THAT(problem(kPlate + "cutouts = [[0, 0, 1, 1]]\n" + masters + "modes = [1]"),
              HasSubstr("must leave at least one element"));
  EXPECT_THAT(problem(kPlate + "cutouts = [[0, 0, 1]]\n" + masters + "modes = [1]"),
              HasSubstr("must have rows of 4 numbers"));
}

// Four masters and two modes: what is asked for is found, and the description has it.
TEST(ReduceTask, DescribesWhatItFinds) {
  const ReduceOutcome found = run_reduce(read(kPlate + R"([reduce]
masters = [{ nodes = [1, 2] }]
modes = [4, 5]
method = "mode-residuals"
)"));
  EXPECT_EQ(found.method, reduce::Method::ModeResiduals);
  const document::ResultTree tree = describe(found);
  EXPECT_EQ(tree.at("model/size").integer(), 6);
  EXPECT_EQ(tree.at("structure/rows").integer(), 12);
  EXPECT_EQ(tree.at("modes").entries().size(), 2U);
  EXPECT_EQ(tree.at("verdict/level").text(), "good");
  EXPECT_EQ(tree.at("settings/reduce/method").text(), "mode-residuals");
}

}  // namespace alembert::study::reduce_task_test
