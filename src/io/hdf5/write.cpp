#include <fmt/core.h>

#include <algorithm>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/io/hdf5.hpp"
#include "io/file/file_content.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/layout.hpp"
#include "io/hdf5/library.hpp"
#include "io/hdf5/writer.hpp"
#include "io/record/record_parts.hpp"

namespace alembert::io {

namespace {

using hdf5::Handle;
using hdf5::Writer;

// Link names: no slash, no zero byte, not "." and not the name kept for the times; all different.
std::vector<std::string> link_names(const signal::Record& record) {
  std::vector<std::string> names = {hdf5::kTime};
  for (const signal::Channel& channel : record.channels()) {
    std::string name = channel.name;
    std::replace(name.begin(), name.end(), '/', '_');
    std::replace(name.begin(), name.end(), '\0', '_');
    names.push_back(name == "." || name == ".." ? "_" : name);
  }
  make_unique(names);
  names.erase(names.begin());
  return names;
}

void write_record_group(const Writer& writer, const signal::Record& record, std::size_t number) {
  const Handle group = writer.group(hdf5::record_path(number));
  const signal::TimeAxis& time = record.time();
  const auto samples = static_cast<hsize_t>(record.size());
  writer.attribute(group, hdf5::kTitle, record.title());
  writer.attribute(group, hdf5::kSamples, static_cast<long long>(record.size()));
  writer.attribute(group, hdf5::kChannels, static_cast<long long>(record.channel_count()));
  if (time.is_uniform()) {
    writer.attribute(group, hdf5::kStep, time.step());
    writer.attribute(group, hdf5::kStart, time.start());
  } else {
    const Handle times = writer.data_set(group, hdf5::kTime, {samples}, time.times().data());
    writer.attribute(times, hdf5::kUnit, std::string("s"));
  }
  const std::vector<std::string> names = link_names(record);
  for (std::size_t c = 0; c < names.size(); ++c) {
    const signal::Channel& channel = record.channels()[c];
    const Handle values = writer.data_set(
        group, names[c], {samples}, record.samples().col(static_cast<Eigen::Index>(c)).data());
    writer.attribute(values, hdf5::kName, channel.name);
    writer.attribute(values, hdf5::kUnit, channel.unit);
    writer.attribute(values, hdf5::kDescription, channel.description);
    writer.attribute(values, hdf5::kColumn, static_cast<long long>(c) + 1);
  }
}

}  // namespace

void write_hdf5(const std::filesystem::path& file, const signal::Records& records,
                const Hdf5Options& options) {
  check::in_range("write_hdf5", "deflate", options.deflate, 0, 9);
  const auto has_channels = [](const signal::Record& record) { return record.channel_count() > 0; };
  if (records.empty() || !std::all_of(records.begin(), records.end(), has_channels)) {
    throw InvalidInput({.function = "write_hdf5",
                        .item = "each record",
                        .rule = "must have at least one channel",
                        .value = "none"});
  }
  const hdf5::Session session;
  replace_file(file, [&](const std::filesystem::path& part) {
    Writer writer(file, part, options);
    {
      const Handle root(H5Gopen2(writer.file().id(), "/", H5P_DEFAULT), H5Gclose);
      writer.attribute(root, hdf5::kFormat, std::string(hdf5::kFormatName));
      writer.attribute(root, hdf5::kVersion, 1LL);
      writer.attribute(root, hdf5::kRecords, static_cast<long long>(records.size()));
    }
    for (std::size_t r = 0; r < records.size(); ++r) {
      write_record_group(writer, records[r], r + 1);
    }
    writer.close();
  });
}

void write_hdf5_matrix(const std::filesystem::path& file,
                       const Eigen::Ref<const Eigen::MatrixXd>& matrix, const std::string& dataset,
                       const Hdf5Options& options) {
  check::in_range("write_hdf5_matrix", "deflate", options.deflate, 0, 9);
  if (dataset.empty() || dataset.back() == '/' || dataset.find('\0') != std::string::npos) {
    throw InvalidInput({.function = "write_hdf5_matrix",
                        .argument = "dataset",
                        .rule = "must be the path of a data set",
                        .value = excerpt(dataset)});
  }
  const hdf5::Session session;
  replace_file(file, [&](const std::filesystem::path& part) {
    Writer writer(file, part, options);
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = matrix;
    static_cast<void>(writer.data_set(
        writer.file(), dataset,
        {static_cast<hsize_t>(matrix.rows()), static_cast<hsize_t>(matrix.cols())}, rows.data()));
    writer.close();
  });
}

}  // namespace alembert::io
