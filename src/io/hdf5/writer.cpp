#include "io/hdf5/writer.hpp"

#include <algorithm>

#include "alembert/core/error.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io::hdf5 {

namespace {

constexpr hsize_t kChunk = 65536;

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

void refuse_zero_byte(const std::string& name, const std::string& text) {
  if (text.find('\0') == std::string::npos) return;
  throw InvalidInput({.function = "write_hdf5",
                      .argument = name,
                      .rule = "must not hold a zero byte",
                      .value = excerpt(text)});
}

}  // namespace

Writer::Writer(const std::filesystem::path& file, const std::filesystem::path& part,
               const Hdf5Options& options)
    : name_(file.string()), deflate_(static_cast<unsigned>(options.deflate)) {
  file_ = checked({H5Fcreate(part.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose},
                  "the file cannot be made");
  links_ = checked({H5Pcreate(H5P_LINK_CREATE), H5Pclose}, "no memory");
  H5Pset_char_encoding(links_.id(), H5T_CSET_UTF8);
  H5Pset_create_intermediate_group(links_.id(), 1);
}

Handle Writer::group(const Handle& where, const std::string& name) const {
  return checked(
      {H5Gcreate2(where.id(), name.c_str(), links_.id(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose},
      name);
}

Handle Writer::data_set(const Handle& where, const std::string& name,
                        const std::vector<hsize_t>& size, const double* values) const {
  const Handle space = checked(
      {H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose}, name);
  Handle result = new_data_set(where, name, H5T_IEEE_F64LE, space, storage(size));
  if (H5Sget_simple_extent_npoints(space.id()) > 0) {
    check(H5Dwrite(result.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
  }
  return result;
}

Handle Writer::single(const Handle& where, const std::string& name, hid_t stored, hid_t memory,
                      const void* value) const {
  const Handle space = checked({H5Screate(H5S_SCALAR), H5Sclose}, name);
  Handle result = new_data_set(where, name, stored, space, storage({}));
  check(H5Dwrite(result.id(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value), name);
  return result;
}

Handle Writer::truth(const Handle& where, const std::string& name, bool value) const {
  const Handle type = checked({H5Tenum_create(H5T_STD_I8LE), H5Tclose}, name);
  const signed char values[] = {0, 1};
  check(H5Tenum_insert(type.id(), "FALSE", &values[0]), name);
  check(H5Tenum_insert(type.id(), "TRUE", &values[1]), name);
  return single(where, name, type.id(), type.id(), &values[value ? 1 : 0]);
}

Handle Writer::texts(const Handle& where, const std::string& name, const std::vector<hsize_t>& size,
                     const std::vector<std::string>& values) const {
  const Handle type = text_type();
  const Handle space =
      checked({size.empty() ? H5Screate(H5S_SCALAR)
                            : H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
               H5Sclose},
              name);
  Handle result = new_data_set(where, name, type.id(), space, storage({}));
  std::vector<const char*> pointers;
  pointers.reserve(values.size());
  for (const std::string& text : values) {
    refuse_zero_byte(name, text);
    pointers.push_back(text.c_str());
  }
  check(H5Dwrite(result.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 static_cast<const void*>(pointers.data())),
        name);
  return result;
}

Handle Writer::nothing(const Handle& where, const std::string& name) const {
  const Handle space = checked({H5Screate(H5S_NULL), H5Sclose}, name);
  return new_data_set(where, name, H5T_IEEE_F64LE, space, storage({}));
}

void Writer::attribute(const Handle& object, const char* name, double value) const {
  const Handle made = new_attribute(object, name, H5T_IEEE_F64LE);
  check(H5Awrite(made.id(), H5T_NATIVE_DOUBLE, &value), name);
}

void Writer::attribute(const Handle& object, const char* name, long long value) const {
  const Handle made = new_attribute(object, name, H5T_STD_I64LE);
  check(H5Awrite(made.id(), H5T_NATIVE_LLONG, &value), name);
}

void Writer::attribute(const Handle& object, const char* name, const std::string& text) const {
  refuse_zero_byte(name, text);
  const Handle type = text_type();
  const Handle made = new_attribute(object, name, type.id());
  const char* pointer = text.c_str();
  check(H5Awrite(made.id(), type.id(), static_cast<const void*>(&pointer)), name);
}

void Writer::close() {
  if (H5Fflush(file_.id(), H5F_SCOPE_LOCAL) < 0 || !file_.reset()) {
    fail(name_, "", "cannot be written");
  }
}

Handle Writer::checked(Handle handle, const std::string& what) const {
  if (!handle.valid()) fail(name_, what, "cannot be written");
  return handle;
}

void Writer::check(herr_t status, const std::string& what) const {
  if (status < 0) fail(name_, what, "cannot be written");
}

Handle Writer::new_attribute(const Handle& object, const char* name, hid_t type) const {
  const Handle space = checked({H5Screate(H5S_SCALAR), H5Sclose}, name);
  return checked(
      {H5Acreate2(object.id(), name, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose}, name);
}

Handle Writer::new_data_set(const Handle& where, const std::string& name, hid_t type,
                            const Handle& space, const Handle& storage) const {
  return checked({H5Dcreate2(where.id(), name.c_str(), type, space.id(), links_.id(), storage.id(),
                             H5P_DEFAULT),
                  H5Dclose},
                 name);
}

// Chunks only where they are compressed; a chunk holds whole rows where these fit.
Handle Writer::storage(const std::vector<hsize_t>& size) const {
  Handle list = checked({H5Pcreate(H5P_DATASET_CREATE), H5Pclose}, "no memory");
  H5Pset_obj_track_times(list.id(), false);  // the same values give the same bytes
  const bool empty = size.empty() || std::find(size.begin(), size.end(), hsize_t{0}) != size.end();
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

}  // namespace alembert::io::hdf5
