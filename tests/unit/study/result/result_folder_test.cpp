#include "alembert/study/result/result_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/data.hpp"
#include "unit/study/study_text.hpp"

namespace alembert::study {
namespace result_folder_test {

namespace fs = std::filesystem;
using test::TemporaryFolder;
using testing::HasSubstr;

TEST(ReasonToKeep, NoneForWhatWeWrite) {
  const TemporaryFolder folder;
  const Machines machines;
  const SimulateStudy study = test::two_masses({"simulate.experiments=2", "simulate.samples=40"});
  write_simulate_result(run_simulate(study, machines), folder.path());
  folder.write("report.html", "<html>");
  EXPECT_EQ(reason_to_keep(folder.path()), "");
}

TEST(ReasonToKeep, NamesTheFirstForeignFile) {
  const TemporaryFolder folder;
  folder.write("result.json", R"({"format": "alembert-result-1", "experiments":
      [{"record": {"file": "record.csv"}}]})");
  folder.write("record.csv", "1");
  EXPECT_EQ(reason_to_keep(folder.path()), "");
  folder.write("truth.csv", "1");
  folder.write("notes.txt", "mine");
  EXPECT_EQ(reason_to_keep(folder.path()), "holds notes.txt, which is not part of a result");
  fs::remove(folder.path() / "notes.txt");
  EXPECT_THAT(reason_to_keep(folder.path()), HasSubstr("holds truth.csv"));
}

// A name of ours that is a folder or a link leads to something that is not ours.
TEST(ReasonToKeep, TakesOnlyRegularFilesForOurs) {
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  folder.write("result.json", R"({"format": "alembert-result-1"})");
  fs::create_directory(folder.path() / "report.html");
  EXPECT_THAT(reason_to_keep(folder.path()), HasSubstr("holds report.html"));
  fs::remove(folder.path() / "report.html");
  fs::create_symlink(elsewhere.write("a.html", ""), folder.path() / "report.html");
  EXPECT_THAT(reason_to_keep(folder.path()), HasSubstr("holds report.html"));
}

TEST(ReasonToKeep, KnowsResultsOfOtherPrograms) {
  for (const char* text :
       {"", "{", "[]", "3", "{}", R"({"format": 1})", R"({"format": "other-result-1"})"}) {
    const TemporaryFolder folder;
    folder.write("result.json", text);
    EXPECT_EQ(reason_to_keep(folder.path()), "holds a result.json of another program") << text;
  }
  const TemporaryFolder folder;
  folder.write("chapter1.txt", "");
  EXPECT_EQ(reason_to_keep(folder.path()), "is not empty and holds no result.json");
}

}  // namespace result_folder_test
}  // namespace alembert::study
