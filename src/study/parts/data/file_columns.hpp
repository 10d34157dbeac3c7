#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/io/read_limits.hpp"
#include "alembert/signal/record.hpp"
#include "alembert/signal/spikes.hpp"
#include "study/parts/data/file_context.hpp"
#include "study/schema/table_reader.hpp"

/// Columns of data files that a study names, with errors at the keys that name them.
namespace alembert::study {

/// A column and the key that asks for it.
struct FileColumn {
  std::string key;  ///< "data.inputs.u1", for messages
  std::string column;
  Place place;
};

/// A data file and the key that names it.
struct DataFile {
  std::string key;   ///< "data.file"
  std::string name;  ///< as the study writes it
  Place place;
  std::filesystem::path path;
  io::ReadLimits limits = {};
  const signal::Records* records = nullptr;   ///< its content where it is not on disk
  std::vector<std::string>* notes = nullptr;  ///< what is said of its records, if anybody listens
};

/// The file that a key with one name gives. @throws as FileContext::find().
[[nodiscard]] DataFile data_file(const TableReader& table, const std::string& key,
                                 const FileContext& files);
/// The files that a key with a list of names gives.
[[nodiscard]] std::vector<DataFile> data_files(const TableReader& table, const std::string& key,
                                               const FileContext& files);

/// Reads columns of a file; time, step, dataset and what is done to the records (condition_keys())
/// come from the table [data].
/// @throws DataError at the key of a column that is not there, or as io::read_records().
[[nodiscard]] signal::Records read_columns(const TableReader& data, const DataFile& file,
                                           const std::vector<FileColumn>& columns);

/// The same where data.spikes is `spikes` if the study does not say.
[[nodiscard]] signal::Records read_columns(const TableReader& data, const DataFile& file,
                                           const std::vector<FileColumn>& columns,
                                           signal::SpikeUse spikes);

/// The same for all columns of a file.
[[nodiscard]] signal::Records read_all_columns(const TableReader& data, const DataFile& file);

/// The same for a file whose rows are no instants; the dataset comes from the table of the file.
[[nodiscard]] signal::Records read_columns_without_time(const TableReader& table,
                                                        const DataFile& file,
                                                        const std::vector<FileColumn>& columns);

/// The record of a file that holds one. @throws DataError if it holds none or several.
[[nodiscard]] signal::Record only_record(signal::Records records, const DataFile& file);

/// The step of a record. @throws DataError if it has fewer than two samples, gaps or uneven times.
[[nodiscard]] double even_step(const signal::Record& record, const DataFile& file);

/// Checks that a column has no missing sample. @throws DataError naming the first.
void check_complete(const signal::Record& record, const FileColumn& column);

/// The factor from the unit of a column to that of the model; conversions and assumptions are
/// noted. @throws DataError if the units do not fit.
[[nodiscard]] double column_factor(const FileColumn& column, const std::string& column_unit,
                                   const std::string& model_unit, std::vector<std::string>& notes);

}  // namespace alembert::study
