#include "alembert/io/matrix_market.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "support/records.hpp"

namespace alembert::io {
namespace matrix_market_test {

using test::data_error_of;
using testing::HasSubstr;

const std::string kGeneral = "%%MatrixMarket matrix coordinate real general\n";

Eigen::MatrixXd parsed(const std::string& text) { return parse_matrix_market(text, "m.mtx"); }

testing::AssertionResult same_matrix(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) {
    return testing::AssertionFailure() << a.rows() << " x " << a.cols();
  }
  for (Eigen::Index i = 0; i < a.size(); ++i) {
    if (!test::same_bits(a.reshaped()(i), b.reshaped()(i))) {
      return testing::AssertionFailure() << "entry " << i << ": " << a.reshaped()(i);
    }
  }
  return testing::AssertionSuccess();
}

// Chain of three unit springs, the matrix written down from mechanics.
TEST(MatrixMarket, ReadsTheSymmetricSpringChain) {
  const Eigen::MatrixXd expected{{2.0, -1.0, 0.0}, {-1.0, 2.0, -1.0}, {0.0, -1.0, 1.0}};
  const std::string lower =
      "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n\n3 3 5\n"
      "1 1 2\n2 1 -1.0\n% another\n2 2 2e0\n\n3 2 -1\n3 3 +1\n";
  EXPECT_EQ(parsed(lower), expected);
  const std::string upper =
      "%%matrixmarket MATRIX Coordinate Integer Symmetric\r\n3 3 5\r\n"
      "1 1 2\r\n1 2 -1\r\n2 2 2\r\n2 3 -1\r\n3 3 1";
  EXPECT_EQ(parsed(upper), expected);
  const std::string array = "%%MatrixMarket matrix array real symmetric\n3 3\n2\n-1\n0\n2\n-1\n1\n";
  EXPECT_EQ(parsed(array), expected);
}

TEST(MatrixMarket, ArrayIsColumnByColumn) {
  const Eigen::MatrixXd expected{{1.0, 3.0, 5.0}, {2.0, 4.0, 6.0}};
  EXPECT_EQ(parsed("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n"), expected);
}

TEST(MatrixMarket, SkewSymmetricMirrorsWithOppositeSign) {
  const Eigen::MatrixXd expected{{0.0, 4.0}, {-4.0, 0.0}};
  EXPECT_EQ(parsed("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -4\n"),
            expected);
  EXPECT_EQ(parsed("%%MatrixMarket matrix array real skew-symmetric\n2 2\n-4\n"), expected);
}

TEST(MatrixMarket, PatternEntriesAreOneAndRepeatedEntriesAreAdded) {
  const Eigen::MatrixXd pattern{{0.0, 1.0}, {1.0, 0.0}};
  EXPECT_EQ(parsed("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n"), pattern);
  const std::string twice = kGeneral + "1 2 3\n1 2 0.5\n1 2 0.25\n1 1 1\n";
  EXPECT_EQ(parsed(twice), (Eigen::MatrixXd{{1.0, 0.75}}));
  EXPECT_EQ(Eigen::MatrixXd(parse_matrix_market_sparse(twice, "m")),
            (Eigen::MatrixXd{{1.0, 0.75}}));
}

TEST(MatrixMarket, DenseWriteThenReadGivesTheSameBits) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "dense.mtx";
  std::mt19937_64 engine(7);
  for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 9}, {9, 1}, {2, 7}, {7, 2}, {30, 30}}) {
    Eigen::MatrixXd matrix(rows, columns);
    for (double& value : matrix.reshaped()) {
      value = test::odd_number(engine);
    }
    matrix(0, 0) = std::numeric_limits<double>::infinity();
    write_matrix_market(file, matrix, {.comment = "first\nsecond"});
    EXPECT_TRUE(same_matrix(read_matrix_market(file), matrix)) << rows << " x " << columns;
    EXPECT_TRUE(same_matrix(Eigen::MatrixXd(read_matrix_market_sparse(file)), matrix));
  }
  EXPECT_THAT(test::read_text(file), HasSubstr("general\n% first\n% second\n30 30\n"));
}

