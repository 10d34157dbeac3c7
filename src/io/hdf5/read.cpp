#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/hdf5.hpp"
#include "io/file/file_content.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/layout.hpp"
#include "io/hdf5/library.hpp"
#include "io/record/array_set.hpp"

namespace alembert::io {

namespace {

using hdf5::Handle;
using hdf5::Kind;
using hdf5::Shape;

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// No filter of the library makes numbers smaller than this times: a larger claim is a broken file.
constexpr std::uintmax_t kLargestCompression = 2000;
constexpr std::uintmax_t kAlwaysAllowedBytes = 1U << 26U;
// Far beyond any record; what a double holds without loss.
constexpr double kMostColumns = 1e15;

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file)
      : name_(file.string()), handle_(hdf5::open_file(file)), bytes_(size_of_file(file)) {}

  [[nodiscard]] const Handle& root() const { return handle_; }
  [[nodiscard]] Place place() const { return {.file = name_}; }
  [[nodiscard]] const std::string& name() const { return name_; }

  // Paths of all data sets, without the leading slash, in order.
  [[nodiscard]] std::vector<std::string> data_sets() const {
    std::vector<std::string> links;
    if (H5Lvisit(handle_.id(), H5_INDEX_NAME, H5_ITER_INC, collect_link, &links) < 0) {
      hdf5::fail(name_, "", "the list of objects cannot be read");
    }
    std::vector<std::string> paths;
    for (const std::string& link : links) {
      const Handle object(H5Oopen(handle_.id(), link.c_str(), H5P_DEFAULT), H5Oclose);
      if (!object.valid()) {
        hdf5::fail(name_, link, "cannot be opened");
      }
      if (H5Iget_type(object.id()) == H5I_DATASET) {
        paths.push_back(link);
      }
    }
    return paths;
  }

