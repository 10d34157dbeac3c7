#include "alembert/study/detail/value.hpp"

#include <gtest/gtest.h>

#include "alembert/study/detail/toml.hpp"

namespace alembert::study {
namespace value_test {

TEST(Value, NumbersAreNumbersWhetherIntegerOrNot) {
  EXPECT_TRUE((Value{.data = 3LL, .position = {}}).is_number());
  EXPECT_TRUE((Value{.data = 2.5, .position = {}}).is_number());
  EXPECT_FALSE((Value{.data = std::string("3"), .position = {}}).is_number());
  EXPECT_EQ((Value{.data = 3LL, .position = {}}).number(), 3.0);
  EXPECT_EQ((Value{.data = true, .position = {}}).number(), 0.0);
}

TEST(Value, FindLooksIntoTablesOnly) {
  const Document document = parse_toml("a = 1\nb = [1, 2]\n", "f.toml");
  ASSERT_NE(document.root.find("a"), nullptr);
  EXPECT_EQ(document.root.find("c"), nullptr);
  EXPECT_EQ(document.root.find("b")->value.find("a"), nullptr);
}

TEST(Value, KindNamesSayWhatIsInAList) {
  const Document document =
      parse_toml("a = []\nb = [1]\nc = ['x']\nd = [[1]]\ne = 1979-05-27\nf = {}\ng = true", "f");
  const auto kind = [&](const char* key) { return kind_name(document.root.find(key)->value); };
  EXPECT_EQ(kind("a"), "an empty list");
  EXPECT_EQ(kind("b"), "a list of numbers");
  EXPECT_EQ(kind("c"), "a list of texts");
  EXPECT_EQ(kind("d"), "a list of lists");
  EXPECT_EQ(kind("e"), "a date or time");
  EXPECT_EQ(kind("f"), "a table");
  EXPECT_EQ(kind("g"), "true or false");
}

TEST(Document, PlacesNameTheFileOrTheOverride) {
  const Document document{.root = {}, .sources = {"s.toml", "--set a"}};
  EXPECT_EQ(to_string(document.place({.line = 3, .column = 7})), "s.toml:3:7");
  EXPECT_EQ(to_string(document.place({.line = 1, .column = 5, .source = 1})), "--set a");
}

}  // namespace value_test
}  // namespace alembert::study
