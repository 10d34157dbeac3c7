#pragma once

#include <Eigen/Core>
#include <string>

#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

namespace alembert::study {

/// The matrix that a key gives: rows, a number, a file or { diagonal } or { file, dataset }.
[[nodiscard]] Eigen::MatrixXd read_matrix_key(const TableReader& table, const std::string& key,
                                              const FileContext& files);

/// "3 x 4"
[[nodiscard]] std::string size_text(const Eigen::MatrixXd& matrix);

}  // namespace alembert::study
