#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/io/stored_array.hpp"
#include "alembert/io/table.hpp"
#include "alembert/signal/record.hpp"

/// Records and matrices in MATLAB files (.mat), version 5 (also compressed) and version 7.3.
namespace alembert::io {

enum class MatVersion {
  V5,  ///< read by all programs; a variable holds at most 2 GiB
  V73  ///< an HDF5 file; no limit
};

/// Reads records.
///
/// Which numbers are channels:
/// - `options.dataset` "": the numeric variables, or the fields of the only structure of a file
///   that has no numeric arrays. A name: that variable, or the fields of that structure (`a.b` for
///   one inside another). Each element of a structure array is a record of its own, and so is each
///   cell of a cell array (version 5); `options.time` may then name another one of as many cells.
/// - Vectors are channels, row or column, under their names. The columns of a matrix are channels
///   NAME_1, NAME_2, ...; it is the rows where only the number of columns fits the number of
///   samples. Without time and without vectors the longer side of the first matrix is the time.
/// - Integer, single and logical numbers are converted. Complex ones become NAME.re and NAME.im.
/// - Scalars, text, sparse matrices and arrays of more dimensions are no channels.
/// - `options.channels` names channels, or whole variables for all their columns. Without it, all
///   arrays must have the same number of samples.
///
/// What the time is, first match:
/// - `options.step`;
/// - the channel `options.time`;
/// - a vector named t or time (any case, with or without a unit in brackets);
/// - scalars: 1/fs, 1/Fs (Hz), dt, Ts, h (s); the ones that are there must agree within 1e-6.
/// Times are in s unless the name says otherwise, `Time [ms]`, or in HDF5 files the attribute
/// `unit` or `units`; they are converted. A unit that is no unit of time is a DataError.
/// Beside a chosen `dataset` the last two are also looked for among the file's own variables.
///
/// Compressed data are believed only after their checksum, of all variables of the file, those that
/// are not asked for too. Files of version 7.3 are read in a process of their own (docs/safety.md).
///
/// Files of write_mat give back the record bit for bit.
/// @throws DataError naming file and variable; for version 5 also the byte of a broken element.
[[nodiscard]] signal::Records read_mat(const std::filesystem::path& file,
                                       const ReadOptions& options = {});

/// Reads records from a file of version 5 in memory; `name` stands for the file in messages.
/// @throws DataError as read_mat, also for version 7.3.
[[nodiscard]] signal::Records parse_mat(std::string_view content, const std::string& name,
                                        const ReadOptions& options = {});

/// Writes a record, replacing the file: a column vector for the time `t`, one for each channel
/// under a valid MATLAB name made from its own, and the structure `alembert_record` with the
/// fields title; variables, names, units, descriptions (text, one line for each channel; inside
/// a text, \n, \r and \\ stand for line feed, return and backslash, \s for a blank at either
/// end); step and start ([] unless uniform).
/// @throws InvalidInput if there is no channel, or no sample, or a channel is too long for V5;
///   DataError if the file cannot be written.
void write_mat(const std::filesystem::path& file, const signal::Record& record,
               MatVersion version = MatVersion::V5);

/// Reads a real numeric matrix, full or sparse.
/// @param dataset variable, or field `a.b`; "" takes the only numeric variable of the file.
/// @throws DataError; also for a sparse matrix of more than kLargestDenseMatrix entries, zeros
///   included: use read_mat_sparse.
[[nodiscard]] Eigen::MatrixXd read_mat_matrix(const std::filesystem::path& file,
                                              const std::string& dataset = {},
                                              const ReadLimits& limits = {});
/// The same as sparse.
[[nodiscard]] Eigen::SparseMatrix<double> read_mat_sparse(const std::filesystem::path& file,
                                                          const std::string& dataset = {},
                                                          const ReadLimits& limits = {});

/// Writes a matrix as a variable, replacing the file.
/// @throws InvalidInput unless dataset is a valid MATLAB name; DataError if the file cannot be
/// written.
void write_mat_matrix(const std::filesystem::path& file,
                      const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                      const std::string& dataset = "matrix", MatVersion version = MatVersion::V5);

/// Lists the variables of a file, and the fields of single structures as `NAME.FIELD`.
/// @throws DataError
[[nodiscard]] std::vector<StoredArray> list_mat(const std::filesystem::path& file);

}  // namespace alembert::io
