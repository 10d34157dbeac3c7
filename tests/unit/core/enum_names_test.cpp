#include "alembert/core/enum_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace alembert {
namespace enum_names_test {

enum class Colour { Red, DeepBlue };
constexpr auto enum_names(Colour) {
  return std::to_array<EnumName<Colour>>({{Colour::Red, "red"}, {Colour::DeepBlue, "deep-blue"}});
}
constexpr auto old_enum_names(Colour) {
  return std::to_array<EnumName<Colour>>({{Colour::DeepBlue, "navy"}});
}
enum class Nameless { One };

TEST(EnumNames, GoBothWays) {
  for (const Colour colour : {Colour::Red, Colour::DeepBlue}) {
    EXPECT_EQ(enum_named<Colour>(name_of(colour)), colour);
  }
  EXPECT_EQ(name_of(Colour::DeepBlue), "deep-blue");
  EXPECT_EQ(enum_named<Colour>("Red"), std::nullopt);
  EXPECT_EQ(name_of(static_cast<Colour>(7)), "?");
}

TEST(EnumNames, OldNamesAreReadButNotListed) {
  EXPECT_EQ(enum_named<Colour>("navy"), Colour::DeepBlue);
  EXPECT_THAT(all_names<Colour>(), testing::ElementsAre("red", "deep-blue"));
}

TEST(EnumNames, OnlyForEnumsThatHaveThem) {
  EXPECT_TRUE(NamedEnum<Colour>);
  EXPECT_FALSE(NamedEnum<Nameless>);
}

}  // namespace enum_names_test
}  // namespace alembert
