#include "alembert/core/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "alembert/core/random.hpp"

namespace alembert {
namespace text_test {

TEST(EditDistance, CountsSingleEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("step", "step"), 0U);
  EXPECT_EQ(edit_distance("stp", "step"), 1U);
  EXPECT_EQ(edit_distance("setp", "step"), 1U);  // swapped neighbours
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
}

// Metric properties over random words of a small alphabet.
TEST(EditDistance, IsSymmetricAndBoundedByTheLonger) {
  RandomStream random(4);
  const auto word = [&] {
    std::string text(random.below(8), 'a');
    for (char& letter : text) {
      letter = static_cast<char>('a' + static_cast<char>(random.below(3)));
    }
    return text;
  };
  for (int trial = 0; trial < 500; ++trial) {
    const std::string a = word();
    const std::string b = word();
    const std::size_t distance = edit_distance(a, b);
    EXPECT_EQ(distance, edit_distance(b, a));
    EXPECT_EQ(distance == 0, a == b);
    EXPECT_LE(distance, std::max(a.size(), b.size()));
    EXPECT_GE(distance + std::min(a.size(), b.size()), std::max(a.size(), b.size()));
  }
}

TEST(Nearest, FindsLikelyMisspellingsOnly) {
  const std::vector<std::string> keys = {"mass", "damping", "stiffness", "forces"};
  EXPECT_EQ(nearest("stifness", keys), "stiffness");
  EXPECT_EQ(nearest("Mass", keys), "mass");
  EXPECT_EQ(nearest("dampign", keys), "damping");
  EXPECT_EQ(nearest("velocity", keys), "");
  EXPECT_EQ(nearest("x", {"y"}), "");
  EXPECT_EQ(nearest("mass", {}), "");
}

TEST(Join, PutsSeparatorsBetween) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
}

TEST(Shortest, ReadsBackAsTheSameDouble) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(std::numeric_limits<double>::quiet_NaN()), "nan");
  RandomStream random(5);
  for (int trial = 0; trial < 2000; ++trial) {
    const double value = std::ldexp(random.normal(), static_cast<int>(random.below(2000)) - 1000);
    EXPECT_EQ(std::strtod(shortest(value).c_str(), nullptr), value);
  }
}

TEST(Trimmed, RemovesBlanksAtBothEnds) {
  EXPECT_EQ(trimmed(" \t a b \r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
}

}  // namespace text_test
}  // namespace alembert
