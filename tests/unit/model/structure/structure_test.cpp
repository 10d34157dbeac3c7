#include "alembert/model/structure/structure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>

#include "alembert/model/structure/assembly.hpp"
#include "support/message_of.hpp"

namespace alembert::model::structure_test {

using testing::HasSubstr;

SparseMatrix sparse(const Eigen::MatrixXd& dense) { return dense.sparseView(); }

Structure chain() {
  Eigen::MatrixXd K(3, 3);
  K << 2, -1, 0, -1, 2, -1, 0, -1, 2;
  return {.M = sparse(Eigen::Matrix3d::Identity()), .K = sparse(K)};
}

std::string refusal(const Structure& structure) {
  return test::message_of([&] { (void)check_structure(structure); });
}

TEST(CheckStructure, TakesAChain) {
  const StructureCheck found = check_structure(chain());
  EXPECT_TRUE(found.massless.empty());
  EXPECT_EQ(found.parts, 1);
}

TEST(CheckStructure, NamesAnUnsymmetricPairAndWhatToDo) {
  Structure one = chain();
  one.K.coeffRef(0, 1) = 0.0;
  EXPECT_THAT(refusal(one), HasSubstr("K must be symmetric"));
  EXPECT_THAT(refusal(one), HasSubstr("one triangle must say \"symmetric\""));
}

TEST(CheckStructure, NamesWrongSizes) {
  Structure one = chain();
  one.M = sparse(Eigen::MatrixXd::Identity(2, 2));
  EXPECT_THAT(refusal(one), HasSubstr("M must be 3 x 3 like K, got 2 x 2"));
}

TEST(CheckStructure, NamesNumbersThatAreNotFinite) {
  Structure one = chain();
  one.K.coeffRef(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal(one), HasSubstr("K must be finite, is not at (2,2)"));
}

TEST(CheckStructure, NamesANegativeDiagonal) {
  Structure one = chain();
  one.M.coeffRef(2, 2) = -1.0;
  EXPECT_THAT(refusal(one), HasSubstr("M must be positive semidefinite, got -1"));
}

TEST(CheckStructure, NamesARowWithoutMassAndStiffness) {
  Structure one = chain();
  for (int i = 0; i < 3; ++i) {
    one.K.coeffRef(2, i) = 0.0;
    one.K.coeffRef(i, 2) = 0.0;
  }
  one.M.coeffRef(2, 2) = 0.0;
  EXPECT_THAT(refusal(one), HasSubstr("has none at row 3"));
}

TEST(CheckStructure, NamesATableOfTheWrongLength) {
  Structure one = chain();
  one.nodes = {{1, {0, 0, 0}}};
  one.coordinates = {{0, Direction::X}};
  EXPECT_THAT(refusal(one), HasSubstr("coordinates must have one entry for each of the 3 rows"));
}

TEST(CheckStructure, CountsPartsAndMasslessRows) {
  Structure one = chain();
  one.K = sparse(Eigen::Vector3d(1, 2, 3).asDiagonal().toDenseMatrix());
  one.M.coeffRef(1, 1) = 0.0;
  const StructureCheck found = check_structure(one);
  EXPECT_EQ(found.parts, 3);
  EXPECT_THAT(found.massless, testing::ElementsAre(1));
}

}  // namespace alembert::model::structure_test
