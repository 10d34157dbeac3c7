#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/io/read_limits.hpp"
#include "io/file/byte_source.hpp"
#include "io/hdf5/library.hpp"
#include "io/record/array_set.hpp"

namespace alembert::io::hdf5 {

/// The data sets of an open file.
class Reader {
 public:
  /// @param source the bytes of the same file, with its name for messages.
  Reader(Handle handle, ByteSource source, const ReadLimits& limits);

  [[nodiscard]] Place place() const { return {.file = name_}; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Bytes that the numbers of a file of this size can have at most.
  [[nodiscard]] std::uintmax_t most_bytes() const;

  /// Paths of all data sets, without the leading slash, in order. @throws DataError
  [[nodiscard]] std::vector<std::string> data_sets() const;
  /// @throws DataError, also where its numbers are in another file.
  [[nodiscard]] Handle open_data_set(const std::string& path) const;
  [[nodiscard]] Handle open_group(const std::string& path) const;
  [[nodiscard]] Shape shape(const std::string& path) const;
  /// The numbers of a data set of at most two dimensions. @throws DataError
  [[nodiscard]] ArrayValues values(const std::string& path) const;

 private:
  void check_form(const std::string& path, const Shape& form) const;
  void read(const Handle& data_set, const std::string& path, hid_t type, double* target) const;

  ByteSource source_;
  std::string name_;
  Handle handle_;
  std::uintmax_t bytes_;
  ReadLimits limits_;
};

}  // namespace alembert::io::hdf5
