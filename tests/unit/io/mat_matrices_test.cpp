#include "alembert/io/mat_matrices.hpp"

#include <gtest/gtest.h>

#include "alembert/core/error.hpp"
#include "support/data.hpp"
#include "support/message_of.hpp"

namespace alembert::io::mat_matrices_test {
namespace {

TEST(MatMatrices, ComeBackBitForBit) {
  const test::TemporaryFolder folder;
  Eigen::MatrixXd A(2, 3);
  A << 1.0, -0.1, 1e-300, 3.0, 1.0 / 3.0, 4e200;
  const Eigen::MatrixXd Ts = Eigen::MatrixXd::Constant(1, 1, 0.004);
  for (const MatVersion version : {MatVersion::V5, MatVersion::V73}) {
    const std::filesystem::path file = folder.path() / "model.mat";
    write_mat_matrices(file, {{"A", A}, {"Ts", Ts}}, version);
    EXPECT_EQ(read_mat_matrix(file, "A"), A);
    EXPECT_EQ(read_mat_matrix(file, "Ts"), Ts);
  }
}

TEST(MatMatrices, NamesMustBeValid) {
  const test::TemporaryFolder folder;
  const std::string message = test::message_of([&] {
    write_mat_matrices(folder.path() / "model.mat", {{"2A", Eigen::MatrixXd::Identity(2, 2)}});
  });
  EXPECT_NE(message.find("must be a valid MATLAB name"), std::string::npos) << message;
}

}  // namespace
}  // namespace alembert::io::mat_matrices_test
