#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "alembert/report/page.hpp"
#include "alembert/report/task_report.hpp"
#include "alembert/study/study.hpp"
#include "support/data.hpp"

namespace alembert::report {
namespace traceability_test {

constexpr std::string_view kStudy = R"(title = "One mass"
AUTHOR
[model]
mass = [[2.0]]
stiffness = [[300.0]]
damping = { ratios = 0.02 }
[simulate]
step = 0.01
samples = 50
inputs.u1 = { kind = "chirp", begin = 0.1, end = 4.0, amplitude = 1.0 }
sensors.x1 = { measures = "displacement", at = "q1", sigma = 0.001 }
)";

// The page of the study with lines in place of AUTHOR, after it ran from a file.
std::string page_with(const std::string& lines) {
  const test::TemporaryFolder folder;
  std::string text(kStudy);
  text.replace(text.find("AUTHOR"), 6, lines);
  const std::filesystem::path file = folder.path() / "one.toml";
  std::ofstream(file) << text;
  const study::LoadedStudy loaded = study::load_study(file);
  if (!loaded.problems.empty()) study::raise(loaded.problems.front());
  const Machines machines;
  const auto result = loaded.study->run({.machines = machines, .options = {}, .out = {}});
  result->trace = study::trace_of(loaded, folder.path());
  return render_html(task_document(*result));
}

TEST(Traceability, NamesAuthorAndCustomer) {
  const std::string page = page_with("author = \"Anna Berg\"\ncustomer = \"Mill & Sons\"");
  EXPECT_NE(page.find("Made by Anna Berg for Mill &amp; Sons."), std::string::npos);
}

TEST(Traceability, NamesOneOfBoth) {
  EXPECT_NE(page_with("author = \"Anna Berg\"").find("Made by Anna Berg. "), std::string::npos);
  EXPECT_NE(page_with("customer = \"Mill\"").find("Made for Mill. "), std::string::npos);
}

TEST(Traceability, NamesTheFilesThatWereRead) {
  const std::string page = page_with("");
  EXPECT_EQ(page.find("Made by"), std::string::npos);
  EXPECT_NE(page.find("one.toml"), std::string::npos);
  EXPECT_NE(page.find("SHA-256"), std::string::npos);
}

// A page that nobody made from files does not pretend to have a trace.
TEST(Traceability, StandsOnlyWhereItIsKnown) {
  const study::LoadedStudy loaded = study::load_study_text(
      std::string(kStudy).replace(std::string(kStudy).find("AUTHOR"), 6, ""), "one.toml");
  const Machines machines;
  const auto result = loaded.study->run({.machines = machines, .options = {}, .out = {}});
  EXPECT_EQ(render_html(task_document(*result)).find("Traceability"), std::string::npos);
}

}  // namespace traceability_test
}  // namespace alembert::report
