#include "io/mat/library.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>

#include "io/file/file_content.hpp"
#include "io/file/text_excerpt.hpp"
#include "io/hdf5/library.hpp"
#include "io/mat/utf16.hpp"

namespace alembert::io::mat {

namespace {

// zlib makes numbers at most about 1000 times smaller: a larger claim is a broken file.
constexpr std::uintmax_t kLargestCompression = 2000;
constexpr std::uintmax_t kAlwaysAllowed = 1U << 23U;

// The version stands at byte 124 of the header: 1 for version 5, 2 for 7.3.
int version_of(const std::filesystem::path& file) {
  std::array<char, 128> header{};
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(header.data(), header.size())) {
    return 0;
  }
  const std::string_view order(header.data() + 126, 2);
  if (order == "IM") {
    return header[125];
  }
  return order == "MI" ? header[124] : 0;
}

template <typename Number>
Eigen::VectorXd converted(const void* data, std::size_t count) {
  Eigen::VectorXd result(static_cast<Eigen::Index>(count));
  const auto* bytes = static_cast<const char*>(data);
  for (std::size_t k = 0; k < count; ++k) {
    Number number{};
    std::memcpy(&number, bytes + k * sizeof(Number), sizeof(Number));
    result(static_cast<Eigen::Index>(k)) = static_cast<double>(number);
  }
  return result;
}

std::optional<Eigen::VectorXd> numbers_of(matio_types type, const void* data, std::size_t count) {
  switch (type) {
    case MAT_T_DOUBLE:
      return converted<double>(data, count);
    case MAT_T_SINGLE:
      return converted<float>(data, count);
    case MAT_T_INT8:
      return converted<std::int8_t>(data, count);
    case MAT_T_UINT8:
      return converted<std::uint8_t>(data, count);
    case MAT_T_INT16:
      return converted<std::int16_t>(data, count);
    case MAT_T_UINT16:
      return converted<std::uint16_t>(data, count);
    case MAT_T_INT32:
      return converted<std::int32_t>(data, count);
    case MAT_T_UINT32:
      return converted<std::uint32_t>(data, count);
    case MAT_T_INT64:
      return converted<std::int64_t>(data, count);
    case MAT_T_UINT64:
      return converted<std::uint64_t>(data, count);
    default:
      return std::nullopt;
  }
}

// How the library stores the numbers of a class in memory.
matio_types type_of_class(matio_classes kind) {
  static constexpr std::array<matio_types, 10> kTypes = {
      MAT_T_DOUBLE, MAT_T_SINGLE, MAT_T_INT8,   MAT_T_UINT8, MAT_T_INT16,
      MAT_T_UINT16, MAT_T_INT32,  MAT_T_UINT32, MAT_T_INT64, MAT_T_UINT64};
  return kTypes.at(static_cast<std::size_t>(kind - MAT_C_DOUBLE));
}

std::string class_name(matio_classes kind) {
  static constexpr std::array<const char*, 18> kNames = {
      "empty", "cell",  "struct", "object", "text",   "sparse", "double", "single",   "int8",
      "uint8", "int16", "uint16", "int32",  "uint32", "int64",  "uint64", "function", "opaque"};
  const auto index = static_cast<std::size_t>(kind);
  return index < kNames.size() ? kNames[index] : "unknown";
}

Eigen::MatrixXd checked_values(const File& file, const std::string& name, const matvar_t& variable,
                               const void* data) {
  const std::size_t count = element_count(variable);
  const auto rows = static_cast<Eigen::Index>(variable.dims[0]);
  const auto columns = static_cast<Eigen::Index>(variable.dims[1]);
  if (count == 0) {
    return {rows, columns};
  }
  if (data == nullptr || variable.nbytes < count * Mat_SizeOf(variable.data_type)) {
    file.fail(name, "its data cannot be read (broken file?)");
  }
  const auto numbers = numbers_of(variable.data_type, data, count);
  if (!numbers) {
    file.fail(name, fmt::format("numbers of type {} cannot be read",
                                static_cast<int>(variable.data_type)));
  }
  return numbers->reshaped(rows, columns);
}

}  // namespace

