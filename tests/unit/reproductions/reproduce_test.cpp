#include "reproductions/reproduce.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "alembert/core/error.hpp"
#include "reproductions/registry.hpp"
#include "support/data.hpp"

namespace alembert::reproductions {
namespace reproduce_test {

using testing::HasSubstr;

TEST(Reproduce, AnUnknownNameIsRefused) {
  EXPECT_THROW((void)reproduce("no-such-table"), InvalidInput);
}

TEST(Reproduce, EveryEntryHasHelp) {
  for (const ReproductionEntry& entry : reproductions()) {
    EXPECT_FALSE(entry.name.empty());
    EXPECT_FALSE(entry.help.empty());
    EXPECT_TRUE(entry.run);
  }
}

TEST(WriteReproduction, ClaimsHaveTheirKeys) {
  const test::TemporaryFolder folder;
  Reproduction found;
  found.name = "x";
  found.claims = {compared({.name = "order",
                            .measured = 2.0,
                            .reference = 2.25,
                            .target = "2 +- 0.1",
                            .source = "reference computation: by hand"}),
                  compared({.name = "rate",
                            .measured = 7.0,
                            .published = 8.0,
                            .target = "8 +- 0.5",
                            .source = "Paper2000, table 1",
                            .reason = "other data"}),
                  promised({.name = "error",
                            .measured = std::numeric_limits<double>::quiet_NaN(),
                            .unit = "m",
                            .published = 0.5,
                            .target = "<= 1",
                            .source = "own promise"})};
  write_reproduction(found, folder.path());
  const std::string json = test::read_text(folder.path() / "result.json");
  EXPECT_THAT(json, HasSubstr("\"name\": \"order\""));
  EXPECT_THAT(json, HasSubstr("\"measured\": 2.0"));
  EXPECT_THAT(json, HasSubstr("\"published\": null"));
  EXPECT_THAT(json, HasSubstr("\"published\": 0.5"));
  EXPECT_THAT(json, HasSubstr("\"target\": \"2 +- 0.1\""));
  EXPECT_THAT(json, HasSubstr("\"measured\": null"));
  EXPECT_THAT(json, HasSubstr("\"ok\": false"));
  EXPECT_THAT(json, HasSubstr("\"reference\": 2.25"));
  EXPECT_THAT(json, HasSubstr("\"source\": \"Paper2000, table 1\""));
  EXPECT_THAT(json, HasSubstr("\"state\": \"reproduced\""));
  EXPECT_THAT(json, HasSubstr("\"state\": \"differs\""));
  EXPECT_THAT(json, HasSubstr("\"reason\": \"other data\""));
  EXPECT_THAT(json, HasSubstr("\"states\": {\n    \"reproduced\": 1,\n    \"differs\": 1,\n    "
                              "\"beyond the source\": 1\n  }"));
}

TEST(WriteReproduction, TablesHaveTheirKeysAndCaption) {
  const test::TemporaryFolder folder;
  Reproduction found;
  found.tables = {{.id = "errors",
                   .title = "Errors",
                   .header = {"step [s]", "error [m]"},
                   .rows = {{"0.1"}},
                   .values = Eigen::MatrixXd::Constant(1, 1, 0.5),
                   .caption = "Largest error over all samples."}};
  write_reproduction(found, folder.path());
  const std::string json = test::read_text(folder.path() / "result.json");
  EXPECT_THAT(json, HasSubstr("\"row_title\": \"step [s]\""));
  EXPECT_THAT(json, HasSubstr("\"caption\": \"Largest error over all samples.\""));
}

}  // namespace reproduce_test
}  // namespace alembert::reproductions
