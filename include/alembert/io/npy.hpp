#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/io/stored_array.hpp"
#include "alembert/io/table.hpp"
#include "alembert/signal/record.hpp"

/// Arrays of NumPy: .npy, one array, and .npz, a zip archive of them (stored or deflated).
///
/// Numbers of any size and byte order, complex ones and structured arrays are read. Arrays of
/// Python objects are refused: reading them would run code that the file brings along. No library
/// is used: those that read these formats bring tensors of their own, and none checks sizes before
/// it allocates.
namespace alembert::io {

/// Reads records.
///
/// - .npy: an array of one dimension is one channel, the columns of one with two dimensions are
///   channels c1, c2, ... (its rows where they are longer: the longer side is the time). The fields
///   of a structured array are channels under their names.
/// - .npz: the arrays are what variables are in a MATLAB file; the rules of read_mat hold, time
///   included. `options.dataset` names one of them.
/// Members of an archive are believed only after their checksum (CRC-32).
/// @throws DataError naming file, array or byte, and reason.
[[nodiscard]] signal::Records read_npy(const std::filesystem::path& file,
                                       const ReadOptions& options = {});

/// Reads records from a .npy or .npz file in memory; `name` stands for the file in messages.
/// @throws DataError as read_npy.
[[nodiscard]] signal::Records parse_npy(std::string_view content, const std::string& name,
                                        const ReadOptions& options = {});

/// Reads a real matrix; an array of one dimension is a column.
/// @param dataset array of a .npz file; "" takes the only one. @throws DataError
[[nodiscard]] Eigen::MatrixXd read_npy_matrix(const std::filesystem::path& file,
                                              const std::string& dataset = {},
                                              const ReadLimits& limits = {});

/// Lists the arrays of a .npz file, or the one of a .npy file (name ""). @throws DataError
[[nodiscard]] std::vector<StoredArray> list_npy(const std::filesystem::path& file);

/// Writes a record as .npz, replacing the file: `t` (s), and an array for each channel under its
/// name; `units` and `names` are arrays of text in the order of the channels.
/// @throws InvalidInput if there is no channel; DataError if the file cannot be written.
void write_npz(const std::filesystem::path& file, const signal::Record& record);

/// Writes a matrix as .npy, in the order of columns. @throws DataError if that cannot be done.
void write_npy_matrix(const std::filesystem::path& file,
                      const Eigen::Ref<const Eigen::MatrixXd>& matrix);

}  // namespace alembert::io
