#include <fmt/format.h>

#include <iterator>
#include <string_view>

#include "alembert/io/matrix_market.hpp"
#include "io/file/file_content.hpp"

namespace alembert::io {

namespace {

struct Triangle {
  std::string_view name;
  Eigen::Index below = 0;  // first row kept in column j is j + below
};

void write_banner(fmt::memory_buffer& text, std::string_view layout, std::string_view symmetry,
                  const std::string& comment) {
  fmt::format_to(std::back_inserter(text), "%%MatrixMarket matrix {} real {}\n", layout, symmetry);
  for (std::size_t begin = 0; begin < comment.size();) {
    const std::size_t end = std::min(comment.find('\n', begin), comment.size());
    fmt::format_to(std::back_inserter(text), "% {}\n",
                   std::string_view(comment).substr(begin, end - begin));
    begin = end + 1;
  }
}

// Matrices are compared entry by entry, with ==: a NaN makes a matrix general.
template <typename Matrix>
bool equal(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (a.array() == b.array()).all();
}

bool equal(const Eigen::SparseMatrix<double>& a, const Eigen::SparseMatrix<double>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) {
    return false;
  }
  for (Eigen::Index j = 0; j < a.outerSize(); ++j) {
    Eigen::SparseMatrix<double>::InnerIterator left(a, j);
    Eigen::SparseMatrix<double>::InnerIterator right(b, j);
    for (; left && right; ++left, ++right) {
      if (left.row() != right.row() || !(left.value() == right.value())) {
        return false;
      }
    }
    if (left || right) {
      return false;
    }
  }
  return true;
}

// True where the diagonal is zero; an entry stored there would be lost in a skew-symmetric file.
bool empty_diagonal(const Eigen::MatrixXd& matrix) {
  return (matrix.diagonal().array() == 0.0).all();
}

bool empty_diagonal(const Eigen::SparseMatrix<double>& matrix) {
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry) {
      if (entry.row() == j) {
        return false;
      }
    }
  }
  return true;
}

template <typename Matrix>
Triangle triangle_of(const Matrix& matrix, bool detect) {
  const Triangle whole{"general", -matrix.cols()};
  if (!detect || matrix.rows() != matrix.cols()) {
    return whole;
  }
  const Matrix transposed = matrix.transpose();
  if (equal(matrix, transposed)) {
    return {"symmetric", 0};
  }
  const Matrix opposite = -transposed;
  return equal(matrix, opposite) && empty_diagonal(matrix) ? Triangle{"skew-symmetric", 1} : whole;
}

}  // namespace

void write_matrix_market(const std::filesystem::path& file,
                         const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                         const MatrixMarketOptions& options) {
  const Eigen::MatrixXd values = matrix;
  const Triangle triangle = triangle_of(values, options.detect_symmetry);
  fmt::memory_buffer text;
  write_banner(text, "array", triangle.name, options.comment);
  fmt::format_to(std::back_inserter(text), "{} {}\n", values.rows(), values.cols());
  for (Eigen::Index j = 0; j < values.cols(); ++j) {
    for (Eigen::Index i = std::max<Eigen::Index>(0, j + triangle.below); i < values.rows(); ++i) {
      fmt::format_to(std::back_inserter(text), "{}\n", values(i, j));
    }
  }
  write_content(file, {text.data(), text.size()});
}

void write_matrix_market(const std::filesystem::path& file,
                         const Eigen::SparseMatrix<double>& matrix,
                         const MatrixMarketOptions& options) {
  const Triangle triangle = triangle_of(matrix, options.detect_symmetry);
  fmt::memory_buffer body;
  long long entries = 0;
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(matrix, j); entry; ++entry) {
      if (entry.row() >= j + triangle.below) {
        fmt::format_to(std::back_inserter(body), "{} {} {}\n", entry.row() + 1, j + 1,
                       entry.value());
        ++entries;
      }
    }
  }
  fmt::memory_buffer text;
  write_banner(text, "coordinate", triangle.name, options.comment);
  fmt::format_to(std::back_inserter(text), "{} {} {}\n", matrix.rows(), matrix.cols(), entries);
  text.append(body);
  write_content(file, {text.data(), text.size()});
}

}  // namespace alembert::io
