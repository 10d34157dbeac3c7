#include "alembert/report/comparison_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>

#include "alembert/report/page.hpp"

namespace alembert::report {
namespace comparison_report_test {

using testing::HasSubstr;
using testing::Not;

study::ResultSummary result(double value) {
  study::ResultSummary summary;
  summary.folder = "some.out";
  summary.task = "identify";
  summary.quantities = {{"k", "N/m", value, 3.0}, {"m", "kg", 2.0, 0.0}};
  summary.fits = {{"y1", "m", 97.0, 0.01}};
  summary.sources = {"a.csv"};
  return summary;
}

signal::Record signals(double slope) {
  Eigen::MatrixXd samples(3, 3);
  samples << 0, 0, 0, 1, slope, 1 - slope, 2, 2 * slope, 2 - 2 * slope;
  return {signal::TimeAxis::uniform(3, 0.5),
          {{"y1", "m"}, {"y1_predicted", "m"}, {"y1_residual"}},
          samples};
}

const document::Plot* plot_of(const document::Document& document, const std::string& id) {
  for (const document::Section& section : document.sections) {
    for (const document::Block& block : section.blocks) {
      const auto* plot = std::get_if<document::Plot>(&block);
      if (plot != nullptr && plot->id == id) return plot;
    }
  }
  return nullptr;
}

TEST(ComparisonReport, SaysWhatAgrees) {
  const std::string page =
      render_html(comparison_document(study::compare_results(result(100.0), result(102.0))));
  EXPECT_THAT(page, HasSubstr("100.0 \u00b1 3.0"));
  EXPECT_THAT(page, HasSubstr("0.47"));  // 2 of 3 sqrt 2
  EXPECT_THAT(page, HasSubstr("both given"));
  EXPECT_THAT(page, HasSubstr("no evidence that either is right"));
  EXPECT_THAT(page, HasSubstr("[m]"));
}

// The second estimate lies 6 above the first, of a limit of 3 sqrt 2; its interval is 3 wide.
TEST(ComparisonReport, ThePlotIsInUnitsOfTheLimit) {
  const document::Document document =
      comparison_document(study::compare_results(result(100.0), result(106.0)));
  const document::Plot* plot = plot_of(document, "agreement");
  ASSERT_NE(plot, nullptr);
  ASSERT_EQ(plot->curves.size(), 5U);  // points and intervals of both, and the limits
  const double limit = 4.2426406871192851;
  EXPECT_NEAR(plot->curves[2].y(0), 6.0 / limit, 1e-14);
  EXPECT_NEAR(plot->curves[3].y(1) - plot->curves[3].y(0), 6.0 / limit, 1e-14);
}

TEST(ComparisonReport, SignalsOfBothStandInOnePlot) {
  const document::Document document = comparison_document(
      study::compare_results(result(1.0), result(1.0)), signals(1.0), signals(0.5));
  const document::Plot* plot = plot_of(document, "signal-y1-predicted");
  ASSERT_NE(plot, nullptr);
  ASSERT_EQ(plot->curves.size(), 3U);
  EXPECT_EQ(plot->curves[0].name, "measured");
  EXPECT_EQ(plot->curves[1].y(2), 2.0);
  EXPECT_EQ(plot->curves[2].y(2), 1.0);
  EXPECT_EQ(plot_of(document, "signal-y1-residual"), nullptr);
}

TEST(ComparisonReport, WithoutNumbersInCommonThereIsNoTable) {
  study::ResultSummary other = result(1.0);
  other.quantities = {{"c", "", 1.0, 0.1}};
  other.fits = {};
  const std::string page =
      render_html(comparison_document(study::compare_results(result(1.0), other)));
  EXPECT_THAT(page, HasSubstr("no number in common"));
  EXPECT_THAT(page, HasSubstr("In the second only: c."));
  EXPECT_THAT(page, Not(HasSubstr("95 % intervals</")));
}

}  // namespace comparison_report_test
}  // namespace alembert::report
