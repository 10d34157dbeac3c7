#include "alembert/report/output_error_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/study/study.hpp"
#include "support/data.hpp"

namespace alembert::report {
namespace output_error_report_test {

using testing::HasSubstr;

study::OutputErrorOutcome pendulum(const std::vector<std::string>& changes = {}) {
  study::LoadOptions options;
  options.overrides.push_back(study::parse_override("identify.engine=interpreter"));
  for (const std::string& change : changes) {
    options.overrides.push_back(study::parse_override(change));
  }
  const study::LoadedStudy loaded =
      study::load_study(test::project_folder() / "studies/pendulum/identify.toml", options);
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  return study::run_output_error(*loaded.output_error);
}

std::vector<std::string> ids_in(const Document& document) {
  std::vector<std::string> ids;
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      if (const auto* table = std::get_if<Table>(&block)) ids.push_back(table->id);
      if (const auto* plot = std::get_if<Plot>(&block)) ids.push_back(plot->id);
      if (const auto* matrix = std::get_if<MatrixView>(&block)) ids.push_back(matrix->id);
    }
  }
  return ids;
}

TEST(OutputErrorDocument, ShowsParametersFitsAndValidation) {
  const study::OutputErrorOutcome result = pendulum();
  const Document document = output_error_document(result);
  EXPECT_THAT(ids_in(document),
              testing::IsSupersetOf({"parameters", "correlation", "outputs", "history-1",
                                     "history-residual-1", "residual-correlation", "validation",
                                     "validation-1", "validation-residual-1"}));
  const auto& table = std::get<Table>(document.sections.at(1).blocks.front());
  ASSERT_EQ(table.rows.size(), 5U);
  EXPECT_EQ(table.rows[0][0], "l");
  EXPECT_EQ(table.rows[0][1], "m");
  EXPECT_THAT(table.rows[0][2], HasSubstr(" \u00b1 0.0000"));
  const std::string page = render_html(document);
  EXPECT_THAT(page, HasSubstr("Pendulum with viscous and dry friction"));
  EXPECT_THAT(page, HasSubstr("The residuals are white"));
  EXPECT_EQ(page, render_html(output_error_document(pendulum())));
}

TEST(OutputErrorDocument, SaysWhatWentWrong) {
  const study::OutputErrorOutcome result = pendulum({"identify.max-evaluations=2"});
  EXPECT_EQ(result.status, Status::NotConverged);
  const Document document = output_error_document(result);
  const auto& verdict = std::get<Paragraph>(document.sections.front().blocks.front());
  EXPECT_EQ(verdict.kind, Paragraph::Kind::Bad);
  EXPECT_THAT(verdict.text, HasSubstr("max_evaluations"));
  // Nothing could be simulated: no plots, but the parameters and the study are there.
  study::OutputErrorOutcome nothing =
      pendulum({"model.equations=\"q'' = exp(1000 + abs(q0 + km*u + l + d + c))\"",
                "model.units={}", "model.constants={}"});
  EXPECT_EQ(nothing.status, Status::NotFinite);
  EXPECT_THAT(ids_in(output_error_document(nothing)),
              testing::AllOf(testing::Contains("parameters"),
                             testing::Not(testing::Contains("history-1"))));
}

TEST(OutputErrorDocument, SeveralStartsListTheirEnds) {
  EXPECT_THAT(ids_in(output_error_document(pendulum({"identify.starts=2"}))),
              testing::Contains("optima"));
}

}  // namespace output_error_report_test
}  // namespace alembert::report
