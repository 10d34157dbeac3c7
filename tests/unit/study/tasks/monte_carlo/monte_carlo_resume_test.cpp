#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "alembert/study/detail/template.hpp"
#include "unit/study/tasks/monte_carlo/monte_carlo_support.hpp"

// Runs that were stopped go on from the journal.
namespace alembert::study {
namespace monte_carlo_resume_test {

using namespace monte_carlo_support;
using testing::HasSubstr;

// Stops after `most` runs, as Ctrl-C would.
MonteCarloResult stopped_after(const MonteCarloStudy& study, std::size_t most,
                               const std::filesystem::path& journal) {
  StopFlag stop;
  return result_of(study, {.threads = 1,
                           .on_progress =
                               [&](std::size_t done, std::size_t) {
                                 if (done == most) stop.request();
                               },
                           .stop = &stop,
                           .journal = journal});
}

// What was taken over stands in the result; all else is the same.
MonteCarloResult without_past(MonteCarloResult result) {
  result.resumed = result.passed_over = 0;
  return result;
}

TEST(RunMonteCarlo, GoesOnWhereItStopped) {
  const test::TemporaryFolder folder;
  const std::filesystem::path journal = folder.path() / "many.out.runs";
  const MonteCarloStudy study = study_of(kSwept);
  const std::string whole = written(result_of(study));
  const MonteCarloResult first = stopped_after(study, 3, journal);
  EXPECT_EQ(first.status, Status::Stopped);
  EXPECT_THAT(first.message, HasSubstr("3 of 8 runs finished"));
  EXPECT_EQ(first.runs.size(), 3U);
  EXPECT_NE(written(first), whole);
  // A stop at once keeps what was there.
  EXPECT_EQ(stopped_after(study, 1, journal).runs.size(), 3U);
  const MonteCarloResult second = result_of(study, {.journal = journal});
  EXPECT_EQ(second.resumed, 3U);
  EXPECT_EQ(written(without_past(second)), whole);
  remove_journal(journal);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(RunMonteCarlo, SurvivesATornLine) {
  const test::TemporaryFolder folder;
  const std::filesystem::path journal = folder.path() / "many.out.runs";
  const MonteCarloStudy study = study_of(kSwept);
  const std::string whole = written(result_of(study));
  (void)stopped_after(study, 3, journal);
  const auto size = std::filesystem::file_size(journal);
  for (const std::uintmax_t torn : {std::uintmax_t{1}, std::uintmax_t{40}}) {
    std::filesystem::resize_file(journal, size - torn);
    const MonteCarloResult again = stopped_after(study, 2, journal);
    EXPECT_EQ(again.resumed, 2U);
  }
  const MonteCarloResult last = result_of(study, {.journal = journal});
  EXPECT_EQ(written(without_past(last)), whole);
}

// A folder to be in for a while, and the only one that a key could be made in.
class WorkingFolder {
 public:
  WorkingFolder() {
    std::filesystem::current_path(folder_.path());
    setenv("XDG_STATE_HOME", folder_.path().c_str(), 1);
  }
  ~WorkingFolder() {
    std::filesystem::current_path(before_);
    unsetenv("XDG_STATE_HOME");
    if (state_) setenv("XDG_STATE_HOME", state_->c_str(), 1);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

  [[nodiscard]] bool is_empty() const { return std::filesystem::is_empty(folder_.path()); }

 private:
  static std::optional<std::string> state_home() {
    const char* value = std::getenv("XDG_STATE_HOME");
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  }

  test::TemporaryFolder folder_;
  std::filesystem::path before_ = std::filesystem::current_path();
  std::optional<std::string> state_ = state_home();
};

// Programs that keep their results in memory find no files where they happen to be: neither of
// finished runs nor of their key. Whatever else lies there stays.
TEST(MonteCarloTask, WithoutAFolderForTheResultKeepsNoFiles) {
  const WorkingFolder here;
  const Machines machines;
  for (const std::string& text : {kStudy, study_template("monte-carlo-equations")}) {
    const LoadedStudy loaded = load_study_text(text, "many.toml");
    ASSERT_NE(loaded.study, nullptr) << text;
    StopFlag stop;
    const OnProgress after_the_first = [&](std::size_t, std::size_t) {
      EXPECT_TRUE(here.is_empty());
      stop.request();
    };
    const RunContext context{
        .machines = machines,
        .options = {.threads = 1, .on_progress = after_the_first, .stop = &stop}};
    const std::unique_ptr<TaskResult> result = loaded.study->run(context);
    EXPECT_EQ(result->outcome().status, Status::Stopped);
    EXPECT_EQ(result->settle(context), "");
    EXPECT_TRUE(here.is_empty());
  }
}

TEST(RunMonteCarlo, AChangedStudyTakesNothingOver) {
  const test::TemporaryFolder folder;
  const std::filesystem::path journal = folder.path() / "many.out.runs";
  const MonteCarloStudy study = study_of(kSwept);
  (void)stopped_after(study, 3, journal);
  for (const char* change :
       {"monte-carlo.seed=2", "simulate.step=0.021", "model.damping.mass=0.11",
        "identify.hold=zero", "monte-carlo.sweep.simulate.sensors.all.snr=[20.0, 41.0]"}) {
    const MonteCarloStudy other = study_of(kSwept, {change});
    EXPECT_NE(other.fingerprint, study.fingerprint) << change;
  }
  const MonteCarloResult changed =
      stopped_after(study_of(kSwept, {"monte-carlo.seed=2"}), 1, journal);
  EXPECT_EQ(changed.resumed, 0U);
  // The lines of both live side by side.
  EXPECT_EQ(stopped_after(study, 4, journal).resumed, 3U);
}

// Headings of the report change nothing that is computed.
TEST(RunMonteCarlo, OtherHeadingsAreTheSameStudy) {
  const std::string fingerprint = study_of(kSwept).fingerprint;
  for (const char* change : {"title=\"Other\"", "author=\"Anna Berg\"", "customer=\"Mill\""}) {
    EXPECT_EQ(study_of(kSwept, {change}).fingerprint, fingerprint) << change;
  }
}

TEST(RunMonteCarlo, MoreRunsOfTheSameStudyGoOn) {
  const test::TemporaryFolder folder;
  const std::filesystem::path journal = folder.path() / "many.out.runs";
  (void)stopped_after(study_of(kSwept), 3, journal);
  const MonteCarloResult more =
      result_of(study_of(kSwept, {"monte-carlo.runs=5"}), {.journal = journal});
  EXPECT_EQ(more.resumed, 3U);
  EXPECT_EQ(more.runs.size(), 10U);
}

TEST(RunMonteCarlo, OneProcessHoldsTheJournal) {
  const test::TemporaryFolder folder;
  const std::filesystem::path journal = folder.path() / "many.out.runs";
  const MonteCarloStudy study = study_of(kStudy);
  std::string message;
  (void)result_of(study, {.threads = 1,
                          .on_progress =
                              [&](std::size_t, std::size_t) {
                                try {
                                  (void)result_of(study, {.journal = journal});
                                } catch (const DataError& error) {
                                  message = error.what();
                                }
                              },
                          .journal = journal});
  EXPECT_THAT(message, HasSubstr("many.out.runs: another process is at work on this result"));
}

}  // namespace monte_carlo_resume_test
}  // namespace alembert::study
