#include "io/hdf5/library.hpp"

#include <fmt/core.h>

#include "alembert/core/error.hpp"
#include "io/file/text_excerpt.hpp"

namespace alembert::io::hdf5 {

namespace {

std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

herr_t keep_first(unsigned position, const H5E_error2_t* error, void* reason) {
  if (position == 0 && error->desc != nullptr) {
    *static_cast<std::string*>(reason) = error->desc;
  }
  return 0;
}

std::string integer_name(hid_t type) {
  return fmt::format("{}int{}", H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "",
                     8 * H5Tget_size(type));
}

std::string float_name(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  return size == 8 ? "double" : size == 4 ? "single" : fmt::format("float{}", 8 * size);
}

// Two floating-point members: what h5py (r, i), MATLAB (real, imag) and others store.
bool is_complex(hid_t type) {
  if (H5Tget_class(type) != H5T_COMPOUND || H5Tget_nmembers(type) != 2) {
    return false;
  }
  return H5Tget_member_class(type, 0) == H5T_FLOAT && H5Tget_member_class(type, 1) == H5T_FLOAT;
}

// Sign, exponent and mantissa of IEEE 754 in so many bits, in either byte order.
bool is_ieee(hid_t type, std::size_t exponent_bits, std::size_t bias) {
  const std::size_t bits = 8 * H5Tget_size(type);
  const std::size_t mantissa_bits = bits - 1 - exponent_bits;
  std::size_t sign = 0;
  std::size_t exponent = 0;
  std::size_t exponent_size = 0;
  std::size_t mantissa = 0;
  std::size_t mantissa_size = 0;
  return H5Tget_fields(type, &sign, &exponent, &exponent_size, &mantissa, &mantissa_size) >= 0 &&
         sign == bits - 1 && exponent == mantissa_bits && exponent_size == exponent_bits &&
         mantissa == 0 && mantissa_size == mantissa_bits && H5Tget_ebias(type) == bias &&
         H5Tget_norm(type) == H5T_NORM_IMPLIED && H5Tget_precision(type) == bits;
}

// A file describes its numbers bit by bit, and a single flipped bit there would give other ones.
// What no machine stores is a broken file.
bool is_usual_float(hid_t type) {
  const H5T_order_t order = H5Tget_order(type);
  if (order != H5T_ORDER_LE && order != H5T_ORDER_BE) return false;
  switch (H5Tget_size(type)) {
    case 2:
      return is_ieee(type, 5, 15);
    case 4:
      return is_ieee(type, 8, 127);
    case 8:
      return is_ieee(type, 11, 1023);
    default:
      return H5Tequal(type, H5T_NATIVE_LDOUBLE) > 0;
  }
}

bool is_usual_integer(hid_t type) {
  return H5Tget_offset(type) == 0 && H5Tget_precision(type) == 8 * H5Tget_size(type);
}

void describe_type(hid_t type, Shape& shape) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      shape.kind = is_usual_integer(type) ? Kind::Real : Kind::Other;
      shape.type = is_usual_integer(type) ? integer_name(type) : "integers of an unknown form";
      break;
    case H5T_FLOAT:
      shape.kind = is_usual_float(type) ? Kind::Real : Kind::Other;
      shape.type = is_usual_float(type) ? float_name(type) : "numbers of an unknown form";
      shape.single_precision = H5Tget_size(type) < 8;
      break;
    case H5T_ENUM:
      shape.kind = Kind::Real;
      shape.type = "enumeration";
      break;
    case H5T_STRING:
      shape.kind = Kind::Text;
      shape.type = "text";
      break;
    default:
      shape.kind = is_complex(type) ? Kind::Complex : Kind::Other;
      shape.type = is_complex(type) ? "complex" : "other";
  }
}

Handle open_attribute(hid_t object, const std::string& name) {
  if (H5Aexists(object, name.c_str()) <= 0) {
    return {};
  }
  return {H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose};
}

