#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <random>
#include <string>
#include <thread>

#include "support/allocations.hpp"
#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "support/memory_peak.hpp"
#include "unit/io/csv_support.hpp"

namespace alembert::io {
namespace csv_test {

using test::TemporaryFolder;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// Lines of random length with comments between them, over many blocks.
std::string random_table(int rows) {
  std::mt19937_64 engine(7);
  std::string text = "a,b,c\n";
  for (int k = 0; k < rows; ++k) {
    if (engine() % 50 == 0) {
      text += "# " + std::string(engine() % 300, '-') + "\n";
    }
    const double value = static_cast<double>(engine()) / 1e15;
    text += fmt::format("{},{:.{}f},{}\n", k, value, engine() % 15, engine() % 7 == 0 ? "" : "5");
  }
  return text;
}

TEST(ReadCsv, IsTheSameForAnyNumberOfThreadsAndFromAFile) {
  const TemporaryFolder folder;
  const std::string text = random_table(100000);
  const std::filesystem::path file = folder.write("big.csv", text);
  const Record one = read_csv_text(text, {.step = 1.0}, {.threads = 1});
  ASSERT_EQ(one.size(), 100000);
  EXPECT_EQ(one.samples()(99999, 0), 99999);
  EXPECT_TRUE(same(read_csv(file, {.step = 1.0}, {.threads = 1}).samples(), one.samples()));
  EXPECT_TRUE(same(read_csv(file, {.step = 1.0}, {.threads = 5}).samples(), one.samples()));
}

TEST(ReadCsv, ReportsTheFirstErrorForAnyNumberOfThreads) {
  std::string text = random_table(100000);
  for (const std::size_t place :
       {std::size_t{700000}, std::size_t{1200000}, std::size_t{2000000}}) {
    text.replace(text.find("\n", place), 1, "\noops\n");
  }
  const std::string expected = message_for(text, {.step = 1.0}, {.threads = 1});
  EXPECT_THAT(expected, HasSubstr("cell 'oops'"));
  for (const int threads : {2, 3, 8}) {
    EXPECT_EQ(message_for(text, {.step = 1.0}, {.threads = threads}), expected);
  }
}

// 75 MB of text hold 24 MB of numbers: the text must not be held, nor the numbers twice. The bound
// is 1.5 times the numbers, of which 12 MB are for blocks, threads and the allocator.
TEST(ReadCsv, StaysWithinTheMemoryOfItsNumbers) {
  if (!test::counts_allocations()) {
    GTEST_SKIP() << "a sanitizer's allocator needs memory of its own";
  }
  std::string line;
  for (int c = 0; c < 10; ++c) {
    line += fmt::format("{}{:.18e}", c > 0 ? "," : "", std::sqrt(2.0 + c));
  }
  std::string block;
  for (int k = 0; k < 1000; ++k) {
    block += line + "\n";
  }
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "large.csv";
  {
    std::ofstream stream(file);
    for (int i = 0; i < 300; ++i) {
      stream << block;
    }
  }
  const test::MemoryPeak peak;
  const Record record = read_csv(file, {.step = 1.0}, {.threads = 2});
  const long long growth = peak.growth();
  const long long numbers = 8 * record.samples().size();
  ASSERT_EQ(numbers, 24000000);
  EXPECT_LE(growth, numbers + numbers / 2);
}

TEST(ReadCsv, ReadsLinesLongerThanABlock) {
  std::string text;
  constexpr int kColumns = 100000;
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < kColumns; ++c) {
      text += fmt::format("{}{}", c > 0 ? "," : "", r + c);
    }
    text += "\n";
  }
  const Record record = read_csv_text(text, {.step = 1.0});
  ASSERT_EQ(record.channel_count(), kColumns);
  ASSERT_EQ(record.size(), 3);
  EXPECT_EQ(record.samples()(2, kColumns - 1), kColumns + 1);
}

TEST(ReadCsv, ReadsStandardInputByTheNameOfADash) {
  const TemporaryFolder folder;
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string text = random_table(30000);
  std::jthread writer([&] { std::ofstream(pipe) << text; });
  const int before = dup(STDIN_FILENO);
  const int input = open(pipe.c_str(), O_RDONLY);
  dup2(input, STDIN_FILENO);
  close(input);
  // Asked for again, it is still there.
  for (int time = 0; time < 2; ++time) {
    const Record record = read_csv("-", {.step = 1.0});
    EXPECT_TRUE(same(record.samples(), read_csv_text(text, {.step = 1.0}).samples()));
  }
  dup2(before, STDIN_FILENO);
  close(before);
}

}  // namespace csv_test
}  // namespace alembert::io
