#include "alembert/io/structure_matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <string>

#include "support/records.hpp"

namespace alembert::io {
namespace structure_matrix_test {

using test::data_error_of;
using testing::ElementsAre;
using testing::HasSubstr;

// Three masses on three springs: written down from mechanics; each file is written by hand from the
// description of its format.
const Eigen::Matrix3d kChain{{2.0, -1.0, 0.0}, {-1.0, 2.0, -1.0}, {0.0, -1.0, 1.0}};

// All numbers of the files are exact or the nearest doubles of their texts.
Eigen::MatrixXd dense(const StructureMatrix& matrix) { return matrix.values; }

std::string boeing(const std::string& type = "RSA",
                   const std::string& starts = "    1    3    5    6",
                   const std::string& rows = "    1    2    2    3    3") {
  return "A chain of springs                                                      CHAIN   \n"
         "             4             1             1             2             0\n" +
         type + "                        3             3             5             0\n" +
         "(13I5)          (13I5)          (1P,3D14.6)         \n" + starts + "\n" + rows +
         "\n  2.000000D+00 -1.000000D+00  2.000000D+00\n -1.000000D+00  1.000000D+00\n";
}

TEST(HarwellBoeing, ReadsTheLowerTriangleOfAChain) {
  const StructureMatrix chain = parse_harwell_boeing(boeing(), "k.rsa");
  EXPECT_EQ(chain.name, "CHAIN");
  EXPECT_EQ(dense(chain), kChain);
}

TEST(HarwellBoeing, AnUnsymmetricFileIsTakenAsItStands) {
  const Eigen::Matrix3d lower = kChain.triangularView<Eigen::Lower>();
  EXPECT_EQ(dense(parse_harwell_boeing(boeing("RUA"), "k.rua")), lower);
}

TEST(HarwellBoeing, NumbersMayTouch) {
  std::string text = boeing();
  text.replace(text.find("  2.000000D+00 -1.000000D+00"), 28, " -2.000000D+00-1.000000D-100");
  const Eigen::MatrixXd found = dense(parse_harwell_boeing(text, "k.rsa"));
  EXPECT_DOUBLE_EQ(found(0, 0), -2.0);
  EXPECT_DOUBLE_EQ(found(1, 0), -1e-100);
}

// As a program writes them that announces 15 columns and takes 14.
TEST(HarwellBoeing, WordsCountWhereWidthsAreWrong) {
  std::string text = boeing();
  text.replace(text.find("3D14.6"), 6, "3D15.6");
  EXPECT_EQ(dense(parse_harwell_boeing(text, "k.rsa")), kChain);
}

TEST(HarwellBoeing, NamesWhatIsNotRead) {
  const auto reason = [](const std::string& text) {
    return data_error_of([&] { (void)parse_harwell_boeing(text, "k.rsa"); });
  };
  EXPECT_THAT(reason(boeing("PSA")), HasSubstr("k.rsa:3"));
  EXPECT_THAT(reason(boeing("PSA")), HasSubstr("patterns without values"));
  EXPECT_THAT(reason(boeing("CSA")), HasSubstr("no complex ones"));
  EXPECT_THAT(reason(boeing("RSE")), HasSubstr("assembled"));
  EXPECT_THAT(reason(boeing("RZA")), HasSubstr("symmetric and square"));
  EXPECT_THAT(reason(boeing("RSA", "    1    3    5    7")), HasSubstr("rise from 1 to 6"));
  EXPECT_THAT(reason(boeing("RSA", "    1    3    5    6", "    0    2    2    3    3")),
              HasSubstr("rows count from 1 to 3, got 0"));
  EXPECT_THAT(reason(boeing("RSA", "    1    3    5    6", "    1    2    2    1    3")),
              HasSubstr("got entries on both sides"));
  EXPECT_THAT(reason(boeing().substr(0, 330)), HasSubstr("the file ends before"));
}

// CalculiX: lower triangle, zeros kept.
TEST(Triplets, ReadsCalculixAndMirrorsATriangle) {
  const std::string text = "1 1 2.\n2 1 -1.E0\n3 1 0.0\n2 2 2\n3 2 -1.0D+00\n3 3 1\n";
  const StructureMatrix chain = parse_triplets(text, "k.sti");
  EXPECT_EQ(dense(chain), kChain);
  EXPECT_TRUE(chain.labels.empty());
}

TEST(Triplets, BothTrianglesAreTakenAsTheyStand) {
  const std::string text = "1 1 2\n1 2 -1\n2 1 -1\n2 2 1\n";
  const Eigen::Matrix2d expected{{2.0, -1.0}, {-1.0, 1.0}};
  EXPECT_EQ(dense(parse_triplets(text, "k.mtx")), expected);
}

TEST(Triplets, ReadsNodesAndDirectionsOfAbaqus) {
  const std::string text =
      "** stiffness\n7,2, 7,2,  2.000000000000000e+00\n7,2, 3,1, -1.0\n3,1, 3,1, 1.5\n";
  const StructureMatrix found = parse_triplets(text, "job_STIF1.mtx");
  EXPECT_THAT(found.labels, ElementsAre(RowLabel{3, 1}, RowLabel{7, 2}));
  const Eigen::Matrix2d expected{{1.5, -1.0}, {-1.0, 2.0}};
  EXPECT_EQ(dense(found), expected);
}

TEST(Triplets, NamesWhatIsWrong) {
  const auto reason = [](const std::string& text) {
    return data_error_of([&] { (void)parse_triplets(text, "k.sti"); });
  };
  EXPECT_THAT(reason("0 0 1.0\n"), HasSubstr("k.sti:1"));
  EXPECT_THAT(reason("0 0 1.0\n"), HasSubstr("count from 1, got 0"));
  EXPECT_THAT(reason("1 1 1.0\n1 2\n"), HasSubstr("k.sti:2"));
  EXPECT_THAT(reason("1 1 nan\n"), HasSubstr("finite number, got 'nan'"));
  EXPECT_THAT(reason("1 0 1 0 1.0\n"), HasSubstr("from 1 (x) to 6 (rz), got 0"));
  EXPECT_THAT(reason("1 1 1.0\n1000000000 1 1.0\n"), HasSubstr("not believable"));
  EXPECT_THAT(reason("* nothing\n"), HasSubstr("has no entries"));
}

TEST(CalculixRows, AreNodesAndDirections) {
  EXPECT_THAT(parse_calculix_rows("1.1\n  12.3\n", "job.dof"),
              ElementsAre(RowLabel{1, 1}, RowLabel{12, 3}));
  EXPECT_THAT(data_error_of([] { (void)parse_calculix_rows("1.1\n12\n", "job.dof"); }),
              HasSubstr("job.dof:2"));
}

// The example of the manual's page with real numbers: columns of eight.
const std::string kSmallFields =
    "$ a comment\n"
    "GRID    1               0.      0.      0.\n"
    "DMIG    KAAX    0       6       1       0\n"
    "DMIG    KAAX    27      1               27      1       3.+5    \n"
    "        27      3       2.5+2           50              -1.0\n"
    "DMIG    KAAX    50                      50              7.0-1\n"
    "GRID    2               1.      0.      0.\n"
    "        9       9       9.\n";

TEST(Dmig, ReadsFieldsOfEightColumns) {
  const std::vector<StructureMatrix> found = parse_dmig(kSmallFields, "k.pch");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "KAAX");
  EXPECT_THAT(found[0].labels, ElementsAre(RowLabel{27, 1}, RowLabel{27, 3}, RowLabel{50, 0}));
  const Eigen::Matrix3d expected{{3e5, 250.0, -1.0}, {250.0, 0.0, 0.0}, {-1.0, 0.0, 0.7}};
  // Each number is the nearest double of its text.
  EXPECT_EQ(dense(found[0]), expected);
}

TEST(Dmig, ReadsFieldsOfSixteenColumnsAndOfCommas) {
  const std::string large =
      "DMIG    MAAX    0       6       2       0\n"
      "DMIG*   MAAX                           1               1\n"
      "*                      1               1 1.500000000D+00\n"
      "*                      2               1-5.000000000D-01\n"
      "DMIG,KAAX,0,1,1\nDMIG,KAAX,1,1,,1,1,2.0,,+\n+,2,1,-1.0\nDMIG,KAAX,2,1,,1,1,-1.0\n";
  const std::vector<StructureMatrix> found = parse_dmig(large, "k.pch");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "KAAX");
  const Eigen::Matrix2d stiffness{{2.0, -1.0}, {-1.0, 0.0}};
  const Eigen::Matrix2d mass{{1.5, -0.5}, {-0.5, 0.0}};
  EXPECT_EQ(dense(found[0]), stiffness);
  EXPECT_EQ(dense(found[1]), mass);
}

