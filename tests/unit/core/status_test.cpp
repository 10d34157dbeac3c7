#include "alembert/core/status.hpp"

#include <gtest/gtest.h>

#include <set>

namespace alembert {
namespace status_test {

TEST(Status, EveryValueHasItsOwnName) {
  const std::set<std::string_view> names = {
      to_string(Status::Success),         to_string(Status::NotConverged),
      to_string(Status::NotIdentifiable), to_string(Status::NotFinite),
      to_string(Status::Indefinite),      to_string(Status::Unstable),
      to_string(Status::Stopped)};
  EXPECT_EQ(names.size(), 7U);
  EXPECT_EQ(names.count("unknown"), 0U);
}

TEST(Outcome, IsOkOnlyOnSuccess) {
  EXPECT_TRUE(Outcome{}.ok());
  EXPECT_FALSE((Outcome{.status = Status::Stopped, .message = "asked to"}.ok()));
}

}  // namespace status_test
}  // namespace alembert
