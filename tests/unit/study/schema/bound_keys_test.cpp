#include "study/schema/bound_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "alembert/study/detail/toml.hpp"
#include "study/schema/check_keys.hpp"
#include "study/schema/key_words.hpp"

namespace alembert::study {
namespace bound_keys_test {

enum class Wheel { Round, Square, Flat };
constexpr auto enum_names(Wheel) {
  return std::to_array<EnumName<Wheel>>(
      {{Wheel::Round, "round"}, {Wheel::Square, "square"}, {Wheel::Flat, "flat"}});
}
constexpr auto old_enum_names(Wheel) {
  return std::to_array<EnumName<Wheel>>({{Wheel::Square, "published"}});
}

enum class Paint { Red, Green };

/// A choice of two properties, with names as an enum has them.
struct Horse {
  bool strong = false;
  bool white = false;
  constexpr bool operator==(const Horse&) const = default;
};
constexpr auto enum_names(Horse) {
  return std::to_array<EnumName<Horse>>(
      {{Horse{}, "pony"}, {Horse{.strong = true}, "shire"}, {Horse{.white = true}, "lipizzan"}});
}

struct Brake {
  double force = 0.1;
  bool dry = true;
};

struct CartOptions {
  double mass = 2.0;
  int wheels = 4;
  std::uint64_t seed = 7;
  bool covered = false;
  std::string maker = "smith";
  Wheel wheel = Wheel::Flat;
  std::vector<Wheel> spares = {};
  std::vector<double> loads = {1.0, 0.5};
  Eigen::VectorXd axes = {};
  std::vector<std::string> owners = {};
  std::optional<double> limit = {};
  std::optional<Wheel> fifth = {};
  Paint paint = Paint::Green;
  Brake brake = {};
};

BoundKeys<CartOptions> cart_keys() {
  return BoundKeys<CartOptions>()
      .key("mass", &CartOptions::mass, {.help = "weight", .unit = "kg", .range = above(0.0)})
      .key("wheels", &CartOptions::wheels, {.help = "how many", .range = within(1.0, 8.0)})
      .key("seed", &CartOptions::seed, {.help = "of chance"})
      .key("covered", &CartOptions::covered, {.help = "has a roof"})
      .key("maker", &CartOptions::maker, {.help = "who made it"})
      .key("wheel", &CartOptions::wheel, {.help = "form of the wheels"})
      .key("spares", &CartOptions::spares, {.help = "further wheels", .fallback_note = "none"})
      .key("loads", &CartOptions::loads, {.help = "what lies on it", .forms = kNumber | kNumbers})
      .key("axes", &CartOptions::axes, {.help = "where they are", .unit = "m"})
      .key("owners", &CartOptions::owners, {.help = "whose it is"})
      .key("limit", &CartOptions::limit, {.help = "of the load", .argument = "upper_limit"})
      .used_when("wheel", {"round", "square"})
      .key("fifth", &CartOptions::fifth, {.help = "wheel to steer", .choices = {"round", "flat"}})
      .choice("paint", &CartOptions::paint,
              std::vector<EnumName<Paint>>{{Paint::Red, "rosso"}, {Paint::Green, "verde"}},
              {.help = "colour"})
      .key("brake-force", field_of(&CartOptions::brake, &Brake::force), {.help = "of the brake"})
      .used_when([](const CartOptions& cart) { return cart.brake.dry; },
                 "has no effect with wheel = \"{wheel}\"; it is for dry brakes")
      .key("dry", [](auto& cart) -> auto& { return cart.brake.dry; }, {.help = "no oil"})
      .other({.name = "file", .forms = kText, .help = "a picture"});
}

const TableSpec& cart_table() {
  static const TableSpec table{.path = "", .help = "A cart.", .keys = cart_keys().specs()};
  return table;
}

CartOptions read(const std::string& text, std::vector<std::string>* notes = nullptr) {
  const Document document = parse_toml(text, "cart.toml");
  return cart_keys().read(TableReader(document, cart_table()), notes);
}

std::vector<std::string> problems(const std::string& text) {
  std::vector<std::string> messages;
  for (const Problem& one : check_keys(parse_toml(text, "cart.toml"), cart_table(), "")) {
    messages.push_back(to_string(one));
  }
  return messages;
}

const KeySpec& spec(const std::string& name) { return *cart_table().find(name, nullptr); }

TEST(BoundKeys, DefaultsAreThoseOfTheStruct) {
  EXPECT_EQ(spec("mass").fallback, "2.0");
  EXPECT_EQ(spec("wheels").fallback, "4");
  EXPECT_EQ(spec("seed").fallback, "7");
  EXPECT_EQ(spec("covered").fallback, "false");
  EXPECT_EQ(spec("maker").fallback, "\"smith\"");
  EXPECT_EQ(spec("wheel").fallback, "\"flat\"");
  EXPECT_EQ(spec("loads").fallback, "[1.0, 0.5]");
  EXPECT_EQ(spec("paint").fallback, "\"verde\"");
  EXPECT_EQ(spec("brake-force").fallback, "0.1");
  EXPECT_EQ(spec("dry").fallback, "true");
}

// Fields that are absent or empty have no default, and a note stands in place of one.
TEST(BoundKeys, WhatIsAbsentHasNoDefault) {
  for (const char* name : {"spares", "axes", "owners", "limit", "fifth"}) {
    EXPECT_EQ(spec(name).fallback, "") << name;
  }
  EXPECT_EQ(default_words(spec("spares")), "default: none");
}

// A key that leads to two fields, a number or a word; one without a field is none of an options
// struct.
TEST(BoundKeys, AKeyMayLeadToFieldsByAFunction) {
  const auto keys =
      BoundKeys<CartOptions>()
          .through(
              {.name = "size", .forms = kNumber | kText, .help = "how large", .choices = {"huge"}},
              [](const Value& value, CartOptions& cart) {
                cart.wheels = value.text() == nullptr ? 2 : 8;
                cart.mass = value.text() == nullptr ? value.number() : 1000.0;
              })
          .other({.name = "file", .forms = kText, .help = "a picture"});
  const TableSpec table{.path = "", .help = "A cart.", .keys = keys.specs()};
  const auto read_size = [&](const std::string& text) {
    const Document document = parse_toml("size = " + text, "cart.toml");
    EXPECT_TRUE(check_keys(document, table, "").empty()) << text;
    return keys.read(TableReader(document, table));
  };
  EXPECT_EQ(read_size("3.0").mass, 3.0);
  EXPECT_EQ(read_size("3.0").wheels, 2);
  EXPECT_EQ(read_size("\"huge\"").wheels, 8);
  const std::vector<Problem> wrong =
      check_keys(parse_toml("size = \"tiny\"", "cart.toml"), table, "");
  ASSERT_EQ(wrong.size(), 1U);
  EXPECT_EQ(to_string(wrong[0]), "cart.toml:1:8: size must be a number or \"huge\", got \"tiny\"");
  ASSERT_EQ(keys.specs_of_fields().size(), 1U);
  EXPECT_EQ(keys.specs_of_fields()[0].name, "size");
}

TEST(BoundKeys, TheTableMayHaveOtherDefaults) {
  const auto keys = BoundKeys<CartOptions>({.wheels = 2})
                        .key("wheels", &CartOptions::wheels, {.help = "how many"});
  EXPECT_EQ(keys.specs().front().fallback, "2");
  const TableSpec table{.path = "", .help = "A cart.", .keys = keys.specs()};
  const Document document = parse_toml("", "cart.toml");
  EXPECT_EQ(keys.read(TableReader(document, table)).wheels, 2);
}

TEST(BoundKeys, FormsFollowFromTheFields) {
  EXPECT_EQ(value_words(spec("mass")), "number, above 0, kg");
  EXPECT_EQ(value_words(spec("wheels")), "integer, from 1 to 8");
  EXPECT_EQ(spec("covered").forms, kBoolean);
  EXPECT_EQ(spec("maker").forms, kText);
  EXPECT_EQ(value_words(spec("wheel")), "one of round, square, flat");
  EXPECT_EQ(value_words(spec("spares")), "texts among round, square, flat");
  EXPECT_EQ(value_words(spec("loads")), "number or numbers");
  EXPECT_EQ(value_words(spec("axes")), "numbers, m");
  EXPECT_EQ(spec("owners").forms, kTexts);
  EXPECT_EQ(spec("limit").forms, kNumber);
  EXPECT_EQ(value_words(spec("fifth")), "one of round, flat");
  EXPECT_EQ(value_words(spec("paint")), "one of rosso, verde");
}

TEST(BoundKeys, ReadsEveryForm) {
  const CartOptions cart = read(R"(
mass = 3
wheels = 6
seed = 12
covered = true
maker = "jones"
wheel = "round"
spares = ["flat", "square"]
loads = 2.5
axes = [0.0, 1.5]
owners = ["a", "b"]
limit = 10.0
fifth = "round"
paint = "rosso"
brake-force = 0.3
dry = false
file = "cart.png"
)");
  EXPECT_EQ(cart.mass, 3.0);
  EXPECT_EQ(cart.wheels, 6);
  EXPECT_EQ(cart.seed, 12U);
  EXPECT_TRUE(cart.covered);
  EXPECT_EQ(cart.maker, "jones");
  EXPECT_EQ(cart.wheel, Wheel::Round);
  EXPECT_THAT(cart.spares, testing::ElementsAre(Wheel::Flat, Wheel::Square));
  EXPECT_THAT(cart.loads, testing::ElementsAre(2.5));
  EXPECT_EQ(cart.axes, Eigen::Vector2d(0.0, 1.5));
  EXPECT_THAT(cart.owners, testing::ElementsAre("a", "b"));
  EXPECT_EQ(cart.limit, 10.0);
  EXPECT_EQ(cart.fifth, Wheel::Round);
  EXPECT_EQ(cart.paint, Paint::Red);
  EXPECT_EQ(cart.brake.force, 0.3);
  EXPECT_FALSE(cart.brake.dry);
}

TEST(BoundKeys, AbsentKeysLeaveTheFieldsAsTheyAre) {
  CartOptions cart{.mass = 9.0, .limit = 1.0};
  const Document document = parse_toml("wheels = 3", "cart.toml");
  cart_keys().read(TableReader(document, cart_table()), cart);
  EXPECT_EQ(cart.mass, 9.0);
  EXPECT_EQ(cart.limit, 1.0);
  EXPECT_EQ(cart.wheels, 3);
}

TEST(BoundKeys, WrongValuesAreReportedAtTheirPlace) {
  EXPECT_THAT(problems("mass = 0.0"),
              testing::ElementsAre("cart.toml:1:8: mass must be above 0 kg, got 0"));
  EXPECT_THAT(problems("wheels = 2.5"),
              testing::ElementsAre("cart.toml:1:10: wheels must be an integer, not a number"));
  EXPECT_THAT(
      problems("covered = 1"),
      testing::ElementsAre("cart.toml:1:11: covered must be true or false, not an integer"));
  EXPECT_THAT(problems("wheel = \"rond\""),
              testing::ElementsAre("cart.toml:1:9: wheel must be one of round, square, flat, got "
                                   "\"rond\"; did you mean \"round\"?"));
  EXPECT_THAT(problems("fifth = \"square\""),
              testing::ElementsAre("cart.toml:1:9: fifth must be one of round, flat, got "
                                   "\"square\""));
}

TEST(BoundKeys, NamesThatWereGivenUpAreReadWithANote) {
  const std::string text = "wheel = \"published\"\nspares = [\"flat\", \"published\"]";
  EXPECT_THAT(problems(text), testing::IsEmpty());
  std::vector<std::string> notes;
  const CartOptions cart = read(text, &notes);
  EXPECT_EQ(cart.wheel, Wheel::Square);
  EXPECT_THAT(cart.spares, testing::ElementsAre(Wheel::Flat, Wheel::Square));
  EXPECT_THAT(notes, testing::ElementsAre("wheel: \"published\" is called \"square\" now",
                                          "spares: \"published\" is called \"square\" now"));
  const Document document = parse_toml(text, "cart.toml");
  EXPECT_EQ(TableReader(document, cart_table()).text("wheel"), "square");
}

TEST(BoundKeys, AFieldMayBeAStructWithNamesOrAVectorOfFixedSize) {
  struct Team {
    Horse horse = {.strong = true};
    Eigen::Vector2d pull = {1.0, 0.0};
  };
  const auto keys = BoundKeys<Team>()
                        .key("horse", &Team::horse, {.help = "which"})
                        .key("pull", &Team::pull, {.help = "where to", .size = 2});
  const TableSpec table{.path = "", .help = "A team.", .keys = keys.specs()};
  EXPECT_EQ(value_words(*table.find("horse", nullptr)), "one of pony, shire, lipizzan");
  EXPECT_EQ(table.find("horse", nullptr)->fallback, "\"shire\"");
  EXPECT_EQ(table.find("pull", nullptr)->fallback, "[1.0, 0.0]");
  const Document document = parse_toml("horse = \"lipizzan\"\npull = [0.5, 2]", "team.toml");
  const Team team = keys.read(TableReader(document, table));
  EXPECT_EQ(team.horse, Horse{.white = true});
  EXPECT_EQ(team.pull, Eigen::Vector2d(0.5, 2.0));
}

std::string refused(const std::string& text) {
  const Document document = parse_toml(text, "cart.toml");
  const TableReader table(document, cart_table());
  try {
    cart_keys().refuse_unused(table, cart_keys().read(table));
  } catch (const StudyError& error) {
    return error.what();
  }
  return "";
}

TEST(BoundKeys, AKeyMayNeedAValueOfAnother) {
  EXPECT_EQ(refused("limit = 1.0"),
            "cart.toml:1:1: limit has no place with wheel = \"flat\"");  // by default
  EXPECT_EQ(refused("limit = 1.0\nwheel = \"published\""), "");
}

TEST(BoundKeys, AKeyMayNeedAConditionOnTheOptions) {
  EXPECT_EQ(refused("brake-force = 1.0"), "");
  EXPECT_EQ(refused("dry = false\nbrake-force = 1.0"),
            "cart.toml:2:1: brake-force has no effect with wheel = \"flat\"; it is for dry brakes");
}

TEST(BoundKeys, GivesTheSettingsAsValues) {
  CartOptions cart;
  cart.limit = 3.0;
  cart.wheel = Wheel::Round;
  std::vector<std::string> lines;
  for (const auto& [key, value] : cart_keys().values(cart)) {
    lines.push_back(key + " = " + to_toml(value));
  }
  EXPECT_THAT(lines, testing::ElementsAre("mass = 2.0", "wheels = 4", "seed = 7", "covered = false",
                                          "maker = \"smith\"", "wheel = \"round\"",
                                          "loads = [1.0, 0.5]", "limit = 3.0", "paint = \"verde\"",
                                          "brake-force = 0.1", "dry = true"));
}

// A limit needs round or square wheels, a brake force dry brakes, and no study could give 0 wheels.
TEST(BoundKeys, SettingsWithoutAPlaceOrAValueAreLeftOut) {
  CartOptions cart;
  cart.limit = 3.0;
  cart.wheels = 0;
  cart.mass = std::numeric_limits<double>::infinity();
  cart.brake.dry = false;
  std::vector<std::string> keys;
  for (const auto& [key, value] : cart_keys().values(cart)) keys.push_back(key);
  EXPECT_THAT(keys,
              testing::ElementsAre("seed", "covered", "maker", "wheel", "loads", "paint", "dry"));
}

std::string failed(const InvalidInput& error) {
  const Document document = parse_toml("mass = 1.0\nlimit = 2.0", "cart.toml");
  try {
    cart_keys().fail(TableReader(document, cart_table()), error);
  } catch (const StudyError& thrown) {
    return thrown.what();
  }
}

TEST(BoundKeys, ErrorsOfTheLibraryComeToTheKey) {
  EXPECT_EQ(
      failed(InvalidInput(
          {.function = "push", .argument = "upper_limit", .rule = "must be odd", .value = "2"})),
      "cart.toml:2:9: limit must be odd, got 2");
  EXPECT_EQ(failed(InvalidInput({.function = "push", .argument = "road", .rule = "must be flat"})),
            "cart.toml:1:1: road must be flat");
}

}  // namespace bound_keys_test
}  // namespace alembert::study