TEST(MatrixMarket, SparseWriteThenReadGivesTheSameEntries) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "sparse.mtx";
  std::mt19937_64 engine(8);
  for (int trial = 0; trial < 20; ++trial) {
    const int rows = 1 + static_cast<int>(engine() % 300);
    const int columns = 1 + static_cast<int>(engine() % 300);
    std::vector<Eigen::Triplet<double>> entries;
    for (int k = 0; k < 400; ++k) {
      entries.emplace_back(static_cast<int>(engine() % static_cast<unsigned>(rows)),
                           static_cast<int>(engine() % static_cast<unsigned>(columns)),
                           std::uniform_real_distribution<double>(-1.0, 1.0)(engine));
    }
    Eigen::SparseMatrix<double> matrix(rows, columns);
    matrix.setFromTriplets(entries.begin(), entries.end());
    write_matrix_market(file, matrix);
    const Eigen::SparseMatrix<double> back = read_matrix_market_sparse(file);
    EXPECT_EQ(back.nonZeros(), matrix.nonZeros());
    EXPECT_TRUE(same_matrix(Eigen::MatrixXd(back), Eigen::MatrixXd(matrix)));
    EXPECT_TRUE(same_matrix(read_matrix_market(file), Eigen::MatrixXd(matrix)));
  }
}

TEST(MatrixMarket, SymmetryIsFoundOnRequestOnly) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "m.mtx";
  const Eigen::MatrixXd symmetric{{2.0, -1.0}, {-1.0, 2.0}};
  const Eigen::MatrixXd skew{{0.0, -1.0}, {1.0, 0.0}};
  const Eigen::MatrixXd general{{0.0, -1.0}, {-1.0 + 1e-16, 3.0}};
  const auto header_of = [&](const Eigen::MatrixXd& matrix, bool sparse, bool detect) {
    if (sparse) {
      write_matrix_market(file, Eigen::SparseMatrix<double>(matrix.sparseView()),
                          {.detect_symmetry = detect});
    } else {
      write_matrix_market(file, matrix, {.detect_symmetry = detect});
    }
    EXPECT_TRUE(same_matrix(read_matrix_market(file), matrix));
    const std::string text = test::read_text(file);
    return text.substr(0, text.find('\n'));
  };
  for (const bool sparse : {false, true}) {
    EXPECT_THAT(header_of(symmetric, sparse, true), HasSubstr("real symmetric"));
    EXPECT_THAT(header_of(symmetric, sparse, false), HasSubstr("real general"));
    EXPECT_THAT(header_of(skew, sparse, true), HasSubstr("real skew-symmetric"));
    EXPECT_THAT(header_of(general, sparse, true), HasSubstr("real general"));
  }
}

struct Broken {
  std::string text;
  std::string message;
};

