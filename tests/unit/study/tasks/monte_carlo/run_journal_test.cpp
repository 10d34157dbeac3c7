#include "study/tasks/monte_carlo/run_journal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "support/data.hpp"

namespace alembert::study {
namespace run_journal_test {

using Runs = std::map<std::size_t, Eigen::RowVectorXd>;

Runs read(const std::string& text) {
  Runs runs;
  read_journal(text, "0123456789abcdef", runs);
  return runs;
}

std::string line(std::size_t index, double value) {
  return journal_line("0123456789abcdef", index, Eigen::RowVector3d(value, 0.1, -1e-300));
}

TEST(RunJournal, KeepsEveryBit) {
  Eigen::RowVectorXd row(6);
  row << 0.1, 1.0 / 3.0, std::nan(""), -std::numeric_limits<double>::infinity(), 5e-324, -0.0;
  const Runs runs = read(journal_line("0123456789abcdef", 41, row));
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
  EXPECT_TRUE(read(journal_line("fedcba9876543210", 1, Eigen::RowVector2d(1.0, 2.0))).empty());
  EXPECT_TRUE(read("\n\n \n").empty());
  EXPECT_TRUE(read(std::string(3, '\0') + "\n").empty());
}

TEST(RunJournal, ReadsWhatOtherProcessesWrote) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "a.out.runs";
  std::ofstream(file) << line(0, 1.0);
  std::ofstream(folder.path() / "a.out.runs-3") << line(5, 1.0);
  std::ofstream(folder.path() / "a.out.runs-x") << line(6, 1.0);
  std::ofstream(folder.path() / "a.out.runs2") << line(7, 1.0);
  const Machines machines;
  const RunJournal journal(file, "0123456789abcdef", machines);
  EXPECT_EQ(journal.finished().size(), 2U);
  EXPECT_EQ(journal.finished().count(5), 1U);
}

TEST(RunJournal, LeavesNoEmptyFile) {
  const test::TemporaryFolder folder;
  const Machines machines;
  { const RunJournal journal(folder.path() / "a.runs", "0123456789abcdef", machines); }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace run_journal_test
}  // namespace alembert::study
