#include "alembert/core/error.hpp"

#include <gtest/gtest.h>

namespace alembert {
namespace error_test {

TEST(Place, SaysAsMuchAsItKnows) {
  EXPECT_EQ(to_string(Place{.file = "a.toml", .line = 3, .column = 7}), "a.toml:3:7");
  EXPECT_EQ(to_string(Place{.file = "a.csv", .line = 3}), "a.csv:3");
  EXPECT_EQ(to_string(Place{.file = "a.mat", .byte = 128}), "a.mat: byte 128");
  EXPECT_EQ(to_string(Place{.file = "a.mat"}), "a.mat");
}

TEST(InvalidInput, SaysItsPartsInOneForm) {
  const InvalidInput error(
      {.function = "fit", .argument = "order", .rule = "must be even", .value = "3"});
  EXPECT_STREQ(error.what(), "fit: order must be even, got 3");
  EXPECT_EQ(error.reason(), "order must be even, got 3");
  EXPECT_EQ(error.parts().argument, "order");
  EXPECT_STREQ(InvalidInput({.function = "fit", .rule = "the data are too short"}).what(),
               "fit: the data are too short");
}

TEST(InvalidInput, NamesTheItemBeforeTheArgument) {
  const InvalidInput error({.function = "Mechanism: joint 'crank'",
                            .argument = "radius",
                            .rule = "must not be 0",
                            .value = "0"});
  EXPECT_STREQ(error.what(), "Mechanism: joint 'crank': radius must not be 0, got 0");
  EXPECT_EQ(error.parts().function, "Mechanism");
  EXPECT_EQ(error.parts().item, "joint 'crank'");
  EXPECT_EQ(error.reason(), "joint 'crank': radius must not be 0, got 0");
}

TEST(InvalidInput, ARuleMayBeForTheItem) {
  const InvalidInput error(
      {.function = "Mechanism: joint 'crank'", .rule = "must be given once", .value = "it twice"});
  EXPECT_STREQ(error.what(), "Mechanism: joint 'crank' must be given once, got it twice");
  EXPECT_EQ(error.reason(), "joint 'crank' must be given once, got it twice");
}

TEST(PlacedError, CarriesPlaceAndReason) {
  const DataError error({.file = "run.csv", .line = 12, .column = 4}, "cell 'x' is not a number");
  EXPECT_STREQ(error.what(), "run.csv:12:4: cell 'x' is not a number");
  EXPECT_EQ(error.place().line, 12U);
  EXPECT_EQ(error.reason(), "cell 'x' is not a number");
}

// The command line maps the two kinds to different exit codes, so neither may be the other.
TEST(PlacedError, StudyAndDataErrorsAreDistinct) {
  EXPECT_FALSE((std::is_base_of_v<DataError, StudyError>));
  EXPECT_FALSE((std::is_base_of_v<StudyError, DataError>));
  EXPECT_TRUE((std::is_base_of_v<std::invalid_argument, InvalidInput>));
}

}  // namespace error_test
}  // namespace alembert
