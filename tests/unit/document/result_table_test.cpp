#include "alembert/document/result_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace alembert::document {
namespace result_table_test {

ResultTree two_parameters() {
  ResultTree rows = ResultTree::empty_list();
  ResultTree& mass = rows.item();
  mass.add("name", "m").named("parameter");
  mass.add("value", 2.0).named("value", "kg");
  mass.add("deviation", 0.01);
  mass.add("truth", 2.005);
  ResultTree& damping = rows.item();
  damping.add("name", "d");
  damping.add("value", 1234.6);
  damping.add("deviation", std::nan(""));
  return rows;
}

TEST(WithRows, FillsHeadingsAndCells) {
  const Table table =
      with_rows({.id = "parameters", .title = "Parameters", .header = {}}, two_parameters(),
                {{.path = "name"},
                 {.path = "value", .deviation = "deviation"},
                 {.path = "deviation", .heading = "std", .digits = 2}});
  EXPECT_EQ(table.id, "parameters");
  EXPECT_EQ(table.header, (std::vector<std::string>{"parameter", "value [kg]", "std"}));
  EXPECT_EQ(table.rows, (std::vector<std::vector<std::string>>{{"m", "2.000 \u00b1 0.010", "0.010"},
                                                               {"d", "1235", "-"}}));
}

TEST(WithRows, LeavesACellBlank) {
  const ResultColumn column{
      .path = "deviation", .digits = 2, .number_text = known_or_blank, .unknown = ""};
  EXPECT_EQ(with_rows({}, two_parameters(), {column}).rows,
            (std::vector<std::vector<std::string>>{{"0.010"}, {""}}));
}

TEST(RowsHaving, KeepsTheItemsWithTheEntry) {
  const ResultTree rows = rows_having(two_parameters(), "truth");
  ASSERT_EQ(rows.entries().size(), 1U);
  EXPECT_EQ(rows.text("0/name"), "m");
}

}  // namespace result_table_test
}  // namespace alembert::document
