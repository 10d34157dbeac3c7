#include "alembert/study/detail/result_files.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "alembert/io/hdf5.hpp"
#include "alembert/io/mat.hpp"
#include "support/data.hpp"

namespace alembert::study {
namespace result_files_test {

using Files = std::vector<ResultFile>;

TEST(ResultFiles, ListsAreReadWordByWord) {
  EXPECT_EQ(result_files("mat"), Files{ResultFile::Mat});
  EXPECT_EQ(result_files("h5,mat,h5"), (Files{ResultFile::Hdf5, ResultFile::Mat}));
  for (const char* wrong : {"", "mat,", ",h5", "mat h5", "MAT", "hdf5"}) {
    EXPECT_EQ(result_files(wrong), std::nullopt) << wrong;
  }
}

// A table of runs with words, a matrix that has its values beside its file, a number that is
// not finite.
TEST(WriteResultFiles, TablesComeWithTheirColumns) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path() / "runs.csv") << "run,f1 [Hz],status\n1,2.5,\"a, \"\"b\"\"\"\n2,,c\n";
  std::ofstream(folder.path() / "mass.csv") << "1,2\n";
  document::ResultTree tree;
  tree.group("runs").add("file", "runs.csv");
  document::ResultTree& mass = tree.group("mass");
  mass.add("file", "mass.csv");
  mass.add("values", Eigen::MatrixXd(Eigen::RowVector2d(1.0, 2.0)));
  tree.add("cost", std::numeric_limits<double>::infinity());
  EXPECT_EQ(write_result_files(tree, folder.path(), {ResultFile::Mat, ResultFile::Hdf5}), "");

  const auto h5 = folder.path() / file_name(ResultFile::Hdf5);
  const Eigen::MatrixXd frequency = io::read_hdf5_matrix(h5, "/runs/columns/f1");
  ASSERT_EQ(frequency.rows(), 2);
  EXPECT_EQ(frequency(0), 2.5);
  EXPECT_TRUE(std::isnan(frequency(1)));
  EXPECT_EQ(io::read_hdf5_matrix(h5, "/cost")(0), std::numeric_limits<double>::infinity());
  bool has_status = false;
  for (const io::StoredArray& array : io::list_hdf5(h5)) {
    has_status = has_status || array.name.find("runs/columns/status") != std::string::npos;
    EXPECT_EQ(array.name.find("mass/columns"), std::string::npos) << array.name;
  }
  EXPECT_TRUE(has_status);
  const auto mat = folder.path() / file_name(ResultFile::Mat);
  EXPECT_EQ(io::read_mat_matrix(mat, "mass.values"), Eigen::MatrixXd(Eigen::RowVector2d(1.0, 2.0)));
}

TEST(WriteResultFiles, NoneAskedForWritesNone) {
  const test::TemporaryFolder folder;
  document::ResultTree tree;
  tree.add("a", 1);
  EXPECT_EQ(write_result_files(tree, folder.path(), {}), "");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace result_files_test
}  // namespace alembert::study
