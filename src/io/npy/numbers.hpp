#pragma once

#include <Eigen/Core>
#include <string_view>

#include "io/npy/header.hpp"
#include "io/record/array_set.hpp"

/// The numbers of a .npy array.
namespace alembert::io::npy {

/// Rows and columns: one dimension is a column, none a single number; 0 x 0 for an array of
/// nothing.
/// @throws DataError for more than two dimensions.
struct Size {
  Eigen::Index rows = 1;
  Eigen::Index columns = 1;
};
[[nodiscard]] Size size_of(const Header& header, const Place& place);

/// The numbers of one field; a field of several numbers gives as many columns.
/// @param content the whole array with its header.
[[nodiscard]] ArrayValues numbers_of(const Header& header, const Field& field, const Size& size,
                                     std::string_view content);

}  // namespace alembert::io::npy
