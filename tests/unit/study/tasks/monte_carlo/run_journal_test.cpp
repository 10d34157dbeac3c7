#include "study/tasks/monte_carlo/run_journal.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include "alembert/core/error.hpp"
#include "alembert/study/monte_carlo.hpp"
#include "study/tasks/monte_carlo/journal/journal_key.hpp"
#include "support/data.hpp"

namespace alembert::study {
namespace run_journal_test {

namespace fs = std::filesystem;
using Runs = std::map<std::size_t, Eigen::RowVectorXd>;

const JournalSeal kSeal{"0123456789abcdef", "a key of the user"};

// The runs of whole lines, as a journal hands them over.
JournalContent content(const std::string& text) {
  JournalContent content;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    read_journal_line(std::string_view(text).substr(begin, end - begin), kSeal, content);
  }
  return content;
}
Runs read(const std::string& text) { return content(text).runs; }

std::string line(std::size_t index, double value, const JournalSeal& seal = kSeal) {
  return journal_line(seal, index, Eigen::RowVector3d(value, 0.1, -1e-300));
}

void write(const fs::path& file, const std::string& lines) {
  std::ofstream(file) << kJournalHead << "\n" << lines;
}

const Machines kAlone;

TEST(RunJournal, KeepsEveryBit) {
  Eigen::RowVectorXd row(6);
  row << 0.1, 1.0 / 3.0, std::nan(""), -std::numeric_limits<double>::infinity(), 5e-324, -0.0;
  const Runs runs = read(journal_line(kSeal, 41, row));
  ASSERT_EQ(runs.count(41), 1U);
  const Eigen::RowVectorXd& back = runs.at(41);
  ASSERT_EQ(back.size(), 6);
  EXPECT_TRUE(std::isnan(back(2)));
  for (const Eigen::Index i : {0, 1, 3, 4, 5}) EXPECT_EQ(back(i), row(i)) << i;
  EXPECT_TRUE(std::signbit(back(5)));
}

TEST(RunJournal, PassesOverWhatIsTornAtEveryByte) {
  const std::string good = line(1, 2.0);
  const std::string torn = line(2, 3.0);
  for (std::size_t cut = 0; cut < torn.size(); ++cut) {
    const Runs runs = read(good + torn.substr(0, cut));
    EXPECT_EQ(runs.size(), 1U) << cut;
    // The next call ends the torn line and goes on.
    EXPECT_EQ(read(good + torn.substr(0, cut) + "\n" + line(3, 4.0)).size(),
              cut + 1 == torn.size() ? 3U : 2U)
        << cut;
  }
}

TEST(RunJournal, PassesOverWhatIsDamagedOrForeign) {
  const std::string good = line(1, 2.0);
  for (std::size_t at = 0; at + 1 < good.size(); ++at) {
    std::string bad = good;
    bad[at] = bad[at] == '7' ? '8' : '7';
    EXPECT_TRUE(read(bad).empty()) << at;
  }
  EXPECT_TRUE(read(line(1, 2.0, {"fedcba9876543210", kSeal.key})).empty());
  EXPECT_TRUE(read("\n\n \n").empty());
  EXPECT_TRUE(read(std::string(3, '\0') + "\n").empty());
}

// Who knows the form and the fingerprint but not the key seals in vain; so does who has no key.
TEST(RunJournal, PassesOverWhatIsForged) {
  const JournalContent forged = content(line(1, 2.0, {kSeal.fingerprint, "another key"}) +
                                        line(2, 2.0, {kSeal.fingerprint, ""}) + line(3, 2.0));
  EXPECT_EQ(forged.runs.size(), 1U);
  EXPECT_EQ(forged.runs.count(3), 1U);
  EXPECT_EQ(forged.passed_over, 2U);
  JournalContent without_key;
  const std::string text = line(1, 2.0, {kSeal.fingerprint, ""});
  read_journal_line(std::string_view(text).substr(0, text.size() - 1), {kSeal.fingerprint, ""},
                    without_key);
  EXPECT_TRUE(without_key.runs.empty());
}

TEST(RunJournal, ReadsWhatOtherProcessesWrote) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "a.out.runs";
  write(file, line(0, 1.0));
  write(folder.path() / "a.out.runs-3", line(5, 1.0));
  write(folder.path() / "a.out.runs-x", line(6, 1.0));
  write(folder.path() / "a.out.runs2", line(7, 1.0));
  const RunJournal journal(file, kSeal, kAlone);
  EXPECT_EQ(journal.finished().size(), 2U);
  EXPECT_EQ(journal.finished().count(5), 1U);
}

