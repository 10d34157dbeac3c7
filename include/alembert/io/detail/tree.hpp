#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

/// Named values inside one another, such as a whole result, in MATLAB and HDF5 files.
namespace alembert::io {

struct TreeField;

/// A value: nothing, a truth value, a number, a text, a vector, a matrix, a list, or a group of
/// named values.
struct TreeValue {
  using List = std::vector<TreeValue>;
  using Group = std::vector<TreeField>;

  std::variant<std::monostate, bool, std::int64_t, double, std::string, Eigen::VectorXd,
               Eigen::MatrixXd, List, Group>
      value;              ///< begins as nothing
  std::string unit = {};  ///< "": none, or not known
};

/// An entry of a group.
struct TreeField {
  std::string name;
  TreeValue value;
};

/// Writes the entries of a group as variables of a MATLAB file of version 5, replacing the file.
///
/// Groups become structures. A list of groups becomes a structure array 1 x n with the fields of
/// all of them, [] where one has none; another list a cell array 1 x n; an empty list, and nothing,
/// []. A vector is a column. Truth values are logical, other numbers double. Names that MATLAB does
/// not take are changed: "monte-carlo" to monte_carlo. Units are left out.
/// @throws InvalidInput if a variable would take more than 2 GiB, the most that version 5 holds;
///   DataError if the file cannot be written.
void write_mat_tree(const std::filesystem::path& file, const TreeValue::Group& variables);

/// Writes the entries of a group into an HDF5 file, replacing it.
///
/// Groups become groups. A list of texts becomes a data set of texts; another list a group with the
/// entries "1", "2", ... and the attribute `length`. A vector is a data set of one dimension, a
/// matrix one of rows x columns, a truth value an enumeration FALSE, TRUE as h5py writes it.
/// Nothing is a data set without values (a null dataspace). A unit is the attribute `unit`.
/// @throws InvalidInput if a text holds a zero byte; DataError if the file cannot be written.
void write_hdf5_tree(const std::filesystem::path& file, const TreeValue::Group& entries);

}  // namespace alembert::io
