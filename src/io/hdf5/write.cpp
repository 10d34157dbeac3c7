#include <fmt/core.h>

#include <algorithm>

#include "alembert/core/check.hpp"
#include "alembert/core/error.hpp"
#include "alembert/io/hdf5.hpp"
#include "io/file/file_content.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/layout.hpp"
#include "io/hdf5/library.hpp"
#include "io/record/record_parts.hpp"

namespace alembert::io {

namespace {

using hdf5::Handle;

constexpr hsize_t kChunk = 65536;

class Writer {
 public:
  Writer(const std::filesystem::path& file, const std::filesystem::path& part,
         const Hdf5Options& options)
      : name_(file.string()), deflate_(static_cast<unsigned>(options.deflate)) {
    file_ = checked({H5Fcreate(part.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose},
                    "the file cannot be made");
    links_ = checked({H5Pcreate(H5P_LINK_CREATE), H5Pclose}, "no memory");
    H5Pset_char_encoding(links_.id(), H5T_CSET_UTF8);
    H5Pset_create_intermediate_group(links_.id(), 1);
  }

  [[nodiscard]] const Handle& file() const { return file_; }

  [[nodiscard]] Handle group(const std::string& path) const {
    return checked(
        {H5Gcreate2(file_.id(), path.c_str(), links_.id(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose},
        path);
  }

  // Doubles in the order of the file: the last index runs fastest.
  [[nodiscard]] Handle data_set(const Handle& where, const std::string& name,
                                const std::vector<hsize_t>& size, const double* values) const {
    const Handle space = checked(
        {H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose}, name);
    Handle result = checked({H5Dcreate2(where.id(), name.c_str(), H5T_IEEE_F64LE, space.id(),
                                        links_.id(), storage(size).id(), H5P_DEFAULT),
                             H5Dclose},
                            name);
    if (H5Sget_simple_extent_npoints(space.id()) > 0 &&
        H5Dwrite(result.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
      hdf5::fail(name_, name, "cannot be written");
    }
    return result;
  }

  void attribute(const Handle& object, const char* name, double value) const {
    const Handle made = new_attribute(object, name, H5T_IEEE_F64LE);
    check(H5Awrite(made.id(), H5T_NATIVE_DOUBLE, &value), name);
  }

  void attribute(const Handle& object, const char* name, long long value) const {
    const Handle made = new_attribute(object, name, H5T_STD_I64LE);
    check(H5Awrite(made.id(), H5T_NATIVE_LLONG, &value), name);
  }

  void attribute(const Handle& object, const char* name, const std::string& text) const {
    if (text.find('\0') != std::string::npos) {
      throw InvalidInput({.function = "write_hdf5",
                          .argument = std::string(name),
                          .rule = "must not hold a zero byte",
                          .value = excerpt(text)});
    }
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.id(), H5T_VARIABLE);
    H5Tset_cset(type.id(), H5T_CSET_UTF8);
    const Handle made = new_attribute(object, name, type.id());
    const char* pointer = text.c_str();
    check(H5Awrite(made.id(), type.id(), static_cast<const void*>(&pointer)), name);
  }

  void close() {
    if (H5Fflush(file_.id(), H5F_SCOPE_LOCAL) < 0 || !file_.reset()) {
      hdf5::fail(name_, "", "cannot be written");
    }
  }

 private:
  Handle checked(Handle handle, const std::string& what) const {
    if (!handle.valid()) {
      hdf5::fail(name_, what, "cannot be written");
    }
    return handle;
  }

  void check(herr_t status, const std::string& what) const {
    if (status < 0) {
      hdf5::fail(name_, what, "cannot be written");
    }
  }

  Handle new_attribute(const Handle& object, const char* name, hid_t type) const {
    const Handle space = checked({H5Screate(H5S_SCALAR), H5Sclose}, name);
    return checked(
        {H5Acreate2(object.id(), name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose},
        name);
  }

  // Chunks only where they are compressed; a chunk holds whole rows where these fit.
  [[nodiscard]] Handle storage(const std::vector<hsize_t>& size) const {
    Handle list = checked({H5Pcreate(H5P_DATASET_CREATE), H5Pclose}, "no memory");
    const bool empty = std::find(size.begin(), size.end(), hsize_t{0}) != size.end();
    if (deflate_ > 0 && !empty) {
      std::vector<hsize_t> chunk = size;
      hsize_t room = kChunk;
      for (auto side = chunk.rbegin(); side != chunk.rend(); ++side) {
        *side = std::min(*side, room);
        room = std::max<hsize_t>(1, room / *side);
      }
      H5Pset_chunk(list.id(), static_cast<int>(chunk.size()), chunk.data());
      H5Pset_shuffle(list.id());
      H5Pset_deflate(list.id(), deflate_);
    }
    return list;
  }

  std::string name_;
  unsigned deflate_;
  Handle file_;
  Handle links_;
};

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
