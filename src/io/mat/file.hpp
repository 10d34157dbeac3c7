#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alembert/core/error.hpp"
#include "alembert/io/read_limits.hpp"
#include "io/file/byte_source.hpp"
#include "io/record/array_set.hpp"

/// What a MATLAB file holds, whatever its version.
namespace alembert::io::mat {

/// Classes of MATLAB, with the numbers that files of version 5 use.
enum class Kind {
  Empty = 0,
  Cell = 1,
  Struct = 2,
  Object = 3,
  Text = 4,
  Sparse = 5,
  Double = 6,
  Single = 7,
  Int8 = 8,
  Uint8 = 9,
  Int16 = 10,
  Uint16 = 11,
  Int32 = 12,
  Uint32 = 13,
  Int64 = 14,
  Uint64 = 15,
  Function = 16,
  Opaque = 17
};

/// A sparse matrix as MATLAB stores it: entry k of column j, starts[j] <= k < starts[j + 1], stands
/// in rows[k]. Nothing of it is checked yet.
struct SparseParts {
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> starts;
  Eigen::VectorXd values;
};

/// A variable or a field: what it is and, where asked for, its content.
struct Variable {
  std::string name = {};
  Kind kind = Kind::Empty;
  bool complex = false;
  bool logical = false;
  std::vector<std::size_t> size = {};
  std::size_t element = 0;  ///< which one of the file's elements holds it

  ArrayValues numbers = {};              // of a full numeric array
  std::optional<std::string> text = {};  // UTF-8
  SparseParts sparse = {};               // of a sparse matrix
  std::vector<std::string> fields = {};  // of a structure
  std::vector<Variable> parts = {};      // its fields, element after element

  /// Whether it is a full numeric array of two dimensions.
  [[nodiscard]] bool is_matrix() const {
    return size.size() == 2 && kind >= Kind::Double && kind <= Kind::Uint64;
  }
  [[nodiscard]] std::size_t count() const;
  /// The field of element `index` of a structure array, or nullptr.
  [[nodiscard]] const Variable* field(const std::string& field_name, std::size_t index = 0) const;
};

/// The type for lists: "double", "complex single", "logical", "sparse double", "struct", ...
[[nodiscard]] std::string type_name(const Variable& variable);

/// An open file.
class File {
 public:
  File(std::string name, const ReadLimits& limits) : name_(std::move(name)), limits_(limits) {}
  virtual ~File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  [[nodiscard]] Place place() const { return {.file = name_}; }
  [[nodiscard]] const ReadLimits& limits() const { return limits_; }
  /// All variables without their content, nor their fields.
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
  /// A variable by its name, or nullptr.
  [[nodiscard]] const Variable* find(const std::string& name) const;

  /// The numbers of one of variables() that is a matrix. @throws DataError
  [[nodiscard]] virtual ArrayValues numbers(const Variable& variable) const = 0;
  /// One of variables() with its fields and, if asked for, all content. @throws DataError
  [[nodiscard]] virtual Variable read(const Variable& variable, bool content) const = 0;
  /// Checks what was not read: nothing of a broken file is to be believed. @throws DataError
  virtual void check_rest() const {}

  /// Throws a DataError: `file: variable: reason`.
  [[noreturn]] void fail(const std::string& variable, const std::string& reason) const;

 protected:
  std::string name_;
  ReadLimits limits_;
  std::vector<Variable> variables_;
};

/// The real sparse matrix of a variable. @throws DataError if its indices are broken.
[[nodiscard]] Eigen::SparseMatrix<double> sparse_of(const File& file, const std::string& name,
                                                    const Variable& variable);

/// Opens a file of version 5. The elements are read here, not by the matio library, which believes
/// compressed elements without their checksum and sizes without looking at what is there.
/// @param source must outlive the file. @throws DataError with the byte of a broken element.
[[nodiscard]] std::unique_ptr<File> open_version_5(const ByteSource& source,
                                                   const ReadLimits& limits);
/// Opens a file of version 7.3 with the matio library, within one hdf5::Session.
/// @param path by which the library opens it. @param source its bytes. @throws DataError
[[nodiscard]] std::unique_ptr<File> open_version_73(const std::filesystem::path& path,
                                                    const ByteSource& source,
                                                    const ReadLimits& limits);

/// The version of a file by its header: 1 for version 5, 2 for 7.3. @throws DataError for others.
[[nodiscard]] int version_of(const ByteSource& source);

/// Names in the files that write_mat makes.
inline constexpr const char* kInfo = "alembert_record";
inline constexpr const char* kTime = "t";

}  // namespace alembert::io::mat
