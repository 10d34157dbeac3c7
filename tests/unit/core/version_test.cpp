#include "alembert/core/version.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace alembert {
namespace version_test {

TEST(Version, IsThreeNumbers) {
  EXPECT_THAT(std::string(version()), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

}  // namespace version_test
}  // namespace alembert
