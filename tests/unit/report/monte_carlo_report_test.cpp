#include "alembert/report/monte_carlo_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/report/page.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "alembert/study/study.hpp"
#include "report/tasks/monte_carlo/monte_carlo_sections.hpp"

namespace alembert::report {
namespace monte_carlo_report_test {

using namespace document;

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string kMany = R"(
title = "Two masses, often"
[model]
mass = { diagonal = [2.0, 1.0] }
stiffness = [[300.0, -100.0], [-100.0, 100.0]]
damping = { ratios = 0.02 }
[simulate]
step = 0.02
samples = 400
inputs.all = { kind = "spline-noise", knots = 0.1 }
sensors.all = { snr = 30.0 }
[identify]
[monte-carlo]
runs = 3
)";

study::MonteCarloResult many(const std::vector<std::string>& changes = {}) {
  study::LoadOptions options;
  for (const std::string& change : changes) {
    options.overrides.push_back(study::parse_override(change));
  }
  const study::LoadedStudy loaded = study::load_study_text(kMany, "many.toml", options);
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  const Machines machines;
  return study::run_monte_carlo(*loaded.as<study::MonteCarloStudy>(), machines);
}

std::vector<std::string> block_ids(const Document& document) {
  std::vector<std::string> ids;
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      if (const auto* table = std::get_if<Table>(&block)) ids.push_back(table->id);
      if (const auto* plot = std::get_if<Plot>(&block)) ids.push_back(plot->id);
    }
  }
  return ids;
}

TEST(MonteCarloDocument, BeginsWithTheVerdict) {
  const Document document = monte_carlo_document(many());
  EXPECT_EQ(document.title, "Two masses, often");
  ASSERT_EQ(document.sections.front().title, "Verdict");
  const auto& first = std::get<Paragraph>(document.sections.front().blocks.front());
  EXPECT_EQ(first.text, "All 3 runs succeeded.");
  EXPECT_EQ(first.kind, Paragraph::Kind::Good);
  const std::vector<std::string> ids = block_ids(document);
  for (const char* id : {"errors", "coverage-shares", "ratios", "reported", "ratio",
                         "mode-frequencies", "mode-damping", "files"}) {
    EXPECT_THAT(ids, Contains(id));
  }
  EXPECT_THAT(ids, Not(Contains("error")));
  EXPECT_THAT(ids, Not(Contains("failures")));
  EXPECT_THAT(render_html(document), Not(HasSubstr(">nan<")));
}

TEST(MonteCarloDocument, ShowsErrorsAgainstTheSweptKey) {
  const study::MonteCarloResult result =
      many({"monte-carlo.sweep.simulate.sensors.all.snr=[40.0, 20.0, 30.0]"});
  const std::vector<Plot> plots = error_plots(result);
  ASSERT_EQ(plots.size(), 1U);
  EXPECT_EQ(plots[0].x_label, "simulate.sensors.all.snr");
  EXPECT_TRUE(plots[0].log_y);
  EXPECT_FALSE(plots[0].log_x);
  const Curve& mass = plots[0].curves.front();
  EXPECT_EQ(mass.group, "M");
  EXPECT_EQ(mass.x, Eigen::Vector3d(20.0, 30.0, 40.0));  // ascending, whatever the study's order
  EXPECT_DOUBLE_EQ(mass.y(0), 100.0 * result.points[1].errors[0].median);
  EXPECT_DOUBLE_EQ(mass.y(2), 100.0 * result.points[0].errors[0].median);
  const std::vector<Plot> shares = coverage_plots(result);
  ASSERT_EQ(shares.size(), 1U);
  EXPECT_EQ(shares[0].curves.back().y, Eigen::Vector3d::Constant(95.0));
  EXPECT_NO_THROW((void)render_html(monte_carlo_document(result)));
}