File::File(const std::filesystem::path& file) : name_(file.string()) {
  require_readable(file);
  bytes_ = size_of_file(file);
  const int version = version_of(file);
  if (version != 1 && version != 2) {
    throw DataError(place(), "is not a MATLAB file of version 5 or 7.3");
  }
  if (version == 1) {
    check_version_5(file);
  }
  handle_.reset(Mat_Open(file.c_str(), MAT_ACC_RDONLY));
  if (!handle_) {
    hdf5::fail(name_, "", "cannot be opened as a MATLAB file (truncated?)");
  }
  while (matvar_t* variable = Mat_VarReadNextInfo(handle_.get())) {
    variables_.emplace_back(variable);
  }
}

ArrayValues File::numbers(const matvar_t& variable) const {
  check_believable(variable);
  const std::string name = variable.name == nullptr ? "" : variable.name;
  const std::size_t count = element_count(variable);
  const auto rows = static_cast<Eigen::Index>(variable.dims[0]);
  const auto columns = static_cast<Eigen::Index>(variable.dims[1]);
  if (count == 0) {
    return {Eigen::MatrixXd(rows, columns), Eigen::MatrixXd(rows, columns)};
  }
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    return values_of(*this, name, *read(name));
  }
  // The library notes in the variable where it read; that is its own affair.
  auto* info = const_cast<matvar_t*>(&variable);
  const auto read_into = [&](void* target) {
    if (Mat_VarReadDataLinear(handle_.get(), info, target, 0, 1, static_cast<int>(count)) != 0) {
      fail(name, "its data cannot be read (broken file?)");
    }
  };
  const matio_types type = type_of_class(variable.class_type);
  if (type == MAT_T_DOUBLE && variable.isComplex == 0) {
    ArrayValues values{Eigen::MatrixXd(rows, columns)};
    read_into(values.real.data());
    return values;
  }
  std::vector<char> real(count * Mat_SizeOf(type));
  if (variable.isComplex == 0) {
    read_into(real.data());
    return {numbers_of(type, real.data(), count)->reshaped(rows, columns)};
  }
  std::vector<char> imaginary(real.size());
  mat_complex_split_t parts{real.data(), imaginary.data()};
  read_into(&parts);
  return {numbers_of(type, real.data(), count)->reshaped(rows, columns),
          numbers_of(type, imaginary.data(), count)->reshaped(rows, columns)};
}

Variable File::read(const std::string& name) const {
  Variable variable(Mat_VarReadInfo(handle_.get(), name.c_str()));
  if (!variable) {
    fail(name, "cannot be read (broken file?)");
  }
  check_believable(*variable);
  if (variable->class_type == MAT_C_STRUCT || variable->class_type == MAT_C_CELL) {
    variable.reset(Mat_VarRead(handle_.get(), name.c_str()));
  } else if (Mat_VarReadDataAll(handle_.get(), variable.get()) != 0) {
    fail(name, "its data cannot be read (broken file?)");
  }
  if (!variable) {
    fail(name, "cannot be read (broken file?)");
  }
  return variable;
}

void File::check_believable(const matvar_t& variable) const {
  std::uintmax_t left = kAlwaysAllowed + kLargestCompression / sizeof(double) * bytes_;
  for (int d = 0; d < variable.rank && variable.class_type != MAT_C_SPARSE; ++d) {
    if (variable.dims[d] > left) {
      fail(variable.name == nullptr ? "" : variable.name,
           fmt::format("its size is not believable in a file of {} bytes", bytes_));
    }
    left /= std::max<std::uintmax_t>(1, variable.dims[d]);
  }
}

void File::fail(const std::string& variable, const std::string& reason) const {
  throw DataError(place(), fmt::format("variable {}: {}", excerpt(variable), reason));
}

bool is_matrix(const matvar_t& variable) {
  return variable.rank == 2 && variable.class_type >= MAT_C_DOUBLE &&
         variable.class_type <= MAT_C_UINT64;
}

std::string type_name(const matvar_t& variable) {
  std::string name = class_name(variable.class_type);
  if (variable.class_type == MAT_C_SPARSE) {
    name = variable.isLogical != 0 ? "sparse logical" : "sparse double";
  } else if (variable.isLogical != 0) {
    name = "logical";
  }
  return variable.isComplex != 0 ? "complex " + name : name;
}

