#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/identify/partial_sensing.hpp"
#include "support/message_of.hpp"
#include "unit/identify/identify_records.hpp"

namespace alembert::identify {
namespace coverage_test {

using Eigen::Index;
using Eigen::MatrixXd;
using test::sensed;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MatrixXd forces(Index n, const std::vector<Index>& coordinates) {
  MatrixXd L = MatrixXd::Zero(n, static_cast<Index>(coordinates.size()));
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    L(coordinates[j], static_cast<Index>(j)) = 1.0;
  }
  return L;
}

// The cases whose normal matrix the study found regular or singular.
TEST(Coverage, FollowsTheRule) {
  const std::vector<Index> all = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_TRUE(coverage(forces(8, all), sensed(8, {0})).identifiable);
  EXPECT_TRUE(coverage(forces(8, {0, 1, 2, 3}), sensed(8, {3, 4, 5, 6, 7})).identifiable);
  EXPECT_TRUE(coverage(forces(8, {0}), sensed(8, all)).identifiable);
  EXPECT_FALSE(coverage(forces(8, {0, 2, 4, 6}), sensed(8, {1, 3, 5, 7})).identifiable);
  EXPECT_FALSE(coverage(forces(8, {0, 1, 2, 3}), sensed(8, {0, 1, 2, 3})).identifiable);
}

TEST(Coverage, ListsCoordinates) {
  const Coverage found = coverage(forces(5, {0, 1, 2}), sensed(5, {3, 2}));
  EXPECT_THAT(found.actuated, ElementsAre(0, 1, 2));
  EXPECT_THAT(found.sensed, ElementsAre(2, 3));
  EXPECT_THAT(found.collocated, ElementsAre(2));
  EXPECT_THAT(found.uncovered, ElementsAre(4));
  EXPECT_FALSE(found.identifiable);
  EXPECT_THAT(found.advice, HasSubstr("q5 is neither sensed nor actuated"));
}

TEST(Coverage, AdvisesByName) {
  const Coverage apart = coverage(forces(3, {0}), sensed(3, {1, 2}), {"base", "arm", "tip"});
  EXPECT_THAT(apart.advice, HasSubstr("one of arm, tip, or a sensor on one of base"));
  EXPECT_THAT(apart.uncovered, IsEmpty());
  EXPECT_THAT(coverage(forces(3, {0, 1, 2}), sensed(3, {1})).advice, IsEmpty());
}

// A force between two coordinates, with a sensor on each: the force direction is sensed. A sensor
// on one of them only shares no direction with it.
TEST(Coverage, CountsDirections) {
  const MatrixXd pair = (MatrixXd(2, 1) << 1.0, -1.0).finished();
  EXPECT_TRUE(coverage(pair, sensed(2, {0, 1})).identifiable);
  const Coverage half = coverage(pair, sensed(2, {0}));
  EXPECT_THAT(half.uncovered, IsEmpty());
  EXPECT_FALSE(half.identifiable);
}

// The kind of motion and the size of the entries do not matter.
TEST(Coverage, DoesNotDependOnUnits) {
  model::OutputMap outputs = sensed(2, {0, 1}, model::Motion::Acceleration);
  outputs.acceleration *= 1e-9;
  EXPECT_TRUE(coverage(1e6 * forces(2, {1}), outputs).identifiable);
}

TEST(Coverage, NamesWrongSizes) {
  EXPECT_THAT(test::message_of([] { (void)coverage(forces(3, {0}), sensed(2, {0})); }),
              HasSubstr("coverage"));
}

}  // namespace coverage_test
}  // namespace alembert::identify