TEST(MonteCarloDocument, TwoKeysGiveACurveForEachSecondValue) {
  const study::MonteCarloResult result =
      many({"monte-carlo.sweep.simulate.samples=[300, 600]",
            "monte-carlo.sweep.identify.refine=[\"exact\", \"midpoint\"]"});
  const std::vector<Plot> plots = error_plots(result);
  ASSERT_EQ(plots.size(), study::kComparedCount);
  EXPECT_EQ(plots[2].id, "error-stiffness");
  EXPECT_EQ(plots[2].curves.front().group, "identify.refine = exact");
  EXPECT_EQ(plots[2].curves.back().group, "identify.refine = midpoint");
  EXPECT_EQ(plots[2].curves.front().x, Eigen::Vector2d(300.0, 600.0));
  EXPECT_DOUBLE_EQ(plots[2].curves[4].y(1), 100.0 * result.points[3].errors[2].median);
}

TEST(MonteCarloDocument, NamesTextsOnTheAxis) {
  const study::MonteCarloResult result =
      many({"monte-carlo.sweep.identify.refine=[\"exact\", \"none\"]"});
  const std::vector<Plot> plots = error_plots(result);
  ASSERT_EQ(plots.size(), 1U);
  ASSERT_EQ(plots[0].markers.size(), 2U);
  EXPECT_EQ(plots[0].markers[1].label, "none");
  EXPECT_EQ(plots[0].markers[1].x, 2.0);
  EXPECT_THAT(render_html(monte_carlo_document(result)), Not(HasSubstr(">nan<")));
}

TEST(MonteCarloDocument, SaysWhatFailed) {
  const Document document =
      monte_carlo_document(many({"identify.max-iterations=1", "identify.tolerance=1e-15"}));
  const auto& first = std::get<Paragraph>(document.sections.front().blocks.front());
  EXPECT_EQ(first.kind, Paragraph::Kind::Bad);
  EXPECT_THAT(first.text, HasSubstr("no run succeeded"));
  EXPECT_THAT(block_ids(document), Contains("failures"));
  EXPECT_THAT(render_html(document), HasSubstr("not-converged"));
}

TEST(MonteCarloDocument, WarnsAboutNarrowIntervals) {
  study::MonteCarloResult result = many();
  result.points[0].errors[1].coverage = 0.8;
  result.points[0].errors[1].coverage_lower = 0.7;
  result.points[0].errors[1].coverage_upper = 0.88;
  result.points[0].errors[1].coverage_chance = 1e-4;  // below 1 % / 5 cases
  const Document document = monte_carlo_document(result);
  const auto& second = std::get<Paragraph>(document.sections.front().blocks[1]);
  EXPECT_EQ(second.kind, Paragraph::Kind::Warning);
  EXPECT_THAT(second.text, HasSubstr("too narrow in 1 of 5 cases"));
  EXPECT_THAT(second.text, HasSubstr("80.0 % (70.0 to 88.0 %), for D"));
}

// With many cases one of them is low by chance.
TEST(MonteCarloDocument, DoesNotWarnAboutWhatChanceExplains) {
  study::MonteCarloResult result = many();
  result.points[0].errors[1].coverage = 0.8;
  result.points[0].errors[1].coverage_chance = 0.02;
  const Document document = monte_carlo_document(result);
  EXPECT_EQ(std::get<Paragraph>(document.sections.front().blocks[1]).kind, Paragraph::Kind::Good);
}

TEST(SuitsLogAxis, AsksHowTheValuesAreSpread) {
  EXPECT_TRUE(suits_log_axis(Eigen::Vector3d(0.001, 0.01, 0.1)));
  EXPECT_TRUE(suits_log_axis(Eigen::Vector4d(100.0, 200.0, 400.0, 800.0)));
  EXPECT_TRUE(suits_log_axis(Eigen::Vector2d(1.0, 100.0)));
  EXPECT_FALSE(suits_log_axis(Eigen::Vector2d(1.0, 2.0)));
  EXPECT_FALSE(suits_log_axis(Eigen::Vector4d(10.0, 20.0, 30.0, 40.0)));
  EXPECT_FALSE(suits_log_axis(Eigen::Vector3d(0.0, 0.1, 10.0)));
  EXPECT_FALSE(suits_log_axis(Eigen::Vector3d(-1.0, 0.1, 10.0)));
  EXPECT_FALSE(suits_log_axis(Eigen::VectorXd()));
}

}  // namespace monte_carlo_report_test
}  // namespace alembert::report
