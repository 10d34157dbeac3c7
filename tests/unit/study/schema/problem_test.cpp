#include "alembert/study/detail/problem.hpp"

#include <gtest/gtest.h>

namespace alembert::study {
namespace problem_test {

TEST(Problem, IsOneLineWhateverTheNamesHold) {
  Problem problem;
  problem.place = {.file = "s.toml", .line = 2, .column = 3};
  problem.message = "unknown key \"a\nb\"";
  EXPECT_EQ(to_string(problem), "s.toml:2:3: unknown key \"a b\"");
  EXPECT_EQ(to_string(Problem{{}, "no place"}), "no place");
}

TEST(Problem, AttemptKeepsTheKindAndThePlace) {
  std::vector<Problem> problems;
  EXPECT_TRUE(attempt(problems, [] {}));
  EXPECT_FALSE(attempt(problems, [] { throw StudyError({.file = "s"}, "one"); }));
  EXPECT_FALSE(attempt(problems, [] { throw DataError({.file = "d"}, "two"); }));
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_FALSE(problems[0].in_data);
  EXPECT_TRUE(problems[1].in_data);
  EXPECT_THROW(raise(problems[0]), StudyError);
  EXPECT_THROW(raise(problems[1]), DataError);
}

TEST(Problem, AttemptLetsOtherErrorsThrough) {
  std::vector<Problem> problems;
  EXPECT_THROW(attempt(problems, [] { throw std::runtime_error("other"); }), std::runtime_error);
}

}  // namespace problem_test
}  // namespace alembert::study