TEST(MatrixMarket, BrokenFilesNameLineAndReason) {
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
  const std::vector<Broken> cases = {
      {"", "m.mtx:1: the first line must begin with %%MatrixMarket"},
      {"1 1 1\n", "m.mtx:1: the first line must begin"},
      {"%%MatrixMarket vector coordinate real general\n", "m.mtx:1: only objects of kind 'matrix'"},
      {"%%MatrixMarket matrix dense real general\n", "layout must be one of coordinate, array"},
      {"%%MatrixMarket matrix array complex general\n", "field must be one of real"},
      {"%%MatrixMarket matrix array real hermitian\n", "symmetry must be one of general"},
      {"%%MatrixMarket matrix array pattern general\n", "cannot be a pattern"},
      {kGeneral, "m.mtx:1: the file ends before the line with the sizes"},
      {kGeneral + "2 x 1\n", "m.mtx:2: number of columns must be an integer, got 'x'"},
      {kGeneral + "2 2\n", "m.mtx:2: number of entries must be an integer, got ''"},
      {kGeneral + "2 2 1 9\n1 1 1\n", "m.mtx:2: unexpected text '9' behind the sizes"},
      {kGeneral + "-2 2 1\n1 1 1\n", "number of rows must be in [0, 2147483647], got -2"},
      {kGeneral + "9999999999 2 1\n1 1 1\n", "number of rows must be in"},
      {kGeneral + "2 2 -1\n", "announces -1 entries"},
      {kGeneral + "2 2 1000000000000\n1 1 1\n",
       "m.mtx:2: the file announces 1000000000000 entries"},
      {kGeneral + "2 2 2\n1 1 1.0\n", "m.mtx:3: the file ends after 1 of 2 entries"},
      {kGeneral + "2 2 1\n1 1 1\n2 2 2\n", "m.mtx:4: unexpected text '2 2 2' behind the last"},
      {kGeneral + "2 2 1\n0 1 1\n", "m.mtx:3: row must be in [1, 2], got 0"},
      {kGeneral + "2 2 1\n1 3 1\n", "m.mtx:3: column must be in [1, 2], got 3"},
      {kGeneral + "2 2 1\n1 1 one\n", "m.mtx:3: entry must be a number, got 'one'"},
      {kGeneral + "2 2 1\n1 1 1e999\n", "m.mtx:3: entry '1e999' is beyond the range"},
      {kGeneral + "2 2 1\n1 1 1 0\n", "m.mtx:3: unexpected text '0' behind the entry"},
      {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n", "must be an integer"},
      {symmetric + "2 3 1\n1 1 1\n", "m.mtx:2: a symmetric matrix must be square, got 2 x 3"},
      {symmetric + "2 2 2\n1 2 1\n2 1 1\n", "m.mtx:4: a symmetric file must give one triangle"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 1\n", "on its diagonal"},
      {"%%MatrixMarket matrix array real general\n30000 30000\n1\n", "room for at most 1"},
  };
  for (const Broken& broken : cases) {
    EXPECT_THAT(data_error_of([&] { parsed(broken.text); }), HasSubstr(broken.message));
    EXPECT_THAT(data_error_of([&] { (void)parse_matrix_market_sparse(broken.text, "m.mtx"); }),
                HasSubstr(broken.message));
  }
}

TEST(MatrixMarket, HostileSizesAreRefusedBeforeAnythingIsAllocated) {
  const std::string wide = kGeneral + "2000000000 2000000000 1\n1 1 1\n";
  EXPECT_THAT(data_error_of([&] { parsed(wide); }), HasSubstr("read this file as sparse"));
  EXPECT_THAT(data_error_of([&] { (void)parse_matrix_market_sparse(wide, "m.mtx"); }),
              HasSubstr("m.mtx:2: a size of 2000000000 x 2000000000 with only 1 entries"));
  EXPECT_EQ(parse_matrix_market_sparse(kGeneral + "100000 100000 1\n7 9 1\n", "m").coeff(6, 8),
            1.0);
}

TEST(MatrixMarket, TruncatedAnywhereIsAnErrorOrAShorterNumber) {
  const std::string whole = kGeneral + "3 3 3\n1 1 1.5\n2 2 2.5\n3 3 3.5\n";
  for (std::size_t length = 0; length + 4 < whole.size(); ++length) {
    EXPECT_THAT(data_error_of([&] { parsed(whole.substr(0, length)); }), HasSubstr("m.mtx"))
        << length;
  }
}

TEST(MatrixMarket, FilesThatCannotBeReadOrWrittenAreNamed) {
  const test::TemporaryFolder folder;
  const auto missing = folder.path() / "none.mtx";
  EXPECT_THAT(data_error_of([&] { (void)read_matrix_market(missing); }),
              HasSubstr("none.mtx: the file does not exist"));
  EXPECT_THAT(data_error_of([&] { (void)read_matrix_market_sparse(folder.path()); }),
              HasSubstr("is a folder"));
  EXPECT_THAT(data_error_of([&] {
                write_matrix_market(folder.path() / "no" / "m.mtx", Eigen::MatrixXd::Zero(1, 1));
              }),
              HasSubstr("no folder"));
  EXPECT_THAT(
      data_error_of([&] { write_matrix_market(folder.path(), Eigen::MatrixXd::Zero(1, 1)); }),
      HasSubstr("is a folder"));
}

}  // namespace matrix_market_test
}  // namespace alembert::io