TEST(Dmig, NamesWhatIsWrong) {
  const auto reason = [](const std::string& text) {
    return data_error_of([&] { (void)parse_dmig(text, "k.pch"); });
  };
  EXPECT_THAT(reason("GRID,1\n"), HasSubstr("has no DMIG entries"));
  EXPECT_THAT(reason("DMIG,K,1,1,,1,1,2.0\n"), HasSubstr("before its header"));
  EXPECT_THAT(reason("DMIG,K,0,6,3\n"), HasSubstr("must be real"));
  EXPECT_THAT(reason("DMIG,K,0,2,1\n"), HasSubstr("square (1) or symmetric (6), got form 2"));
  EXPECT_THAT(reason("DMIG,K,0,6,1\nDMIG,K,0,6,1\n"), HasSubstr("two headers"));
  EXPECT_THAT(reason("DMIG,K,0,6,1\nDMIG,K,1,7,,1,1,2.0\n"), HasSubstr("got 7"));
  const std::string pair = "DMIG,K,0,6,1\nDMIG,K,1,1,,2,1,2.0\nDMIG,K,2,1,,1,1,2.0\n";
  EXPECT_THAT(reason(pair), HasSubstr("stands twice"));
}

const std::string kDenseColumns =
    "       3       3       6       2KGG     1P,3E23.16\n"
    "       1       1       2\n"
    " 2.0000000000000000E+00-1.0000000000000000E+00\n"
    "       2       1       6\n"
    "-1.0000000000000000E+00 2.0000000000000000E+00-1.0000000000000000E+00\n"
    "       3       2       2\n"
    "-1.0000000000000000E+00 1.0000000000000000E+00\n"
    "       4       1       1\n"
    " 1.0000000000000000E+00\n";

