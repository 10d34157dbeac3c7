#include "reproductions/claims_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <variant>

#include "support/document_parts.hpp"

namespace alembert::reproductions {
namespace claims_document_test {

using document::Document;
using document::Paragraph;
using test::block;
using test::section;

TEST(ClaimsDocument, MarksClaimsAndKeepsTablesAndFigures) {
  Reproduction reproduction;
  reproduction.name = "orders";
  reproduction.title = "Orders of convergence";
  reproduction.summary = "Halving the step.";
  reproduction.claims = {compared({.name = "order of Newmark",
                                   .measured = 1.998,
                                   .published = 2.0,
                                   .target = "2 +- 0.05",
                                   .source = "Paper2000, table 1"}),
                         promised({.name = "round trip",
                                   .measured = 3e-13,
                                   .unit = "m",
                                   .target = "<= 1e-14",
                                   .source = "own promise: rounding"}),
                         compared({.name = "time",
                                   .measured = 3.0,
                                   .unit = "s",
                                   .reference = 2.0,
                                   .target = "2 +- 0.5",
                                   .source = "reference computation: by hand",
                                   .reason = "another machine"})};
  reproduction.tables = {{.id = "errors",
                          .title = "Errors",
                          .header = {"step [s]", "error [m]"},
                          .rows = {{"0.1"}, {"0.05"}},
                          .values = (Eigen::MatrixXd(2, 1) << 0.5, std::nan("")).finished()}};
  reproduction.figures = {{.id = "fall",
                           .title = "Fall",
                           .x_label = "step [s]",
                           .y_label = "error [m]",
                           .log_x = true,
                           .log_y = true,
                           .curves = {{.name = "e",
                                       .x = Eigen::VectorXd::Ones(2),
                                       .y = Eigen::VectorXd::Ones(2),
                                       .style = Curve::Style::Points}}}};
  const Document document = claims_document(reproduction);
  const Table claims = block<Table>(document, "claims");
  EXPECT_THAT(claims.header,
              testing::ElementsAre("claim", "measured", "unit", "published", "reference", "rule",
                                   "result", "state", "source"));
  EXPECT_EQ(claims.header[static_cast<std::size_t>(claims.status_column)], "result");
  EXPECT_THAT(claims.rows[0],
              testing::ElementsAre("order of Newmark", "1.998", "", "2.000", "-", "2 \u00b1 0.05",
                                   "ok", "reproduced", "Paper2000, table 1"));
  EXPECT_THAT(claims.rows[1],
              testing::ElementsAre("round trip", "3.000e-13", "m", "-", "-", "\u2264 1e-14",
                                   "not ok", "beyond the source", "own promise: rounding"));
  EXPECT_THAT(claims.rows[2],
              testing::ElementsAre("time", "3.000", "s", "-", "2.000", "2 \u00b1 0.5", "differs",
                                   "differs: another machine", "reference computation: by hand"));
  EXPECT_EQ(std::get<Paragraph>(section(document, "Claims").blocks[0]).text,
            "3 claims: 1 reproduced, 1 differ, 1 beyond the source. 1 not kept.");
  EXPECT_EQ(text_cells(block<Table>(document, "errors"))[1][1], "");
  EXPECT_EQ(block<Plot>(document, "fall").curves[0].style, Curve::Style::Points);
  EXPECT_TRUE(block<Plot>(document, "fall").log_y);
}

// The exit code of the tool: a comparison may differ, a promise may not be broken.
TEST(KeepsPromises, CountsPromisesAndNotDifferences) {
  Reproduction reproduction;
  EXPECT_TRUE(keeps_promises(reproduction));
  reproduction.claims = {compared({.name = "time",
                                   .measured = 3.0,
                                   .reference = 2.0,
                                   .target = "2 +- 0.5",
                                   .source = "reference computation: by hand",
                                   .reason = "another machine"})};
  EXPECT_TRUE(keeps_promises(reproduction));
  Reproduction stopped = reproduction;
  stopped.status = Status::Stopped;
  EXPECT_FALSE(keeps_promises(stopped));
  reproduction.claims.push_back(promised(
      {.name = "error", .measured = 2.0, .target = "<= 1", .source = "own promise: rounding"}));
  EXPECT_FALSE(keeps_promises(reproduction));
}

}  // namespace claims_document_test
}  // namespace alembert::reproductions