TEST(RunJournal, LeavesNoEmptyFile) {
  const test::TemporaryFolder folder;
  { const RunJournal journal(folder.path() / "a.runs", kSeal, kAlone); }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

std::string refusal(const fs::path& file) {
  try {
    const RunJournal journal(file, kSeal, kAlone);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

// A stranger's folder may hold anything under the name of the journal.
TEST(RunJournal, TouchesOnlyFilesOfItsOwn) {
  const test::TemporaryFolder folder;
  const fs::path precious = folder.path() / "precious";
  std::ofstream(precious) << "text of the user\n";
  fs::create_symlink(precious, folder.path() / "link.runs");
  fs::create_hard_link(precious, folder.path() / "hard.runs");
  fs::create_directory(folder.path() / "folder.runs");
  ASSERT_EQ(mkfifo((folder.path() / "fifo.runs").c_str(), 0600), 0);
  std::ofstream(folder.path() / "other.runs") << "text of the user\n";
  EXPECT_NE(refusal(folder.path() / "link.runs").find("is a link"), std::string::npos);
  EXPECT_NE(refusal(folder.path() / "hard.runs").find("has another name"), std::string::npos);
  EXPECT_NE(refusal(folder.path() / "folder.runs").find("folder.runs: "), std::string::npos);
  EXPECT_NE(refusal(folder.path() / "fifo.runs").find("no regular file"), std::string::npos);
  EXPECT_NE(refusal(folder.path() / "other.runs").find("does not hold finished runs"),
            std::string::npos);
  for (const char* name : {"link", "hard", "folder", "fifo", "other"}) {
    const fs::path file = folder.path() / (std::string(name) + ".runs");
    remove_journal(file);
    EXPECT_TRUE(fs::exists(fs::symlink_status(file))) << name;
  }
  std::ifstream stream(precious);
  std::string text;
  std::getline(stream, text);
  EXPECT_EQ(text, "text of the user");
  EXPECT_FALSE(std::getline(stream, text));
}

// A process may die at every byte of the first line.
TEST(RunJournal, CompletesAFirstLineThatWasCut) {
  const std::string head = std::string(kJournalHead) + "\n";
  for (std::size_t cut = 0; cut <= head.size(); ++cut) {
    const test::TemporaryFolder folder;
    const fs::path file = folder.path() / "a.runs";
    std::ofstream(file) << head.substr(0, cut);
    {
      RunJournal journal(file, kSeal, kAlone);
      journal.append(4, Eigen::RowVector2d(1.0, 2.0));
    }
    const RunJournal again(file, kSeal, kAlone);
    EXPECT_EQ(again.finished().count(4), 1U) << cut;
  }
}

// The key is made once, is the user's alone, and is not taken from a file that others can read.
TEST(RunJournal, KeyIsTheUsersOwn) {
  const test::TemporaryFolder folder;
  const char* const before = std::getenv("XDG_STATE_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("XDG_STATE_HOME", folder.path().c_str(), 1);
  const std::string key = journal_key();
  EXPECT_EQ(key.size(), 32U);
  EXPECT_EQ(journal_key(), key);
  const fs::path file = folder.path() / "alembert/journal.key";
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  fs::permissions(file, fs::perms::others_read, fs::perm_options::add);
  EXPECT_EQ(journal_key(), "");
  fs::remove(file);
  EXPECT_NE(journal_key(), key);
  setenv("XDG_STATE_HOME", "/dev/null", 1);
  EXPECT_EQ(journal_key(), "");
  before == nullptr ? unsetenv("XDG_STATE_HOME") : setenv("XDG_STATE_HOME", kept.c_str(), 1);
}

}  // namespace run_journal_test
}  // namespace alembert::study
