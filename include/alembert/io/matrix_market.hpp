#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <filesystem>
#include <string>
#include <string_view>

#include "alembert/io/read_limits.hpp"

/// Matrices in the Matrix Market exchange format (.mtx).
///
/// Read: `matrix`, `coordinate` or `array`, `real`, `integer` or `pattern` (each entry 1),
/// `general`, `symmetric` or `skew-symmetric`. Comments (%) and blank lines may stand anywhere
/// behind the first line. Indices count from 1. Entries given twice are added, as assembly does. A
/// symmetric file gives one triangle, either of them, never both. `complex` and `hermitian` are
/// refused.
namespace alembert::io {

/// How to write a Matrix Market file.
struct MatrixMarketOptions {
  /// Writes one triangle only where a(i,j) = a(j,i) (symmetric) or a(i,j) = -a(j,i)
  /// (skew-symmetric) holds exactly; otherwise all entries, as without this option.
  bool detect_symmetry = false;
  std::string comment = {};  ///< text for comment lines behind the first line, "" for none
};

/// Largest number of entries of a coordinate file that is read into a dense matrix (0.4 GB).
inline constexpr long long kLargestDenseMatrix = 50'000'000;

/// Reads a matrix as dense.
/// @throws DataError with the line; also where a coordinate file has more than
///   kLargestDenseMatrix entries, zeros included: read it as sparse.
[[nodiscard]] Eigen::MatrixXd read_matrix_market(const std::filesystem::path& file,
                                                 const ReadLimits& limits = {});

/// Reads a matrix as sparse. @throws DataError with the line; also where a size above ten million
/// is more than a hundred times the number of entries, which no assembled model has.
[[nodiscard]] Eigen::SparseMatrix<double> read_matrix_market_sparse(
    const std::filesystem::path& file);

/// The same from text in memory; `file` is the name used in messages. @throws DataError
[[nodiscard]] Eigen::MatrixXd parse_matrix_market(std::string_view content, const std::string& file,
                                                  const ReadLimits& limits = {});
[[nodiscard]] Eigen::SparseMatrix<double> parse_matrix_market_sparse(std::string_view content,
                                                                     const std::string& file);

/// Writes a dense matrix in `array` form, a sparse one in `coordinate` form, each number with the
/// digits that read back to the same bits. @throws DataError if the file cannot be written.
void write_matrix_market(const std::filesystem::path& file,
                         const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                         const MatrixMarketOptions& options = {});
void write_matrix_market(const std::filesystem::path& file,
                         const Eigen::SparseMatrix<double>& matrix,
                         const MatrixMarketOptions& options = {});

}  // namespace alembert::io