TEST(Op4, ReadsDenseColumnsWhoseWordsAreNumbersOrHalves) {
  const std::vector<StructureMatrix> found = parse_op4(kDenseColumns, "k.op4");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "KGG");
  EXPECT_EQ(dense(found[0]), kChain);
}

// Strings: IS = row + 65536 (words + 1), or words + 1 and row; two matrices in a file.
TEST(Op4, ReadsSparseColumnsOfBothKinds) {
  const std::string small =
      "       2       2       6       1M       1P,5E16.9\n"
      "       1       0       4\n  131073\n 5.000000000E-01\n  131074\n 2.500000000E-01\n"
      "       2       0       2\n  131074\n 7.500000000E-01\n"
      "       3       1       1\n 1.000000000E+00\n";
  const std::string large =
      "       2      -2       6       2K       1P,3E23.16\n"
      "       1       0       6\n       5       1\n"
      " 3.0000000000000000E+00-1.0000000000000000E+00\n"
      "       2       0       6\n       5       1\n"
      "-1.0000000000000000E+00 1.0000000000000000E+00\n"
      "       3       1       1\n 1.0000000000000000E+00\n";
  const std::vector<StructureMatrix> found = parse_op4(small + large, "k.op4");
  ASSERT_EQ(found.size(), 2U);
  const Eigen::Matrix2d mass{{0.5, 0.25}, {0.25, 0.75}};
  const Eigen::Matrix2d stiffness{{3.0, -1.0}, {-1.0, 1.0}};
  EXPECT_EQ(dense(found[0]), mass);
  EXPECT_EQ(dense(found[1]), stiffness);
}

TEST(Op4, NamesWhatIsWrong) {
  const auto reason = [](const std::string& text) {
    return data_error_of([&] { (void)parse_op4(text, "k.op4"); });
  };
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string text = kDenseColumns;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_THAT(
      reason(changed("       3       3       6       2", "       3       2       6       2")),
      HasSubstr("must be square, got 2 x 3"));
  EXPECT_THAT(reason(changed("6       2KGG", "6       4KGG")), HasSubstr("must be real"));
  EXPECT_THAT(reason(changed("       2       1       6", "       2       1       5")),
              HasSubstr("announces 5 words, got 3 numbers"));
  EXPECT_THAT(reason(changed("       3       2       2", "       3       3       2")),
              HasSubstr("outside 1 to 3"));
  EXPECT_THAT(
      reason("       1       1       6       1M       1P,5E16.9\n       1       0       2\n, \n"),
      HasSubstr("first row of a string"));
  EXPECT_THAT(reason(std::string(8, '\0')), HasSubstr("is binary"));
  EXPECT_THAT(reason(""), HasSubstr("has no matrix"));
}

// Springs and masses on different points: rows of both.
TEST(WithRowsOf, AddsRowsThatAreZero) {
  const StructureMatrix one = parse_triplets("7 1 7 1 2.0\n", "m.mtx");
  const Eigen::Matrix2d expected{{0.0, 0.0}, {0.0, 2.0}};
  EXPECT_EQ(Eigen::MatrixXd(with_rows_of(one, {{3, 1}, {7, 1}})), expected);
}

}  // namespace structure_matrix_test
}  // namespace alembert::io
