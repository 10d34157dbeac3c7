#include "alembert/io/atomic_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "alembert/core/error.hpp"
#include "support/data.hpp"

namespace alembert::io {
namespace atomic_folder_test {

namespace fs = std::filesystem;
using test::TemporaryFolder;

void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

// Everything in a folder, hidden names too.
std::ptrdiff_t entries(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

// What the tests take for a result: a folder with a result.json.
std::string is_no_result(const fs::path& folder) {
  return fs::exists(folder / "result.json") ? "" : "holds no result.json";
}

std::string message_for(const fs::path& target) {
  try {
    AtomicFolder folder(target, is_no_result);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

TEST(AtomicFolder, AppearsWithItsFilesOnCommit) {
  const TemporaryFolder place;
  const fs::path target = place.path() / "a.out";
  {
    AtomicFolder folder(target, is_no_result);
    put(folder.path() / "result.json", "{}");
    EXPECT_FALSE(fs::exists(target));
    folder.commit();
    EXPECT_EQ(test::read_text(target / "result.json"), "{}");
  }
  EXPECT_EQ(test::read_text(target / "result.json"), "{}");
  EXPECT_EQ(entries(place.path()), 1);
}

TEST(AtomicFolder, LeavesNothingWithoutCommit) {
  const TemporaryFolder place;
  {
    AtomicFolder folder(place.path() / "a.out", is_no_result);
    fs::create_directories(folder.path() / "plots");
    put(folder.path() / "plots" / "one.csv", "1");
  }
  EXPECT_EQ(entries(place.path()), 0);
}

TEST(AtomicFolder, ReplacesAnEarlierResultAsAWhole) {
  const TemporaryFolder place;
  const fs::path target = place.path() / "a.out";
  for (const char* run : {"first", "second"}) {
    AtomicFolder folder(target, is_no_result);
    put(folder.path() / "result.json", run);
    put(folder.path() / (std::string(run) + ".csv"), run);
    folder.commit();
  }
  EXPECT_EQ(test::read_text(target / "result.json"), "second");
  EXPECT_FALSE(fs::exists(target / "first.csv"));
  EXPECT_EQ(entries(place.path()), 1);
}

TEST(AtomicFolder, KeepsTheEarlierResultWithoutCommit) {
  const TemporaryFolder place;
  const fs::path target = place.path() / "a.out";
  fs::create_directory(target);
  put(target / "result.json", "first");
  {
    AtomicFolder folder(target, is_no_result);
    put(folder.path() / "result.json", "second");
  }
  EXPECT_EQ(test::read_text(target / "result.json"), "first");
  EXPECT_EQ(entries(place.path()), 1);
}

TEST(AtomicFolder, ReplacesAnEmptyFolder) {
  const TemporaryFolder place;
  const fs::path target = place.path() / "a.out";
  fs::create_directory(target);
  AtomicFolder folder(target, is_no_result);
  put(folder.path() / "result.json", "{}");
  folder.commit();
  EXPECT_TRUE(fs::exists(target / "result.json"));
}

TEST(AtomicFolder, RefusesAFolderThatIsNoResult) {
  const TemporaryFolder place;
  const fs::path target = place.path() / "thesis";
  fs::create_directory(target);
  put(target / "chapter1.txt", "years of work");
  EXPECT_THAT(message_for(target), testing::AllOf(testing::HasSubstr(target.string()),
                                                  testing::HasSubstr("no result.json")));
  EXPECT_EQ(test::read_text(target / "chapter1.txt"), "years of work");
  EXPECT_EQ(entries(place.path()), 1);
}

// The rule is asked with the folder, and its words reach the user.
TEST(AtomicFolder, LeavesTheJudgementToTheRule) {
  const TemporaryFolder place;
  const fs::path target = place.path() / "a.out";
  fs::create_directory(target);
  put(target / "result.json", "{}");
  const auto never = [&](const fs::path& folder) {
    EXPECT_EQ(folder, target);
    return std::string("holds notes.txt");
  };
  EXPECT_THAT([&] { const AtomicFolder folder(target, never); },
              testing::ThrowsMessage<DataError>(testing::HasSubstr(
                  "a.out: holds notes.txt, so it is not replaced; choose another result folder")));
  EXPECT_TRUE(fs::exists(target / "result.json"));
}

TEST(AtomicFolder, RefusesToReplaceWhatAppearedMeanwhile) {
  const TemporaryFolder place;
  const fs::path target = place.path() / "a.out";
  AtomicFolder folder(target, is_no_result);
  fs::create_directory(target);
  put(target / "notes.txt", "mine");
  EXPECT_THROW(folder.commit(), DataError);
  EXPECT_EQ(test::read_text(target / "notes.txt"), "mine");
}

TEST(AtomicFolder, RefusesAFileAndNamesThatAreNone) {
  const TemporaryFolder place;
  const fs::path file = place.write("data.csv", "1");
  EXPECT_THAT(message_for(file), testing::HasSubstr("data.csv: exists and is not a folder"));
  EXPECT_THAT(message_for(""), testing::HasSubstr("no name"));
  EXPECT_THAT(message_for("."), testing::HasSubstr("no name"));
  EXPECT_THAT(message_for("/"), testing::HasSubstr("no name"));
  EXPECT_THAT(message_for("x/.."), testing::HasSubstr("no name"));
}

TEST(AtomicFolder, SaysWhyAFolderCannotBeMade) {
  const TemporaryFolder place;
  const fs::path file = place.write("data.csv", "1");
  EXPECT_THAT(message_for(file / "sub" / "a.out"), testing::HasSubstr("cannot be made"));
}

TEST(AtomicFolder, MakesParentFoldersAndTakesThemBack) {
  const TemporaryFolder place;
  const fs::path target = place.path() / "deep" / "er" / "a.out";
  { const AtomicFolder folder(target, is_no_result); }
  EXPECT_EQ(entries(place.path()), 0);
  {
    AtomicFolder folder(target, is_no_result);
    put(folder.path() / "result.json", "{}");
    folder.commit();
  }
  EXPECT_TRUE(fs::exists(target / "result.json"));
}

TEST(AtomicFolder, AcceptsATrailingSlashAndFollowsALink) {
  const TemporaryFolder place;
  fs::create_directory(place.path() / "disk");
  fs::create_directory_symlink(place.path() / "disk", place.path() / "link");
  AtomicFolder folder((place.path() / "link").string() + "/", is_no_result);
  put(folder.path() / "result.json", "{}");
  folder.commit();
  EXPECT_TRUE(fs::is_symlink(place.path() / "link"));
  EXPECT_TRUE(fs::exists(place.path() / "disk" / "result.json"));
}

TEST(AtomicFolder, TwoAtOnceDoNotShareAFolder) {
  const TemporaryFolder place;
  AtomicFolder one(place.path() / "a.out", is_no_result);
  AtomicFolder two(place.path() / "a.out", is_no_result);
  EXPECT_NE(one.path(), two.path());
}

// A child process that dies without clean-up leaves its part; the next run removes it, but not
// the part of a process that lives (this one) nor a folder that only looks similar.
TEST(AtomicFolder, RemovesPartsOfDeadProcessesOnly) {
  const TemporaryFolder place;
  const fs::path target = place.path() / "a.out";
  const pid_t child = fork();
  if (child == 0) {
    new AtomicFolder(target, is_no_result);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  const fs::path stale = place.path() / (".a.out.part-" + std::to_string(child));
  ASSERT_TRUE(fs::exists(stale));
  fs::create_directory(place.path() / ".a.out.part-notes");
  const AtomicFolder living(target, is_no_result);
  EXPECT_FALSE(fs::exists(stale));
  const AtomicFolder next(target, is_no_result);
  EXPECT_TRUE(fs::exists(living.path()));
  EXPECT_TRUE(fs::exists(place.path() / ".a.out.part-notes"));
}

}  // namespace atomic_folder_test
}  // namespace alembert::io