bool is_one_element(hid_t attribute) {
  const Handle space(H5Aget_space(attribute), H5Sclose);
  return space.valid() && H5Sget_simple_extent_npoints(space.id()) == 1;
}

std::optional<std::string> variable_text(hid_t attribute, hid_t stored) {
  const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(memory.id(), H5T_VARIABLE);
  H5Tset_cset(memory.id(), H5Tget_cset(stored));
  char* text = nullptr;
  if (H5Aread(attribute, memory.id(), static_cast<void*>(&text)) < 0) {
    return std::nullopt;
  }
  std::string result = text == nullptr ? "" : text;
  H5free_memory(text);
  return result;
}

std::optional<std::string> fixed_text(hid_t attribute, hid_t stored) {
  std::string text(H5Tget_size(stored), '\0');
  if (H5Aread(attribute, stored, text.data()) < 0) {
    return std::nullopt;
  }
  const bool padded = H5Tget_strpad(stored) == H5T_STR_SPACEPAD;
  const std::size_t last = text.find_last_not_of(padded ? ' ' : '\0');
  return text.substr(0, last == std::string::npos ? 0 : last + 1);
}

}  // namespace

bool has_usual_form(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return is_usual_integer(type);
    case H5T_FLOAT:
      return is_usual_float(type);
    default:
      return true;
  }
}

Session::Session() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5Eclear2(H5E_DEFAULT);
}

Session::~Session() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

std::string last_reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  return reason;
}

void fail(const std::string& file, const std::string& object, const std::string& what) {
  const std::string reason = last_reason();
  throw DataError({.file = file},
                  fmt::format("{}{}{}", object.empty() ? "" : excerpt(object) + ": ", what,
                              reason.empty() ? "" : fmt::format(" ({})", reason)));
}

Handle open_file(const std::filesystem::path& path, const std::string& name) {
  Handle handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!handle.valid()) {
    fail(name, "", "is not a readable HDF5 file");
  }
  return handle;
}

Handle open_image(std::string_view content, const std::string& name) {
  constexpr std::size_t kIncrement = 65536;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.id(), kIncrement, 0);
  if (!content.empty()) {
    H5Pset_file_image(access.id(), const_cast<char*>(content.data()), content.size());
  }
  Handle handle(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (!handle.valid()) {
    fail(name, "", "is not a readable HDF5 file");
  }
  return handle;
}

Shape shape_of(const Handle& type, const Handle& space) {
  Shape shape;
  if (!type.valid() || !space.valid()) {
    return shape;
  }
  describe_type(type.id(), shape);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank > 0) {
    shape.size.resize(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space.id(), shape.size.data(), nullptr);
  }
  if (H5Sget_simple_extent_type(space.id()) == H5S_NULL) {
    shape.size = {0};
  }
  return shape;
}

std::optional<double> number_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  if (!attribute.valid() || !is_one_element(attribute.id())) {
    return std::nullopt;
  }
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  double value = 0.0;
  if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || !has_usual_form(type.id()) ||
      H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &value) < 0) {
    return std::nullopt;
  }
  return value;
}

std::optional<std::string> text_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  if (!attribute.valid() || !is_one_element(attribute.id())) {
    return std::nullopt;
  }
  const Handle type(H5Aget_type(attribute.id()), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_STRING) {
    return std::nullopt;
  }
  return H5Tis_variable_str(type.id()) > 0 ? variable_text(attribute.id(), type.id())
                                           : fixed_text(attribute.id(), type.id());
}

Handle complex_memory_type(hid_t stored) {
  Handle memory(H5Tcreate(H5T_COMPOUND, 2 * sizeof(double)), H5Tclose);
  for (unsigned part = 0; part < 2; ++part) {
    char* name = H5Tget_member_name(stored, part);
    H5Tinsert(memory.id(), name, part * sizeof(double), H5T_NATIVE_DOUBLE);
    H5free_memory(name);
  }
  return memory;
}

}  // namespace alembert::io::hdf5
