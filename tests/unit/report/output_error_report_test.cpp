#include "alembert/report/output_error_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/report/page.hpp"
#include "alembert/study/output_error.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "support/document_ids.hpp"
#include "support/study_changes.hpp"

namespace alembert::report {
namespace output_error_report_test {

using namespace document;

using testing::HasSubstr;

study::OutputErrorOutcome pendulum(std::vector<std::string> changes = {}) {
  changes.insert(changes.begin(), "identify.engine=interpreter");
  const study::LoadedStudy loaded = study::load_study(
      test::project_folder() / "studies/pendulum/identify.toml", test::changed(changes));
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  return study::run_output_error(*loaded.as<study::OutputErrorStudy>());
}

TEST(OutputErrorDocument, ShowsParametersFitsAndValidation) {
  const study::OutputErrorOutcome result = pendulum();
  const Document document = output_error_document(result);
  EXPECT_THAT(
      test::ids_in(document),
      testing::IsSupersetOf({"parameters", "correlation", "outputs", "driving-1", "history-1",
                             "history-residual-1", "residual-correlation", "input-correlation",
                             "validation", "validation-1", "validation-residual-1"}));
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
  EXPECT_THAT(verdict.text, HasSubstr("identify.max-evaluations"));
  // Under a verdict that says not to use the numbers nothing may call them valid.
  EXPECT_THAT(render_html(document), testing::Not(HasSubstr("standard deviations are valid")));
  // Nothing could be simulated: the signals stand alone, beside the parameters and the study.
  study::OutputErrorOutcome nothing =
      pendulum({"model.equations=\"q'' = exp(1000 + abs(q0 + km*u + l + d + c))\"",
                "model.units={}", "model.constants={}"});
  EXPECT_EQ(nothing.status, Status::NotFinite);
  EXPECT_THAT(test::ids_in(output_error_document(nothing)),
              testing::AllOf(testing::Contains("parameters"), testing::Contains("measured-1"),
                             testing::Contains("measured-spectrum-1"),
                             testing::Not(testing::Contains("history-1"))));
}

// The interval of each parameter, and the cost along it, which the limit crosses at its ends.
TEST(OutputErrorDocument, ProfilesHaveATableAndAFigureEach) {
  const study::OutputErrorOutcome result = pendulum({"identify.profile=[\"l\", \"c\"]"});
  const Document document = output_error_document(result);
  EXPECT_THAT(test::ids_in(document),
              testing::IsSupersetOf({"profiles", "profile-1", "profile-2"}));
  for (const Section& section : document.sections) {
    for (const Block& block : section.blocks) {
      const auto* plot = std::get_if<Plot>(&block);
      if (plot == nullptr || plot->id != "profile-1") continue;
      ASSERT_EQ(plot->curves.size(), 4U);
      EXPECT_EQ(plot->x_label, "l [m]");
      // Where the cost of a linear model meets the ends of the interval, in variances of white
      // noise.
      const identify::ParameterVerdict l = result.parameter("l");
      EXPECT_NEAR(plot->curves[2].y(0), std::pow(l.margin / l.white, 2), 1e-3);
      EXPECT_NEAR(plot->curves[2].y(0), 1.96 * 1.96, 0.2 * 1.96 * 1.96);  // the residuals are white
      // The fitted points begin at zero, at the estimate, and the line goes through them.
      EXPECT_EQ(plot->curves[3].y.minCoeff(), 0.0);
      EXPECT_GE(plot->curves[3].y.size(), 11);
      // So small an interval is nearly linear: the profile is the parabola of the deviation.
      EXPECT_LT((plot->curves[0].y - plot->curves[1].y).cwiseAbs().maxCoeff(), 0.1);
    }
  }
}

TEST(OutputErrorDocument, SaysHowHeldBackDataAreStarted) {
  const auto page = [](const std::vector<std::string>& changes) {
    return render_html(output_error_document(pendulum(changes)));
  };
  EXPECT_THAT(page({"data.validation.start=estimate", "data.validation.skip=20"}),
              testing::AllOf(HasSubstr("fitted to the first 20 samples"),
                             HasSubstr("The first 20 samples of each experiment are not scored")));
  EXPECT_THAT(page({"data.validation={fraction=0.25}"}), HasSubstr("goes on from"));
}

TEST(OutputErrorDocument, SeveralStartsListTheirEnds) {
  EXPECT_THAT(test::ids_in(output_error_document(pendulum({"identify.starts=2"}))),
              testing::Contains("optima"));
}

}  // namespace output_error_report_test
}  // namespace alembert::report
