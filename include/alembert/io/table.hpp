#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/io/read_limits.hpp"
#include "alembert/signal/record.hpp"

/// Reading and writing records and matrices by file name: the format follows from the ending.
namespace alembert::io {

/// How to find the time axis and the channels in a file.
struct ReadOptions {
  std::string time = {};                   ///< name of the time channel; "": see below
  std::optional<double> step = {};         ///< s, where the file has no time
  std::vector<std::string> channels = {};  ///< names to read, in this order; empty: all
  std::string dataset = {};                ///< variable or group of a .mat, .h5, .npz or .tdms file
  ReadLimits limits = {};                  ///< memory, and whether other files may be touched
};

/// The file can be read, but nothing says when its samples were taken: give a step or a time.
class NoTimeAxis : public DataError {
 public:
  using DataError::DataError;
};

// Time axis: `step` if given; else the channel `time` if given; else what the file itself says
// (UFF abscissa, HDF5 attribute, a first column named t, time, Time [s], ...); else NoTimeAxis.
// A time column that is uniform within 1e-6 of a step becomes a uniform axis. So does one of 16
// samples or more that is a uniform axis rounded to decimals of at most 1/8 of a step: 6 decimals
// up to 125 kHz. Times are in s unless a unit says otherwise (s, ms, us, ns, min, h, d), which is
// then converted. Reading is lenient about nothing: each broken rule is a DataError with file, line
// or byte, and reason. Only regular files are read: a device, a pipe, a socket or a folder is
// refused without waiting for it. The name `-` stands for standard input, a text table. Numbers
// that no instrument gives (a jump of 200 decades from one sample to the next, or of 60 decades
// beyond 1e60 or down to a single sample and back) are an error here that names channel and sample;
// the readers of the single formats take any number. The HDF5 library reads in a process of its
// own: see docs/safety.md.

/// Whether a name ends like a file that can be read: .csv .txt .dat .tsv .mat .h5 .hdf5 .uff .unv
/// .mtx .npy .npz .lvm .wav .tdms, in small or capital letters.
[[nodiscard]] bool has_known_ending(const std::filesystem::path& file);

/// Reads .csv .txt .dat .tsv .mat .h5 .hdf5 .uff .unv .mtx .npy .npz .lvm .wav .tdms. Files with
/// several experiments (groups of UFF, HDF5 and TDMS, segments of LabVIEW) give several records;
/// the others one.
/// @throws DataError
[[nodiscard]] signal::Records read_records(const std::filesystem::path& file,
                                           const ReadOptions& options = {});
/// Reads a file that must hold exactly one record. @throws DataError
[[nodiscard]] signal::Record read_record(const std::filesystem::path& file,
                                         const ReadOptions& options = {});
/// Writes a record as .csv .txt .dat .tsv .mat .h5 .hdf5 .uff .unv or .npz. @throws DataError
void write_record(const std::filesystem::path& file, const signal::Record& record);

/// Reads a dense matrix from .mtx, .csv (without header), .npy, .npz, .mat or .h5.
/// @param dataset variable or data set; "" takes the only one. @throws DataError
[[nodiscard]] Eigen::MatrixXd read_matrix(const std::filesystem::path& file,
                                          const std::string& dataset = {},
                                          const ReadLimits& limits = {});
/// Writes a dense matrix to .mtx, .csv, .npy, .mat or .h5. @throws DataError
void write_matrix(const std::filesystem::path& file,
                  const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                  const std::string& dataset = "matrix");

}  // namespace alembert::io
