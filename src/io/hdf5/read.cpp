#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "alembert/core/error.hpp"
#include "alembert/core/text.hpp"
#include "alembert/io/hdf5.hpp"
#include "io/confined/read_confined.hpp"
#include "io/file/regular_file.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/layout.hpp"
#include "io/hdf5/library.hpp"
#include "io/hdf5/reader.hpp"
#include "io/record/array_set.hpp"

namespace alembert::io {

namespace {

using hdf5::Handle;
using hdf5::Reader;
using hdf5::Shape;

// Far beyond any record; what a double holds without loss.
constexpr double kMostColumns = 1e15;

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
          .complex = shape.kind == hdf5::Kind::Complex,
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
  ArraySet set{.place = reader.place(), .title = group_path, .most_bytes = reader.most_bytes()};
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
  ArraySet set{.place = reader.place(),
               .axis = own_axis(reader, group, path),
               .most_bytes = reader.most_bytes()};
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
  if (whole && !by_column.empty() &&
      (by_column.begin()->first != 1 || by_column.rbegin()->first != std::llround(channels))) {
    fail_own(reader, path, "the columns of its channels are not counted from 1");
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
  const std::string next = hdf5::record_path(sets.size() + 1);
  if (groups.find(next) != groups.end()) {
    fail_own(reader, next, fmt::format("is not counted: the file states {} records", records));
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

signal::Records records_of(const Reader& reader, const ReadOptions& options) {
  return assemble_records(sets_of(reader, without_slashes(options.dataset)), options);
}

Eigen::MatrixXd matrix_of(const Reader& reader, const std::string& dataset) {
  std::string path = without_slashes(dataset);
  if (path.empty()) {
    path = only_matrix(reader);
  }
  const std::vector<std::string> known = reader.data_sets();
  if (std::find(known.begin(), known.end(), path) == known.end()) {
    throw DataError(reader.place(), unknown_name("data set", path, known));
  }
  const Shape shape = reader.shape(path);
  if (!shape.is_matrix() || shape.kind == hdf5::Kind::Complex) {
    throw DataError(reader.place(),
                    fmt::format("{}: must be real with one or two dimensions, is {} with {}",
                                excerpt(path), shape.type, shape.size.size()));
  }
  return reader.values(path).real;
}

std::vector<StoredArray> list_of_hdf5(const Reader& reader) {
  std::vector<StoredArray> list;
  for (const std::string& path : reader.data_sets()) {
    const Shape shape = reader.shape(path);
    list.push_back({path, {shape.size.begin(), shape.size.end()}, shape.type});
  }
  return list;
}

// The library reads in a process of its own: it was not made for files that someone has broken.
template <typename Result, typename Read>
Result read_hdf5_file(const std::filesystem::path& file, const ReadLimits& limits,
                      const Read& read) {
  const RegularFile opened(file);
  const std::string path = opened.path();
  const hdf5::Session session;
  return read_confined<Result>(file, time_limits(opened.size()), limits, [&] {
    return read(Reader(hdf5::open_file(path, opened.name()), ByteSource(opened), limits));
  });
}

}  // namespace

signal::Records read_hdf5(const std::filesystem::path& file, const ReadOptions& options) {
  return read_hdf5_file<signal::Records>(
      file, options.limits, [&](const Reader& reader) { return records_of(reader, options); });
}

signal::Records parse_hdf5(std::string_view content, const std::string& name,
                           const ReadOptions& options) {
  const hdf5::Session session;
  return records_of(
      Reader(hdf5::open_image(content, name), ByteSource(content, name), options.limits), options);
}

Eigen::MatrixXd read_hdf5_matrix(const std::filesystem::path& file, const std::string& dataset,
                                 const ReadLimits& limits) {
  return read_hdf5_file<Eigen::MatrixXd>(
      file, limits, [&](const Reader& reader) { return matrix_of(reader, dataset); });
}

std::vector<StoredArray> list_hdf5(const std::filesystem::path& file) {
  return read_hdf5_file<std::vector<StoredArray>>(file, {}, list_of_hdf5);
}

}  // namespace alembert::io
