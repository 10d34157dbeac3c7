#pragma once

#include <matio.h>

#include <Eigen/SparseCore>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alembert/core/error.hpp"
#include "io/record/array_set.hpp"

/// The matio library, wrapped: variables that free themselves, values as matrices.
namespace alembert::io::mat {

struct FreeVariable {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};
using Variable = std::unique_ptr<matvar_t, FreeVariable>;

/// An open .mat file. All calls into matio go through here, within one hdf5::Session.
class File {
 public:
  /// Opens a file for reading; of version 5 the sizes of all elements are checked first, because
  /// matio may take a cut element for a short one.
  /// @throws DataError unless it is a whole file of version 5 or 7.3.
  explicit File(const std::filesystem::path& file);

  [[nodiscard]] Place place() const { return {.file = name_}; }
  /// Names, sizes and classes of all variables, without their data.
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }
  /// Reads the numbers of one of variables(), a full numeric array; the file is not searched, as
  /// read() does. @throws DataError
  [[nodiscard]] ArrayValues numbers(const matvar_t& variable) const;
  /// Reads a variable with its data. @throws DataError
  [[nodiscard]] Variable read(const std::string& name) const;

  /// Throws a DataError: `file: variable: reason`.
  [[noreturn]] void fail(const std::string& variable, const std::string& reason) const;

 private:
  struct CloseFile {
    void operator()(mat_t* file) const { Mat_Close(file); }
  };

  void check_believable(const matvar_t& variable) const;

  std::string name_;
  std::uintmax_t bytes_ = 0;
  std::unique_ptr<mat_t, CloseFile> handle_;
  std::vector<Variable> variables_;
};

/// Whether a variable is a full numeric array of two dimensions.
[[nodiscard]] bool is_matrix(const matvar_t& variable);
/// The type for lists: "double", "complex single", "logical", "sparse double", "struct", ...
[[nodiscard]] std::string type_name(const matvar_t& variable);

/// The numbers of a full numeric array that was read with its structure.
/// @throws DataError if there are too few.
[[nodiscard]] ArrayValues values_of(const File& file, const std::string& name,
                                    const matvar_t& variable);
/// The numbers of a real sparse matrix. @throws DataError if its indices are broken.
[[nodiscard]] Eigen::SparseMatrix<double> sparse_of(const File& file, const std::string& name,
                                                    const matvar_t& variable);
/// The text of a row of characters, as UTF-8; nullopt if the variable is no text.
[[nodiscard]] std::optional<std::string> text_of(const matvar_t* variable);

/// The field of element `index` of a structure array, or nullptr.
[[nodiscard]] matvar_t* field_of(matvar_t* structure, const std::string& name,
                                 std::size_t index = 0);
[[nodiscard]] std::vector<std::string> field_names(const matvar_t* structure);
[[nodiscard]] std::size_t element_count(const matvar_t& variable);

/// Checks the elements of a file of version 5, compressed ones as a whole.
/// @throws DataError with the byte of the first element that does not fit the file.
void check_version_5(const std::filesystem::path& file);

/// Names in the files that write_mat makes.
inline constexpr const char* kInfo = "alembert_record";
inline constexpr const char* kTime = "t";

}  // namespace alembert::io::mat