ArrayValues values_of(const File& file, const std::string& name, const matvar_t& variable) {
  if (variable.isComplex == 0) {
    return {checked_values(file, name, variable, variable.data)};
  }
  const auto* parts = static_cast<const mat_complex_split_t*>(variable.data);
  return {checked_values(file, name, variable, parts == nullptr ? nullptr : parts->Re),
          checked_values(file, name, variable, parts == nullptr ? nullptr : parts->Im)};
}

Eigen::SparseMatrix<double> sparse_of(const File& file, const std::string& name,
                                      const matvar_t& variable) {
  const auto* stored = static_cast<const mat_sparse_t*>(variable.data);
  const std::size_t rows = variable.dims[0];
  const std::size_t columns = variable.dims[1];
  // The indices of a sparse matrix are int.
  constexpr std::size_t kLargest = std::numeric_limits<int>::max();
  if (rows > kLargest || columns > kLargest || (stored != nullptr && stored->nir > kLargest)) {
    file.fail(name, fmt::format("a sparse matrix of {} x {} is too large: at most {} rows, columns "
                                "and entries",
                                rows, columns, kLargest));
  }
  if (stored == nullptr || stored->jc == nullptr || stored->njc != columns + 1 ||
      stored->jc[columns] > stored->nir || stored->jc[columns] > stored->ndata) {
    file.fail(name, "the index of the sparse matrix is broken");
  }
  const std::size_t entries = stored->jc[columns];
  const auto numbers = numbers_of(variable.data_type, stored->data, entries);
  if (!numbers || variable.isComplex != 0) {
    file.fail(name, "must be a real sparse matrix");
  }
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries);
  for (std::size_t j = 0; j < columns; ++j) {
    if (stored->jc[j] > stored->jc[j + 1]) {
      file.fail(name, "the index of the sparse matrix is broken");
    }
    for (std::size_t k = stored->jc[j]; k < stored->jc[j + 1]; ++k) {
      if (k >= entries || stored->ir[k] >= rows) {
        file.fail(name, "the index of the sparse matrix is broken");
      }
      triplets.emplace_back(static_cast<int>(stored->ir[k]), static_cast<int>(j),
                            (*numbers)(static_cast<Eigen::Index>(k)));
    }
  }
  Eigen::SparseMatrix<double> matrix(static_cast<Eigen::Index>(rows),
                                     static_cast<Eigen::Index>(columns));
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

std::optional<std::string> text_of(const matvar_t* variable) {
  if (variable == nullptr || variable->class_type != MAT_C_CHAR) {
    return std::nullopt;
  }
  const std::size_t letters = element_count(*variable);
  const auto size = static_cast<std::size_t>(std::max(0, variable->data_size));
  if (letters == 0) {
    return std::string();
  }
  if (variable->data == nullptr || size == 0 || variable->nbytes < size) {
    return std::nullopt;
  }
  const std::size_t units = variable->nbytes / size;
  if (size == 2) {
    std::u16string text(units, u'\0');
    std::memcpy(text.data(), variable->data, 2 * units);
    return from_utf16(text);
  }
  return to_utf8({static_cast<const char*>(variable->data), variable->nbytes});
}

matvar_t* field_of(matvar_t* structure, const std::string& name, std::size_t index) {
  if (structure == nullptr || structure->class_type != MAT_C_STRUCT ||
      index >= element_count(*structure)) {
    return nullptr;
  }
  return Mat_VarGetStructFieldByName(structure, name.c_str(), index);
}

std::vector<std::string> field_names(const matvar_t* structure) {
  std::vector<std::string> names;
  char* const* fields = Mat_VarGetStructFieldnames(structure);
  const unsigned count = Mat_VarGetNumberOfFields(const_cast<matvar_t*>(structure));
  for (unsigned f = 0; fields != nullptr && f < count; ++f) {
    names.emplace_back(fields[f] == nullptr ? "" : fields[f]);
  }
  return names;
}

std::size_t element_count(const matvar_t& variable) {
  std::size_t count = variable.rank > 0 && variable.dims != nullptr ? 1 : 0;
  for (int d = 0; d < variable.rank && count > 0; ++d) {
    count *= variable.dims[d];
  }
  return count;
}

}  // namespace alembert::io::mat
