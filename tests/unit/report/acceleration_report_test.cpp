#include "alembert/report/acceleration_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/report/page.hpp"
#include "alembert/study/acceleration.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "support/document_ids.hpp"
#include "support/study_changes.hpp"

namespace alembert::report {
namespace acceleration_report_test {

using namespace document;

using testing::HasSubstr;

study::AccelerationOutcome duffing(const std::string& name, std::vector<std::string> changes = {}) {
  changes.insert(changes.begin(), "identify.engine=interpreter");
  const study::LoadedStudy loaded =
      study::load_study(test::project_folder() / "studies/duffing" / name, test::changed(changes));
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  return study::run_acceleration(*loaded.as<study::AccelerationStudy>());
}

TEST(AccelerationDocument, ShowsAllThatWasFound) {
  // Every 10th sample and fewer windows: the same sections in less time.
  const Document document = acceleration_document(
      duffing("identify.toml", {"identify.shift=1.0", "identify.every=10",
                                "identify.compare={ linear = \"x'' + a*x' + b*x = 0\" }"}));
  EXPECT_THAT(
      test::ids_in(document),
      testing::IsSupersetOf({"diagnosis", "parameters", "truth", "correlation", "acceleration",
                             "residual", "displacement", "velocity", "window-1", "window-3",
                             "stiffness-amplitude", "damping-amplitude", "classical", "envelope",
                             "decrement", "frequency", "static", "comparison", "prediction"}));
  const std::string page = render_html(document);
  EXPECT_THAT(page, HasSubstr("Free decay of a Duffing oscillator"));
  EXPECT_THAT(page, HasSubstr("No check of the records found a reason"));
}

TEST(AccelerationDocument, ShowsRepeatability) {
  const study::AccelerationOutcome result = duffing("repeated.toml");
  const Document document = acceleration_document(result);
  EXPECT_THAT(test::ids_in(document),
              testing::IsSupersetOf({"repeated-regression", "records-regression",
                                     "repeated-refined", "records-refined"}));
  EXPECT_EQ(render_html(document), render_html(acceleration_document(duffing("repeated.toml"))));
}

TEST(AccelerationDocument, SaysWhatWentWrong) {
  const Document document = acceleration_document(duffing("repeated.toml", {"data.to=0.6"}));
  const auto& verdict = std::get<Paragraph>(document.sections.front().blocks.front());
  EXPECT_EQ(verdict.kind, Paragraph::Kind::Bad);
  EXPECT_THAT(verdict.text, HasSubstr("less than one cycle"));
  EXPECT_THAT(test::ids_in(document), testing::Not(testing::Contains("acceleration")));
}

}  // namespace acceleration_report_test
}  // namespace alembert::report
