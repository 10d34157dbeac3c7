#include "alembert/document/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "alembert/core/error.hpp"

namespace alembert::document {
namespace table_test {

using testing::ElementsAre;

Table two_rows() {
  return {.id = "errors",
          .title = "Errors",
          .header = {"step [s]", "error [m]", "order"},
          .rows = {{"0.1"}, {"0.05"}},
          .values = (Eigen::MatrixXd(2, 2) << 0.5, std::nan(""), 0.125, 2.0).finished()};
}

TEST(TextCells, NumbersFollowTheTextWithFourDigits) {
  const auto cells = text_cells(two_rows());
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_THAT(cells[0], ElementsAre("0.1", "0.5000", ""));
  EXPECT_THAT(cells[1], ElementsAre("0.05", "0.1250", "2.000"));
}

TEST(TextCells, TextAloneStaysAsItIs) {
  const Table table{.id = "t", .title = "T", .header = {"a", "b"}, .rows = {{"x", "1.00"}, {"y"}}};
  EXPECT_EQ(text_cells(table), table.rows);
}

TEST(TextCells, ARowWithoutNumbersIsRefused) {
  Table table = two_rows();
  table.rows.push_back({"0.025"});
  EXPECT_THROW((void)text_cells(table), InvalidInput);
}

TEST(NumberHeadings, AreTheLastOnes) {
  Table table = two_rows();
  EXPECT_THAT(number_headings(table), ElementsAre("error [m]", "order"));
  table.header = {"order"};
  EXPECT_THROW((void)number_headings(table), InvalidInput);
}

}  // namespace table_test
}  // namespace alembert::document
