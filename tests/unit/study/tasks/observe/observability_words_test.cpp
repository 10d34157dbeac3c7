#include "study/tasks/observe/observability_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace alembert::study {
namespace observability_words_test {

using estimate::ObservabilityReport;
using model::planar::Mechanism;
using model::planar::MechanismDescription;
using model::planar::Sensor;
using model::planar::SensorKind;
using testing::HasSubstr;

// Three bars in a row.
MechanismDescription chain(const std::vector<Sensor>& sensors) {
  MechanismDescription d;
  std::string last = "ground";
  for (const char* name : {"u", "l", "h"}) {
    d.bodies.push_back({.name = name, .points = {{"B", {0.4, 0.0}}}});
    d.joints.push_back({.name = std::string("pin ") + name,
                        .a = last == "ground" ? last : last + ".B",
                        .b = name});
    d.coordinates.push_back({.of = name, .relative_to = last});
    last = name;
  }
  d.sensors = sensors;
  return d;
}

std::vector<std::string> words_on(const MechanismDescription& description,
                                  const Eigen::VectorXd& start) {
  const Mechanism mechanism(description);
  model::planar::MechanismState state = mechanism.make_state();
  EXPECT_TRUE(mechanism.assemble(start, state).ok());
  const Eigen::VectorXd width = Eigen::VectorXd::Constant(start.size(), 0.3);
  return observability_words(
      mechanism,
      estimate::examine_sensors(mechanism, state,
                                {.lower = start - width, .upper = start + width, .points = 5}));
}

const Eigen::Vector3d kStart(0.2, 0.3, 0.4);

TEST(ObservabilityWords, TwoMissingSensorsAreNamedTogether) {
  const std::vector<std::string> words = words_on(chain({{.name = "e", .of = "u"}}), kStart);
  EXPECT_EQ(words.front(), "The position sensors do not fix all coordinates anywhere.");
  EXPECT_THAT(words.back(), HasSubstr("More than one sensor is missing. Two that would help: "));
  EXPECT_THAT(words.back(), testing::Not(HasSubstr("inf")));
}

TEST(ObservabilityWords, SuggestionsNameTheOtherBody) {
  const std::vector<std::string> words =
      words_on(chain({{.name = "e1", .of = "u"}, {.name = "e2", .of = "h"}}), kStart);
  // Rows (1 0 0), (1 1 1), and either (0 1 0) or (0 0 1), which give the same condition.
  EXPECT_THAT(words.back(), testing::AnyOf(HasSubstr("help: angle of l relative to u, which"),
                                           HasSubstr("help: angle of h relative to l, which")));
}

TEST(ObservabilityWords, OnlyWhatSeesNothingAtRestDrifts) {
  Sensor along{.name = "a", .kind = SensorKind::Acceleration, .of = "u.B", .sigma = 0.03};
  MechanismDescription d = chain({along});
  d.bodies.resize(1);
  d.joints.resize(1);
  d.coordinates.resize(1);
  const Eigen::VectorXd start = Eigen::VectorXd::Constant(1, 0.2);
  EXPECT_THAT(words_on(d, start).front(), HasSubstr("which see through gravity"));
  EXPECT_THAT(words_on(d, start).front(), testing::Not(HasSubstr("drifts")));
  d.sensors[0].gravity = false;
  EXPECT_EQ(words_on(d, start).front(), "There is no sensor of positions: the estimate drifts.");
}

TEST(ObservabilityWords, SayThatNoPlaceWasReached) {
  ObservabilityReport report;
  report.coordinates = 3;
  report.positions = report.unreachable = 125;
  const std::vector<std::string> words =
      observability_words(Mechanism(chain({{.name = "e", .of = "u"}})), report);
  ASSERT_EQ(words.size(), 1U);
  EXPECT_THAT(words.front(), HasSubstr("No place of the workspace can be reached"));
}

}  // namespace observability_words_test
}  // namespace alembert::study
