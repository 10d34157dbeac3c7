#include "alembert/report/identify_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "alembert/report/page.hpp"
#include "alembert/study/identify.hpp"
#include "alembert/study/simulate.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"
#include "support/document_ids.hpp"
#include "support/study_changes.hpp"

namespace alembert::report {
namespace identify_report_test {

using namespace document;

using testing::HasSubstr;

const std::string kRecord = R"(
[model]
mass = { diagonal = [2.0, 1.0] }
stiffness = [[300.0, -100.0], [-100.0, 100.0]]
damping = { ratios = 0.02 }
[simulate]
step = 0.01
samples = 1500
inputs.all = { kind = "spline-noise", knots = 0.05 }
sensors.all = { snr = 30.0 }
)";

const std::string kAsked = R"(
title = "Two masses"
[data]
file = "record.csv"
inputs = ["u1", "u2"]
outputs = ["y1", "y2"]
validation = { fraction = 0.25 }
[model]
degrees-of-freedom = 2
[identify]
compare = ["weak-form"]
)";

study::IdentifyResult identified(const std::vector<std::string>& changes = {}) {
  const test::TemporaryFolder folder;
  const study::LoadedStudy simulate =
      study::load_study_text(kRecord, folder.path() / "simulate.toml");
  const Machines machines;
  study::write_simulate_result(study::run_simulate(*simulate.as<study::SimulateStudy>(), machines),
                               folder.path());
  const study::LoadedStudy loaded =
      study::load_study_text(kAsked, folder.path() / "identify.toml", test::changed(changes));
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  return study::run_identify(*loaded.as<study::IdentifyStudy>());
}

TEST(IdentifyDocument, HoldsWhatWasPromisedOnce) {
  const Document document = identify_document(identified());
  EXPECT_EQ(document.title, "Two masses");
  EXPECT_EQ(document.sections.front().title, "Verdict");
  std::vector<std::string> ids = test::ids_in(document);
  for (const char* id : {"mass-table",
                         "damping-table",
                         "stiffness-table",
                         "mass",
                         "modes",
                         "mode-shapes",
                         "response-magnitude",
                         "response-phase",
                         "coherence",
                         "outputs",
                         "history-1",
                         "residuals-1",
                         "residual-spectra-1",
                         "residual-correlation",
                         "validation",
                         "validation-history-1",
                         "comparison",
                         "iterations",
                         "windows",
                         "files"}) {
    EXPECT_THAT(ids, testing::Contains(id));
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end());
  EXPECT_THAT(render_html(document), HasSubstr("The identification succeeded"));
}

TEST(IdentifyDocument, SaysWhatWentWrong) {
  study::IdentifyResult result = identified();
  result.status = Status::NotConverged;
  result.message = "60 iterations were not enough";
  const Document document = identify_document(result);
  const auto* first = std::get_if<Paragraph>(&document.sections.front().blocks.front());
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->kind, Paragraph::Kind::Bad);
  EXPECT_THAT(first->text, HasSubstr("60 iterations were not enough"));
}

// A start that failed leaves no matrices; the report must still say why.
TEST(IdentifyDocument, WorksWithoutMatrices) {
  study::IdentifyResult result;
  result.study = identified().study;
  result.status = Status::NotIdentifiable;
  result.message = "no start could be formed";
  const std::string page = render_html(identify_document(result));
  EXPECT_THAT(page, HasSubstr("no start could be formed"));
  // The cause is in the data, which are shown.
  EXPECT_THAT(page, HasSubstr("Measured signals of the first experiment"));
  EXPECT_THAT(page, HasSubstr("Spectra of the measured signals"));
}

TEST(IdentifyDocument, WorksWithoutRefinement) {
  const std::string page = render_html(identify_document(identified({"identify.refine=none"})));
  EXPECT_THAT(page, HasSubstr("Without refinement there are no standard deviations"));
  EXPECT_THAT(page, testing::Not(HasSubstr(">nan<")));
}

}  // namespace identify_report_test
}  // namespace alembert::report
