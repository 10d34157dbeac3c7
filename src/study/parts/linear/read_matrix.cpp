#include "study/parts/linear/read_matrix.hpp"

#include <fmt/format.h>

#include "alembert/core/error.hpp"
#include "alembert/io/table.hpp"

namespace alembert::study {
namespace {

Eigen::MatrixXd read_matrix_file(const TableReader& table, const std::string& key,
                                 const std::string& dataset, const FileContext& files) {
  const std::filesystem::path path = files.find(table, key);
  Eigen::MatrixXd matrix = io::read_matrix(path, dataset, files.limits);
  if (!matrix.allFinite()) {
    throw DataError({.file = path.string()},
                    table.name(key) + " holds a number that is not finite");
  }
  return matrix;
}

}  // namespace

Eigen::MatrixXd read_matrix_key(const TableReader& table, const std::string& key,
                                const FileContext& files) {
  switch (table.form(key)) {
    case kNumber:
      return Eigen::MatrixXd::Constant(1, 1, table.number(key));
    case kRows:
      return table.rows(key);
    case kText:
      return read_matrix_file(table, key, "", files);
    default:
      break;
  }
  const TableReader inner = table.table(key);
  if (inner.has("diagonal")) {
    return inner.vector("diagonal").asDiagonal();
  }
  return read_matrix_file(inner, "file", inner.optional_text("dataset").value_or(""), files);
}

std::string size_text(const Eigen::MatrixXd& matrix) {
  return fmt::format("{} x {}", matrix.rows(), matrix.cols());
}

}  // namespace alembert::study
