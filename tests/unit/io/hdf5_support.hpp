#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <tuple>

#include "support/data.hpp"
#include "support/matrices_near.hpp"
#include "support/message_of.hpp"
#include "support/records.hpp"

// What the tests of the HDF5 reader share.
namespace alembert::io::hdf5_test {

// Files of another program, made with the C library alone.
class ForeignFile {
 public:
  explicit ForeignFile(const std::filesystem::path& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~ForeignFile() { close(); }
  ForeignFile(const ForeignFile&) = delete;
  ForeignFile& operator=(const ForeignFile&) = delete;

  void close() {
    if (file_ >= 0) {
      H5Fclose(file_);
    }
    file_ = -1;
  }

  template <typename Number>
  ForeignFile& array(const std::string& path, std::vector<hsize_t> size, hid_t type,
                     const std::vector<Number>& values) {
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t space = H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr);
    const hid_t set = H5Dcreate2(file_, path.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
    return *this;
  }

  ForeignFile& number(const std::string& object, const char* name, double value) {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t made = H5Acreate_by_name(file_, object.c_str(), name, H5T_NATIVE_DOUBLE, space,
                                         H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, H5T_NATIVE_DOUBLE, &value);
    H5Aclose(made);
    H5Sclose(space);
    return *this;
  }

  ForeignFile& text(const std::string& object, const char* name, const std::string& value) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, value.size());
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t made = H5Acreate_by_name(file_, object.c_str(), name, type, space, H5P_DEFAULT,
                                         H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, type, value.c_str());
    H5Aclose(made);
    H5Sclose(space);
    H5Tclose(type);
    return *this;
  }

  // A text whose type states no length.
  ForeignFile& long_text(const std::string& object, const char* name, const char* value) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t made = H5Acreate_by_name(file_, object.c_str(), name, type, space, H5P_DEFAULT,
                                         H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, type, &value);
    H5Aclose(made);
    H5Sclose(space);
    H5Tclose(type);
    return *this;
  }

 private:
  hid_t file_;
};

class Hdf5 : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return folder_.path() / name;
  }
  test::TemporaryFolder folder_;
};

}  // namespace alembert::io::hdf5_test
