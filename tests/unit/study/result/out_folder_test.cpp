#include "alembert/study/result/out_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "support/data.hpp"

namespace alembert::study {
namespace out_folder_test {

namespace fs = std::filesystem;

/// A study in `work`, which reads work/near.csv, data/far.csv and first.out/record.csv.
struct Files {
  test::TemporaryFolder folder;
  fs::path root = folder.path();
  std::vector<fs::path> read = {root / "work/study.toml", root / "work/near.csv",
                                root / "data/far.csv", root / "work/first.out/record.csv"};
  Files() {
    for (const fs::path& file : read) {
      fs::create_directories(file.parent_path());
      std::ofstream(file) << "1\n";
    }
    fs::create_directory_symlink(root / "data", root / "link");
    fs::create_directory_symlink(root, root / "work/up");
  }
  [[nodiscard]] std::string reason(const fs::path& out) const {
    return reason_against_out(out, read);
  }
};

TEST(OutFolder, BesideTheStudyIsAllowed) {
  const Files files;
  EXPECT_EQ(files.reason(files.root / "work/study.out"), "");
  EXPECT_EQ(files.reason(files.root / "work/results/a/b"), "");
  EXPECT_EQ(files.reason(files.root / "other/study.out"), "");
  EXPECT_EQ(files.reason(files.root / "work/first.out2"), "");
}

TEST(OutFolder, ThatHoldsWhatIsReadIsRefused) {
  const Files files;
  for (const char* out : {"work", "work/first.out", "work/first.out/", "work/./up/work/first.out",
                          "data/../work/first.out", "data", "link", ".", "work/up", "/"}) {
    EXPECT_NE(files.reason(files.root / out).find("which the study reads"), std::string::npos)
        << out;
  }
}

TEST(OutFolder, InsideAFolderOfDataIsRefused) {
  const Files files;
  for (const char* out : {"data/new.out", "link/deep/new.out", "work/first.out/deeper"}) {
    EXPECT_NE(files.reason(files.root / out).find("from which the study reads"), std::string::npos)
        << out;
  }
}

TEST(OutFolder, LeftOversAreNotReadFrom) {
  const Files files;
  const fs::path part = files.root / "work/.study.out.part-99999";
  fs::create_directory(part);
  std::ofstream(part / "record.csv") << "1\n";
  EXPECT_NE(reason_against_out(files.root / "work/study.out", {files.read[0], part / "record.csv"}),
            "");
}

TEST(OutFolder, RelativePathsCountFromHere) {
  const Files files;
  const fs::path before = fs::current_path();
  fs::current_path(files.root / "work");
  EXPECT_NE(reason_against_out("first.out", {"study.toml", "first.out/record.csv"}), "");
  EXPECT_EQ(reason_against_out("study.out", {"study.toml", "near.csv"}), "");
  fs::current_path(before);
}

}  // namespace out_folder_test
}  // namespace alembert::study
