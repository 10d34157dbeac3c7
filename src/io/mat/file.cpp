#include "io/mat/file.hpp"

#include <fmt/core.h>

#include <array>
#include <limits>

#include "io/file/text_excerpt.hpp"
#include "io/mat/matrix_element.hpp"

namespace alembert::io::mat {

namespace {

std::string kind_name(Kind kind) {
  static constexpr std::array<const char*, 18> kNames = {
      "empty", "cell",  "struct", "object", "text",   "sparse", "double", "single",   "int8",
      "uint8", "int16", "uint16", "int32",  "uint32", "int64",  "uint64", "function", "opaque"};
  const auto index = static_cast<std::size_t>(kind);
  return index < kNames.size() ? kNames[index] : "unknown";
}

[[noreturn]] void fail_index(const File& file, const std::string& name) {
  file.fail(name, "the index of the sparse matrix is broken");
}

// Rows and columns are counted by int.
void check_sparse_size(const File& file, const std::string& name, const Variable& variable) {
  constexpr std::size_t kLargest = std::numeric_limits<int>::max();
  if (variable.size.size() != 2 || variable.size[0] > kLargest || variable.size[1] > kLargest ||
      variable.sparse.rows.size() > kLargest) {
    file.fail(name, fmt::format("a sparse matrix of {} x {} is too large: at most {} rows, columns "
                                "and entries",
                                variable.size.empty() ? 0 : variable.size.front(),
                                variable.size.empty() ? 0 : variable.size.back(), kLargest));
  }
  const SparseParts& stored = variable.sparse;
  if (stored.starts.size() != variable.size[1] + 1 || stored.starts.back() < 0 ||
      stored.starts.back() > static_cast<std::int64_t>(stored.rows.size()) ||
      stored.starts.back() > stored.values.size()) {
    fail_index(file, name);
  }
}

}  // namespace

std::size_t Variable::count() const {
  std::size_t product = size.empty() ? 0 : 1;
  for (const std::size_t side : size) {
    product = side != 0 && product > std::numeric_limits<std::size_t>::max() / side
                  ? std::numeric_limits<std::size_t>::max()
                  : product * side;
  }
  return product;
}

const Variable* Variable::field(const std::string& field_name, std::size_t index) const {
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const std::size_t at = index * fields.size() + f;
    if (fields[f] == field_name && at < parts.size()) return &parts[at];
  }
  return nullptr;
}

std::string type_name(const Variable& variable) {
  std::string name = kind_name(variable.kind);
  if (variable.kind == Kind::Sparse) {
    name = variable.logical ? "sparse logical" : "sparse double";
  } else if (variable.logical) {
    name = "logical";
  }
  return variable.complex ? "complex " + name : name;
}

const Variable* File::find(const std::string& name) const {
  for (const Variable& variable : variables_) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

void File::fail(const std::string& variable, const std::string& reason) const {
  throw DataError(place(), fmt::format("variable {}: {}", excerpt(variable), reason));
}

Eigen::SparseMatrix<double> sparse_of(const File& file, const std::string& name,
                                      const Variable& variable) {
  if (variable.complex) file.fail(name, "must be a real sparse matrix");
  check_sparse_size(file, name, variable);
  const SparseParts& stored = variable.sparse;
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(static_cast<std::size_t>(stored.starts.back()));
  for (std::size_t j = 0; j + 1 < stored.starts.size(); ++j) {
    if (stored.starts[j] < 0 || stored.starts[j] > stored.starts[j + 1]) fail_index(file, name);
    for (std::int64_t k = stored.starts[j]; k < stored.starts[j + 1]; ++k) {
      const std::int64_t row =
          k < stored.starts.back() ? stored.rows[static_cast<std::size_t>(k)] : -1;
      if (row < 0 || row >= static_cast<std::int64_t>(variable.size[0])) fail_index(file, name);
      triplets.emplace_back(static_cast<int>(row), static_cast<int>(j), stored.values(k));
    }
  }
  Eigen::SparseMatrix<double> matrix(static_cast<Eigen::Index>(variable.size[0]),
                                     static_cast<Eigen::Index>(variable.size[1]));
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

// The version stands at byte 124 of the header, behind it the byte order.
int version_of(const ByteSource& source) {
  std::array<char, kHeaderBytes> header{};
  if (source.size() >= kHeaderBytes) source.read(header.data(), kHeaderBytes, 0);
  const std::string_view order(header.data() + 126, 2);
  const int version = order == "IM" ? header[125] : order == "MI" ? header[124] : 0;
  if (version != 1 && version != 2) {
    throw DataError({.file = source.name()}, "is not a MATLAB file of version 5 or 7.3");
  }
  return version;
}

}  // namespace alembert::io::mat