  [[nodiscard]] Handle open_data_set(const std::string& path) const {
    Handle data_set(H5Dopen2(handle_.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
    if (!data_set.valid()) {
      hdf5::fail(name_, path, "cannot be opened");
    }
    return data_set;
  }

  [[nodiscard]] Handle open_group(const std::string& path) const {
    return {H5Gopen2(handle_.id(), path.empty() ? "/" : path.c_str(), H5P_DEFAULT), H5Gclose};
  }

  [[nodiscard]] Shape shape(const std::string& path) const {
    const Handle data_set = open_data_set(path);
    return hdf5::shape_of(Handle(H5Dget_type(data_set.id()), H5Tclose),
                          Handle(H5Dget_space(data_set.id()), H5Sclose));
  }

  [[nodiscard]] ArrayValues values(const std::string& path) const {
    const Handle data_set = open_data_set(path);
    const Shape form = shape(path);
    check_form(path, form);
    const auto rows = static_cast<Eigen::Index>(form.rows());
    const auto columns = static_cast<Eigen::Index>(form.columns());
    if (form.kind == Kind::Complex) {
      RowMajorMatrix pairs(rows, 2 * columns);
      const Handle stored(H5Dget_type(data_set.id()), H5Tclose);
      read(data_set, path, hdf5::complex_memory_type(stored.id()).id(), pairs.data());
      ArrayValues values{Eigen::MatrixXd(rows, columns), Eigen::MatrixXd(rows, columns)};
      for (Eigen::Index j = 0; j < columns; ++j) {
        values.real.col(j) = pairs.col(2 * j);
        values.imaginary.col(j) = pairs.col(2 * j + 1);
      }
      return values;
    }
    if (columns == 1) {
      ArrayValues values{Eigen::MatrixXd(rows, 1)};
      read(data_set, path, H5T_NATIVE_DOUBLE, values.real.data());
      return values;
    }
    RowMajorMatrix values(rows, columns);
    read(data_set, path, H5T_NATIVE_DOUBLE, values.data());
    return {values};
  }

 private:
  static herr_t collect_link(hid_t, const char* name, const H5L_info_t* info,
                             void* links) noexcept {
    if (info->type == H5L_TYPE_HARD) {
      static_cast<std::vector<std::string>*>(links)->emplace_back(name);
    }
    return 0;
  }

  // The numbers are read into a buffer of rows x columns: anything else would not fit into it.
  void check_form(const std::string& path, const Shape& form) const {
    if (!form.is_matrix()) {
      throw DataError(place(), fmt::format("{}: must be numbers with one or two dimensions, is {} "
                                           "with {}",
                                           excerpt(path), form.type, form.size.size()));
    }
    const std::uintmax_t parts = form.kind == Kind::Complex ? 2 : 1;
    const std::uintmax_t allowed = kAlwaysAllowedBytes + kLargestCompression * bytes_;
    const std::uintmax_t limit = allowed / sizeof(double) / parts;
    if (form.rows() > 0 && form.columns() > limit / form.rows()) {
      throw DataError(place(),
                      fmt::format("{}: a size of {} x {} is not believable in a file of {} "
                                  "bytes",
                                  excerpt(path), form.rows(), form.columns(), bytes_));
    }
  }

  void read(const Handle& data_set, const std::string& path, hid_t type, double* target) const {
    const Handle space(H5Dget_space(data_set.id()), H5Sclose);
    if (H5Sget_simple_extent_npoints(space.id()) > 0 &&
        H5Dread(data_set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, target) < 0) {
      hdf5::fail(name_, path, "the data cannot be read");
    }
  }

  std::string name_;
  Handle handle_;
  std::uintmax_t bytes_ = 0;
};

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

LazyArray lazy_array(const Reader& reader, const std::string& path, const Shape& shape) {
  const Handle data_set = reader.open_data_set(path);
  const auto unit = hdf5::text_attribute(data_set.id(), "unit");
  const auto units = hdf5::text_attribute(data_set.id(), "units");
  const std::size_t slash = path.rfind('/');
  return {.name = slash == std::string::npos ? path : path.substr(slash + 1),
          .unit = unit ? *unit : units.value_or(""),
          .description = hdf5::text_attribute(data_set.id(), "description").value_or(""),
          .rows = static_cast<Eigen::Index>(shape.rows()),
          .columns = static_cast<Eigen::Index>(shape.columns()),
          .complex = shape.kind == Kind::Complex,
          .single_precision = shape.single_precision,
          .load = [&reader, path] { return reader.values(path); }};
}

// Attributes of the group or the file that state the step count as scalars.
void add_scalar_attributes(const Reader& reader, const Handle& group, ArraySet& set) {
  for (const char* name : {"fs", "Fs", "dt", "Ts", "h"}) {
    auto value = hdf5::number_attribute(group.id(), name);
    value = value ? value : hdf5::number_attribute(reader.open_group("").id(), name);
    const bool taken = std::any_of(set.arrays.begin(), set.arrays.end(),
                                   [&](const LazyArray& array) { return array.name == name; });
    if (value && !taken) {
      set.arrays.push_back({.name = name, .rows = 1, .columns = 1, .load = [value] {
                              return ArrayValues{Eigen::MatrixXd::Constant(1, 1, *value)};
                            }});
    }
  }
}

ArraySet foreign_set(const Reader& reader, const std::string& group_path,
                     const std::vector<std::string>& paths) {
  const Handle group = reader.open_group(group_path);
  ArraySet set{.place = reader.place(), .title = group_path};
  if (const auto title = hdf5::text_attribute(group.id(), "title")) {
    set.title = *title;
  }
  for (const std::string& path : paths) {
    const Shape shape = reader.shape(path);
    if (shape.is_matrix()) {
      set.arrays.push_back(lazy_array(reader, path, shape));
    }
  }
  add_scalar_attributes(reader, group, set);
  return set;
}

// Data sets by group, in order of their paths.
using Groups = std::map<std::string, std::vector<std::string>>;

// `wanted` is a group (with those below it) or one data set; "" is the file.
Groups groups_of(const Reader& reader, const std::string& wanted) {
  Groups groups;
  const std::vector<std::string> paths = reader.data_sets();
  for (const std::string& path : paths) {
    const std::string group = parent_of(path);
    if (wanted.empty() || path == wanted || group == wanted || group.rfind(wanted + "/", 0) == 0) {
      if (reader.shape(path).is_matrix()) {
        groups[group].push_back(path);
      }
    }
  }
  if (groups.empty() && wanted.empty()) {
    throw DataError(reader.place(), "holds no numeric data sets of one or two dimensions");
  }
  if (groups.empty()) {
    std::vector<std::string> known = paths;
    for (const std::string& path : paths) {
      known.push_back(parent_of(path));
    }
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    throw DataError(reader.place(), unknown_name("numeric data set or group", wanted, known));
  }
  return groups;
}

std::string without_slashes(const std::string& path) {
  const std::size_t begin = path.find_first_not_of('/');
  const std::size_t end = path.find_last_not_of('/');
  return begin == std::string::npos ? "" : path.substr(begin, end - begin + 1);
}

[[noreturn]] void fail_own(const Reader& reader, const std::string& object,
                           const std::string& what) {
  throw DataError(reader.place(), fmt::format("{}: {}", excerpt(object), what));
}

double required_number(const Reader& reader, const Handle& object, const std::string& path,
                       const char* name) {
  const auto value = hdf5::number_attribute(object.id(), name);
  if (!value) {
    fail_own(reader, path, fmt::format("attribute {} is missing", name));
  }
  return *value;
}

signal::TimeAxis own_axis(const Reader& reader, const Handle& group, const std::string& path) {
  if (H5Lexists(group.id(), hdf5::kTime, H5P_DEFAULT) > 0) {
    return given_axis(reader.values(path + "/" + hdf5::kTime).real.reshaped(), hdf5::kTime,
                      reader.place());
  }
  const auto samples = required_number(reader, group, path, hdf5::kSamples);
  if (!(samples >= 0.0 && samples < 1e15)) {
    fail_own(reader, path, "attribute samples is not a count");
  }
  return axis_of_step(static_cast<Eigen::Index>(samples),
                      required_number(reader, group, path, hdf5::kStep),
                      required_number(reader, group, path, hdf5::kStart), path, reader.place());
}

// Channels of a record written here, in the order of their attribute `column`. The number of them
// is known for the whole record only.
ArraySet own_set(const Reader& reader, const std::string& path,
                 const std::vector<std::string>& data_sets, bool whole) {
  const Handle group = reader.open_group(path);
  ArraySet set{.place = reader.place(), .axis = own_axis(reader, group, path)};
  set.title = hdf5::text_attribute(group.id(), hdf5::kTitle).value_or("");
  std::map<long long, LazyArray> by_column;
  for (const std::string& data_set : data_sets) {
    const Handle handle = reader.open_data_set(data_set);
    const auto column = hdf5::number_attribute(handle.id(), hdf5::kColumn);
    const auto name = hdf5::text_attribute(handle.id(), hdf5::kName);
    const Shape shape = reader.shape(data_set);
    if (column && std::abs(*column) < kMostColumns && name && shape.is_matrix()) {
      LazyArray array = lazy_array(reader, data_set, shape);
      array.name = *name;
      by_column[std::llround(*column)] = std::move(array);
    }
  }
  const double channels = required_number(reader, group, path, hdf5::kChannels);
  if (whole && channels != static_cast<double>(by_column.size())) {
    fail_own(reader, path, fmt::format("has {} of {} channels", by_column.size(), channels));
  }
  for (auto& [column, array] : by_column) {
    if (array.rows != set.axis->size() || array.columns != 1) {
      fail_own(reader, path,
               fmt::format("channel {} has {} of {} samples", excerpt(array.name), array.rows,
                           set.axis->size()));
    }
    set.arrays.push_back(std::move(array));
  }
  return set;
}

// All records of a file written here.
std::vector<ArraySet> own_sets(const Reader& reader, const Groups& groups) {
  const double records = required_number(reader, reader.open_group(""), "/", hdf5::kRecords);
  if (!(records >= 0.0) || records != std::floor(records)) {
    fail_own(reader, "/", fmt::format("attribute records is not a count, got {}", records));
  }
  std::vector<ArraySet> sets;
  // Of more records than there are groups one is missed on the way.
  for (std::size_t number = 1; static_cast<double>(number) <= records; ++number) {
    const std::string path = hdf5::record_path(number);
    const auto group = groups.find(path);
    if (group == groups.end()) {
      fail_own(reader, path, "is missing");
    }
    sets.push_back(own_set(reader, path, group->second, true));
  }
  return sets;
}

std::vector<ArraySet> sets_of(const Reader& reader, const std::string& wanted) {
  const Groups groups = groups_of(reader, wanted);
  const bool own = hdf5::text_attribute(reader.open_group("").id(), hdf5::kFormat) ==
                   std::optional<std::string>(hdf5::kFormatName);
  if (own && wanted.empty()) {
    return own_sets(reader, groups);
  }
  std::vector<ArraySet> sets;
  for (const auto& [path, data_sets] : groups) {
    const bool record =
        own && hdf5::number_attribute(reader.open_group(path).id(), hdf5::kChannels).has_value();
    sets.push_back(record ? own_set(reader, path, data_sets, path == wanted)
                          : foreign_set(reader, path, data_sets));
  }
  return sets;
}

std::string only_matrix(const Reader& reader) {
  std::vector<std::string> found;
  for (const std::string& path : reader.data_sets()) {
    if (reader.shape(path).is_matrix()) {
      found.push_back(path);
    }
  }
  if (found.size() != 1) {
    found.resize(std::min<std::size_t>(found.size(), 8));
    throw DataError(reader.place(),
                    found.empty()
                        ? "holds no numeric data sets of one or two dimensions"
                        : fmt::format("holds several data sets, give one: {}", join(found, ", ")));
  }
  return found.front();
}

}  // namespace

signal::Records read_hdf5(const std::filesystem::path& file, const ReadOptions& options) {
  const hdf5::Session session;
  const Reader reader(file);
  return assemble_records(sets_of(reader, without_slashes(options.dataset)), options);
}

Eigen::MatrixXd read_hdf5_matrix(const std::filesystem::path& file, const std::string& dataset) {
  const hdf5::Session session;
  const Reader reader(file);
  std::string path = without_slashes(dataset);
  if (path.empty()) {
    path = only_matrix(reader);
  }
  const std::vector<std::string> known = reader.data_sets();
  if (std::find(known.begin(), known.end(), path) == known.end()) {
    throw DataError(reader.place(), unknown_name("data set", path, known));
  }
  const Shape shape = reader.shape(path);
  if (!shape.is_matrix() || shape.kind == Kind::Complex) {
    throw DataError(reader.place(),
                    fmt::format("{}: must be real with one or two dimensions, is {} with {}",
                                excerpt(path), shape.type, shape.size.size()));
  }
  return reader.values(path).real;
}

std::vector<StoredArray> list_hdf5(const std::filesystem::path& file) {
  const hdf5::Session session;
  const Reader reader(file);
  std::vector<StoredArray> list;
  for (const std::string& path : reader.data_sets()) {
    const Shape shape = reader.shape(path);
    list.push_back({path, {shape.size.begin(), shape.size.end()}, shape.type});
  }
  return list;
}

}  // namespace alembert::io
