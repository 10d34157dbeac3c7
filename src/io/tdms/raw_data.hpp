#pragma once

#include <Eigen/Core>
#include <string_view>

#include "io/tdms/metadata.hpp"

namespace alembert::io::tdms {

/// A value of a file at a byte of its content; time stamps in s since 1904. The bytes are there.
[[nodiscard]] double value_at(std::string_view content, std::uintmax_t at, Type type,
                              bool big_endian);

/// The whole numbers of `size` bytes at a byte. The bytes are there.
[[nodiscard]] std::uint64_t whole_at(std::string_view content, std::uintmax_t at, std::size_t size,
                                     bool big_endian);

/// All numbers of a channel. Time stamps become seconds since the first one, exact to 2⁻⁶⁴ s
/// before they are rounded.
[[nodiscard]] Eigen::VectorXd numbers_of(std::string_view content, const Object& channel);

}  // namespace alembert::io::tdms
