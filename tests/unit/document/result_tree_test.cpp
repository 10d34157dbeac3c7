#include "alembert/document/result_tree.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"

namespace alembert::document {
namespace result_tree_test {

using Cells = std::vector<std::vector<std::string>>;

ResultTree two_modes() {
  ResultTree tree;
  ResultTree& modes = tree.list("modes");
  for (const double frequency : {1.25, 20.0}) {
    ResultTree& mode = modes.item();
    mode.add("frequency_hz", frequency).named("frequency", "Hz");
    mode.group("damping").add("ratio", frequency / 1000.0).named("damping ratio");
    mode.add("deviation", std::nan(""));
  }
  return tree;
}

TEST(ResultTree, FindsEntriesByPathAndItemsByNumber) {
  const ResultTree tree = two_modes();
  ASSERT_NE(tree.find("modes/1/damping/ratio"), nullptr);
  EXPECT_EQ(tree.find("modes/1/damping/ratio")->number(), 0.02);
  EXPECT_EQ(tree.find("modes/2"), nullptr);
  EXPECT_EQ(tree.find("modes/0/mass"), nullptr);
  EXPECT_EQ(tree.find(""), &tree);
}

TEST(ResultTree, NamesThePathThatIsNotThere) {
  ResultTree tree = two_modes();
  tree.add("status", "converged");
  EXPECT_EQ(tree.number("modes/1/frequency_hz"), 20.0);
  EXPECT_EQ(tree.text("status"), "converged");
  EXPECT_EQ(&tree.at("modes"), tree.find("modes"));
  try {
    (void)tree.at("modes/0/mass");
    FAIL() << "a path that is not there was found";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.parts().argument, "modes/0/mass");
  }
}

TEST(ResultTree, KeepsKindsApart) {
  ResultTree tree;
  tree.add("whole", 3);
  tree.add("large", std::uint64_t{1} << 63U);
  tree.add("yes", true);
  tree.add("text", "a");
  tree.add("texts", std::vector<std::string>{"a", "b"});
  tree.add("matrix", Eigen::MatrixXd(Eigen::MatrixXd::Identity(2, 2)));
  EXPECT_EQ(tree.find("whole")->kind(), ResultTree::Kind::Integer);
  EXPECT_EQ(tree.find("large")->kind(), ResultTree::Kind::Count);
  EXPECT_EQ(tree.find("yes")->kind(), ResultTree::Kind::Boolean);
  EXPECT_EQ(tree.find("text")->kind(), ResultTree::Kind::Text);
  EXPECT_EQ(tree.find("texts/1")->text(), "b");
  EXPECT_EQ(tree.find("matrix/1/1")->number(), 1.0);
  EXPECT_TRUE(std::isnan(tree.find("text")->number()));
}

TEST(ResultTree, RefusesEntriesOfWhatIsNoGroup) {
  ResultTree number(1.0);
  EXPECT_THROW(number.add("a", 1), InvalidInput);
  EXPECT_THROW(number.item(), InvalidInput);
}

TEST(ResultTable, TakesLabelsUnitsAndCellsFromTheTree) {
  const ResultTree tree = two_modes();
  const std::vector<ResultColumn> columns = {
      {.path = "frequency_hz"},
      {.path = "damping/ratio", .heading = "damping %", .digits = 2, .factor = 100.0},
      {.path = "deviation", .heading = "+-"}};
  EXPECT_EQ(headings_of(*tree.find("modes"), columns),
            (std::vector<std::string>{"frequency [Hz]", "damping %", "+-"}));
  EXPECT_EQ(cells_of(*tree.find("modes"), columns, plain_number),
            (Cells{{"1.25", "0.12", "-"}, {"20", "2", "-"}}));
}

TEST(ResultTable, ShowsWordsAndBands) {
  ResultTree rows = ResultTree::empty_list();
  ResultTree& row = rows.item();
  row.add("snr", 10.0).in_words("10.0");
  row.add("median", 0.0123);
  row.add("p5", 0.01);
  row.add("p95", 0.02);
  EXPECT_EQ(
      cells_of(rows,
               {{.path = "snr"},
                {.path = "median", .digits = 3, .factor = 100.0, .lower = "p5", .upper = "p95"}},
               plain_number),
      (Cells{{"10.0", "1.23 (1\u20132)"}}));
}

std::string in_brackets(long long value) { return "<" + std::to_string(value) + ">"; }

TEST(ResultTable, WritesCountsAndWhatIsMissingAsTheColumnSays) {
  ResultTree rows = ResultTree::empty_list();
  ResultTree& row = rows.item();
  row.add("signed", -3);
  row.add("unsigned", std::size_t{4000});
  row.add("numbers", std::vector<double>{0.5, 2.0});
  row.insert("null", ResultTree());
  EXPECT_EQ(row.find("numbers/1")->number(), 2.0);
  EXPECT_EQ(cells_of(rows,
                     {{.path = "signed", .count_text = in_brackets},
                      {.path = "unsigned", .count_text = in_brackets},
                      {.path = "unsigned"},
                      {.path = "null"},
                      {.path = "null", .unknown = "unknown", .missing = ""},
                      {.path = "absent", .missing = "none"}},
                     plain_number),
            (Cells{{"<-3>", "<4000>", "4000", "-", "", "none"}}));
}

std::string plus_minus(double value, double deviation) {
  return plain_number(value, 3) + " +- " + plain_number(deviation, 2);
}

std::string two_decimals(double value, int /*digits*/) {
  return std::isnan(value) ? "none" : std::to_string(value).substr(0, 4);
}

TEST(ResultTable, ShowsDeviationsAndNumbersInTheirOwnForm) {
  ResultTree rows = ResultTree::empty_list();
  ResultTree& row = rows.item();
  row.add("ratio", 0.02);
  row.add("deviation", 0.001);
  row.add("fit", 99.0);
  row.add("unknown", std::nan(""));
  const std::vector<ResultColumn> columns = {
      {.path = "ratio", .factor = 100.0, .deviation = "deviation", .deviation_text = plus_minus},
      {.path = "ratio", .factor = 100.0, .deviation = "deviation"},
      {.path = "fit", .number_text = two_decimals},
      {.path = "unknown"},
      {.path = "unknown", .number_text = two_decimals, .unknown = ""},
      {.path = "unknown", .unknown = "failed"}};
  EXPECT_EQ(cells_of(rows, columns, plain_number),
            (Cells{{"2 +- 0.1", "2.00 \u00b1 0.10", "99.0", "-", "none", "failed"}}));
}

}  // namespace result_tree_test
}  // namespace alembert::document
