#include <gtest/gtest.h>

#include "alembert/study/observe.hpp"
#include "support/data.hpp"
#include "support/result_file.hpp"
#include "unit/study/crank_study.hpp"

namespace alembert::study {
namespace describe_observe_test {

using document::ResultTree;

constexpr int kSamples = 600;

class DescribedObserve : public testing::Test {
 protected:
  [[nodiscard]] ObserveResult run(const std::vector<std::string>& changes) const {
    (void)folder.write("crank.csv", test::crank_record(kSamples, 3));
    const LoadedStudy loaded =
        load_study_text(test::kCrank, folder.path() / "crank.toml", test::changed(changes));
    if (!loaded.problems.empty()) raise(loaded.problems.front());
    return run_observe(*loaded.as<ObserveStudy>());
  }

  test::TemporaryFolder folder;
};

TEST_F(DescribedObserve, HasSensorsStatesAndWhatIsSeen) {
  const ObserveResult result = run({"observe.smooth=true"});
  const ResultTree tree = describe(result);
  EXPECT_EQ(tree.text("task"), "observe");
  EXPECT_EQ(tree.at("record/samples").integer(), kSamples);
  EXPECT_EQ(tree.text("sensors/1/name"), "accel");
  EXPECT_EQ(tree.at("sensors/1/unit").words(), "m/s\u00b2");
  EXPECT_EQ(tree.number("sensors/0/sigma"), 0.003);
  const Eigen::Index last = kSamples - 1;
  EXPECT_EQ(tree.number("states/1/last"), result.estimate.mean(last, 1));
  EXPECT_EQ(tree.number("states/1/smoothed_deviation"),
            result.estimate.smoothed_deviation.col(1).tail(result.scored).mean());
  EXPECT_EQ(tree.number("consistency/nis/expected"), 2.0);
  EXPECT_EQ(tree.at("observability/position_sensors/sensors").words(), "encoder");
  EXPECT_EQ(tree.at("observer/adapted").kind(), ResultTree::Kind::Null);
}

TEST_F(DescribedObserve, HasNoMoreThanTheObserver) {
  const ResultTree tree = describe(run({"observe.adapt.window=40", "observe.adapt.sensors=true"}));
  EXPECT_EQ(tree.text("observer/motion"), "white-jerk");
  EXPECT_EQ(tree.find("observer/scheme"), nullptr);
  EXPECT_GT(tree.number("observer/adapted/sigma/encoder"), 0.0);
  EXPECT_EQ(tree.at("states/0/smoothed_deviation").kind(), ResultTree::Kind::Null);
}

TEST_F(DescribedObserve, IsWhatTheFileHas) {
  const ObserveResult result = run({"observe.smooth=true", "observe.adapt.window=40"});
  write_observe_result(result, folder.path());
  EXPECT_TRUE(test::result_file_has(folder.path(), describe(result)));
}

// Tables alone have the rank that is needed.
TEST_F(DescribedObserve, KeepsOutOfTheFileWhatOnlyTablesNeed) {
  const ResultTree tree = describe(run({}));
  EXPECT_EQ(tree.number("observability/coordinates"), 1.0);
  EXPECT_FALSE(tree.at("observability/coordinates").in_file());
}

}  // namespace describe_observe_test
}  // namespace alembert::study
