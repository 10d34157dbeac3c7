#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "alembert/io/table.hpp"
#include "alembert/signal/record.hpp"
#include "io/record/record_parts.hpp"

/// Files that hold named arrays (.mat, .h5): which arrays are channels, which is the time.
namespace alembert::io {

/// The numbers of an array.
struct ArrayValues {
  Eigen::MatrixXd real;
  Eigen::MatrixXd imaginary = {};  ///< empty for a real array
};

/// A numeric array of at most two dimensions, read on demand.
struct LazyArray {
  std::string name;
  std::string unit = {};
  std::string description = {};
  Eigen::Index rows = 0;
  Eigen::Index columns = 0;
  bool complex = false;
  bool single_precision = false;
  std::function<ArrayValues()> load = {};

  [[nodiscard]] bool is_scalar() const { return rows == 1 && columns == 1; }
  [[nodiscard]] bool is_vector() const { return rows == 1 || columns == 1; }
};

/// The arrays of a file, or of one of its groups.
struct ArraySet {
  Place place = {};
  std::string title = {};
  std::vector<LazyArray> arrays = {};
  /// Set by files of our own: the exact axis. All arrays are channels then, and names mean nothing.
  std::optional<signal::TimeAxis> axis = {};
  /// Bytes that the numbers may take at most in a file of this size; 0: not known.
  std::uintmax_t most_bytes = 0;
};

/// Builds the record by the rules documented in mat.hpp. @throws DataError
[[nodiscard]] signal::Record assemble_record(const ArraySet& set, const ReadOptions& options);

/// One record of each set that has all the channels asked for. @throws DataError where none has.
[[nodiscard]] signal::Records assemble_records(const std::vector<ArraySet>& sets,
                                               const ReadOptions& options);

}  // namespace alembert::io
