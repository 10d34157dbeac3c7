#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/io/stored_array.hpp"
#include "alembert/io/table.hpp"
#include "alembert/signal/record.hpp"

/// Records and matrices in HDF5 files (.h5, .hdf5).
///
/// Layout of the files written here, version 1:
///
/// ```
/// /               attributes format = "alembert records", version = 1, records = N
/// /record_1       attributes title, samples, channels; on a uniform axis step and start (s)
/// /record_1/time  times in s, only where the axis is not uniform
/// /record_1/NAME  samples of a channel, 1-D double; attributes name, unit, description, column
/// /record_2       ...
/// ```
///
/// NAME is the channel's name where HDF5 allows it; `name` is always the exact one and `column`
/// (from 1) the order. Any other HDF5 file is read as well: see read_hdf5.
///
/// The HDF5 library is not safe for several threads: calls from here take turns. Files are read in
/// a process of their own with limits of memory and time: one that brings the library down is a
/// DataError (docs/safety.md). Numbers that other files hold (external links and storage, virtual
/// data sets) are read only with `limits.external`; chunks that were never written are an error.
namespace alembert::io {

/// How to write an HDF5 file.
struct Hdf5Options {
  int deflate = 0;  ///< compression 1 (fast) to 9 (small), in chunks of 65536 samples; 0: none
};

/// Reads records: one for each group that holds numeric data sets of one or two dimensions.
///
/// In files of other programs the data sets of a group are channels by the rules of read_mat, under
/// their names in the group; attributes `unit` or `units` and `description` of a data set are
/// kept; the scalars that give the step may also be attributes of the group or of the file. The
/// title is the group's attribute `title`, else its path. Compound types of two numbers are
/// complex.
///
/// @param options `dataset` names a group, or one data set whose columns are the channels; of a
///   record written here, one of its channels.
/// @throws DataError naming file and object, with the library's own reason.
[[nodiscard]] signal::Records read_hdf5(const std::filesystem::path& file,
                                        const ReadOptions& options = {});

/// Reads records from the bytes of a file in memory; `name` stands for it in messages. The library
/// works in this process: bytes that someone has broken on purpose may bring it down.
/// @throws DataError as read_hdf5.
[[nodiscard]] signal::Records parse_hdf5(std::string_view content, const std::string& name,
                                         const ReadOptions& options = {});

/// Writes records, replacing the file.
/// @throws InvalidInput if there is no channel, a text holds a zero byte, or deflate is not in
/// 0..9;
///   DataError if the file cannot be written.
void write_hdf5(const std::filesystem::path& file, const signal::Records& records,
                const Hdf5Options& options = {});

/// Reads a real data set of at most two dimensions; one dimension gives a column.
/// @param dataset its path; "" takes the only one of the file. @throws DataError
[[nodiscard]] Eigen::MatrixXd read_hdf5_matrix(const std::filesystem::path& file,
                                               const std::string& dataset = {},
                                               const ReadLimits& limits = {});

/// Writes a matrix as a data set of rows x columns, replacing the file.
/// @param dataset its path; groups in it are made. @throws InvalidInput, DataError
void write_hdf5_matrix(const std::filesystem::path& file,
                       const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                       const std::string& dataset = "matrix", const Hdf5Options& options = {});

/// Lists the data sets of a file, in order of their paths. @throws DataError
[[nodiscard]] std::vector<StoredArray> list_hdf5(const std::filesystem::path& file);

}  // namespace alembert::io
