#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "alembert/io/hdf5.hpp"
#include "io/hdf5/library.hpp"

namespace alembert::io::hdf5 {

/// An HDF5 file on its way. Every call throws a DataError that names the file if it fails.
class Writer {
 public:
  /// @param file its name in messages; `part` is what is written.
  Writer(const std::filesystem::path& file, const std::filesystem::path& part,
         const Hdf5Options& options);

  [[nodiscard]] const Handle& file() const { return file_; }

  [[nodiscard]] Handle group(const std::string& path) const { return group(file_, path); }
  [[nodiscard]] Handle group(const Handle& where, const std::string& name) const;

  /// Doubles in the order of the file: the last index runs fastest.
  [[nodiscard]] Handle data_set(const Handle& where, const std::string& name,
                                const std::vector<hsize_t>& size, const double* values) const;
  /// One value of a type, from memory of another.
  [[nodiscard]] Handle single(const Handle& where, const std::string& name, hid_t stored,
                              hid_t memory, const void* value) const;
  /// A truth value.
  [[nodiscard]] Handle truth(const Handle& where, const std::string& name, bool value) const;
  /// Texts, as many as `size` says.
  [[nodiscard]] Handle texts(const Handle& where, const std::string& name,
                             const std::vector<hsize_t>& size,
                             const std::vector<std::string>& values) const;
  /// A data set that holds nothing.
  [[nodiscard]] Handle nothing(const Handle& where, const std::string& name) const;

  void attribute(const Handle& object, const char* name, double value) const;
  void attribute(const Handle& object, const char* name, long long value) const;
  void attribute(const Handle& object, const char* name, const std::string& text) const;

  void close();

 private:
  Handle checked(Handle handle, const std::string& what) const;
  void check(herr_t status, const std::string& what) const;
  Handle new_attribute(const Handle& object, const char* name, hid_t type) const;
  Handle new_data_set(const Handle& where, const std::string& name, hid_t type, const Handle& space,
                      const Handle& storage) const;
  [[nodiscard]] Handle storage(const std::vector<hsize_t>& size) const;

  std::string name_;
  unsigned deflate_;
  Handle file_;
  Handle links_;
};

}  // namespace alembert::io::hdf5
