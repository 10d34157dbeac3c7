#include "alembert/study/source_files.hpp"

#include <gtest/gtest.h>

#include "support/data.hpp"

namespace alembert::study {
namespace source_files_test {

using test::TemporaryFolder;

// "abc" is an example of FIPS 180-4; its checksum stands there.
TEST(SourceFiles, HaveSizesAndPublishedChecksums) {
  const TemporaryFolder folder;
  const auto found = source_files({folder.write("a.csv", "abc")}, folder.path());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "a.csv");
  EXPECT_EQ(found[0].bytes, 3U);
  EXPECT_EQ(found[0].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// No folder of the machine is told; files beside the folder have their names alone.
TEST(SourceFiles, AreNamedBelowTheStudy) {
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  std::filesystem::create_directory(folder.path() / "data");
  const auto found =
      source_files({folder.write("data/a.csv", ""), elsewhere.write("b.csv", "")}, folder.path());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "data/a.csv");
  EXPECT_EQ(found[1].name, "b.csv");
}

TEST(SourceFiles, WhatIsNoFileIsLeftOut) {
  const TemporaryFolder folder;
  EXPECT_TRUE(source_files({folder.path(), folder.path() / "none"}, folder.path()).empty());
}

}  // namespace source_files_test
}  // namespace alembert::study
