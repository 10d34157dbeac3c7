#include "alembert/io/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/csv.hpp"
#include "alembert/io/hdf5.hpp"
#include "alembert/io/lvm.hpp"
#include "alembert/io/mat.hpp"
#include "alembert/io/matrix_market.hpp"
#include "alembert/io/npy.hpp"
#include "alembert/io/tdms.hpp"
#include "alembert/io/uff.hpp"
#include "alembert/io/wav.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/record/plausible.hpp"
#include "io/record/record_parts.hpp"
#include "io/table/file_format.hpp"

namespace alembert::io {
namespace {

namespace fs = std::filesystem;

// A .mat file of version 5 counts the bytes of a variable with 31 bits.
constexpr Eigen::Index kLargestV5 = (Eigen::Index{1} << 31) / 8 - 64;

MatVersion mat_version(Eigen::Index numbers) {
  return numbers > kLargestV5 ? MatVersion::V73 : MatVersion::V5;
}

// Whether the name ends so, in small or capital letters.
bool has_letters_of(const fs::path& file, std::string_view ending) {
  const std::string own = file.extension().string();
  return std::equal(own.begin(), own.end(), ending.begin(), ending.end(),
                    [](unsigned char a, char b) { return std::tolower(a) == b; });
}

void require_no_dataset(const fs::path& file, const std::string& dataset) {
  if (!dataset.empty()) {
    throw DataError(Place{.file = file.string()},
                    fmt::format("has no data set {}: a file of this kind holds a single table",
                                excerpt(dataset)));
  }
}

// A matrix has no names: its columns are c1, c2, ...
signal::Record matrix_as_record(const fs::path& file, const ReadOptions& options) {
  RecordParts parts;
  parts.place = {.file = file.string()};
  parts.samples = read_matrix_market(file, options.limits);
  for (Eigen::Index column = 1; column <= parts.samples.cols(); ++column) {
    parts.channels.push_back({fmt::format("c{}", column)});
  }
  parts.axis_problem = "a matrix does not say when its rows were taken: give the step";
  return finished_record(std::move(parts), options);
}

signal::Records read_any_records(const fs::path& file, const ReadOptions& options) {
  switch (format_to_read(file)) {
    case FileFormat::Mat:
      return read_mat(file, options);
    case FileFormat::Hdf5:
      return read_hdf5(file, options);
    case FileFormat::Uff:
      return read_uff(file, options);
    case FileFormat::MatrixMarket:
      require_no_dataset(file, options.dataset);
      return {matrix_as_record(file, options)};
    case FileFormat::Numpy:
      return read_npy(file, options);
    case FileFormat::Lvm:
      require_no_dataset(file, options.dataset);
      return read_lvm(file, options);
    case FileFormat::Wav:
      require_no_dataset(file, options.dataset);
      return {read_wav(file, options)};
    case FileFormat::Tdms:
      return read_tdms(file, options);
    case FileFormat::Text:
      break;
  }
  require_no_dataset(file, options.dataset);
  return {read_csv(file, options)};
}

Eigen::MatrixXd read_any_matrix(const fs::path& file, const std::string& dataset,
                                const ReadLimits& limits) {
  switch (format_to_read(file)) {
    case FileFormat::Mat:
      return read_mat_matrix(file, dataset, limits);
    case FileFormat::Hdf5:
      return read_hdf5_matrix(file, dataset, limits);
    case FileFormat::MatrixMarket:
      require_no_dataset(file, dataset);
      return read_matrix_market(file, limits);
    case FileFormat::Text:
      require_no_dataset(file, dataset);
      return read_csv_matrix(file, {}, limits);
    case FileFormat::Numpy:
      return read_npy_matrix(file, dataset, limits);
    case FileFormat::Uff:
    case FileFormat::Lvm:
    case FileFormat::Wav:
    case FileFormat::Tdms:
      break;
  }
  throw DataError(
      Place{.file = file.string()},
      "a file of this kind holds records, no matrix; use .mtx, .csv, .npy, .mat or .h5");
}

}  // namespace

bool has_known_ending(const fs::path& file) { return format_of_ending(file).has_value(); }

signal::Records read_records(const fs::path& file, const ReadOptions& options) {
  signal::Records records = read_any_records(file, options);
  for (const signal::Record& record : records) {
    require_plausible({.file = file.string()}, record);
  }
  return records;
}

namespace {

// The titles of records, to choose from; "" where they have none.
std::string listed_titles(const signal::Records& records) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> titles;
  for (const signal::Record& record : records) {
    if (record.title().empty()) continue;
    if (titles.size() == kMost) {
      titles.emplace_back("...");
      break;
    }
    titles.push_back(excerpt(record.title()));
  }
  return titles.empty() ? "" : ": " + join(titles, ", ");
}

}  // namespace

signal::Record read_record(const fs::path& file, const ReadOptions& options) {
  signal::Records records = read_records(file, options);
  if (records.size() != 1) {
    throw DataError(Place{.file = file.string()},
                    fmt::format("holds {} records where one is expected; choose one by its data "
                                "set{}",
                                records.size(), listed_titles(records)));
  }
  return std::move(records.front());
}

void write_record(const fs::path& file, const signal::Record& record) {
  switch (format_to_write(file)) {
    case FileFormat::Text:
      return write_csv(file, record);
    case FileFormat::Mat:
      return write_mat(file, record, mat_version(record.size()));
    case FileFormat::Hdf5:
      return write_hdf5(file, {record});
    case FileFormat::Uff:
      return write_uff(file, {record});
    case FileFormat::Numpy:
      if (has_letters_of(file, ".npz")) return write_npz(file, record);
      break;
    case FileFormat::MatrixMarket:
    case FileFormat::Lvm:
    case FileFormat::Wav:
    case FileFormat::Tdms:
      break;
  }
  throw DataError(Place{.file = file.string()},
                  "records with names and times are written as .csv, .mat, .h5, .uff or .npz");
}

Eigen::MatrixXd read_matrix(const fs::path& file, const std::string& dataset,
                            const ReadLimits& limits) {
  Eigen::MatrixXd matrix = read_any_matrix(file, dataset, limits);
  require_plausible({.file = file.string()}, matrix);
  return matrix;
}

void write_matrix(const fs::path& file, const Eigen::Ref<const Eigen::MatrixXd>& matrix,
                  const std::string& dataset) {
  switch (format_to_write(file)) {
    case FileFormat::Text:
      return write_csv_matrix(file, matrix);
    case FileFormat::Mat:
      return write_mat_matrix(file, matrix, dataset, mat_version(matrix.size()));
    case FileFormat::Hdf5:
      return write_hdf5_matrix(file, matrix, dataset);
    case FileFormat::MatrixMarket:
      return write_matrix_market(file, matrix);
    case FileFormat::Numpy:
      if (has_letters_of(file, ".npy")) return write_npy_matrix(file, matrix);
      break;
    case FileFormat::Uff:
    case FileFormat::Lvm:
    case FileFormat::Wav:
    case FileFormat::Tdms:
      break;
  }
  throw DataError(Place{.file = file.string()},
                  "a file of this kind cannot hold a matrix; use .mtx, .csv, .npy, .mat or .h5");
}

}  // namespace alembert::io
