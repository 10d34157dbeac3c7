#include "io/hdf5/reader.hpp"

#include <fmt/core.h>

#include <utility>

#include "io/file/memory_limit.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/extents.hpp"
#include "io/hdf5/storage.hpp"

namespace alembert::io::hdf5 {

namespace {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// No filter of the library makes numbers smaller than this times: a larger claim is a broken file.
constexpr std::uintmax_t kLargestCompression = 2000;
constexpr std::uintmax_t kAlwaysAllowedBytes = 1U << 26U;

}  // namespace

Reader::Reader(Handle handle, ByteSource source, const ReadLimits& limits)
    : source_(std::move(source)),
      name_(source_.name()),
      handle_(std::move(handle)),
      bytes_(source_.size()),
      limits_(limits) {}

std::uintmax_t Reader::most_bytes() const {
  // What other files hold is not known.
  return limits_.external ? memory_limit(limits_)
                          : kAlwaysAllowedBytes + kLargestCompression * bytes_;
}

std::vector<std::string> Reader::data_sets() const {
  std::vector<std::string> paths;
  const std::vector<std::string> links = link_paths(handle_, name_, limits_);
  check_extents(handle_, source_, links);
  for (const std::string& link : links) {
    const Handle object(H5Oopen(handle_.id(), link.c_str(), H5P_DEFAULT), H5Oclose);
    if (!object.valid()) {
      fail(name_, link, "cannot be opened");
    }
    if (H5Iget_type(object.id()) == H5I_DATASET) {
      check_numbers(object, name_, link);
      paths.push_back(link);
    }
  }
  return paths;
}

Handle Reader::open_data_set(const std::string& path) const {
  Handle data_set(H5Dopen2(handle_.id(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!data_set.valid()) {
    fail(name_, path, "cannot be opened");
  }
  check_place(data_set, name_, path, limits_);
  return data_set;
}

Handle Reader::open_group(const std::string& path) const {
  return {H5Gopen2(handle_.id(), path.empty() ? "/" : path.c_str(), H5P_DEFAULT), H5Gclose};
}

Shape Reader::shape(const std::string& path) const {
  const Handle data_set = open_data_set(path);
  return shape_of(Handle(H5Dget_type(data_set.id()), H5Tclose),
                  Handle(H5Dget_space(data_set.id()), H5Sclose));
}

ArrayValues Reader::values(const std::string& path) const {
  const Handle data_set = open_data_set(path);
  const Shape form = shape(path);
  check_form(path, form);
  check_written(data_set, name_, path);
  const auto rows = static_cast<Eigen::Index>(form.rows());
  const auto columns = static_cast<Eigen::Index>(form.columns());
  if (form.kind == Kind::Complex) {
    RowMajorMatrix pairs(rows, 2 * columns);
    const Handle stored(H5Dget_type(data_set.id()), H5Tclose);
    read(data_set, path, complex_memory_type(stored.id()).id(), pairs.data());
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

// The numbers are read into a buffer of rows x columns: anything else would not fit into it.
void Reader::check_form(const std::string& path, const Shape& form) const {
  if (!form.is_matrix()) {
    throw DataError(place(), fmt::format("{}: must be numbers with one or two dimensions, is {} "
                                         "with {}",
                                         excerpt(path), form.type, form.size.size()));
  }
  const std::uintmax_t parts = form.kind == Kind::Complex ? 2 : 1;
  const std::uintmax_t limit = most_bytes() / sizeof(double) / parts;
  if (form.rows() > 0 && form.columns() > limit / form.rows()) {
    throw DataError(place(),
                    fmt::format("{}: a size of {} x {} is not believable in a file of {} bytes",
                                excerpt(path), form.rows(), form.columns(), bytes_));
  }
  require_room(name_, excerpt(path), form.rows(), form.columns(), parts * sizeof(double), limits_);
}

void Reader::read(const Handle& data_set, const std::string& path, hid_t type,
                  double* target) const {
  const Handle space(H5Dget_space(data_set.id()), H5Sclose);
  if (H5Sget_simple_extent_npoints(space.id()) > 0 &&
      H5Dread(data_set.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, target) < 0) {
    fail(name_, path, "the data cannot be read");
  }
}

}  // namespace alembert::io::hdf5
