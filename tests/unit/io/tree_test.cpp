#include "alembert/io/detail/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "alembert/core/error.hpp"
#include "alembert/io/hdf5.hpp"
#include "alembert/io/mat.hpp"
#include "support/data.hpp"

namespace alembert::io {
namespace tree_test {

TreeValue::Group sample() {
  Eigen::MatrixXd rows(2, 3);
  rows << 1, 2, 3, 4, 5, 6;
  const TreeValue first{TreeValue::Group{{"value", {0.5, "m"}}, {"text", {std::string("ö")}}}};
  const TreeValue second{TreeValue::Group{{"value", {1.5}}, {"extra", {true}}}};
  return {{"matrix", {rows, "N"}},
          {"monte-carlo", {Eigen::VectorXd(Eigen::Vector3d(7, 8, 9))}},
          {"inner", {TreeValue::Group{{"count", {std::int64_t{42}}}, {"nothing", {}}}}},
          {"items", {TreeValue::List{first, second}}},
          {"mixed", {TreeValue::List{{std::string("a")}, {2.0}}}}};
}

template <typename Arrays>
std::vector<long long> size_of(const Arrays& arrays, const std::string& name) {
  const auto found = std::find_if(arrays.begin(), arrays.end(),
                                  [&](const StoredArray& array) { return array.name == name; });
  return found == arrays.end() ? std::vector<long long>{-1} : found->size;
}

// What the writer puts there, our readers (which know nothing of trees) find under the names of the
// header's rules.
TEST(WriteMatTree, GroupsAreStructuresWithValidNames) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "tree.mat";
  write_mat_tree(file, sample());
  Eigen::MatrixXd rows(2, 3);
  rows << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(read_mat_matrix(file, "matrix"), rows);
  EXPECT_EQ(read_mat_matrix(file, "monte_carlo"), Eigen::MatrixXd(Eigen::Vector3d(7, 8, 9)));
  EXPECT_EQ(read_mat_matrix(file, "inner.count")(0), 42.0);
  const std::vector<StoredArray> arrays = list_mat(file);
  EXPECT_EQ(size_of(arrays, "items"), (std::vector<long long>{1, 2}));
  EXPECT_EQ(size_of(arrays, "mixed"), (std::vector<long long>{1, 2}));
  EXPECT_EQ(size_of(arrays, "inner.nothing"), (std::vector<long long>{0, 0}));
}

TEST(WriteHdf5Tree, ListsAreNumberedGroups) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "tree.h5";
  write_hdf5_tree(file, sample());
  Eigen::MatrixXd rows(2, 3);
  rows << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(read_hdf5_matrix(file, "/matrix"), rows);
  EXPECT_EQ(read_hdf5_matrix(file, "/monte-carlo"), Eigen::MatrixXd(Eigen::Vector3d(7, 8, 9)));
  EXPECT_EQ(read_hdf5_matrix(file, "/inner/count")(0), 42.0);
  EXPECT_EQ(read_hdf5_matrix(file, "/items/2/value")(0), 1.5);
  EXPECT_EQ(read_hdf5_matrix(file, "/mixed/2")(0), 2.0);
}

// 2^28 doubles are 2 GiB. They are asked for, not touched.
TEST(WriteMatTree, RefusesWhatVersion5CannotHold) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "large.mat";
  TreeValue::Group tree;
  tree.push_back({"signals", {Eigen::VectorXd(Eigen::Index{1} << 28)}});
  try {
    write_mat_tree(file, tree);
    FAIL() << "no exception";
  } catch (const InvalidInput& error) {
    EXPECT_NE(std::string(error.what()).find("signals"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(WriteTrees, AFolderThatIsNotThereIsNamed) {
  EXPECT_THROW(write_mat_tree("/not/there/a.mat", sample()), DataError);
  EXPECT_THROW(write_hdf5_tree("/not/there/a.h5", sample()), DataError);
}

TEST(WriteHdf5Tree, RefusesTextsWithAZeroByte) {
  const test::TemporaryFolder folder;
  const TreeValue::Group tree = {{"text", {std::string("a\0b", 3)}}};
  EXPECT_THROW(write_hdf5_tree(folder.path() / "a.h5", tree), InvalidInput);
}

}  // namespace tree_test
}  // namespace alembert::io
